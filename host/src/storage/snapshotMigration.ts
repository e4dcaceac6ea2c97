/** The fourth migration: the files of zones that were written from this database (`threads/zoneFile.ts`). */

import { type Kysely, type Migration, sql } from 'kysely';

export const snapshots: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table zone_snapshots (
      token text primary key,
      company_id text not null references companies (id),
      version bigint not null
    )`.execute(db);
    await sql`create index zone_snapshots_company on zone_snapshots (company_id, version)`.execute(db);
  },
  async down(db: Kysely<unknown>): Promise<void> {
    await sql`drop table zone_snapshots`.execute(db);
  },
};
