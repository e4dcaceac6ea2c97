/** The stream as the host's requests use it: publishes fixes to the log. Without a broker the same process also runs a worker. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { grouped } from '../grouped.js';
import { hostJobs } from '../jobs/jobs.js';
import type { UnitFix } from '../live/unitFix.js';
import type { FixDays } from '../storage/fixDays.js';
import type { Storage } from '../storage/storage.js';
import type { ZoneCache } from '../zones/zoneCache.js';
import { fairPublisher } from './fairPublisher.js';
import type { Log, Outgoing } from './log.js';
import { encodeFixes } from './message.js';
import { lockOwnership, type Ownership, soleOwnership } from './ownership.js';
import { pairSource } from './pairSource.js';
import { partitionOf } from './partitionOf.js';
import type { StreamSettings } from './prepareStream.js';
import { receivedMessages } from './receivedMessages.js';
import { routeSource } from './routeKind.js';
import { streamHealth, type UnreadPartition } from './streamHealth.js';
import { streamStore } from './streamStore.js';
import { tripSource } from './tripSource.js';
import { streamWorker, type Worker, type WorkerOptions } from './worker.js';
import { zoneSource } from './zoneSource.js';

export interface LiveStream {
  /**
   * Publishes the fixes in their order. Resolves when they are durable; without a broker, when their events are durable too. A worker of
   * this process then uses at least version `zonesVersion` of the company's zones.
   */
  push(companyId: string, fixes: readonly UnitFix[], zonesVersion?: number): Promise<void>;
  /** Partitions that no worker reads, each with an error code or `no-worker`. The answer is at most a second old. */
  unread(): readonly UnreadPartition[];
  close(): Promise<void>;
}

/** Milliseconds between polls for commits of another process, and of this one, which also reports them itself. */
const POLL_MS = 20;
const OWN_POLL_MS = 1000;
/** Maximum number of fixes in a message: a larger message would delay others. */
const MOST_FIXES = 1000;

export function liveStream(
  storage: Storage,
  log: Log,
  { partitions }: StreamSettings,
  worker: Worker | null,
): LiveStream {
  const { db } = storage;
  const health = streamHealth(storage);
  /** Resolves when any process has committed the message. */
  const committedAnywhere = async (partition: number, seq: number, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await sleep(worker?.running().includes(partition) ? OWN_POLL_MS : POLL_MS, undefined, { signal }).catch(
        () => {},
      );
      if (signal.aborted) return;
      const row = await db
        .selectFrom('partitions')
        .select(['position', 'alarm'])
        .where('partition', '=', partition)
        .executeTakeFirst();
      if (row?.alarm) throw Object.assign(new Error(row.alarm), { statusCode: 503 });
      if (Number(row?.position) >= seq) return;
    }
  };
  const committed = async (partition: number, seq: number): Promise<void> => {
    if (worker === null) return;
    const stop = new AbortController();
    try {
      await Promise.race([worker.committed(partition, seq), committedAnywhere(partition, seq, stop.signal)]);
    } finally {
      stop.abort();
    }
  };
  const received = receivedMessages(db);
  const fairly = fairPublisher({
    log,
    async areCommitted(last) {
      const rows = await db
        .selectFrom('partitions')
        .select(['partition', 'position', 'shift', 'alarm'])
        .where('partition', 'in', [...last.keys()])
        .execute();
      // A broker knows no shift.
      return rows.every(
        ({ partition, position, shift, alarm }) =>
          alarm !== null ||
          Number(position) - (log.kind === 'nats' ? Number(shift) : 0) >= last.get(partition)!,
      );
    },
  });
  /** A broker may lose what it acknowledged: its messages are committed first. */
  const publish = async (companyId: string, messages: readonly Outgoing[]): Promise<readonly number[]> => {
    if (log.kind === 'table') return fairly(companyId, messages);
    const kept = await received.add(messages);
    try {
      return await fairly(companyId, kept);
    } catch (error) {
      // The sender sends them again.
      await received.remove(kept).catch(() => {});
      throw error;
    }
  };
  return {
    async push(companyId, fixes, zonesVersion = 0) {
      if (fixes.length === 0) return;
      const messages: Outgoing[] = [];
      for (const [partition, own] of grouped(fixes, ({ unitId }) => partitionOf(unitId, partitions)))
        for (let from = 0; from < own.length; from += MOST_FIXES) {
          // Other requests get their turn between the messages of a long list.
          if (from > 0) await turn();
          messages.push({ partition, payload: encodeFixes(companyId, own.slice(from, from + MOST_FIXES)) });
        }
      await worker?.reach(companyId, zonesVersion);
      const seqs = await publish(companyId, messages);
      const last = new Map(messages.map(({ partition }, i) => [partition, seqs[i]!]));
      await Promise.all([...last].map(([partition, seq]) => committed(partition, seq)));
    },
    unread: () => health.unread(),
    async close() {
      health.close();
      await worker?.close();
      await log.close();
    },
  };
}

export interface StreamWorkerOptions
  extends Pick<
    WorkerOptions,
    'log' | 'commitMs' | 'rotationMs' | 'tickMs' | 'keepMs' | 'stalledMs' | 'onCommitted' | 'onPaused'
  > {
  readonly storage: Storage;
  readonly days: FixDays;
  /** Zones that this process holds in memory, and its jobs. Without it the worker has its own. */
  readonly zones?: Pick<ZoneCache, 'baseOf' | 'jobs'> | null;
  readonly settings: StreamSettings;
}

/** Starts a worker: the only one on an embedded database, one of several on PostgreSQL. */
export function startWorker({ storage, days, settings, zones = null, ...rest }: StreamWorkerOptions): Worker {
  const id = randomUUID();
  const { partitions, latenessSeconds } = settings;
  const ownership = (onChange: () => void, onBeat: (error: unknown) => void): Ownership =>
    storage.url === null
      ? soleOwnership(partitions)
      : lockOwnership({ url: storage.url, workerId: id, partitions, onChange, onBeat });
  const jobs = zones?.jobs ?? hostJobs();
  const worker = streamWorker({
    ...rest,
    id,
    store: streamStore(storage, days),
    zones: zoneSource(storage, jobs, zones?.baseOf),
    trips: tripSource(storage, partitions),
    routes: routeSource(storage),
    pairs: pairSource(storage, partitions),
    ownership,
    latenessSeconds,
  });
  if (zones !== null) return worker;
  return {
    ...worker,
    async close() {
      await worker.close();
      jobs.close();
    },
  };
}
