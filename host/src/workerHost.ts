/** `wayzone-host worker`: runs a worker of the stream in its own process, with a broker and PostgreSQL. */

import { WayzoneError } from 'wayzone';
import { awaitServer } from './awaitServer.js';
import { hostMetrics } from './metrics.js';
import type { Settings } from './settings.js';
import { fixDays } from './storage/fixDays.js';
import { postgresStorage } from './storage/postgresStorage.js';
import { openWorker } from './stream/openStream.js';

export interface WorkerHost {
  /** Partitions that this worker reads. */
  running(): number[];
  close(): Promise<void>;
}

/** Starts a worker. Waits while a server is unavailable. Throws `required` without the addresses of both servers. */
export async function startWorkerHost(settings: Settings): Promise<WorkerHost> {
  const { databaseUrl, natsUrl } = settings;
  if (databaseUrl === null || natsUrl === null)
    throw new WayzoneError(
      'required',
      databaseUrl === null ? 'DATABASE_URL' : 'NATS_URL',
      'expected the addresses of PostgreSQL and NATS, received at most one of them',
    );
  const storage = await awaitServer('PostgreSQL', () => postgresStorage(databaseUrl));
  const worker = await openWorker(
    { ...settings, natsUrl },
    storage,
    fixDays(storage),
    hostMetrics(() => 0),
  );
  return {
    running: () => worker.running(),
    async close() {
      await worker.close();
      await storage.close();
    },
  };
}
