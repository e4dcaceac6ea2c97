/**
 * Resumes a partition whose stream was lost, recreated or truncated. Messages that no checkpoint holds are lost. Each unit is recomputed
 * from its stored fixes, because the states of the last checkpoint need messages that no longer exist.
 */

import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import type { FixDays } from '../storage/fixDays.js';
import type { Storage } from '../storage/storage.js';
import { alarmOf, LOG_ALARMS } from './acquirePartition.js';
import type { Log } from './log.js';
import { pairSource } from './pairSource.js';
import { partitionOf } from './partitionOf.js';
import { partitionRun } from './partitionRun.js';
import type { StreamSettings } from './prepareStream.js';
import { routeSource } from './routeKind.js';
import { shiftedLog } from './shiftedLog.js';
import { streamStore, type TakenOver } from './streamStore.js';
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

export interface GoneOn {
  /** The alarm that had halted the partition. */
  readonly alarm: string;
  readonly units: number;
  /** Number of `revised` events, which correct events that were emitted before. */
  readonly revised: number;
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
  const taken = await store.takeOver(partition, 'go-on');
  const { position } = taken;
  const complete = { ...taken, replayFrom: position + 1, replayClock: taken.clock };
  const run = partitionRun({
    partition,
    from: complete,
    store,
    zones,
    trips: tripSource(storage, settings.partitions),
    routes: routeSource(storage),
    pairs: pairSource(storage, settings.partitions),
    latenessSeconds: settings.latenessSeconds,
    settled: async () => {},
  });
  const since = Number.isFinite(taken.replayClock) ? taken.replayClock - settings.latenessSeconds * 1000 : 0;
  const units = await unitsSince(storage, taken, partition, settings.partitions, since);
  const revised = await run.recompute(units, since, now);
  const fenced = await store.commit([run.seal('all')]);
  if (fenced.length > 0) throw partitionTaken(partition);

  await restart(options, partition, taken, run.position);
  return { alarm, units: units.length, revised };
}

/** Units of the partition that have a stored state, or have stored fixes since then but no state yet. */
async function unitsSince(
  { db }: Storage,
  { states, asideUnits }: TakenOver,
  partition: number,
  partitions: number,
  since: number,
): Promise<{ readonly unitId: string; readonly companyId: string }[]> {
  const known = new Set(states.map(({ unitId }) => unitId));
  const { rows } = await sql<{ unitId: string; companyId: string }>`
    select u.id as "unitId", u.company_id as "companyId" from units u
    where exists (select from fixes f where f.unit_id = u.id and f.time >= ${since})`.execute(db);
  return [
    ...states.map(({ unitId, companyId }) => ({ unitId, companyId })),
    ...rows.filter(
      ({ unitId }) =>
        !known.has(unitId) && !asideUnits.has(unitId) && partitionOf(unitId, partitions) === partition,
    ),
  ];
}

/** Sets the shift so that the sequences of the stream, found or new, continue after `position`. Clears the alarm. */
async function restart(
  { storage: { db }, log }: GoOnOptions,
  partition: number,
  { epoch, position: before, shift, streamCreated }: TakenOver,
  position: number,
): Promise<void> {
  const found = (await log.state(partition)) ?? (await log.create(partition));
  // The same stream is read from the last checkpoint on. Another stream, or one that was restored to an older state, is read from its
  // beginning: fixes that arrive twice change nothing.
  const isSame = found.created === streamCreated && found.last + shift >= before;
  const first = isSame ? Math.max(found.first, before + 1 - shift) : found.first;
  const next = position + 1 - first;
  const { numAffectedRows } = await sql`
    update partitions set alarm = null, unproven = 0, stream_created = ${found.created}, shift = ${next}
    where partition = ${partition} and epoch = ${epoch}`.execute(db);
  if (numAffectedRows !== 1n) throw partitionTaken(partition);
}

function partitionTaken(partition: number): WayzoneError {
  return new WayzoneError(
    'partition-taken',
    `partition ${partition}`,
    'expected no other owner of the partition, received one: run go-on again',
  );
}
