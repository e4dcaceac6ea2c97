/** `wayzone-host worker`: runs a worker of the stream in its own process. */

import Fastify, { type FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { WayzoneError } from 'wayzone';
import { awaitServer } from './awaitServer.js';
import { hostLogger } from './http/addLogs.js';
import { hostMetrics, type Metrics } from './metrics.js';
import type { NamedDatabase } from './namedDatabase.js';
import { joinedMetrics, type Opened, openEach } from './servers/openEach.js';
import type { Settings } from './settings.js';
import { postgresStorage } from './storage/postgresStorage.js';
import type { Storage } from './storage/storage.js';
import type { CellWorker } from './stream/cellWorker.js';
import { openWorker } from './stream/openStream.js';
import { tracingOf } from './tracingOf.js';

/** Limit for the answer to a statement. */
const ANSWER_MS = 8000;

interface Running {
  readonly storage: Storage;
  readonly worker: CellWorker;
}

export interface WorkerHost {
  /** Cells that this worker has in memory. */
  running(): number[];
  /** Where `GET /metrics` is answered; null without `METRICS_PORT`. */
  readonly url: string | null;
  close(): Promise<void>;
}

/** Starts a worker of each database. Waits while the only one is unavailable. Throws `required` without its address. */
export async function startWorkerHost(settings: Settings): Promise<WorkerHost> {
  const { databaseUrl, databases, metricsPort, host } = settings;
  const only = databaseUrl === null ? [] : [{ name: '', url: databaseUrl }];
  const all = databases.length > 0 ? databases : only;
  if (all.length === 0)
    throw new WayzoneError('required', 'DATABASE_URL', 'expected the address of PostgreSQL, received none');
  const tracing = await tracingOf(settings, hostLogger(settings.logLevel));
  const metrics = all.map(() => hostMetrics(() => 0));
  for (const [i, { name }] of databases.entries()) metrics[i]!.registry.setDefaultLabels({ database: name });
  // Before it waits for the servers: a port that is taken ends the process.
  const served = metricsPort === null ? null : await serveAlone(metrics, host, metricsPort);
  const start = async (database: NamedDatabase): Promise<Running> => {
    const storage = await awaitServer('PostgreSQL', () =>
      postgresStorage(database.url, {
        answerMs: ANSWER_MS,
        ...(tracing === null ? {} : { log: tracing.onStatement }),
      }),
    );
    const given = { ...settings, databases: databases.filter((one) => one === database) };
    try {
      const own = metrics[all.indexOf(database)]!;
      return { storage, worker: await openWorker(given, storage, own, tracing?.turns) };
    } catch (error) {
      await storage.close();
      throw error;
    }
  };
  const end = async ({ storage, worker }: Running): Promise<void> => {
    await worker.close();
    await storage.close();
  };
  const closing = new AbortController();
  const own = all.map(({ name }): Opened<Running> => ({ name, value: null, failure: 'server-away' }));
  if (databases.length === 0) own[0]!.value = await start(all[0]!);
  else await openEach(all, own, start, end, closing.signal);
  const running = (): Running[] => own.flatMap(({ value }) => value ?? []);
  return {
    url: served?.url ?? null,
    running: () => running().flatMap(({ worker }) => worker.running()),
    async close() {
      closing.abort();
      await Promise.all(running().map(end));
      await served?.app.close();
      await tracing?.close();
    },
  };
}

async function serveAlone(
  metrics: readonly Metrics[],
  host: string,
  port: number,
): Promise<{ readonly app: FastifyInstance; readonly url: string }> {
  const app = Fastify();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  app.get('/metrics', async (_, reply) => {
    const { type, body } = await joinedMetrics(
      registry,
      metrics.map((one) => one.registry),
    );
    return reply.type(type).send(body);
  });
  return { app, url: await app.listen({ host, port }) };
}
