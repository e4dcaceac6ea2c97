/** The seventh migration: trips at earlier versions, for workers that restart at a recorded version. */

import { type Kysely, type Migration, sql } from 'kysely';

export const tripHistory: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table trips_history (
      id text not null,
      company_id text not null,
      version bigint not null,
      until bigint not null,
      ordinal bigint not null,
      row jsonb not null
    )`.execute(db);
    await sql`create index trips_history_company on trips_history (company_id, until)`.execute(db);
    await sql`create function keep_trip() returns trigger language plpgsql as $$
      begin
        insert into trips_history values (old.id, old.company_id, old.version, new.version, old.ordinal, old.row);
        return new;
      end $$`.execute(db);
    await sql`create trigger keep_trip before update on trips
      for each row when (old.version <> new.version) execute function keep_trip()`.execute(db);
    // Several versions may apply after the same message, because each edit of a trip has its own events.
    await sql`alter table partition_zones drop constraint partition_zones_pkey`.execute(db);
    await sql`alter table partition_zones add primary key (partition, company_id, seq, version)`.execute(db);
  },
  async down(db: Kysely<unknown>): Promise<void> {
    await sql`delete from partition_zones z using partition_zones later
      where later.partition = z.partition and later.company_id = z.company_id and later.seq = z.seq
        and later.version > z.version`.execute(db);
    await sql`alter table partition_zones drop constraint partition_zones_pkey`.execute(db);
    await sql`alter table partition_zones add primary key (partition, company_id, seq)`.execute(db);
    await sql`drop trigger keep_trip on trips`.execute(db);
    await sql`drop function keep_trip`.execute(db);
    await sql`drop table trips_history`.execute(db);
  },
};
