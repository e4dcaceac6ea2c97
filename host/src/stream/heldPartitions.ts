/** The partitions that a worker reads, and the state of those that it does not read at the moment. */

import type { Held } from './partitionReader.js';

/** Wait after a temporary failure, milliseconds. */
export const RETRY_MS = 200;
/** Wait after an alarm, milliseconds. */
export const LOOK_MS = 5000;
/** Messages that are committed one by one after a takeover from a worker that committed nothing. */
export const CAREFUL_MESSAGES = 50;

export interface HeldPartitions {
  readonly held: Map<number, Held>;
  /** Halted partitions, each with the time of the next attempt (epoch milliseconds). */
  readonly stopped: Map<number, number>;
  /** By partition, the message that some units fail with: these units, each with the reason; null: they are to be found. */
  readonly refused: Map<number, { readonly seq: number; readonly units: ReadonlyMap<string, string> | null }>;
  /** Partitions with a message that is tried in a process of its own. Such a trial has its own limits of time. */
  readonly trying: Set<number>;
  /** Partitions whose messages are committed one by one, with the number of messages left. */
  readonly careful: Map<number, number>;
  /** Partitions whose messages could not be committed, each with the position of the first of them. */
  readonly behind: Map<number, number>;
  /** Partitions whose last attempt failed because the database or the log is unavailable. */
  readonly failing: Set<number>;
  /** Stops reading the partition. */
  readonly drop: (partition: number) => void;
}

export function heldPartitions(): HeldPartitions {
  const held = new Map<number, Held>();
  return {
    held,
    stopped: new Map(),
    refused: new Map(),
    trying: new Set(),
    careful: new Map(),
    behind: new Map(),
    failing: new Set(),
    drop(partition) {
      held.get(partition)?.stop();
      held.delete(partition);
    },
  };
}
