/** A worker: reads its partitions, computes their events, and commits the outputs of all partitions in one transaction. */

import { setImmediate as turn } from 'node:timers/promises';
import { acquirePartition } from './acquire.js';
import { HAND_OVER_STATES, startCheckpoints } from './checkpoints.js';
import { type Failure, failureOf } from './failure.js';
import { CAREFUL_MESSAGES, heldPartitions, LOOK_MS, RETRY_MS } from './heldPartitions.js';
import type { Log } from './log.js';
import type { Ownership } from './ownership.js';
import type { PartitionRun } from './partitionRun.js';
import { type Held, partitionReader } from './reader.js';
import type { StreamStore } from './streamStore.js';
import type { TripSource } from './tripSource.js';
import { startUpkeep } from './upkeep.js';
import type { ZoneChanges, ZoneSource } from './zoneSource.js';

export interface WorkerOptions {
  readonly id: string;
  readonly store: StreamStore;
  readonly log: Log;
  readonly zones: ZoneSource;
  readonly trips: TripSource;
  readonly ownership: (onChange: () => void) => Ownership;
  readonly latenessSeconds: number;
  /** How long an output waits at most for its checkpoint, milliseconds. */
  readonly commitMs: number;
  /** Time within which the state of each changed unit is written, milliseconds. */
  readonly rotationMs: number;
  /** Milliseconds between the ticks of a partition's clock; 0: no ticks. */
  readonly tickMs: number;
  /** How long messages stay in the log after no restart needs them, milliseconds. */
  readonly keepMs: number;
  /** Called after a commit with the number of fixes, and the number of events by type. */
  readonly onCommitted: (fixes: number, events: ReadonlyMap<string, number>) => void;
  /** Called with the failure when work pauses because the database or the log is unavailable, and with null when it continues. */
  readonly onPaused: (failure: Failure | null) => void;
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

/** Number of waiting fixes at which a checkpoint starts. */
const BATCH_FIXES = 2000;
/** About how long work may hold the event loop. */
const SLICE_MS = 20;
/** Partitions that are taken over at the same time. */
const TAKEN_TOGETHER = 8;
/** A message that ended its worker in this many tries is set aside. */
const MOST_TRIES = 3;

export function streamWorker(options: WorkerOptions): Worker {
  const { store, zones, trips, commitMs, onPaused } = options;
  const partitions = heldPartitions();
  const { held, stopped, refused, careful, behind, drop } = partitions;
  const tasks: (() => Promise<void>)[] = [];
  /** Tries without a commit that this worker survived. */
  const survived: { readonly partition: number; readonly seq: number }[] = [];
  /** While true, partitions are handed over one by one and the others are still processed; then the loop ends. */
  let isLeaving = false;
  let isClosing = false;
  let hasEnded = false;
  let wakeUp = (): void => {};
  const wake = (): void => wakeUp();
  const ownership = options.ownership(wake);
  const pause = (error: unknown): void => onPaused(failureOf(error));
  const checkpoints = startCheckpoints({ ...options, partitions, onSettled: wake });
  const { settled, commitNow } = checkpoints;

  /** Handles messages of one partition until the time `until`. Returns whether there were any. */
  const handleSome = async (one: Held, until: number): Promise<boolean> => {
    let hasWorked = false;
    const { partition } = one.run;
    while (one.queue.length > 0 && held.get(partition) === one && tasks.length === 0) {
      hasWorked = true;
      if (careful.has(partition)) await handleAlone(one);
      else {
        await one.run.handle(one.take());
        if (one.run.hasPending) checkpoints.pend();
      }
      if (Date.now() >= until || one.run.pendingFixes >= BATCH_FIXES) break;
    }
    return hasWorked;
  };
  /** Handles one message: records the try, then commits the message alone. A try that this worker survives does not count. */
  const handleAlone = async (one: Held): Promise<void> => {
    const { run } = one;
    const { partition, epoch } = run;
    const message = one.take();
    if (message.seq <= run.committed) return run.handle(message);
    await commitNow([run], { count: 0 });
    const bad = refused.get(partition);
    if (bad?.seq === message.seq) {
      run.setAside(message, bad.reason);
      await commitNow([run], { count: 0 });
    } else {
      const tries = await store.recordTry(partition, epoch, message.seq);
      if (tries === null) return drop(partition);
      try {
        if (tries > MOST_TRIES) run.setAside(message, `it ended its worker ${MOST_TRIES} times`);
        else await run.handle(message);
        await commitNow([run], { count: 0 });
      } finally {
        if (run.committed < message.seq) survived.push({ partition, seq: message.seq });
      }
    }
    if (held.get(partition) !== one) return;
    const left = careful.get(partition)! - 1;
    if (left > 0) careful.set(partition, left);
    else careful.delete(partition);
  };
  /** Removes the survived tries. Throws while the database is away; the next call removes the rest. */
  const takeTriesBack = async (): Promise<void> => {
    for (let one = survived[0]; one !== undefined; one = survived[0]) {
      await store.takeTryBack(one.partition, one.seq);
      survived.shift();
    }
  };

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
        pause(error);
        wake();
      }),
    );
  };
  /** All states, in transactions so small that no session ends meanwhile and the event loop turns. */
  const writeStates = async (run: PartitionRun): Promise<void> => {
    for (let left = run.dirtyUnits; left > 0; left -= HAND_OVER_STATES)
      await commitNow([run], { count: HAND_OVER_STATES });
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
      if (one !== undefined) await handOver(one.run);
      await ownership.release(partition);
    }
    await takeTriesBack();
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
    // The record then goes with few states.
    for (const run of runs) await writeStates(run);
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
  const joinIndex = async (run: PartitionRun): Promise<void> => {
    for (const companyId of await run.usesOwnIndex()) {
      const changes = await zones.changes(companyId);
      if (changes !== null) await applyZones(companyId, changes);
      if (!(await run.usesOwnIndex()).includes(companyId)) continue;
      const current = (await zones.current(companyId))!;
      await run.changeTrips(companyId, await trips.at(companyId, current.version));
      await commitNow([run], { companyId }, { companyId, version: current.version });
      if (held.get(run.partition)?.run === run) run.exchange(companyId, current);
    }
  };

  const loop = async (): Promise<void> => {
    while (!isClosing || tasks.length > 0) {
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      for (const task of tasks.splice(0)) await task().catch(pause);
      await reconcile().catch(pause);
      let hasWorked = false;
      for (const one of held.values()) {
        try {
          if (!one.hasJoined && one.run.position >= one.from.position) {
            one.hasJoined = true;
            await joinIndex(one.run);
          }
          hasWorked = (await handleSome(one, Date.now() + SLICE_MS)) || hasWorked;
        } catch (error) {
          drop(one.run.partition);
          await fail(one, error);
        }
      }
      const due = [...held.values()].map(({ run }) => run).filter((run) => run.hasPending);
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
  /** Handles a failure: waits if the database or the log is unavailable, raises an alarm for other errors. */
  const fail = async (one: Held, error: unknown): Promise<void> => {
    const { kind, code } = failureOf(error);
    stopped.set(one.run.partition, Date.now() + (kind === 'unavailable' ? RETRY_MS : LOOK_MS));
    if (kind === 'unavailable') return pause(error);
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
  const upkeep = startUpkeep({ ...options, partitions, exclusive, syncZones });
  const ended = loop();
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    upkeep.stop();
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
