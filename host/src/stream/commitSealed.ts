/** A checkpoint: positions, fixes, events and states in one transaction. The transaction of a replaced owner fails. */

import { sql, type Transaction } from 'kysely';
import { WayzoneError } from 'wayzone';
import type { UnitFix } from '../live/unitFix.js';
import { columnOf } from '../storage/columnOf.js';
import type { FixDays } from '../storage/fixDays.js';
import { PREPARED } from '../storage/prepared.js';
import type { Storage } from '../storage/storage.js';
import type { Tables } from '../storage/tables.js';
import { failureOf } from './failure.js';
import { accuracyOf, isPreferred, isUsable } from './fixOrder.js';
import type { CoreEvent, StoredState } from './partitionCore.js';
import { checkRecords } from './pruneZones.js';
import { ASIDE } from './readState.js';
import { lastTimeOf } from './streamEvent.js';

/** The rows that a checkpoint writes for one partition. */
export interface Sealed {
  readonly partition: number;
  readonly epoch: number;
  readonly position: number;
  /** When the log received the message at `position`, epoch milliseconds; null if not known. */
  readonly stamp: number | null;
  readonly clock: number;
  readonly replayFrom: number;
  readonly replayClock: number;
  /** The companies of the fixes. */
  readonly companyIds: ReadonlySet<string>;
  readonly fixes: readonly UnitFix[];
  readonly events: readonly CoreEvent[];
  readonly states: readonly StoredState[];
  readonly zones: readonly { readonly companyId: string; readonly seq: number; readonly version: number }[];
  /** Units and messages that are set aside. */
  readonly aside: readonly AsideRow[];
  /** Ids of `received` messages whose outputs these are. */
  readonly received: readonly number[];
  /** Units that are followed again: their earlier rows are deleted. */
  readonly resumed: ReadonlySet<string>;
  /** Units that are set aside, each with a fix that is earlier than those before, epoch milliseconds. */
  readonly earlier: ReadonlyMap<string, number>;
}

/** A part of message `seq` that was not applied: its unit is set aside, with this message or an earlier one, or it names no unit. */
export interface AsideRow {
  readonly seq: number;
  /** Empty: the message names no unit. */
  readonly unitId: string;
  readonly companyId: string | null;
  readonly reason: string;
  /** The unit's part of the message, or the message that names no unit. */
  readonly payload: Uint8Array;
  /** The unit's earliest fix that its stored state may lack, epoch milliseconds. */
  readonly from: number;
}

type Trx = Transaction<Tables>;

/** Thrown to roll back the transaction; names the partitions that other workers own. */
class Fenced extends Error {
  constructor(readonly partitions: readonly number[]) {
    super('another worker owns the partition');
  }
}

export async function commitSealed(
  { db }: Storage,
  days: FixDays,
  sealed: readonly Sealed[],
): Promise<readonly number[]> {
  const fixes = sealed.flatMap((one) => one.fixes);
  await days.ensure(fixes.map(({ fix }) => fix.time));
  try {
    await db.transaction().execute(async (trx) => {
      await raise(trx, sealed);
      await writeFixes(trx, fixes);
      await deleteReceived(trx, sealed);
      await writeStates(trx, sealed);
      await checkRecords(
        trx,
        sealed.flatMap(({ zones }) => zones),
      );
      for (const { partition, zones } of sealed)
        for (const { companyId: company_id, seq, version } of zones)
          await trx
            .insertInto('partition_zones')
            .values({ partition, company_id, seq, version })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
      await writeAside(trx, sealed);
      // Last: from here to the commit other partitions of the same companies wait.
      await writeEvents(trx, sealed);
    });
    return [];
  } catch (error) {
    if (error instanceof Fenced) return error.partitions;
    throw error;
  }
}

/**
 * Runs first: locks the partition rows until the commit. Throws `Fenced` if a row has another epoch. A process that is stopped (SIGSTOP) later must not keep
 * the rows locked.
 */
