/** Stops reading a partition that failed. */

import type { CheckpointOptions } from './checkpoints.js';
import { failureOf } from './failure.js';
import { CAREFUL_MESSAGES, type HeldPartitions, LOOK_MS, RETRY_MS } from './heldPartitions.js';
import type { Ownership } from './ownership.js';
import { ClockFailed } from './partitionCore.js';
import type { Held } from './partitionReader.js';

export interface FailOptions extends Pick<CheckpointOptions, 'onPaused'> {
  readonly partitions: HeldPartitions;
  readonly store: Pick<CheckpointOptions['store'], 'alarm'>;
  readonly ownership: Pick<Ownership, 'refuse'>;
}

/** For a moment if the database or the log is unavailable, or if the clock could not be raised; with an alarm for other errors. */
export function failPartition({
  partitions,
  store,
  ownership,
  onPaused,
}: FailOptions): (one: Held, error: unknown) => Promise<void> {
  const { refused, careful, stopped, failing, drop } = partitions;
  return async ({ run: { partition, epoch } }: Held, error: unknown): Promise<void> => {
    const failure = failureOf(error);
    const { kind, code } = failure;
    // The partition restarts, and the message is handled alone, without the units that fail.
    if (error instanceof ClockFailed) {
      refused.set(partition, { seq: error.seq, units: null });
      careful.set(partition, CAREFUL_MESSAGES);
    }
    drop(partition);
    stopped.set(partition, Date.now() + (kind === 'unavailable' ? RETRY_MS : LOOK_MS));
    if (kind === 'unavailable') failing.add(partition);
    else {
      await store.alarm(partition, epoch, code).catch(() => {});
      // A newer worker wrote the state and can read it.
      if (code === 'state-version') await ownership.refuse(partition);
    }
    onPaused(failure);
  };
}
