/** Finds messages that were accepted and that the log has lost or never got, and publishes them again. */

import type { HeldPartitions } from './heldPartitions.js';
import type { Log } from './log.js';
import type { IdRange, ReceivedMessages } from './receivedMessages.js';

interface Mark {
  /** Messages up to this id were there at the first look. */
  readonly last: number;
  /** The last sequence of the log one look later: by then they were published. null before. */
  readonly published: number | null;
}

export interface LostMessagesOptions {
  readonly partitions: Pick<HeldPartitions, 'held'>;
  readonly log: Pick<Log, 'publish'>;
  readonly received: Pick<ReceivedMessages, 'ranges' | 'publish'>;
}

/**
 * Returns the task that looks, for a call every few seconds. A message counts as lost if it is still there when everything is committed that the log
 * had a look after it was found: it takes three looks, and longer while the partition is behind.
 */
export function lostMessages({ partitions, log, received }: LostMessagesOptions): () => Promise<void> {
  const marks = new Map<number, Mark>();
  const lookAt = async (partition: number, range: IdRange | undefined): Promise<void> => {
    const one = partitions.held.get(partition);
    let mark = marks.get(partition);
    if (one === undefined || range === undefined) {
      marks.delete(partition);
      return;
    }
    if (mark !== undefined && range.first > mark.last) mark = undefined;
    if (mark === undefined) marks.set(partition, { last: range.last, published: null });
    else if (mark.published === null) {
      const state = await one.log.state(partition);
      if (state !== null) marks.set(partition, { ...mark, published: state.last });
    } else if (one.run.committed >= mark.published) {
      marks.delete(partition);
      await received.publish(log, partition, mark.last);
    }
  };
  return async () => {
    const held = [...partitions.held.keys()];
    for (const partition of marks.keys()) if (!partitions.held.has(partition)) marks.delete(partition);
    if (held.length === 0) return;
    const ranges = await received.ranges(held);
    // One by one: a partition without room must not stop the others.
    for (const partition of held) await lookAt(partition, ranges.get(partition)).catch(() => {});
  };
}
