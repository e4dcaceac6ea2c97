/** What the host asks of a database: one interface, held by PostgreSQL and by the embedded PGlite. */

import { type Kysely, Migrator } from 'kysely';
import { MIGRATIONS } from './migrations.js';
import type { Tables } from './tables.js';

/** A company's zones have reached this version; a hint that may be lost. */
export interface VersionHint {
  readonly companyId: string;
  readonly version: number;
}

export interface Storage {
  readonly db: Kysely<Tables>;
  /** Calls `onHint` for each committed write of any process, until the storage is closed. */
  listen(onHint: (hint: VersionHint) => void): Promise<void>;
  close(): Promise<void>;
}

/** The channel of `LISTEN` and `NOTIFY`. */
export const CHANNEL = 'wayzone_versions';

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

export function hintText({ companyId, version }: VersionHint): string {
  return `${version} ${companyId}`;
}
