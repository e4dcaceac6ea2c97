/** `wayzone-host worker`: runs a worker of the stream in its own process. */

import Fastify, { type FastifyInstance } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import { WayzoneError } from 'wayzone';
import { awaitServer } from './awaitServer.js';
import { hostMetrics, type Metrics, serveMetrics } from './metrics.js';
import type { Settings } from './settings.js';
import { postgresStorage } from './storage/postgresStorage.js';
import { openWorker } from './stream/openStream.js';

/** Limit for the answer to a statement: . */
const ANSWER_MS = 8000;

export interface WorkerHost {
  /** Cells that this worker has in memory. */
  running(): number[];
  /** Where `GET /metrics` is answered; null without `METRICS_PORT`. */
  readonly url: string | null;
  close(): Promise<void>;
}

/** Starts a worker. Waits while PostgreSQL is unavailable. Throws `required` without its address. */
export async function startWorkerHost(settings: Settings): Promise<WorkerHost> {
  const { databaseUrl, metricsPort } = settings;
  if (databaseUrl === null)
    throw new WayzoneError('required', 'DATABASE_URL', 'expected the address of PostgreSQL, received none');
  const metrics = hostMetrics(() => 0);
  // Before it waits for the servers: a port that is taken ends the process.
  const served = metricsPort === null ? null : await serveAlone(metrics, settings.host, metricsPort);
  const storage = await awaitServer('PostgreSQL', () =>
    postgresStorage(databaseUrl, { answerMs: ANSWER_MS }),
  );
  const worker = await openWorker(settings, storage, metrics);
  return {
    url: served?.url ?? null,
    running: () => worker.running(),
    async close() {
      await worker.close();
      await served?.app.close();
      await storage.close();
    },
  };
}

async function serveAlone(
  metrics: Metrics,
  host: string,
  port: number,
): Promise<{ readonly app: FastifyInstance; readonly url: string }> {
  const app = Fastify();
  collectDefaultMetrics({ register: metrics.registry });
  serveMetrics(app, metrics);
  return { app, url: await app.listen({ host, port }) };
}
