/**
 * A partition's log whose sequences continue after those of an earlier stream. Event ids and cursors of clients stay ascending although
 * the new stream begins at 1.
 */

import type { Log } from './log.js';

export type PartitionLog = Pick<Log, 'read' | 'state' | 'trim'>;

/** Adds `shift` to each sequence of the log. */
export function shiftedLog(log: PartitionLog, shift: number): PartitionLog {
  if (shift === 0) return log;
  return {
    async *read(partition, from, signal, before) {
      for await (const messages of log.read(partition, from - shift, signal, before))
        yield messages.map((message) => ({ ...message, seq: message.seq + shift }));
    },
    async state(partition) {
      const state = await log.state(partition);
      return state && { ...state, first: state.first + shift, last: state.last + shift };
    },
    trim: (partition, before) => log.trim(partition, before - shift),
  };
}
