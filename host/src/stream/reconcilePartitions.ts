/** Takes over the partitions that a worker owns, and gives those back that are beyond its share. */

import { WayzoneError } from 'wayzone';
import { type Acquired, type AcquireOptions, acquirePartition } from './acquirePartition.js';
import type { Checkpoints } from './checkpoints.js';
import { CAREFUL_MESSAGES, type HeldPartitions, LOOK_MS, RETRY_MS } from './heldPartitions.js';
import type { Ownership } from './ownership.js';
import { type Held, isReplaying, partitionReader } from './partitionReader.js';
import type { Turns } from './turns.js';

export interface ReconcileOptions extends Omit<AcquireOptions, 'settled'> {
  readonly partitions: HeldPartitions;
  readonly ownership: Ownership;
  readonly checkpoints: Pick<Checkpoints, 'settled' | 'commitNow' | 'pend'>;
  readonly turns: Pick<Turns, 'isWorking' | 'takeTriesBack'>;
  /** Whether the worker takes no more partitions, and gives back those that it has. */
  readonly isLeaving: () => boolean;
  readonly wake: () => void;
  readonly pause: (error: unknown) => void;
  /** Leaves a partition whose stream has lost messages, so that its next owner recovers them. */
  readonly leaveRewound: (one: Held) => Promise<void>;
}

export interface Reconciliation {
  /** Begins to acquire partitions that are owned but not held, drops those that are held but not owned, and gives back those that must leave. */
  readonly reconcile: () => Promise<void>;
  /** Waits until nothing is being acquired. */
  readonly ended: () => Promise<void>;
}

/** Partitions that are taken over at the same time. */
const TAKEN_TOGETHER = 8;

export function reconcilePartitions(options: ReconcileOptions): Reconciliation {
  const { partitions, ownership, checkpoints, turns, isLeaving, wake, pause, leaveRewound } = options;
  const { held, stopped, careful, failing, behind, drop } = partitions;
  const { settled, commitNow, pend } = checkpoints;
  /**
   * Partitions that are being acquired, each of which waits for the database and the log while others are handled; and those that were, until the next
   * `reconcile` holds them: no task of the worker meets a new one.
   */
  const taking = new Map<number, Promise<void>>();
  const acquired = new Map<number, Acquired>();

  const retry = (partition: number, error: unknown): void => {
    stopped.set(partition, Date.now() + RETRY_MS);
    failing.add(partition);
    pause(error);
  };
  const acquire = async (partition: number): Promise<void> => {
    stopped.delete(partition);
    try {
      const taken = await acquirePartition(partition, { ...options, settled });
      if (taken === null) stopped.set(partition, Date.now() + LOOK_MS);
      else acquired.set(partition, taken);
    } catch (error) {
      retry(partition, error);
    }
    if (!acquired.has(partition)) taking.delete(partition);
    wake();
  };
  const hold = (partition: number, { run, from, log }: Acquired): void => {
    if (from.unproven > 1) careful.set(partition, Math.max(careful.get(partition) ?? 0, CAREFUL_MESSAGES));
    held.set(
      partition,
      partitionReader(run, from, log, wake, (error) => {
        const one = held.get(partition);
        if (error instanceof WayzoneError && error.code === 'stream-rewound' && one?.run === run) {
          pause(error);
          void leaveRewound(one).catch(pause);
          return;
        }
        drop(partition);
        retry(partition, error);
        wake();
      }),
    );
  };
  /** Commits what waits, without states: their owner replays what they lack. */
  const handOver = async (leavers: readonly Held[]): Promise<void> => {
    const live = leavers.filter((one) => !isReplaying(one)).map(({ run }) => run);
    if (live.length > 0) await commitNow(live, { count: 0 });
    for (const { run } of leavers) drop(run.partition);
  };
  const giveBack = async (leaving: ReadonlySet<number>): Promise<void> => {
    for (const [partition, one] of held)
      one.leavesFrom = leaving.has(partition) ? (one.leavesFrom ?? one.run.position) : null;
    const ready = [...leaving].filter((partition) => {
      const one = held.get(partition);
      return one === undefined ? !taking.has(partition) : hasLeft(one) && !turns.isWorking(one);
    });
    if (ready.length < leaving.size) pend();
    if (ready.length === 0) return;
    await handOver(ready.flatMap((partition) => held.get(partition) ?? []));
    await ownership.release(ready);
  };
  const reconcile = async (): Promise<void> => {
    const owned = ownership.owned();
    for (const partition of held.keys()) if (!owned.has(partition)) drop(partition);
    for (const partition of behind.keys()) if (!owned.has(partition)) behind.delete(partition);
    for (const [partition, taken] of acquired) {
      taking.delete(partition);
      if (owned.has(partition) && !isLeaving()) hold(partition, taken);
    }
    acquired.clear();
    await giveBack(new Set(isLeaving() ? owned : ownership.surplus()));
    await turns.takeTriesBack();
    if (isLeaving()) return;
    for (const partition of owned) {
      if (taking.size >= TAKEN_TOGETHER) break;
      if (held.has(partition) || taking.has(partition) || (stopped.get(partition) ?? 0) > Date.now())
        continue;
      taking.set(partition, acquire(partition));
    }
  };
  return {
    reconcile,
    async ended() {
      await Promise.all(taking.values());
    },
  };
}

/** Whether the partition can be handed over: a new owner would replay little, or as much as this one has still to replay. */
function hasLeft(one: Held): boolean {
  return isReplaying(one) || (one.leavesFrom !== null && one.run.replayFrom > one.leavesFrom);
}
