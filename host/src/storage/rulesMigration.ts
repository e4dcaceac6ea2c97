/** The ninth migration: finds the geozones with a speed limit or hours without reading all rows. */

import { type Kysely, type Migration, sql } from 'kysely';

export const rules: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const name of ['geozones', 'geozones_history'])
      await sql`create index ${sql.id(`${name}_rules`)} on ${sql.table(name)} (company_id)
        where row ? 'speed_limit' or row ? 'hours'`.execute(db);
  },
  async down(db: Kysely<unknown>): Promise<void> {
    await sql`delete from events where event->>'type' = 'hours'
      or event->>'kind' in ('hours', 'speeding', 'route', 'meeting')`.execute(db);
    await sql`update unit_states set state = (state::jsonb - 'speeding' || '{"v": 3}')::text
      where partition is not null and state::jsonb ? 'speeding'`.execute(db);
    for (const name of ['geozones', 'geozones_history'])
      await sql`drop index ${sql.id(`${name}_rules`)}`.execute(db);
  },
};
