/** The checkpoints of a worker: one at a time, each of several partitions. Resolves waiting callers and handles failed checkpoints. */

import type { Sealed } from './commitSealed.js';
import { type Failure, failureOf } from './failure.js';
import { CAREFUL_MESSAGES, type HeldPartitions, LOOK_MS, RETRY_MS } from './heldPartitions.js';
import type { Log } from './log.js';
import type { PartitionRun } from './partitionRun.js';
import type { StateChoice } from './stateChoice.js';
import type { StreamStore } from './streamStore.js';

/** Maximum number of states of a partition in one checkpoint, besides those that must be written. */
export const MOST_STATES = 300;

/** Maximum number of states in one checkpoint for partitions that are given back. */
const LEAVING_STATES = 600;

/** Share of a partition's stream above which states are written as fast as possible. */
const PRESSED = 0.5;

export interface CheckpointOptions {
  readonly partitions: HeldPartitions;
  readonly store: StreamStore;
  readonly log: Log;
  /** Time within which the state of each changed unit is written, milliseconds. */
  readonly rotationMs: number;
  /** Called after a commit with the number of fixes, and the number of events by type. */
  readonly onCommitted: (fixes: number, events: ReadonlyMap<string, number>) => void;
  /** Called with the failure when work pauses because the database or the log is unavailable, and with null when it continues. */
  readonly onPaused: (failure: Failure | null) => void;
  /** Called when a started checkpoint has ended. */
  readonly onSettled: () => void;
}

export interface Checkpoints {
  /** When the oldest output that waits for a checkpoint arrived, epoch milliseconds; Infinity if none waits. */
  readonly firstPending: number;
  /** Whether a checkpoint is under way. */
  readonly isBusy: boolean;
  /** Records that an output waits for a checkpoint from now on. */
  pend(): void;
  /** Starts a checkpoint of these runs, with the states that are due. */
  start(runs: readonly PartitionRun[]): void;
  /** Waits until no checkpoint is under way. */
  readonly settled: () => Promise<void>;
  /** Commits these runs after the checkpoint under way, and waits for it. Runs that are still held afterwards have been written. */
  readonly commitNow: (
    runs: readonly PartitionRun[],
    choice: StateChoice,
    changed?: { readonly companyId: string; readonly version: number },
  ) => Promise<void>;
  /** Resolves when this worker has committed the message. */
  readonly committed: (partition: number, seq: number) => Promise<void>;
}

interface Waiter {
  readonly seq: number;
  readonly resolve: () => void;
}

