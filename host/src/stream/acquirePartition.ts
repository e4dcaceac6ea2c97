/** Takes a partition over: raises its epoch, checks its checkpoint against the log, and starts a run. Recovers what a broker has lost. */

import type { Log, LogState } from './log.js';
import { type PartitionRun, partitionRun } from './partitionRun.js';
import { type RecoverOptions, recoverPartition } from './recoverPartition.js';
import { type PartitionLog, shiftedLog } from './shiftedLog.js';
import type { PartitionRow, TakenOver } from './streamStore.js';

export interface AcquireOptions extends RecoverOptions {
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
  'stream-rewound',
]);

/** Returns null and writes the reason to `partitions.alarm` if the checkpoint does not match the log. */
export async function acquirePartition(partition: number, options: AcquireOptions): Promise<Acquired | null> {
  const { id, log, ...work } = options;
  const { store } = work;
  let before = await store.look(partition);
  const lost = rewoundAlarm(before, log, await shiftedLog(log, before.shift).state(partition));
  if (lost !== null) {
    await recoverPartition(partition, lost, options);
    before = await store.look(partition);
  }
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

/** The alarm of a broker's stream that has lost its last messages; null if it has not. A stream that is gone or another one is for an operator to decide. */
function rewoundAlarm(before: PartitionRow, { kind }: Log, log: LogState | null): string | null {
  if (kind !== 'nats' || before.streamCreated === null) return null;
  const alarm = alarmOf(before, log);
  if (alarm === 'stream-behind') return alarm;
  return alarm === null && before.alarm === 'stream-rewound' ? before.alarm : null;
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
