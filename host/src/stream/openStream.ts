/** Opens the stream of a host: its log and, without a broker, the worker that reads it. */

import { awaitServer } from '../awaitServer.js';
import type { Metrics } from '../metrics.js';
import type { Settings } from '../settings.js';
import type { FixDays } from '../storage/fixDays.js';
import type { Storage } from '../storage/storage.js';
import type { ZoneCache } from '../zones/zoneCache.js';
import { type LiveStream, liveStream, startWorker } from './liveStream.js';
import type { Log } from './log.js';
import type { NatsOptions } from './natsLog.js';
import { prepareStream, type StreamSettings } from './prepareStream.js';
import { gaugeSetAside } from './setAside.js';
import { tableLog } from './tableLog.js';
import type { Worker } from './worker.js';

/** With a broker, outputs wait at most this long to share a checkpoint. */
const COMMIT_MS = 50;

export interface OpenStream {
  readonly log: Log;
  readonly live: LiveStream;
}

type Given = Pick<
  Settings,
  | 'natsUrl'
  | 'partitions'
  | 'latenessSeconds'
  | 'tickSeconds'
  | 'stateSeconds'
  | 'logKeepSeconds'
  | 'logMegabytes'
  | 'natsReplicas'
>;

function natsOptions({ logMegabytes, natsReplicas }: Given): NatsOptions {
  return { maxBytes: logMegabytes * 2 ** 20, replicas: natsReplicas };
}

async function prepared(
  storage: Storage,
  { natsUrl, partitions, latenessSeconds }: Given,
): Promise<StreamSettings> {
  const own = {
    log: natsUrl === null ? ('table' as const) : ('nats' as const),
    ...(partitions === null ? {} : { partitions }),
    ...(latenessSeconds === null ? {} : { latenessSeconds }),
  };
  return awaitServer('PostgreSQL', () => prepareStream(storage, own));
}

/** Opens the log that the settings name, and reads the stream settings that were fixed when its streams were created. */
export async function openLog(
  given: Given,
  storage: Storage,
  now: (() => number) | null = null,
): Promise<{ readonly settings: StreamSettings; readonly log: Log }> {
  const settings = await prepared(storage, given);
  const { natsUrl } = given;
  if (natsUrl === null) return { settings, log: tableLog(storage, now) };
  const { natsLog } = await import('./natsLog.js');
  return { settings, log: await natsLog(natsUrl, natsOptions(given)) };
}

export async function openStream(
  given: Given,
  storage: Storage,
  days: FixDays,
  now: (() => number) | null,
  metrics: Metrics,
  zones: ZoneCache,
): Promise<OpenStream> {
  const { settings, log } = await openLog(given, storage, now);
  gaugeSetAside(metrics.registry, storage);
  const worker =
    given.natsUrl === null ? workerOf(given, storage, days, log, settings, metrics, zones) : null;
  return { log, live: liveStream(storage, log, settings, worker) };
}

/** Opens a worker for a process of its own, with a broker. */
export async function openWorker(
  given: Given & { readonly natsUrl: string },
  storage: Storage,
  days: FixDays,
  metrics: Metrics,
): Promise<Worker> {
  const { settings, log } = await openLog(given, storage);
  gaugeSetAside(metrics.registry, storage);
  return workerOf(given, storage, days, log, settings, metrics);
}

function workerOf(
  { tickSeconds, stateSeconds, logKeepSeconds }: Given,
  storage: Storage,
  days: FixDays,
  log: Log,
  settings: StreamSettings,
  metrics: Metrics,
  zones: ZoneCache | null = null,
): Worker {
  let last = '';
  return startWorker({
    storage,
    days,
    log,
    zones,
    settings,
    commitMs: log.kind === 'nats' ? COMMIT_MS : 0,
    rotationMs: stateSeconds * 1000,
    tickMs: tickSeconds * 1000,
    keepMs: logKeepSeconds * 1000,
    onCommitted(fixes, events) {
      metrics.fixes.inc(fixes);
      for (const [type, count] of events) metrics.events.inc({ type }, count);
    },
    onPaused(failure) {
      metrics.paused.set(failure === null ? 0 : 1);
      const message = failure === null ? '' : `${failure.code}: ${failure.message}`;
      if (message !== '' && message !== last) process.stderr.write(`The worker pauses: ${message}\n`);
      if (message === '' && last !== '') process.stderr.write('The worker continues.\n');
      last = message;
    },
  });
}
