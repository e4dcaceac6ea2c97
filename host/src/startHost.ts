/** Starts the host: storage, zones, tokens, application. */

import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger as StatementLog } from 'kysely';
import type { IssuerRedirects } from './auth/issuerRedirects.js';
import { type SignIn, signInLinks } from './auth/signInLinks.js';
import { secretOf, type TokenVerifier, tokenVerifier } from './auth/tokens.js';
import { awaitServer } from './awaitServer.js';
import { buildApp } from './buildApp.js';
import type { Context } from './context.js';
import { type Deliveries, startDeliveries } from './delivery/deliveries.js';
import { type Devices, devices } from './devices.js';
import { DAY_MS } from './durations.js';
import { hostLogger } from './http/addLogs.js';
import { computeProcesses } from './jobs/compute.js';
import type { JobEnd } from './jobs/jobProcesses.js';
import { liveChanges } from './live/liveChanges.js';
import { unitKeys } from './live/unitKeys.js';
import { hostMetrics, type Metrics, stateMetrics } from './metrics.js';
import { openStorage } from './openStorage.js';
import type { Settings } from './settings.js';
import { isCompany } from './storage/companyOf.js';
import { databaseClock } from './storage/databaseClock.js';
import { fixDays } from './storage/fixDays.js';
import type { Storage } from './storage/storage.js';
import { openStream } from './stream/openStream.js';
import { tracingOf } from './tracingOf.js';
import { zoneCache } from './zones/zoneCache.js';

/** Milliseconds between deletions of old fixes. */
const RETENTION_MS = 3_600_000;

export interface Host {
  readonly app: FastifyInstance;
  readonly storage: Storage;
  readonly metrics: Metrics;
  readonly deliveries: Deliveries;
  /** Of this host's database alone. */
  readonly links: SignIn | null;
  readonly deviceOf: Devices;
  /** The secret that signs tokens; null if tokens are verified by published keys. */
  readonly secret: Uint8Array | null;
  close(): Promise<void>;
}

/** The hosts of several databases have these together. */
export interface SharedParts {
  readonly tokens: TokenVerifier;
  readonly links: SignIn;
  readonly deviceOf: Devices;
  /** Whether a company is in one of the databases. */
  readonly isCompany: (companyId: string) => Promise<boolean>;
}

/**
 * Starts everything except listening. Waits while PostgreSQL is unavailable. `clock` replaces the clocks of the host and of its
 * database (epoch milliseconds), `given` the storage of the settings, or how it is opened.
 */
export async function startHost(
  settings: Settings,
  clock: (() => number) | null = null,
  given?: Storage | ((log?: StatementLog) => Promise<Storage>),
  shared: SharedParts | null = null,
): Promise<Host> {
  const now = clock ?? Date.now;
  const log = hostLogger(settings.logLevel);
  const tracing = await tracingOf(settings, log);
  const open = typeof given === 'function' ? given : (log?: StatementLog) => openStorage(settings, log);
  const storage = typeof given === 'object' ? given : await open(tracing?.onStatement);
  const secret = secretOf(settings);
  const onEnd = (end: JobEnd): void => {
    metrics.processes.inc({ job: end.name, reason: end.reason });
    log.warn(end, 'a job ended its process');
  };
  const zones = await zoneCache(storage, {
    folder: join(settings.dataDir, 'zones'),
    jobs: { onEnd, exportFolder: join(settings.dataDir, 'exports'), exportBytes: settings.exportBytes },
  });
  const metrics = hostMetrics(() => zones.size());
  const days = fixDays(storage);
  const live = await openStream(settings, storage, days, clock, metrics, zones, tracing?.turns);
  const changes = await liveChanges(storage);
  stateMetrics(metrics.registry, { storage, live, zones, now });
  const { published } = settings;
  const isKnown = shared?.isCompany ?? ((id: string) => isCompany(storage, id));
  const tokens =
    shared?.tokens ??
    tokenVerifier({ secret, published }, settings, now, ({ companyId }) => isCompany(storage, companyId));
  const links = secret === null ? null : signInLinks(storage, secret, settings, now);
  const databaseNow = clock === null ? databaseClock(storage) : async () => clock();
  const deviceOf = devices(storage, { live, zones, databaseNow });
  const units = unitKeys(storage);
  const compute = computeProcesses({ budgetMs: 1000 * settings.computeSeconds, onEnd, now });
  const deliveries = startDeliveries(storage, settings, metrics, log, now);
  const context: Context = {
    storage,
    zones,
    units,
    deviceOf: shared?.deviceOf ?? deviceOf,
    compute: tracing?.traced(compute) ?? compute,
    live,
    changes,
    metrics,
    settings,
    log,
    now,
    databaseNow,
    tokens,
    links: links === null ? null : (shared?.links ?? links),
    issuerSignIn: await issuerOf(settings, storage, secret, now, isKnown),
  };
  const app = await buildApp(context, tracing);
  const retain = (): Promise<unknown> => days.dropBefore(now() - settings.fixesDays * DAY_MS);
  await awaitServer('PostgreSQL', retain);
  const timer = setInterval(() => void retain().catch(() => {}), RETENTION_MS);
  timer.unref();
  return {
    app,
    storage,
    metrics,
    deliveries,
    links,
    deviceOf,
    secret,
    async close() {
      clearInterval(timer);
      changes.close();
      await app.close();
      await deliveries.close();
      await live.close();
      compute.close();
      await zones.close();
      await storage.close();
      await tracing?.close();
    },
  };
}

/** Loads the client of issuers only where it is wanted. */
async function issuerOf(
  settings: Settings,
  storage: Storage,
  secret: Uint8Array | null,
  now: () => number,
  isKnown: (companyId: string) => Promise<boolean>,
): Promise<IssuerRedirects | null> {
  const { signIn } = settings;
  if (signIn === null || secret === null) return null;
  const { issuerRedirects } = await import('./auth/issuerRedirects.js');
  return issuerRedirects(storage, secret, { ...settings, signIn }, now, isKnown);
}
