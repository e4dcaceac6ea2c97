/** Opens the stream of a host, with a worker in the same process or without one. */

import { awaitServer } from '../awaitServer.js';
import type { Metrics } from '../metrics.js';
import type { Settings } from '../settings.js';
import type { FixDays } from '../storage/fixDays.js';
import { notify, type Storage } from '../storage/storage.js';
import type { TurnTraces } from '../tracing.js';
import type { ZoneCache } from '../zones/zoneCache.js';
import type { CellWorker } from './cellWorker.js';
import { type LiveStream, liveStream, startWorker } from './liveStream.js';
import { prepareStream, type StreamSettings } from './prepareStream.js';
import { gaugeSetAside } from './setAside.js';

type Given = Pick<Settings, 'isFollowing' | 'latenessSeconds' | 'tickSeconds' | 'stateSeconds' | 'databases'>;

const prepared = (storage: Storage, { latenessSeconds }: Given): Promise<StreamSettings> =>
  awaitServer('PostgreSQL', () => prepareStream(storage, latenessSeconds));

export async function openStream(
  given: Given,
  storage: Storage,
  days: FixDays,
  now: (() => number) | null,
  metrics: Metrics,
  zones: ZoneCache,
  traces?: TurnTraces,
): Promise<LiveStream> {
  const settings = await prepared(storage, given);
  gaugeSetAside(metrics.registry, storage);
  const worker =
    given.isFollowing || storage.url === null
      ? workerOf({ given, storage, settings, metrics, now, zones, traces })
      : null;
  return liveStream({ storage, days, worker, now });
}

/** Opens a worker for a process of its own. */
export async function openWorker(
  given: Given,
  storage: Storage,
  metrics: Metrics,
  traces?: TurnTraces,
): Promise<CellWorker> {
  const settings = await prepared(storage, given);
  gaugeSetAside(metrics.registry, storage);
  return workerOf({ given, storage, settings, metrics, now: null, zones: null, traces });
}

interface WorkerGiven {
  readonly given: Given;
  readonly storage: Storage;
  readonly settings: StreamSettings;
  readonly metrics: Metrics;
  readonly now: (() => number) | null;
  readonly zones: ZoneCache | null;
  readonly traces: TurnTraces | undefined;
}

function workerOf({ given, storage, settings, metrics, now, zones, traces }: WorkerGiven): CellWorker {
  const {
    tickSeconds,
    stateSeconds,
    databases: [database],
  } = given;
  let last = '';
  const name = database === undefined ? 'The worker' : `The worker of ${database.name}`;
  return startWorker({
    storage,
    zones,
    ...settings,
    now,
    rotationMs: stateSeconds * 1000,
    tickMs: tickSeconds * 1000,
    ...(traces === undefined ? {} : { onTurn: traces.run }),
    onCommitted(fixes, events, companyIds) {
      metrics.fixes.inc(fixes);
      traces?.committed(
        fixes,
        [...events.values()].reduce((sum, count) => sum + count, 0),
      );
      for (const [type, count] of events) metrics.events.inc({ type }, count);
      for (const companyId of companyIds)
        void notify(storage.db, 'wayzone_live', { companyId, version: 0 }).catch(() => {});
    },
    onPaused(failure) {
      if (failure !== null) traces?.failed(failure.code);
      metrics.paused.set(failure === null ? 0 : 1);
      const message = failure === null ? '' : `${failure.code}: ${failure.message}`;
      if (message !== '' && message !== last) process.stderr.write(`${name} pauses: ${message}\n`);
      if (message === '' && last !== '') process.stderr.write(`${name} continues.\n`);
      last = message;
    },
  });
}
