/** The interface of the host's database, implemented with PostgreSQL and with the embedded PGlite. */

import { type Kysely, Migrator, sql, type Transaction } from 'kysely';
import { MIGRATIONS } from './migrations.js';
import type { Tables } from './tables.js';

/** SQLSTATE classes 08 (connection), 53 (resources, such as disk) and 57P (shutdown), 25006 (read-only), and codes of Node. */
const CODES = /^(?:08|53|57P|25006$)|^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOSPC|ETIMEDOUT)$/;
/** Messages of `pg` for a broken connection; these errors have no code. */
const BROKEN =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded when trying)/;

/** A hint that a company's zones have reached this version, or the number of a cell. It may be lost. */
export interface VersionHint {
  readonly companyId: string;
  readonly version: number;
}

export interface Storage {
  readonly db: Kysely<Tables>;
  /** The address of the server; null for an embedded database, which only this process uses. */
  readonly url: string | null;
  /** Calls `onHint` for each notification that any process sends on the channel, until the storage is closed. */
  listen(channel: Channel, onHint: (hint: VersionHint) => void): Promise<void>;
  close(): Promise<void>;
}

/** Channels of `LISTEN` and `NOTIFY`: a company has a new version of its rows; events of a company were written; a cell of a company has fixes. */
export type Channel = 'wayzone_versions' | 'wayzone_live' | 'wayzone_cells';

export async function notify(
  db: Kysely<Tables> | Transaction<Tables>,
  channel: Channel,
  hint: VersionHint,
): Promise<void> {
  await sql`select pg_notify(${channel}, ${`${hint.version} ${hint.companyId}`})`.execute(db);
}

/** Applies the migrations that are missing. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The hint of a notification; null if another program has sent it. */
export function readHint(payload: string | undefined): VersionHint | null {
  const match = /^(\d+) (.+)$/s.exec(payload ?? '');
  return match === null ? null : { version: Number(match[1]), companyId: match[2]! };
}

export function isUnavailable(error: unknown): boolean {
  const { code, syscall, message } = Object(error) as Readonly<Record<string, unknown>>;
  if (typeof code === 'string' && CODES.test(code)) return true;
  // Covers a missing socket file of PostgreSQL and an unknown host name.
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  return BROKEN.test(String(message));
}
