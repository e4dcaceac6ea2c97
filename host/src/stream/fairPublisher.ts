/**
 * Publishes the messages of companies. One that sends more than the workers commit waits, so that the log stays short for the others: messages of a
 * partition are handled in the order of the log, and cannot overtake.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Log, Outgoing } from './log.js';

export interface FairPublisherOptions {
  readonly log: Pick<Log, 'publish'>;
  /** Whether everything up to these sequences is committed, by partition. */
  readonly areCommitted: (last: ReadonlyMap<number, number>) => Promise<boolean>;
  /** Milliseconds. Default: the time of the system. */
  readonly now?: () => number;
  /** Default: a pause of so many milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Publishes messages of a company, in their order. Resolves as `Log.publish`. */
export type FairPublish = (companyId: string, messages: readonly Outgoing[]) => Promise<readonly number[]>;

/** Bytes of a company that are published before it waits for their commit: at first, at least and at most. A fix has some 100 bytes. */
const FIRST_BYTES = 200_000;
const LEAST_BYTES = 50_000;
const MOST_BYTES = 1_600_000;
/** The window halves when the commit takes longer than this, and doubles when it takes less than half of it. Milliseconds. */
const SLOW_MS = 600;
const POLL_MS = 20;
/** A company waits this long at most, as for a partition without a worker. Milliseconds. */
const MOST_MS = 5000;

interface Lane {
  readonly queue: {
    readonly message: Outgoing;
    readonly resolve: (seq: number) => void;
    readonly reject: (error: unknown) => void;
  }[];
  isBusy: boolean;
  window: number;
  /** Bytes that were published since the last commit that was noticed, and the last sequences. */
  open: number;
  readonly last: Map<number, number>;
  publishedAt: number;
}

export function fairPublisher(options: FairPublisherOptions): FairPublish {
  const { log, areCommitted, now = () => performance.now(), pause = sleep } = options;
  const lanes = new Map<string, Lane>();

  const publish = async (lane: Lane, messages: readonly Outgoing[]): Promise<readonly number[]> => {
    lane.open += bytesOf(messages);
    const seqs = await log.publish(messages);
    for (const [i, { partition }] of messages.entries())
      lane.last.set(partition, Math.max(seqs[i]!, lane.last.get(partition) ?? 0));
    lane.publishedAt = now();
    return seqs;
  };
  const settle = async (lane: Lane): Promise<void> => {
    const { publishedAt } = lane;
    const last = new Map(lane.last);
    const until = now() + MOST_MS;
    let polls = 1;
    for (; !(await areCommitted(last)) && now() < until; polls++) await pause(POLL_MS);
    const took = now() - publishedAt;
    if (took < SLOW_MS / 2) lane.window = Math.min(MOST_BYTES, lane.window * 2);
    // At the first poll the commit may have been long ago.
    else if (took > SLOW_MS && polls > 1) lane.window = Math.max(LEAST_BYTES, lane.window / 2);
    lane.open = 0;
    lane.last.clear();
  };
  /** The next messages of the lane that fit into its window, at least one. */
  const nextOf = (lane: Lane): Lane['queue'] => {
    let bytes = lane.open;
    const count = lane.queue.findIndex(({ message }, i) => {
      bytes += message.payload.length;
      return i > 0 && bytes > lane.window;
    });
    return lane.queue.splice(0, count === -1 ? lane.queue.length : count);
  };
  const drain = async (lane: Lane): Promise<void> => {
    lane.isBusy = true;
    while (lane.queue.length > 0) {
      if (lane.open > 0 && lane.open + lane.queue[0]!.message.payload.length > lane.window)
        // Without the database nothing is accepted either.
        await settle(lane).catch(() => {});
      const group = nextOf(lane);
      try {
        const seqs = await publish(
          lane,
          group.map(({ message }) => message),
        );
        for (const [i, { resolve }] of group.entries()) resolve(seqs[i]!);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    lane.isBusy = false;
  };

  return async (companyId, messages) => {
    const lane: Lane = lanes.get(companyId) ?? {
      queue: [],
      isBusy: false,
      window: FIRST_BYTES,
      open: 0,
      last: new Map(),
      publishedAt: 0,
    };
    lanes.set(companyId, lane);
    if (!lane.isBusy && lane.open + bytesOf(messages) <= lane.window) return publish(lane, messages);
    const published = messages.map(
      (message) =>
        new Promise<number>((resolve, reject) => {
          lane.queue.push({ message, resolve, reject });
        }),
    );
    if (!lane.isBusy) void drain(lane);
    return Promise.all(published);
  };
}

function bytesOf(messages: readonly Outgoing[]): number {
  return messages.reduce((sum, { payload }) => sum + payload.length, 0);
}
