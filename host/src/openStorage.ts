/** Opens the storage of the settings. */

import { awaitServer } from './awaitServer.js';
import type { Settings } from './settings.js';
import { embeddedStorage } from './storage/embeddedStorage.js';
import { postgresStorage } from './storage/postgresStorage.js';
import type { Storage } from './storage/storage.js';

/** Waits while PostgreSQL is unavailable. */
export async function openStorage({
  databaseUrl,
  dataDir,
}: Pick<Settings, 'databaseUrl' | 'dataDir'>): Promise<Storage> {
  if (databaseUrl === null) return embeddedStorage(dataDir);
  return awaitServer('PostgreSQL', () => postgresStorage(databaseUrl));
}
