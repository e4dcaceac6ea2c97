/** A worker: reads its partitions, computes their events, and commits the outputs of all partitions in one transaction. */

import { setImmediate as turn } from 'node:timers/promises';
import { acquirePartition } from './acquirePartition.js';
import { type CheckpointOptions, HAND_OVER_STATES, startCheckpoints } from './checkpoints.js';
import { failureOf } from './failure.js';
import { CAREFUL_MESSAGES, heldPartitions, LOOK_MS, RETRY_MS } from './heldPartitions.js';
import { isGuilty } from './isolatedTrial.js';
import type { Ownership } from './ownership.js';
import type { PairSource } from './pairSource.js';
import { type Held, partitionReader } from './partitionReader.js';
import type { PartitionRun } from './partitionRun.js';
import type { RouteSource } from './routeKind.js';
import { startUpkeep } from './startUpkeep.js';
import type { TripSource } from './tripSource.js';
import { BATCH_FIXES, startTurns } from './turns.js';
import { watchProgress } from './watchProgress.js';
import type { ZoneChanges, ZoneSource } from './zoneSource.js';

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

/** Partitions that are taken over at the same time. */
const TAKEN_TOGETHER = 8;

export function streamWorker(options: WorkerOptions): Worker {
  const { store, zones, trips, commitMs, onPaused } = options;
  const partitions = heldPartitions();
  const { held, stopped, careful, behind, failing, drop } = partitions;
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
  const checkpoints = startCheckpoints({ ...options, partitions, onSettled: wake });
  const { settled, commitNow } = checkpoints;
  const turns = startTurns({
    partitions,
    store,
    checkpoints,
    isGuilty: ({ run, from, log }, message) =>
      isGuilty(message, { ...options, partition: run.partition, from, log }),
    isTaskWaiting: () => tasks.length > 0,
    onFailed: (one, error) => fail(one, error),
    onEnded: wake,
  });

  const acquire = async (partition: number): Promise<void> => {
    const taken = await acquirePartition(partition, { ...options, settled });
    if (taken === null) return void stopped.set(partition, Date.now() + LOOK_MS);
    if (taken.from.unproven > 1)
      careful.set(partition, Math.max(careful.get(partition) ?? 0, CAREFUL_MESSAGES));
    held.set(
      partition,
      partitionReader(taken.run, taken.from, taken.log, wake, (error) => {
        drop(partition);
        stopped.set(partition, Date.now() + RETRY_MS);
        failing.add(partition);
        pause(error);
        wake();
      }),
    );
  };
  /** Commits the states, all or those of a company, in small transactions: no session times out, and the event loop can do other work. */
  const writeStates = async (run: PartitionRun, companyId?: string): Promise<void> => {
    const all = companyId === undefined ? run.dirtyUnits : run.dirtyUnitsOf(companyId);
    const choice = { count: HAND_OVER_STATES, ...(companyId === undefined ? {} : { companyId }) };
    for (let left = all; left > 0; left -= HAND_OVER_STATES) await commitNow([run], choice);
  };
  const handOver = async (run: PartitionRun): Promise<void> => {
    await writeStates(run);
    await commitNow([run], { count: 0 });
    drop(run.partition);
  };
  /** Acquires partitions that are owned but not held, and drops those that are held but not owned. */
  const reconcile = async (): Promise<void> => {
    const owned = ownership.owned();
    for (const partition of held.keys()) if (!owned.has(partition)) drop(partition);
    for (const partition of behind.keys()) if (!owned.has(partition)) behind.delete(partition);
    for (const partition of ownership.surplus()) {
      const one = held.get(partition);
      if (one !== undefined && turns.isWorking(one)) continue;
      if (one !== undefined) await handOver(one.run);
      await ownership.release(partition);
    }
    await turns.takeTriesBack();
    const free = [...owned].filter(
      (partition) => !held.has(partition) && !isLeaving && (stopped.get(partition) ?? 0) <= Date.now(),
    );
    // Takes several at a time, because each waits for the database and the log.
    for (let i = 0; i < free.length; i += TAKEN_TOGETHER)
      await Promise.all(
        free.slice(i, i + TAKEN_TOGETHER).map(async (partition) => {
          stopped.delete(partition);
          await acquire(partition).catch((error: unknown) => {
            stopped.set(partition, Date.now() + RETRY_MS);
            failing.add(partition);
            pause(error);
          });
        }),
      );
  };

  /** Records the newer zones for all partitions of a company together, then changes their index. */
  const applyZones = async (companyId: string, { version, apply }: ZoneChanges): Promise<void> => {
    await settled();
    // Another call may have applied a later version while these were read.
    if ((await zones.current(companyId))!.version >= version) return;
    const runs = [...held.values()].map(({ run }) => run).filter((run) => run.follows(companyId));
    const followed = await trips.at(companyId, version);
    // The record is then committed with few states. Those of other companies wait for their turn.
    for (const run of runs) await writeStates(run, companyId);
    for (const run of runs) await run.changeTrips(companyId, followed);
    await commitNow(runs, { companyId }, { companyId, version });
    apply();
    const current = (await zones.current(companyId))!;
    for (const run of runs)
      if (held.get(run.partition)?.run === run && (await run.usesOwnIndex()).includes(companyId))
        run.exchange(companyId, current);
  };
  /** Reads the newer zones while messages are handled; pauses them only for the switch. */
  const syncZones = async (companyId: string): Promise<void> => {
    const changes = await zones.changes(companyId);
    if (changes !== null) await exclusive(() => applyZones(companyId, changes));
  };
  /** After a restart at an older version: switches to the index that the other partitions use. */
  const joinIndex = async ({ run }: Held): Promise<void> => {
    for (const companyId of await run.usesOwnIndex()) {
      await syncZones(companyId);
      await exclusive(async () => {
        if (held.get(run.partition)?.run !== run || !(await run.usesOwnIndex()).includes(companyId)) return;
        const current = (await zones.current(companyId))!;
        await run.changeTrips(companyId, await trips.at(companyId, current.version));
        await commitNow([run], { companyId }, { companyId, version: current.version });
        if (held.get(run.partition)?.run === run) run.exchange(companyId, current);
      });
    }
  };

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
          joinIndex(one).catch(async (error: unknown) => {
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
  /** Stops reading the partition: for a moment if the database or the log is unavailable, with an alarm for other errors. */
  const fail = async (one: Held, error: unknown): Promise<void> => {
    const { kind, code } = failureOf(error);
    drop(one.run.partition);
    stopped.set(one.run.partition, Date.now() + (kind === 'unavailable' ? RETRY_MS : LOOK_MS));
    if (kind === 'unavailable') {
      failing.add(one.run.partition);
      return pause(error);
    }
    await store.alarm(one.run.partition, one.run.epoch, code).catch(() => {});
    // A newer worker wrote the state and can read it.
    if (code === 'state-version') await ownership.refuse(one.run.partition);
    onPaused(failureOf(error));
  };

  const exclusive = (task: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      if (hasEnded) return reject(new Error('expected a running worker, received a closed one'));
      tasks.push(() => task().then(resolve, reject));
      wake();
    });
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
  const upkeep = startUpkeep({ ...options, partitions, exclusive, syncZones });
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
      if (current !== null && current.version < version) await syncZones(companyId);
    },
    running: () => [...held.keys()],
    close() {
      ending ??= end();
      return ending;
    },
  };
}
