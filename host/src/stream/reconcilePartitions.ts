/** Takes over the partitions that a worker owns, and gives those back that are beyond its share. */

import { type AcquireOptions, acquirePartition } from './acquirePartition.js';
import type { Checkpoints } from './checkpoints.js';
import { CAREFUL_MESSAGES, type HeldPartitions, LOOK_MS, RETRY_MS } from './heldPartitions.js';
import type { Ownership } from './ownership.js';
import { partitionReader } from './partitionReader.js';
import type { PartitionRun } from './partitionRun.js';
import { writeStates } from './switchZones.js';
import type { Turns } from './turns.js';

export interface ReconcileOptions extends Omit<AcquireOptions, 'settled'> {
  readonly partitions: HeldPartitions;
  readonly ownership: Ownership;
  readonly checkpoints: Pick<Checkpoints, 'settled' | 'commitNow'>;
  readonly turns: Pick<Turns, 'isWorking' | 'takeTriesBack'>;
  /** Whether the worker takes no more partitions. */
  readonly isLeaving: () => boolean;
  readonly wake: () => void;
  readonly pause: (error: unknown) => void;
}

export interface Reconciliation {
  /** Commits all states of a run and stops reading its partition. */
  readonly handOver: (run: PartitionRun) => Promise<void>;
  /** Acquires partitions that are owned but not held, and drops those that are held but not owned. */
  readonly reconcile: () => Promise<void>;
}

/** Partitions that are taken over at the same time. */
const TAKEN_TOGETHER = 8;

export function reconcilePartitions(options: ReconcileOptions): Reconciliation {
  const { partitions, ownership, checkpoints, turns, isLeaving, wake, pause } = options;
  const { held, stopped, careful, behind, failing, drop } = partitions;
  const { settled, commitNow } = checkpoints;
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
  const handOver = async (run: PartitionRun): Promise<void> => {
    await writeStates(checkpoints, run);
    await commitNow([run], { count: 0 });
    drop(run.partition);
  };
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
      (partition) => !held.has(partition) && !isLeaving() && (stopped.get(partition) ?? 0) <= Date.now(),
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
  return { handOver, reconcile };
}
