/** What the host asks of a database: one interface, held by PostgreSQL and by the embedded PGlite. */

import { type Kysely, Migrator, sql, type Transaction } from 'kysely';
import { MIGRATIONS } from './migrations.js';
import type { Tables } from './tables.js';

/** A company's zones have reached this version; a hint that may be lost. */
export interface VersionHint {
  readonly companyId: string;
  readonly version: number;
}

export interface Storage {
  readonly db: Kysely<Tables>;
  /** The address of the server; null: an embedded database, of this process alone. */
  readonly url: string | null;
  /** Calls `onHint` for each notification of the channel by any process, until the storage is closed. */
  listen(channel: Channel, onHint: (hint: VersionHint) => void): Promise<void>;
  close(): Promise<void>;
}

/** The channels of `LISTEN` and `NOTIFY`: a company's rows have another version; fixes or events of it were written. */
export type Channel = 'wayzone_versions' | 'wayzone_live';

export async function notify(
  db: Kysely<Tables> | Transaction<Tables>,
  channel: Channel,
  hint: VersionHint,
): Promise<void> {
  await sql`select pg_notify(${channel}, ${`${hint.version} ${hint.companyId}`})`.execute(db);
}

/** Brings the schema up to date; nothing when it is. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The hint that a notification carries; null where another program has sent it. */
export function readHint(payload: string | undefined): VersionHint | null {
  const match = /^(\d+) (.+)$/s.exec(payload ?? '');
  return match === null ? null : { version: Number(match[1]), companyId: match[2]! };
}