async function raise(trx: Trx, sealed: readonly Sealed[]): Promise<void> {
  const column = (read: (one: Sealed) => number | null): (number | null)[] =>
    sealed.map((one) => (Number.isFinite(read(one)) ? read(one) : null));
  const { rows } = await sql<{ partition: number }>`${PREPARED} update partitions p
    set position = g.position, stamp = g.stamp, stamp_position = g.position, clock = g.clock, replay_from = g.replay_from, replay_clock = g.replay_clock,
      unproven = case when g.position > p.position then 0 else p.unproven end,
      trying = case when g.position >= p.trying then null else p.trying end,
      tries = case when g.position >= p.trying then 0 else p.tries end
    from unnest(${column((one) => one.partition)}::int[], ${column((one) => one.epoch)}::bigint[],
      ${column((one) => one.position)}::bigint[], ${column((one) => one.clock)}::bigint[],
      ${column((one) => one.replayFrom)}::bigint[], ${column((one) => one.replayClock)}::bigint[],
      ${column((one) => one.stamp)}::bigint[])
      as g(partition, epoch, position, clock, replay_from, replay_clock, stamp),
      set_config('idle_in_transaction_session_timeout', '3s', true)
    where p.partition = g.partition and p.epoch = g.epoch and p.position <= g.position
    returning p.partition`.execute(trx);
  if (rows.length === sealed.length) return;
  const written = new Set(rows.map(({ partition }) => partition));
  throw new Fenced(sealed.map(({ partition }) => partition).filter((partition) => !written.has(partition)));
}

async function writeFixes(trx: Trx, fixes: readonly UnitFix[]): Promise<void> {
  const best = new Map<string, UnitFix>();
  for (const one of fixes) {
    const key = `${Math.round(one.fix.time)} ${one.unitId}`;
    const known = best.get(key);
    if (known === undefined || isPreferred(one.fix, known.fix)) best.set(key, one);
  }
  if (best.size === 0) return;
  const rows = [...best.values()];
  await sql`${PREPARED} insert into fixes (unit_id, time, lon, lat, is_usable, accuracy, more)
    select * from unnest(${rows.map(({ unitId }) => unitId)}::text[],
      ${columnOf(rows.map(({ fix }) => Math.round(fix.time)))}::bigint[],
      ${columnOf(rows.map(({ fix }) => fix.lon))}::float8[], ${columnOf(rows.map(({ fix }) => fix.lat))}::float8[],
      ${columnOf(rows.map(({ fix }) => isUsable(fix)))}::boolean[],
      ${columnOf(rows.map(({ fix }) => accuracyOf(fix)))}::float8[], ${columnOf(rows.map(({ fix }) => moreOf(fix)))}::text[])
    on conflict (unit_id, time) do update
    set lon = excluded.lon, lat = excluded.lat, is_usable = excluded.is_usable, accuracy = excluded.accuracy,
      more = excluded.more
    where (not excluded.is_usable, coalesce(excluded.accuracy, 'infinity'), excluded.lon, excluded.lat)
      < (not fixes.is_usable, coalesce(fixes.accuracy, 'infinity'), fixes.lon, fixes.lat)`.execute(trx);
}

async function deleteReceived(trx: Trx, sealed: readonly Sealed[]): Promise<void> {
  const all = sealed.flatMap(({ partition, received }) => received.map((id) => ({ partition, id })));
  if (all.length === 0) return;
  await sql`${PREPARED} delete from received r
    using unnest(${columnOf(all.map(({ partition }) => partition))}::int[], ${columnOf(all.map(({ id }) => id))}::bigint[])
      as g(partition, id)
    where r.partition = g.partition and r.id = g.id`.execute(trx);
}

function moreOf(fix: UnitFix['fix']): string | null {
  const { time: _, lon: _lon, lat: _lat, accuracyMeters: _accuracy, ...more } = fix;
  for (const _key in more) return JSON.stringify(more);
  return null;
}

/** Throws `stream-output-differs` if an id exists with other content: two owners computed different events. */
async function writeEvents(trx: Trx, sealed: readonly Sealed[]): Promise<void> {
  const all = sealed.flatMap(({ partition, events }) => events.map((one) => ({ partition, ...one })));
  if (all.length === 0) return;
  const numbers = await numbersOf(
    trx,
    all.map(({ companyId }) => companyId),
  );
  const { rows } =
    await sql`${PREPARED} insert into events (company_id, partition, seq, ordinal, unit_id, time, event, number)
    select * from unnest(${all.map((one) => one.companyId)}::text[], ${columnOf(all.map((one) => one.partition))}::int[],
      ${columnOf(all.map((one) => one.seq))}::bigint[], ${columnOf(all.map((one) => one.ordinal))}::int[],
      ${all.map((one) => one.event.unitId)}::text[],
      ${columnOf(all.map((one) => Math.round(one.lastTime ?? lastTimeOf(one.event))))}::bigint[],
      ${columnOf(all.map((one) => JSON.stringify(one.event)))}::jsonb[], ${columnOf(numbers)}::bigint[])
    on conflict do nothing
    returning 1`.execute(trx);
  if (rows.length !== all.length)
    throw new WayzoneError(
      'stream-output-differs',
      `partition ${[...new Set(all.map(({ partition }) => partition))].join(', ')}`,
      `expected ${all.length} new events, received ${all.length - rows.length} whose ids exist`,
    );
}

