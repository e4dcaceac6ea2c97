/** The partitions that a worker reads, and what it knows of those that stand still. */

import type { Held } from './reader.js';

/** Wait after a failure that passes. */
export const RETRY_MS = 200;
/** Wait after an alarm. */
export const LOOK_MS = 5000;
/** Messages that are committed one by one after a takeover from a worker that committed nothing. */
export const CAREFUL_MESSAGES = 50;

export interface HeldPartitions {
  readonly held: Map<number, Held>;
  /** Partitions that stand still, with the time of the next look. */
  readonly stopped: Map<number, number>;
  /** Messages that no transaction takes, by partition. */
  readonly refused: Map<number, { readonly seq: number; readonly reason: string }>;
  /** Partitions whose messages are committed one by one, with the number of messages left. */
  readonly careful: Map<number, number>;
  /** Reads the partition no more. */
  readonly drop: (partition: number) => void;
}

export function heldPartitions(): HeldPartitions {
  const held = new Map<number, Held>();
  return {
    held,
    stopped: new Map(),
    refused: new Map(),
    careful: new Map(),
    drop(partition) {
      held.get(partition)?.stop();
      held.delete(partition);
    },
  };
}
