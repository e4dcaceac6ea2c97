/**
 * Goes on with a partition whose stream was lost, made anew or cut: the messages that no checkpoint holds are given up. Each unit is reckoned anew
 * from its stored fixes, because the states of the last checkpoint need messages that are gone.
 */

import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import type { FixDays } from '../storage/fixDays.js';
import type { Storage } from '../storage/storage.js';
import { alarmOf, LOG_ALARMS } from './acquire.js';
import type { Log } from './log.js';
import { partitionOf } from './partitionOf.js';
import { partitionRun } from './partitionRun.js';
import type { StreamSettings } from './prepareStream.js';
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
  /** Why the partition stood still. */
  readonly alarm: string;
  readonly units: number;
  /** Events that correct what was emitted. */
  readonly revised: number;
}

/** Throws `alarm-missing` for a partition that does not stand still for want of its stream. */
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
      `expected a partition with ${[...LOG_ALARMS].join(', ')}, received ${from?.alarm ?? 'one that is read'}`,
    );

  // While the alarm stands no worker takes the partition.
  const taken = await store.takeOver(partition, 'go-on');
  const { position } = taken;
  const complete = { ...taken, replayFrom: position + 1, replayClock: taken.clock };
  const run = partitionRun({
    partition,
    from: complete,
    store,
    zones,
    trips: tripSource(storage, settings.partitions),
    latenessSeconds: settings.latenessSeconds,
    settled: async () => {},
  });
  const since = Number.isFinite(taken.replayClock) ? taken.replayClock - settings.latenessSeconds * 1000 : 0;
  const units = await unitsSince(storage, taken, partition, settings.partitions, since);
  const revised = await run.reckon(units, since, now);
  const fenced = await store.commit([run.seal('all')]);
  if (fenced.length > 0)
    throw new WayzoneError(
      'partition-taken',
      `partition ${partition}`,
      'expected no other owner, received one: go on again',
    );

  await restart(options, partition, taken, run.position);
  return { alarm, units: units.length, revised };
}

/** Units of the partition that have a state, or fixes since then and no state yet. */
async function unitsSince(
  { db }: Storage,
  { states }: TakenOver,
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
    ...rows.filter(({ unitId }) => !known.has(unitId) && partitionOf(unitId, partitions) === partition),
  ];
}

/** Lets the sequences of the stream that there is, or of a new one, follow `position`, and takes the alarm back. */
async function restart(
  { storage: { db }, log }: GoOnOptions,
  partition: number,
  { epoch, position: before, shift, streamCreated }: TakenOver,
  position: number,
): Promise<void> {
  const found = (await log.state(partition)) ?? (await log.create(partition));
  // What the same stream holds behind the last checkpoint is read. Of another one, or of one that was set back, all is: fixes that come
  // twice change nothing.
  const isSame = found.created === streamCreated && found.last + shift >= before;
  const first = isSame ? Math.max(found.first, before + 1 - shift) : found.first;
  const next = position + 1 - first;
  const { numAffectedRows } = await sql`
    update partitions set alarm = null, unproven = 0, stream_created = ${found.created}, shift = ${next}
    where partition = ${partition} and epoch = ${epoch}`.execute(db);
  if (numAffectedRows !== 1n)
    throw new WayzoneError(
      'partition-taken',
      `partition ${partition}`,
      'expected no other owner, received one: go on again',
    );
}
