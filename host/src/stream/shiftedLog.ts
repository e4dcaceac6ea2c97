/**
 * A partition's log whose sequences go on where those of an earlier stream ended: ids of events and the cursors of listeners count on when a
 * new stream begins at 1.
 */

import type { Log } from './log.js';

export type PartitionLog = Pick<Log, 'read' | 'state' | 'trim'>;

/** `shift` is added to each sequence of the log. */
export function shiftedLog(log: PartitionLog, shift: number): PartitionLog {
  if (shift === 0) return log;
  return {
    async *read(partition, from, signal) {
      for await (const messages of log.read(partition, from - shift, signal))
        yield messages.map((message) => ({ ...message, seq: message.seq + shift }));
    },
    async state(partition) {
      const state = await log.state(partition);
      return state && { ...state, first: state.first + shift, last: state.last + shift };
    },
    trim: (partition, before) => log.trim(partition, before - shift),
  };
}
