/**
 * Decides whether the streams of a broker have room. nats-server 2.9 drops the oldest messages of a nearly full stream for small new ones,
 * in spite of `discard: new`. Publishers therefore stop before a stream is full.
 */

import { WayzoneError } from 'wayzone';
import type { Outgoing } from './log.js';

/** Share of a stream up to which fixes are taken, and up to which ticks are. */
const FIXES_SHARE = 0.8;
const TICKS_SHARE = 0.9;
/** A size is this old at most, milliseconds; more while at most half of the stream is used. */
const FRESH_MS = 1000;
const HALF_FRESH_MS = 5000;
/** This process looks again after it has published this share of the stream. Several processes publish at the same time. */
const OWN_SHARE = 0.02;
/** What a message takes in a stream besides its payload: header, subject and checksum. Bytes, rounded up. */
const OVERHEAD_BYTES = 64;

export interface StreamRoom {
  /** Records the size of a partition's stream, bytes. `maxBytes` of 0 or less: no limit. */
  note(partition: number, bytes: number, maxBytes: number): void;
  /** How full the stream was when it was last looked at, 0 to 1, with what this process has published since. */
  fill(partition: number): number;
  /** Throws `log-full` if a stream has no room for its messages. */
  admit(messages: readonly Outgoing[]): Promise<void>;
}

interface Size {
  readonly at: number;
  readonly bytes: number;
  readonly maxBytes: number;
  /** Bytes that this process has published since. */
  own: number;
}

/** `look` calls `note` with the present size, or not at all for a partition without a stream. */
export function streamRoom(
  look: (partition: number) => Promise<void>,
  now: () => number = () => performance.now(),
): StreamRoom {
  const sizes = new Map<number, Size>();
  const looks = new Map<number, Promise<void>>();

  const shareOf = ({ bytes, own, maxBytes }: Size): number => (maxBytes > 0 ? (bytes + own) / maxBytes : 0);
  const isFresh = (size: Size | undefined): boolean => {
    if (size === undefined) return false;
    const limit = shareOf(size) < 0.5 ? HALF_FRESH_MS : FRESH_MS;
    return now() - size.at < limit && (size.maxBytes <= 0 || size.own < OWN_SHARE * size.maxBytes);
  };
  const lookOnce = async (partition: number): Promise<void> => {
    const running = looks.get(partition) ?? look(partition).finally(() => looks.delete(partition));
    looks.set(partition, running);
    await running;
  };

  return {
    note(partition, bytes, maxBytes) {
      sizes.set(partition, { at: now(), bytes, maxBytes, own: 0 });
    },
    fill(partition) {
      const size = sizes.get(partition);
      return size === undefined ? 0 : shareOf(size);
    },
    async admit(messages) {
      const wanted = new Map<number, { bytes: number; limit: number }>();
      for (const { partition, payload, isTick = false } of messages) {
        const one = wanted.get(partition) ?? { bytes: 0, limit: isTick ? TICKS_SHARE : FIXES_SHARE };
        wanted.set(partition, { ...one, bytes: one.bytes + payload.length + OVERHEAD_BYTES });
      }
      await Promise.all(
        [...wanted.keys()].flatMap((partition) =>
          isFresh(sizes.get(partition)) ? [] : [lookOnce(partition)],
        ),
      );
      for (const [partition, { bytes, limit }] of wanted) {
        const size = sizes.get(partition);
        if (size !== undefined && size.maxBytes > 0 && size.bytes + size.own + bytes > limit * size.maxBytes)
          throw new WayzoneError(
            'log-full',
            '',
            `expected room in the log, received a partition that is ${Math.round(100 * shareOf(size))} % full: send the request again later`,
            { status: 503, wireCode: 503 },
          );
      }
      for (const [partition, { bytes }] of wanted) {
        const size = sizes.get(partition);
        if (size !== undefined) size.own += bytes;
      }
    },
  };
}
