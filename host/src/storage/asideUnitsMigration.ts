/** Units are set aside instead of messages. A row without a unit is a message that names none. */

import { type Kysely, type Migration, sql } from 'kysely';

export const asideUnits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table set_aside
      add column unit_id text not null default '',
      add column company_id text,
      add column from_time bigint,
      drop constraint set_aside_pkey,
      add primary key (partition, seq, unit_id)`.execute(db);
    await sql`create index set_aside_unit on set_aside (unit_id)`.execute(db);
  },
  async down(db: Kysely<unknown>): Promise<void> {
    await sql`delete from set_aside where unit_id <> ''`.execute(db);
    await sql`drop index set_aside_unit`.execute(db);
    await sql`alter table set_aside
      drop constraint set_aside_pkey,
      drop column unit_id,
      drop column company_id,
      drop column from_time,
      add primary key (partition, seq)`.execute(db);
    // The state of a unit that was set aside stays the last one that was stored.
    await sql`delete from unit_states where state = '{"v":"aside","state":null}'`.execute(db);
    await sql`update unit_states set state = substr(state, 22, length(state) - 22)
      where state like '{"v":"aside","state":%'`.execute(db);
  },
};
