/** A worker: reads its partitions, computes their events, and commits the outputs of all partitions in one transaction. */

import { setImmediate as turn } from 'node:timers/promises';
import { type CheckpointOptions, startCheckpoints } from './checkpoints.js';
import { failPartition } from './failPartition.js';
import { failureOf } from './failure.js';
import { heldPartitions, RETRY_MS } from './heldPartitions.js';
import { guiltyUnits } from './isolatedTrial.js';
import type { Ownership } from './ownership.js';
import { type Held, isReplaying } from './partitionReader.js';
import type { PartitionRun } from './partitionRun.js';
import { reconcilePartitions } from './reconcilePartitions.js';
import { startUpkeep } from './startUpkeep.js';
import { switchZones } from './switchZones.js';
import { BATCH_FIXES, SLICE_MS, startTurns } from './turns.js';
import { watchProgress } from './watchProgress.js';
import type { Sources } from './watchSources.js';

/** How long a round of the loop replays at least before the other partitions get their next turns, milliseconds. */
const REPLAY_MS = 40;

export interface WorkerOptions
  extends Omit<CheckpointOptions, 'partitions' | 'onSettled'>,
    Omit<Sources, 'store'> {
  readonly id: string;
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
  /** While true, partitions are given back, and processed until then; after the last one the loop ends. */
  let isLeaving = false;
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
  /** The states include all that was read: none of them needs the messages that the stream has lost. */
  const leaveRewound = (one: Held): Promise<void> =>
    exclusive(async () => {
      const { partition, epoch } = one.run;
      const isHeld = (): boolean => held.get(partition) === one;
      if (isHeld() && !isReplaying(one)) await checkpoints.commitNow([one.run], 'all');
      if (!isHeld()) return;
      drop(partition);
      await store.alarm(partition, epoch, 'stream-rewound');
    });
  const zoneSwitch = switchZones({ zones, trips: options.trips, partitions, checkpoints, exclusive });
  const { reconcile, ended: allAcquired } = reconcilePartitions({
    ...options,
    partitions,
    ownership,
    checkpoints,
    turns,
    isLeaving: () => isLeaving,
    wake,
    pause,
    leaveRewound,
  });

  /** Starts a checkpoint if enough waits for it, or for long enough. Returns the time until the next one, milliseconds. */
  const checkpoint = async (): Promise<number> => {
    const due: PartitionRun[] = [];
    let fixes = 0;
    for (const one of held.values()) {
      const { run, leavesFrom } = one;
      if ((!run.hasPending && leavesFrom === null) || isReplaying(one) || turns.isWorking(one)) continue;
      due.push(run);
      fixes += run.pendingFixes;
    }
    if (fixes >= 2 * BATCH_FIXES) await settled();
    const left = checkpoints.firstPending + commitMs - Date.now();
    if (due.length === 0 || checkpoints.isBusy) return RETRY_MS;
    if (fixes < BATCH_FIXES && left > 0) return left;
    checkpoints.start(due);
    return RETRY_MS;
  };
  const loop = async (): Promise<void> => {
    let turnedAt = Date.now();
    /** Handles messages of the partition for one turn. In between, others read and write, and checkpoints start. */
    const give = async (one: Held): Promise<boolean> => {
      const hasWorked = await turns.give(one);
      if (Date.now() - turnedAt < SLICE_MS) return hasWorked;
      await turn();
      turnedAt = Date.now();
      await checkpoint();
      return hasWorked;
    };
    while (!isLeaving || held.size > 0 || tasks.length > 0) {
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      if (!turns.areWorking) {
        for (const task of tasks.splice(0)) await task().catch(pause);
        turns.resume();
      }
      await reconcile().catch(pause);
      let hasWorked = false;
      const from = Date.now();
      for (const one of held.values()) {
        if (isReplaying(one)) continue;
        if (!one.hasJoined) {
          one.hasJoined = true;
          zoneSwitch.join(one).catch(async (error: unknown) => {
            if (held.get(one.run.partition) === one) await fail(one, error);
          });
        }
        hasWorked = (await give(one)) || hasWorked;
      }
      // One after the other, and not longer than the turns of those that have replayed: these wait.
      const until = Date.now() + Math.max(REPLAY_MS, Date.now() - from);
      for (const one of held.values())
        if (isReplaying(one) && Date.now() < until) hasWorked = (await give(one)) || hasWorked;
      const left = await checkpoint();
      if (hasWorked) await turn();
      else {
        const timer = setTimeout(wake, Math.min(RETRY_MS, Math.max(1, left)));
        await woken;
        clearTimeout(timer);
      }
      turnedAt = Date.now();
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
    leaveRewound,
  });
  const ended = loop();
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    upkeep.stop();
    progress.stop();
    isLeaving = true;
    await ownership.retire().catch(() => {});
    wake();
    await ended;
    hasEnded = true;
    await turns.ended();
    await allAcquired();
    await settled();
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