export function startCheckpoints(options: CheckpointOptions): Checkpoints {
  const { partitions, store, log, rotationMs, onCommitted, onPaused, onSettled } = options;
  const { held, stopped, refused, careful, behind, failing, drop } = partitions;
  const waiters = new Map<number, Waiter[]>();
  let inFlight: Promise<void> | null = null;
  let firstPending = Number.POSITIVE_INFINITY;

  const settled = async (): Promise<void> => {
    while (inFlight !== null) await inFlight;
  };
  /** Commits the runs. Drops a partition that cannot be committed: it restarts from its stored state. */
  const commit = async (sealed: readonly Sealed[]): Promise<void> => {
    try {
      for (let rest = sealed; rest.length > 0; ) {
        const fenced = await store.commit(rest);
        for (const partition of fenced) {
          drop(partition);
          behind.delete(partition);
        }
        if (fenced.length > 0) rest = rest.filter(({ partition }) => !fenced.includes(partition));
        else {
          reportCommit(rest);
          return;
        }
      }
    } catch (error) {
      await refuse(sealed, error);
    }
  };
  const reportCommit = (sealed: readonly Sealed[]): void => {
    for (const one of sealed) {
      const owner = held.get(one.partition);
      owner?.run.committedTo(one);
      // The next trim deletes the records that these replace, also when no message arrives.
      if (owner !== undefined && one.zones.length > 0) owner.trimmed = 0;
      if (one.position >= (behind.get(one.partition) ?? Number.POSITIVE_INFINITY))
        behind.delete(one.partition);
      const waiting = waiters.get(one.partition) ?? [];
      for (const { seq, resolve } of waiting) if (seq <= one.position) resolve();
      waiters.set(
        one.partition,
        waiting.filter(({ seq }) => seq > one.position),
      );
    }
    const { fixes, events, newEvents } = contentsOf(sealed);
    // On a full disk, checkpoints without rows still succeed.
    if (behind.size === 0) onPaused(null);
    if (fixes + events.size > 0) onCommitted(fixes, events);
    if (newEvents.size > 0) void log.wake(newEvents).catch(() => {});
  };
  const refuse = async (sealed: readonly Sealed[], error: unknown): Promise<void> => {
    const { kind, code, message } = failureOf(error);
    const [only] = sealed;
    const before = only === undefined ? 0 : (held.get(only.partition)?.run.committed ?? 0);
    for (const { partition, position } of sealed) {
      const committed = held.get(partition)?.run.committed ?? position;
      if (kind === 'unavailable' && position > committed) behind.set(partition, committed + 1);
      else if (kind !== 'unavailable') behind.delete(partition);
      drop(partition);
      if (kind !== 'unavailable') continue;
      stopped.set(partition, Date.now() + RETRY_MS);
      failing.add(partition);
    }
    if (kind === 'unavailable') return onPaused(failureOf(error));
    // Messages are committed one by one from here, to find the one that the database refuses.
    for (const { partition } of sealed) careful.set(partition, CAREFUL_MESSAGES);
    if (sealed.length > 1 || only === undefined) return;
    if (kind === 'alarm') {
      stopped.set(only.partition, Date.now() + LOOK_MS);
      await store.alarm(only.partition, only.epoch, code).catch(() => {});
    } else if (only.position - before === 1) await findRefused(only, message);
  };

  /** Finds the units that the database refuses in the outputs of one message; without such a unit it is the message. */
  const findRefused = async (sealed: Sealed, message: string): Promise<void> => {
    const { partition, position: seq } = sealed;
    const found = await store.refusedUnits(sealed).catch(() => null);
    if (found === null) return;
    const known = refused.get(partition);
    const units = new Map(known?.seq === seq ? known.units : []);
    for (const [unitId, reason] of found) units.set(unitId, reason);
    if (found.size === 0) units.set('', `the database refuses it: ${message}`);
    refused.set(partition, { seq, units });
  };

  const start = (runs: readonly PartitionRun[]): void => {
    const now = Date.now();
    let left = LEAVING_STATES;
    const sealed = runs.flatMap((run) => {
      const one = held.get(run.partition);
      // The checkpoint before this one failed, and the partition begins again.
      if (one?.run !== run) return [];
      one.credit = Math.min(run.dirtyUnits, one.credit + (run.dirtyUnits * (now - one.savedAt)) / rotationMs);
      one.savedAt = now;
      // The states decide what can be trimmed: a stream that fills up cannot wait for their rotation.
      if ((log.fill?.(run.partition) ?? 0) > PRESSED) one.credit = run.dirtyUnits;
      let count = Math.min(MOST_STATES, Math.floor(one.credit));
      one.credit -= count;
      if (one.leavesFrom !== null) {
        count = Math.min(MOST_STATES, left, run.statesBehind(one.leavesFrom));
        left -= count;
      }
      return run.seal({ count });
    });
    firstPending = Number.POSITIVE_INFINITY;
    if (sealed.length === 0) return;
    void track(commit(sealed));
  };
  const track = (checkpoint: Promise<void>): Promise<void> => {
    inFlight = checkpoint.finally(() => {
      inFlight = null;
      onSettled();
    });
    return inFlight;
  };
  const commitNow = async (
    runs: readonly PartitionRun[],
    choice: StateChoice,
    changed?: { readonly companyId: string; readonly version: number },
  ): Promise<void> => {
    // Of several waiting callers only the first may start: nothing is awaited between this check and `track`.
    while (inFlight !== null) await inFlight;
    const live = runs.filter((run) => held.get(run.partition)?.run === run);
    if (live.length > 0) await track(commit(live.map((run) => run.seal(choice, changed))));
  };

  return {
    get firstPending() {
      return firstPending;
    },
    get isBusy() {
      return inFlight !== null;
    },
    pend() {
      firstPending = Math.min(firstPending, Date.now());
    },
    start,
    settled,
    commitNow,
    committed: (partition, seq) =>
      new Promise((resolve) => {
        if ((held.get(partition)?.run.committed ?? 0) >= seq) return resolve();
        const list = waiters.get(partition) ?? [];
        list.push({ seq, resolve });
        waiters.set(partition, list);
      }),
  };
}

/** The number of fixes, the number of events by type, and the events of each company. */
function contentsOf(sealed: readonly Sealed[]) {
  const newEvents = new Map<string, object[]>();
  const events = new Map<string, number>();
  let fixes = 0;
  for (const one of sealed) {
    fixes += one.fixes.length;
    for (const companyId of one.companyIds) newEvents.set(companyId, newEvents.get(companyId) ?? []);
    for (const { companyId, seq, ordinal, event } of one.events) {
      events.set(event.type, (events.get(event.type) ?? 0) + 1);
      const list = newEvents.get(companyId) ?? [];
      list.push({ id: [one.partition, seq, ordinal], event });
      newEvents.set(companyId, list);
    }
  }
  return { fixes, events, newEvents };
}