/**
 * The next number of each company's events, in their order. The rows stay locked until the commit: a reader that has seen a number has seen
 * all smaller ones. Companies are locked in the order of their ids, so that two checkpoints cannot wait for each other.
 */
async function numbersOf(trx: Trx, companyIds: readonly string[]): Promise<number[]> {
  const counts = new Map<string, number>();
  for (const id of companyIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const { rows } = await sql<{
    company_id: string;
    last: string;
  }>`${PREPARED} insert into event_numbers (company_id, last)
    select * from unnest(${sorted.map(([id]) => id)}::text[], ${sorted.map(([, count]) => count)}::bigint[])
    on conflict (company_id) do update set last = event_numbers.last + excluded.last
    returning company_id, last`.execute(trx);
  const next = new Map(rows.map(({ company_id: id, last }) => [id, Number(last) - counts.get(id)!]));
  return companyIds.map((id) => {
    const number = next.get(id)! + 1;
    next.set(id, number);
    return number;
  });
}

async function writeStates(trx: Trx, sealed: readonly Sealed[]): Promise<void> {
  const all = sealed.flatMap(({ partition, states }) => states.map((one) => ({ partition, ...one })));
  if (all.length === 0) return;
  await sql`${PREPARED} insert into unit_states (unit_id, company_id, partition, seq, state)
    select * from unnest(${all.map((one) => one.unitId)}::text[], ${all.map((one) => one.companyId)}::text[],
      ${columnOf(all.map((one) => one.partition))}::int[], ${columnOf(all.map((one) => one.seq))}::bigint[],
      ${columnOf(all.map((one) => one.state))}::text[])
    on conflict (unit_id) do update
    set company_id = excluded.company_id, partition = excluded.partition, seq = excluded.seq, state = excluded.state`.execute(
    trx,
  );
}

/** After the states: a unit that is followed again has its own, and that of a unit that is set aside is kept for its return. */
async function writeAside(trx: Trx, sealed: readonly Sealed[]): Promise<void> {
  const resumed = sealed.flatMap((one) => [...one.resumed]);
  if (resumed.length > 0) await trx.deleteFrom('set_aside').where('unit_id', 'in', resumed).execute();
  for (const { partition, aside, earlier } of sealed) {
    for (const { seq, unitId, companyId, reason, payload, from } of aside) {
      await trx
        .insertInto('set_aside')
        .values({
          partition,
          seq,
          unit_id: unitId,
          company_id: companyId,
          reason,
          payload: Buffer.from(payload),
          from_time: from,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      if (unitId !== '')
        await sql`
          insert into unit_states (unit_id, company_id, partition, seq, state)
          values (${unitId}, ${companyId}, ${partition}, ${seq}, ${`${ASIDE}null}`})
          on conflict (unit_id) do update set state = ${ASIDE} || unit_states.state || '}'
          where left(unit_states.state, ${ASIDE.length}) <> ${ASIDE}`.execute(trx);
    }
    for (const [unitId, time] of earlier)
      await sql`update set_aside set from_time = least(from_time, ${time}) where unit_id = ${unitId}`.execute(
        trx,
      );
  }
}

/** The units whose rows the database refuses, each with the reason. Each is tried alone in a transaction that is rolled back. */
export async function refusedUnits(
  { db }: Storage,
  days: FixDays,
  sealed: Sealed,
): Promise<Map<string, string>> {
  const { fixes, events, states } = sealed;
  const unitIds = [
    ...fixes.map(({ unitId }) => unitId),
    ...events.map(({ event }) => event.unitId),
    ...states.map(({ unitId }) => unitId),
  ];
  const refused = new Map<string, string>();
  const undo = new Error('tried');
  for (const id of new Set(unitIds)) {
    const own = fixes.filter(({ unitId }) => unitId === id);
    try {
      await days.ensure(own.map(({ fix }) => fix.time));
      await db.transaction().execute(async (trx) => {
        await writeFixes(trx, own);
        await writeStates(trx, [{ ...sealed, states: states.filter(({ unitId }) => unitId === id) }]);
        await writeEvents(trx, [{ ...sealed, events: events.filter(({ event }) => event.unitId === id) }]);
        throw undo;
      });
    } catch (error) {
      if (error === undo) continue;
      const { kind, message } = failureOf(error);
      if (kind === 'unavailable') throw error;
      if (kind === 'refused') refused.set(id, `the database refuses it: ${message}`);
    }
  }
  return refused;
}
