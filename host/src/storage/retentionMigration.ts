/** The fifth migration: the version from which a company's earlier zones are kept. */

import { type Kysely, type Migration, sql } from 'kysely';

export const retention: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table companies add column zones_from bigint not null default 0`.execute(db);
    await sql`create index partition_zones_company on partition_zones (company_id, version)`.execute(db);
  },
  /** Deleted rows of history are not restored: the earlier schema keeps the remaining ones. */
  async down(db: Kysely<unknown>): Promise<void> {
    await sql`drop index partition_zones_company`.execute(db);
    await sql`alter table companies drop column zones_from`.execute(db);
  },
};
