/** Opens the storage of the settings. */

import { awaitServer } from './awaitServer.js';
import type { Settings } from './settings.js';
import type { Storage } from './storage/storage.js';

/** Waits while PostgreSQL is unavailable. Loads the database of the settings alone. */
export async function openStorage({
  databaseUrl,
  dataDir,
}: Pick<Settings, 'databaseUrl' | 'dataDir'>): Promise<Storage> {
  if (databaseUrl === null) {
    const { embeddedStorage } = await import('./storage/embeddedStorage.js');
    return embeddedStorage(dataDir);
  }
  const { postgresStorage } = await import('./storage/postgresStorage.js');
  return awaitServer('PostgreSQL', () => postgresStorage(databaseUrl));
}
