/** Reads a bounded number of messages ahead of a partition's run. */

import type { LogMessage } from './log.js';
import type { PartitionRun } from './partitionRun.js';
import type { PartitionLog } from './shiftedLog.js';
import type { TakenOver } from './streamStore.js';

/** Reading pauses while more than this many bytes wait to be handled. */
const MOST_BYTES = 1 << 20;

/** A partition that a worker reads. */
export interface Held {
  readonly run: PartitionRun;
  readonly from: TakenOver;
  readonly log: PartitionLog;
  readonly queue: readonly LogMessage[];
  take(): LogMessage;
  stop(): void;
  /** Whether the run uses the worker's indexes. */
  hasJoined: boolean;
  /** Number of states that may be written by now, and when it was computed (epoch milliseconds). */
  credit: number;
  savedAt: number;
  /** By time (epoch milliseconds), the sequence from which a restart would have read then. */
  samples: [time: number, replayFrom: number][];
  /** The sequence up to which messages and records were deleted; 0 after a new record. */
  trimmed: number;
  /** While the partition is being given back: the message with which that began. The states from before it are written first. */
  leavesFrom: number | null;
}

/** Whether messages are handled again whose outputs are committed. */
export function isReplaying({ run, from }: Pick<Held, 'run' | 'from'>): boolean {
  return run.position < from.position;
}

export function partitionReader(
  run: PartitionRun,
  from: TakenOver,
  log: PartitionLog,
  onMessages: () => void,
  onFailed: (error: unknown) => void,
): Held {
  const stop = new AbortController();
  const queue: LogMessage[] = [];
  let bytes = 0;
  let resume = (): void => {};
  const read = async (): Promise<void> => {
    const before = run.position === from.position ? from.stamp : null;
    for await (const messages of log.read(run.partition, run.position + 1, stop.signal, before)) {
      if (stop.signal.aborted) return;
      for (const message of messages) {
        queue.push(message);
        bytes += message.payload.length;
      }
      onMessages();
      while (bytes > MOST_BYTES && !stop.signal.aborted)
        await new Promise<void>((done) => {
          resume = done;
        });
    }
  };
  void read().catch((error: unknown) => {
    if (!stop.signal.aborted) onFailed(error);
  });
  return {
    run,
    from,
    log,
    queue,
    take() {
      const message = queue.shift()!;
      bytes -= message.payload.length;
      resume();
      return message;
    },
    stop() {
      stop.abort();
      resume();
    },
    hasJoined: false,
    credit: 0,
    savedAt: Date.now(),
    samples: [],
    trimmed: 0,
    leavesFrom: null,
  };
}
