/** Takes a partition over: raises its epoch, checks its checkpoint against the log, and starts a run. */

import type { Log, LogState } from './log.js';
import { type PartitionRun, partitionRun } from './partitionRun.js';
import { type PartitionLog, shiftedLog } from './shiftedLog.js';
import type { StreamStore, TakenOver } from './streamStore.js';
import type { Sources } from './watchSources.js';

export interface AcquireOptions extends Sources {
  readonly id: string;
  readonly store: StreamStore;
  readonly log: Log;
  readonly latenessSeconds: number;
  readonly settled: () => Promise<void>;
}

export interface Acquired {
  readonly run: PartitionRun;
  readonly from: TakenOver;
  readonly log: PartitionLog;
}

/** Alarms whose cause is the state of the log. */
export const LOG_ALARMS: ReadonlySet<string | null> = new Set([
  'stream-missing',
  'stream-replaced',
  'stream-behind',
  'stream-trimmed',
]);

/** Returns null and writes the reason to `partitions.alarm` if the checkpoint does not match the log. */
export async function acquirePartition(
  partition: number,
  { id, log, ...work }: AcquireOptions,
): Promise<Acquired | null> {
  const { store } = work;
  const before = await store.look(partition);
  const own = shiftedLog(log, before.shift);
  // While the alarm holds, only `goOn` may take the partition.
  if (LOG_ALARMS.has(before.alarm) && alarmOf(before, await own.state(partition)) !== null) return null;
  let from = await store.takeOver(partition, id);
  if (from.shift !== before.shift) return null;
  const known = await own.state(partition);
  if (from.streamCreated === null) {
    const { created } = known ?? (await log.create(partition));
    await store.recordStream(partition, from.epoch, created);
    from = { ...from, streamCreated: created };
  } else {
    // An alarm with another cause stays until an operator has cleared it.
    const alarm = alarmOf(from, known) ?? (isRetried(from.alarm) ? null : from.alarm);
    if (alarm !== from.alarm) await store.alarm(partition, from.epoch, alarm);
    if (alarm !== null) return null;
  }
  return {
    from,
    log: own,
    run: partitionRun({ ...work, partition, from }),
  };
}

/** Whether another attempt may succeed: the stream may be back, or this worker may be new enough to read the states. */
function isRetried(alarm: string | null): boolean {
  return LOG_ALARMS.has(alarm) || alarm === 'state-version';
}

/** The alarm of a partition that must not be read; null if it can be read. */
export function alarmOf(
  { streamCreated, position, replayFrom }: Pick<TakenOver, 'streamCreated' | 'position' | 'replayFrom'>,
  log: LogState | null,
): 'stream-missing' | 'stream-replaced' | 'stream-behind' | 'stream-trimmed' | null {
  if (log === null) return 'stream-missing';
  if (log.created !== streamCreated) return 'stream-replaced';
  if (log.last < position) return 'stream-behind';
  return log.first > replayFrom ? 'stream-trimmed' : null;
}
