/** Writes positions, events and states of cells in one transaction. It fails if another worker has written one of the cells. */

import { type Kysely, sql, type Transaction } from 'kysely';
import { WayzoneError } from 'wayzone';
import { columnOf } from '../storage/entryColumns.js';
import { PREPARED } from '../storage/prepared.js';
import type { Storage } from '../storage/storage.js';
import type { Tables } from '../storage/tables.js';
import type { CoreEvent, StoredState } from './cellCore.js';
import { failureOf } from './failure.js';
import { checkRecords } from './pruneZones.js';
import { ASIDE } from './readState.js';
import { lastTimeOf } from './streamEvent.js';

/** Rows written for one cell. */
export interface Sealed {
  readonly cell: number;
  /** The version that the row must have. It is raised. */
  readonly version: number;
  readonly position: number;
  readonly clock: number;
  readonly replayFrom: number;
  readonly replayClock: number;
  /** Milliseconds until the next tick is due; null: none. */
  readonly tickIn: number | null;
  /** Epoch milliseconds; null: the clock of the database. */
  readonly now: number | null;
  /** The companies of the fixes. */
  readonly companyIds: ReadonlySet<string>;
  /** Number of fixes that were handled. */
  readonly fixCount: number;
  readonly events: readonly CoreEvent[];
  readonly states: readonly StoredState[];
  readonly zones: readonly { readonly companyId: string; readonly seq: number; readonly version: number }[];
  /** Units and messages that are set aside. */
  readonly aside: readonly AsideRow[];
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

/** Start of the server, epoch milliseconds: no company has a thousand events a second for long. */
const STARTED = sql`floor(1000 * extract(epoch from pg_postmaster_start_time()))::bigint`;

/** Returns the cells that another worker has written or is writing; with any, nothing is written. */
export async function commitSealed({ db }: Storage, sealed: readonly Sealed[]): Promise<readonly number[]> {
  const isPlain = sealed.every(
    ({ zones, aside, resumed, earlier }) => zones.length + aside.length + resumed.size + earlier.size === 0,
  );
  if (isPlain) return write(db, sealed);
  return db.transaction().execute(async (trx) => {
    const fenced = await write(trx, sealed);
    if (fenced.length > 0) return fenced;
    await checkRecords(
      trx,
      sealed.flatMap(({ zones }) => zones),
    );
    for (const { cell, zones } of sealed)
      for (const { companyId: company_id, seq, version } of zones)
        await trx
          .insertInto('cell_zones')
          .values({ cell, company_id, seq, version })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
    await writeAside(trx, sealed);
    return [];
  });
}

/**
 * One statement, in this order:
 * - `locked` is the fence: locks the rows of the cells until the commit, if their versions are those of the memory. A row that another transaction has
 *   locked counts as written: a process that is stopped (SIGSTOP) must not keep others waiting.
 * - `raised` writes version and position of all cells, or of none.
 * - `states`, `numbers` and `written` depend on it. The numbers of a company's events come last and stay locked until the commit: a reader that has
 *   seen one has seen all smaller ones. Companies are locked by ascending id. They begin at the server's start: one that lost its last writes gives no
 *   number again, so that no cursor is beyond an event that it lacks.
 *
 * Throws `stream-output-differs` if an event exists: two workers computed different events for a message.
 */
async function write(db: Kysely<Tables>, sealed: readonly Sealed[]): Promise<readonly number[]> {
  const column = (read: (one: Sealed) => number | null) =>
    columnOf(sealed.map((one) => (Number.isFinite(read(one)) ? read(one) : null)));
  const states = sealed.flatMap(({ cell, states }) => states.map((one) => ({ cell, ...one })));
  const events = sealed.flatMap(({ cell, events }) => events.map((one) => ({ cell, ...one })));
  const counts = new Map<string, number>();
  const places = events.map(({ companyId }) => {
    const place = (counts.get(companyId) ?? 0) + 1;
    counts.set(companyId, place);
    return place;
  });
  const companies = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const statement = sql<{ cell: number }>`${PREPARED} with g as materialized (
      select * from unnest(${column((one) => one.cell)}::int[], ${column((one) => one.version)}::bigint[],
        ${column((one) => one.position)}::bigint[], ${column((one) => one.clock)}::bigint[],
        ${column((one) => one.replayFrom)}::bigint[], ${column((one) => one.replayClock)}::bigint[],
        ${column((one) => one.tickIn)}::bigint[], ${column((one) => one.now)}::bigint[])
        as g(cell, version, position, clock, replay_from, replay_clock, tick_in, now)
    ), locked as materialized (
      select p.cell from cell_positions p join g on g.cell = p.cell and g.version = p.version,
        set_config('idle_in_transaction_session_timeout', '3s', true)
      order by p.cell for update of p skip locked
    ), raised as (
      update cell_positions p
      set version = p.version + 1, position = g.position, clock = g.clock, replay_from = g.replay_from, replay_clock = g.replay_clock,
        due_at = coalesce(g.now, floor(1000 * extract(epoch from clock_timestamp()))::bigint) + g.tick_in, alarm = null, unproven = case when g.position > p.position then 0 else p.unproven end,
        trying = case when g.position >= p.trying then null else p.trying end
      from g join locked l on l.cell = g.cell
      where p.cell = g.cell and (select count(*) from locked) = ${sealed.length}::int
      returning p.cell
    ), states as (
      insert into unit_states (unit_id, company_id, cell, seq, state)
      select * from unnest(${states.map((one) => one.unitId)}::text[], ${states.map((one) => one.companyId)}::text[],
        ${columnOf(states.map((one) => one.cell))}::int[], ${columnOf(states.map((one) => one.seq))}::bigint[],
        ${columnOf(states.map((one) => one.state))}::text[])
      where exists (select from raised)
      on conflict (unit_id) do update
      set company_id = excluded.company_id, cell = excluded.cell, seq = excluded.seq, state = excluded.state
      returning 1
    ), numbers as (
      insert into event_numbers (company_id, last)
      select g.id, ${STARTED} + g.count
      from unnest(${companies.map(([id]) => id)}::text[], ${companies.map(([, count]) => count)}::bigint[]) as g(id, count)
      where exists (select from raised) and (select count(*) from states) >= 0
      on conflict (company_id) do update set last = greatest(excluded.last, event_numbers.last + excluded.last - ${STARTED})
      returning company_id, last
    ), written as (
      insert into events (company_id, cell, seq, ordinal, unit_id, time, event, number)
      select e.company_id, e.cell, e.seq, e.ordinal, e.unit_id, e.time, e.event, n.last + e.place
      from unnest(${events.map((one) => one.companyId)}::text[], ${columnOf(events.map((one) => one.cell))}::int[],
        ${columnOf(events.map((one) => one.seq))}::bigint[], ${columnOf(events.map((one) => one.ordinal))}::int[],
        ${events.map((one) => one.event.unitId)}::text[],
        ${columnOf(events.map((one) => Math.round(one.lastTime ?? lastTimeOf(one.event))))}::bigint[],
        ${columnOf(events.map((one) => JSON.stringify(one.event)))}::jsonb[],
        ${columnOf(places.map((place, i) => place - counts.get(events[i]!.companyId)!))}::bigint[])
        as e(company_id, cell, seq, ordinal, unit_id, time, event, place)
        join numbers n on n.company_id = e.company_id
    ) select cell from locked`;
  try {
    const { rows } = await statement.execute(db);
    if (rows.length === sealed.length) return [];
    const free = new Set(rows.map(({ cell }) => cell));
    return sealed.flatMap(({ cell }) => (free.has(cell) ? [] : [cell]));
  } catch (error) {
    const { code, table, message } = Object(error) as Readonly<Record<string, unknown>>;
    if (code !== '23505' || table !== 'events') throw error;
    const cells = sealed.map(({ cell }) => cell).join(', ');
    throw new WayzoneError(
      'stream-output-differs',
      `cell ${cells}`,
      `expected new events, received: ${String(message)}`,
    );
  }
}

/** After the states: a unit that is followed again has its own, and that of a unit that is set aside is kept for its return. */
async function writeAside(trx: Transaction<Tables>, sealed: readonly Sealed[]): Promise<void> {
  const resumed = sealed.flatMap((one) => [...one.resumed]);
  if (resumed.length > 0) await trx.deleteFrom('set_aside').where('unit_id', 'in', resumed).execute();
  for (const { cell, aside, earlier } of sealed) {
    for (const { seq, unitId, companyId, reason, payload, from } of aside) {
      await trx
        .insertInto('set_aside')
        .values({
          cell,
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
          insert into unit_states (unit_id, company_id, cell, seq, state)
          values (${unitId}, ${companyId}, ${cell}, ${seq}, ${`${ASIDE}null}`})
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
export async function refusedUnits({ db }: Storage, sealed: Sealed): Promise<Map<string, string>> {
  const { events, states } = sealed;
  const unitIds = [...events.map(({ event }) => event.unitId), ...states.map(({ unitId }) => unitId)];
  const refused = new Map<string, string>();
  const undo = new Error('tried');
  for (const id of new Set(unitIds)) {
    try {
      await db.transaction().execute(async (trx) => {
        const own = {
          states: states.filter(({ unitId }) => unitId === id),
          events: events.filter(({ event }) => event.unitId === id),
        };
        await write(trx, [{ ...sealed, ...own }]);
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
