/** Starts the host: storage, zones, tokens, application. */

import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.js';
import { secretOf } from './auth/secretOf.js';
import { tokenVerifier } from './auth/tokens.js';
import type { Settings } from './settings.js';
import { embeddedStorage } from './storage/embeddedStorage.js';
import { postgresStorage } from './storage/postgresStorage.js';
import type { Storage } from './storage/storage.js';
import { zoneCache } from './zones/companyZones.js';

export interface Host {
  readonly app: FastifyInstance;
  readonly storage: Storage;
  /** null where tokens are verified by published keys: the host signs none. */
  readonly secret: Uint8Array | null;
  close(): Promise<void>;
}

/** Everything but the open port. `storage` is that of the settings unless it is given. */
export async function startHost(settings: Settings, now: () => number, given?: Storage): Promise<Host> {
  const storage =
    given ??
    (settings.databaseUrl === null
      ? await embeddedStorage(settings.dataDir)
      : await postgresStorage(settings.databaseUrl));
  const keys = settings.keys ?? { kind: 'secret' as const, secret: secretOf(settings.dataDir) };
  const zones = await zoneCache(storage);
  const app = await buildApp({ storage, zones, settings, now, tokens: tokenVerifier(keys, settings, now) });
  return {
    app,
    storage,
    secret: keys.kind === 'secret' ? keys.secret : null,
    async close() {
      await app.close();
      zones.close();
      await storage.close();
    },
  };
}
