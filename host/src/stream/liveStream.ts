/** The stream as the host's requests use it: commits fixes. A worker of the same process, or of others, follows their units. */

import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { every } from '../every.js';
import { hostJobs } from '../jobs/jobs.js';
import type { UnitFix } from '../live/fixes.js';
import type { FixDays } from '../storage/fixDays.js';
import { notify, type Storage } from '../storage/storage.js';
import type { ZoneCache } from '../zones/zoneCache.js';
import { cellMap } from './cellMap.js';
import { cellStore } from './cellStore.js';
import { type CellWorker, cellWorker, type WorkerOptions } from './cellWorker.js';
import { fixIntake } from './fixIntake.js';
import { pairSource } from './pairSource.js';
import { renewedWorker } from './renewedWorker.js';
import { routeSource } from './routeKind.js';
import { tripSource } from './tripSource.js';
import { zoneSource } from './zoneSource.js';

/** Milliseconds between looks for cells that no worker follows. */
const HEALTH_MS = 1000;
/** A worker that has not registered for this long counts as dead; it registers each second. */
const GONE = '5 seconds';

export interface LiveStream {
  /**
   * Commits the fixes in their order. With a worker in this process it resolves when their events are committed too; the worker then uses at least
   * version `zonesVersion` of the company's zones.
   */
  push(companyId: string, fixes: readonly UnitFix[], zonesVersion?: number): Promise<void>;
  /** Cells that no worker follows, each with an error code or `no-worker`. The answer is at most a second old. */
  unread(): readonly UnreadCell[];
  close(): Promise<void>;
}

interface LiveStreamOptions {
  readonly storage: Storage;
  readonly days: FixDays;
  readonly worker: CellWorker | null;
  /** Epoch milliseconds; null: the clock of the database. */
  readonly now: (() => number) | null;
}

/** Milliseconds between looks for commits of another process, and of this one, which also reports them itself. */
const POLL_MS = 20;
const OWN_POLL_MS = 1000;
/** Least milliseconds between two hints to the workers of other processes. */
const RING_MS = 5;
/** Stands for several cells in a hint. */
const SEVERAL = 0;

export function liveStream({ storage, days, worker, now }: LiveStreamOptions): LiveStream {
  const { db } = storage;
  const health = streamHealth(storage);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  /** The cells of which workers of other processes have no hint yet. */
  let rung = new Set<number>();
  let isRinging = false;
  const ring = async (): Promise<void> => {
    if (isRinging) return;
    isRinging = true;
    while (rung.size > 0 && !closing.signal.aborted) {
      const [first] = rung;
      const version = rung.size === 1 ? first! : SEVERAL;
      rung = new Set();
      // A lost hint costs time only: workers look again.
      await notify(db, 'wayzone_cells', { companyId: 'cell', version }).catch(() => {});
      await sleep(RING_MS);
    }
    isRinging = false;
  };
  const onTaken = (cells: Iterable<number>): void => {
    worker?.wake();
    if (storage.url === null) return;
    for (const cell of cells) if (worker?.owns(cell) !== true) rung.add(cell);
    if (rung.size > 0) void ring();
  };
  const take = fixIntake({ storage, days, cells: cellMap(storage), now, onTaken });
  /** Resolves when any process has committed the message. */
  const committedAnywhere = async (cell: number, seq: number, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await sleep(worker?.running().includes(cell) ? OWN_POLL_MS : POLL_MS, undefined, { signal }).catch(
        () => {},
      );
      if (signal.aborted) return;
      const { rows } = await sql<{ position: string | null; alarm: string | null }>`
        select p.position, p.alarm from cells c left join cell_positions p on p.cell = c.cell where c.cell = ${cell}`.execute(
        db,
      );
      if (signal.aborted) return;
      const [row] = rows;
      if (row?.alarm) throw Object.assign(new Error(row.alarm), { statusCode: 503 });
      // A divided cell is gone after its last message.
      if (row === undefined || Number(row.position) >= seq) return;
    }
  };
  const committed = async (cell: number, seq: number): Promise<void> => {
    if (worker === null) return;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, closing.signal]);
    try {
      await Promise.race([
        worker.committed(cell, seq, signal),
        committedAnywhere(cell, seq, signal).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        }),
      ]);
    } finally {
      stop.abort();
    }
  };
  return {
    async push(companyId, fixes, zonesVersion = 0) {
      if (fixes.length === 0) return;
      await worker?.reach(companyId, zonesVersion);
      const taken = await take(companyId, fixes);
      await Promise.all([...taken].map(([cell, seq]) => committed(cell, seq)));
    },
    unread: () => health.unread(),
    async close() {
      health.close();
      closing.abort();
      await worker?.close();
    },
  };
}

export interface StreamWorkerOptions
  extends Pick<
    WorkerOptions,
    'latenessSeconds' | 'rotationMs' | 'tickMs' | 'now' | 'onCommitted' | 'onPaused' | 'mostUnits'
  > {
  readonly storage: Storage;
  /** Zones that this process holds in memory, and its jobs. Without it the worker has its own. */
  readonly zones?: Pick<ZoneCache, 'baseOf' | 'jobs'> | null;
}

/** Turns of a worker at a time: while one waits for the database another one computes. */
const LANES = 2;

/** Starts a worker: the only one on an embedded database, one of several on PostgreSQL. */
export function startWorker({ storage, zones = null, ...rest }: StreamWorkerOptions): CellWorker {
  const begin = (): CellWorker => {
    const jobs = zones?.jobs ?? hostJobs();
    const worker = cellWorker({
      ...rest,
      id: randomUUID(),
      store: cellStore(storage),
      zones: zoneSource(storage, jobs, zones?.baseOf),
      trips: tripSource(storage),
      routes: routeSource(storage),
      pairs: pairSource(storage),
      lanes: LANES,
      isShared: storage.url !== null,
    });
    if (zones !== null) return worker;
    return {
      ...worker,
      async close() {
        await worker.close();
        jobs.close();
      },
    };
  };
  if (storage.url === null) return begin();
  const worker = renewedWorker(storage, begin);
  // A failure to listen is retried by the storage.
  void storage
    .listen('wayzone_cells', ({ version }) => {
      if (version === SEVERAL || worker.owns(version)) worker.wake();
    })
    .catch(() => {});
  return worker;
}

interface UnreadCell {
  readonly cell: number;
  /** Why the cell is not followed: an error code, or `no-worker`. */
  readonly reason: string;
}

/** Finds the cells that no worker follows, for `/ready`. */
function streamHealth({ db, url }: Pick<Storage, 'db' | 'url'>): {
  readonly unread: () => readonly UnreadCell[];
  readonly close: () => void;
} {
  let unread: readonly UnreadCell[] = [];
  const poll = async (): Promise<void> => {
    // An embedded database has one process, which does not register.
    const { rows } = await sql<UnreadCell>`
      select p.cell, coalesce(p.alarm, 'no-worker') as reason from cell_positions p
      where p.alarm is not null or (${url !== null} and not exists (
        select from cell_workers w where w.seen > now() - ${sql.lit(GONE)}::interval
      )) order by p.cell`.execute(db);
    unread = rows;
  };
  const timer = every(HEALTH_MS, poll);
  timer.unref();
  return { unread: () => unread, close: () => clearInterval(timer) };
}
