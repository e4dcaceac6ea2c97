/** What an operator decided about a message that was set aside. The row stays, because a replay must skip the message. */

import { type Kysely, type Migration, sql } from 'kysely';

export const setAside: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table set_aside add column resolved text`.execute(db);
  },
  async down(db: Kysely<unknown>): Promise<void> {
    await sql`alter table set_aside drop column resolved`.execute(db);
  },
};
