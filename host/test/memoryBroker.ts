/** A log in memory that loses its last messages on request, as a broker does after a power cut. */

import { once } from 'node:events';
import { WayzoneError } from 'wayzone';
import type { Log, LogMessage } from '../src/stream/log.js';

export interface MemoryBroker {
  readonly log: Log;
  /** Loses the messages of each partition after its first `kept` ones. Their sequences are used again. */
  restart(kept: (partition: number) => number): void;
}

/** Each message is received a millisecond after the one before, from `start` on (epoch milliseconds). */
export function memoryBroker(start: number): MemoryBroker {
  const streams = new Map<number, LogMessage[]>();
  const changes = new EventTarget();
  const changed = (): void => void changes.dispatchEvent(new Event('change'));
  let clock = start;
  let restarts = 0;
  const created = 'memory';
  const log: Log = {
    kind: 'nats',
    async publish(messages) {
      const seqs = messages.map(({ partition, payload }) => {
        const own = streams.get(partition) ?? [];
        own.push({ seq: own.length + 1, stamp: clock++, payload });
        return own.length;
      });
      changed();
      return seqs;
    },
    async *read(partition, from, signal, before = null) {
      let next = from;
      let stamp = before;
      for (let seen = -1; !signal.aborted; ) {
        const own = streams.get(partition) ?? [];
        const known = own[next - 2];
        if (seen !== restarts && (next > own.length + 1 || (stamp !== null && known?.stamp !== stamp)))
          throw new WayzoneError('stream-rewound', '', 'expected the message before, received another one');
        seen = restarts;
        const message = own[next - 1];
        if (message === undefined) await once(changes, 'change', { signal }).catch(() => {});
        else {
          next++;
          stamp = message.stamp;
          yield [message];
        }
      }
    },
    async state(partition) {
      const own = streams.get(partition);
      return own === undefined ? null : { created, first: 1, last: own.length };
    },
    async create(partition) {
      streams.set(partition, streams.get(partition) ?? []);
      return (await log.state(partition))!;
    },
    trim: async () => {},
    wake: async () => {},
    listen: async () => {},
    close: async () => {},
  };
  return {
    log,
    restart(kept) {
      restarts++;
      for (const [partition, own] of streams) own.splice(kept(partition));
      changed();
    },
  };
}
