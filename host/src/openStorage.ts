/** Opens the storage of the settings. */

import type { Logger } from 'kysely';
import { awaitServer } from './awaitServer.js';
import type { Settings } from './settings.js';
import type { Storage } from './storage/storage.js';

/** Waits while PostgreSQL is unavailable. Loads the database of the settings alone. `log` is called after each statement. */
export async function openStorage(
  { databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  log?: Logger,
): Promise<Storage> {
  if (databaseUrl === null) {
    const { embeddedStorage } = await import('./storage/embeddedStorage.js');
    return embeddedStorage(dataDir, {}, log);
  }
  const { postgresStorage } = await import('./storage/postgresStorage.js');
  return awaitServer('PostgreSQL', () => postgresStorage(databaseUrl, log === undefined ? {} : { log }));
}
