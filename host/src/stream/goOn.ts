/** Resumes a partition whose stream was lost or recreated. */

import { WayzoneError } from 'wayzone';
import type { FixDays } from '../storage/fixDays.js';
import type { Storage } from '../storage/storage.js';
import { alarmOf, LOG_ALARMS } from './acquirePartition.js';
import type { Log } from './log.js';
import { pairSource } from './pairSource.js';
import type { StreamSettings } from './prepareStream.js';
import { type Recovered, recoverPartition } from './recoverPartition.js';
import { routeSource } from './routeKind.js';
import { shiftedLog } from './shiftedLog.js';
import { streamStore } from './streamStore.js';
import { tripSource } from './tripSource.js';
import type { ZoneSource } from './zoneSource.js';

export interface GoOnOptions {
  readonly storage: Storage;
  readonly days: FixDays;
  readonly log: Log;
  readonly zones: ZoneSource;
  readonly settings: StreamSettings;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface GoneOn extends Recovered {
  /** The alarm that had halted the partition. */
  readonly alarm: string;
}

/** Throws `alarm-missing` unless the partition is halted by an alarm of `LOG_ALARMS`. */
export async function goOn(partition: number, options: GoOnOptions): Promise<GoneOn> {
  const { storage, days, log, zones, settings, now } = options;
  const store = streamStore(storage, days);
  const from = partition < settings.partitions ? await store.look(partition) : null;
  const state = from === null ? null : await shiftedLog(log, from.shift).state(partition);
  const alarm =
    from === null || !LOG_ALARMS.has(from.alarm) || from.streamCreated === null ? null : alarmOf(from, state);
  if (alarm === null)
    throw new WayzoneError(
      'alarm-missing',
      `partition ${partition}`,
      `expected a partition with ${[...LOG_ALARMS].join(', ')}, received ${from?.alarm ?? 'no alarm'}`,
    );

  // No worker takes the partition while the alarm holds.
  const recovered = await recoverPartition(
    partition,
    alarm,
    {
      id: 'go-on',
      store,
      log,
      zones,
      trips: tripSource(storage, settings.partitions),
      routes: routeSource(storage),
      pairs: pairSource(storage, settings.partitions),
      latenessSeconds: settings.latenessSeconds,
    },
    now,
  );
  return { alarm, ...recovered };
}
