/** The sixth migration: the number that is added to the sequences of a partition's stream after `go-on`. */

import { type Kysely, type Migration, sql } from 'kysely';

export const shift: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table partitions add column shift bigint not null default 0`.execute(db);
  },
  async down(db: Kysely<unknown>): Promise<void> {
    await sql`alter table partitions drop column shift`.execute(db);
  },
};
