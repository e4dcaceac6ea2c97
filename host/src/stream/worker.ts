/** A worker: reads its partitions, computes their events, and commits the outputs of all partitions in one transaction. */

import { setImmediate as turn } from 'node:timers/promises';
import { type CheckpointOptions, startCheckpoints } from './checkpoints.js';
import { failPartition } from './failPartition.js';
import { failureOf } from './failure.js';
import { heldPartitions, RETRY_MS } from './heldPartitions.js';
import { guiltyUnits } from './isolatedTrial.js';
import type { Ownership } from './ownership.js';
import type { PairSource } from './pairSource.js';
import { reconcilePartitions } from './reconcilePartitions.js';
import type { RouteSource } from './routeKind.js';
import { startUpkeep } from './startUpkeep.js';
import { switchZones } from './switchZones.js';
import type { TripSource } from './tripSource.js';
import { BATCH_FIXES, startTurns } from './turns.js';
import { watchProgress } from './watchProgress.js';
import type { ZoneSource } from './zoneSource.js';

export interface WorkerOptions extends Omit<CheckpointOptions, 'partitions' | 'onSettled'> {
  readonly id: string;
  readonly zones: ZoneSource;
  readonly trips: TripSource;
  readonly routes: RouteSource;
  readonly pairs: PairSource;
  readonly ownership: (onChange: () => void, onBeat: (error: unknown) => void) => Ownership;
  readonly latenessSeconds: number;
  /** How long an output waits at most for its checkpoint, milliseconds. */
  readonly commitMs: number;
  /** Milliseconds between the ticks of a partition's clock; 0: no ticks. */
  readonly tickMs: number;
  /** A partition without progress for so long, while work waits, is left to other workers. Milliseconds; default 10,000. */
  readonly stalledMs?: number;
  /** How long messages stay in the log after no restart needs them, milliseconds. */
  readonly keepMs: number;
}

export interface Worker {
  /** Resolves when this worker has committed the message. For any worker see `committedAnywhere` in `liveStream.ts`. */
  committed(partition: number, seq: number): Promise<void>;
  /** Waits until the worker uses at least this version of the company's zones. */
  reach(companyId: string, version: number): Promise<void>;
  /** Partitions that this worker reads. */
  running(): number[];
  /** Commits the waiting outputs with all states, and gives the partitions back. */
  close(): Promise<void>;
}

export function streamWorker(options: WorkerOptions): Worker {
  const { store, zones, commitMs, onPaused } = options;
  const partitions = heldPartitions();
  const { held, behind, failing, drop } = partitions;
  const tasks: (() => Promise<void>)[] = [];
  /** While true, partitions are handed over one by one and the others are still processed; then the loop ends. */
  let isLeaving = false;
  let isClosing = false;
  let hasEnded = false;
  let wakeUp = (): void => {};
  const wake = (): void => wakeUp();
  const pause = (error: unknown): void => onPaused(failureOf(error));
  const ownership: Ownership = options.ownership(wake, (error) => {
    if (error !== null) pause(error);
    // A worker without partitions commits nothing that would end its pause.
    else if (ownership.owned().size === 0 && behind.size === 0) onPaused(null);
  });
  const fail = failPartition({ partitions, store, ownership, onPaused });
  const checkpoints = startCheckpoints({ ...options, partitions, onSettled: wake });
  const { settled } = checkpoints;
  const turns = startTurns({
    partitions,
    store,
    checkpoints,
    guiltyUnits: ({ run, from, log }, message) =>
      guiltyUnits(message, {
        ...options,
        partition: run.partition,
        from: { ...from, asideUnits: run.aside },
        log,
      }),
    isTaskWaiting: () => tasks.length > 0,
    onFailed: fail,
    onEnded: wake,
  });

  const exclusive = (task: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      if (hasEnded) return reject(new Error('expected a running worker, received a closed one'));
      tasks.push(() => task().then(resolve, reject));
      wake();
    });
  const zoneSwitch = switchZones({ zones, trips: options.trips, partitions, checkpoints, exclusive });
  const { handOver, reconcile } = reconcilePartitions({
    ...options,
    partitions,
    ownership,
    checkpoints,
    turns,
    isLeaving: () => isLeaving,
    wake,
    pause,
  });

  const loop = async (): Promise<void> => {
    while (!isClosing || tasks.length > 0) {
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      if (!turns.areWorking) {
        for (const task of tasks.splice(0)) await task().catch(pause);
        turns.resume();
      }
      await reconcile().catch(pause);
      let hasWorked = false;
      for (const one of held.values()) {
        if (!one.hasJoined && one.run.position >= one.from.position) {
          one.hasJoined = true;
          zoneSwitch.join(one).catch(async (error: unknown) => {
            if (held.get(one.run.partition) === one) await fail(one, error);
          });
        }
        hasWorked = (await turns.give(one)) || hasWorked;
      }
      const due = [...held.values()]
        .filter((one) => !turns.isWorking(one) && one.run.hasPending)
        .map(({ run }) => run);
      const fixes = due.reduce((sum, run) => sum + run.pendingFixes, 0);
      const isDue =
        due.length > 0 && (fixes >= BATCH_FIXES || Date.now() - checkpoints.firstPending >= commitMs);
      if (fixes >= 2 * BATCH_FIXES) await settled();
      if (isDue && !checkpoints.isBusy) checkpoints.start(due);
      if (hasWorked) await turn();
      else {
        const wait =
          due.length > 0 && !checkpoints.isBusy ? checkpoints.firstPending + commitMs - Date.now() : RETRY_MS;
        const timer = setTimeout(wake, Math.min(RETRY_MS, Math.max(1, wait)));
        await woken;
        clearTimeout(timer);
      }
    }
  };
  const progress = watchProgress({
    partitions,
    owned: () => ownership.owned(),
    ...(options.stalledMs === undefined ? {} : { stalledMs: options.stalledMs }),
    async onStalled(partition) {
      if (!(await ownership.yieldUp(partition))) return;
      drop(partition);
      behind.delete(partition);
      failing.delete(partition);
      pause(
        new Error(`expected progress on partition ${partition}, received none for 10 s: others may take it`),
      );
    },
  });
  const upkeep = startUpkeep({
    ...options,
    partitions,
    exclusive,
    syncZones: (companyId) => zoneSwitch.sync(companyId),
  });
  const ended = loop();
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    upkeep.stop();
    progress.stop();
    isLeaving = true;
    await exclusive(() => ownership.retire()).catch(() => {});
    for (const { run } of held.values())
      await exclusive(async () => {
        if (held.get(run.partition)?.run === run) await handOver(run);
        await ownership.release(run.partition);
      }).catch(() => {});
    isClosing = true;
    wake();
    await ended;
    hasEnded = true;
    await turns.ended();
    await settled();
    for (const partition of held.keys()) drop(partition);
    await ownership.close();
  };

  return {
    committed: checkpoints.committed,
    async reach(companyId, version) {
      if (![...held.values()].some(({ run }) => run.follows(companyId))) return;
      const current = await zones.current(companyId);
      if (current !== null && current.version < version) await zoneSwitch.sync(companyId);
    },
    running: () => [...held.keys()],
    close() {
      ending ??= end();
      return ending;
    },
  };
}
