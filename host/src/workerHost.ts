/** `wayzone-host worker`: runs a worker of the stream in its own process, with a broker and PostgreSQL. */

import Fastify, { type FastifyInstance } from 'fastify';
import { collectDefaultMetrics } from 'prom-client';
import { WayzoneError } from 'wayzone';
import { awaitServer } from './awaitServer.js';
import { hostMetrics, type Metrics, serveMetrics } from './metrics.js';
import type { Settings } from './settings.js';
import { fixDays } from './storage/fixDays.js';
import { postgresStorage } from './storage/postgresStorage.js';
import { openWorker } from './stream/openStream.js';

/** Limit for the answer to a statement: less than the time after which partitions without progress are given back. */
const ANSWER_MS = 8000;

export interface WorkerHost {
  /** Partitions that this worker reads. */
  running(): number[];
  /** Where `GET /metrics` is answered; null without `METRICS_PORT`. */
  readonly url: string | null;
  close(): Promise<void>;
}

/** Starts a worker. Waits while a server is unavailable. Throws `required` without the addresses of both servers. */
export async function startWorkerHost(settings: Settings): Promise<WorkerHost> {
  const { databaseUrl, natsUrl, metricsPort } = settings;
  if (databaseUrl === null || natsUrl === null)
    throw new WayzoneError(
      'required',
      databaseUrl === null ? 'DATABASE_URL' : 'NATS_URL',
      'expected the addresses of PostgreSQL and NATS, received at most one of them',
    );
  const metrics = hostMetrics(() => 0);
  // Before it waits for the servers: a port that is taken ends the process.
  const served = metricsPort === null ? null : await serveAlone(metrics, settings.host, metricsPort);
  const storage = await awaitServer('PostgreSQL', () =>
    postgresStorage(databaseUrl, { answerMs: ANSWER_MS }),
  );
  const worker = await openWorker({ ...settings, natsUrl }, storage, fixDays(storage), metrics);
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
