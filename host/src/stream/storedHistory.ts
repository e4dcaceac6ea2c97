/** Stored fixes, events and settings of units. */

import { type Kysely, sql } from 'kysely';
import type { Fix } from 'wayzone';
import type { TripDetectorSettings } from 'wayzone/tracks';
import { grouped } from '../grouped.js';
import { type FixRow, fixOfRow, ownUnit } from '../live/fixes.js';
import { columnOf } from '../storage/entryColumns.js';
import type { Tables } from '../storage/tables.js';
import type { UnitOfCompany } from './eachUnit.js';
import { stateOfAside } from './readState.js';
import type { MeetingStreamEvent, RunEvent, StreamEvent } from './streamEvent.js';

/** Every function reads what the company has: a unit of another company has no fixes, events, settings or state. */
export interface StoredHistory {
  /** A unit's stored fixes from `from` (epoch milliseconds) on, up to `to` if it is given, in time order. */
  fixesOf(companyId: string, unitId: string, from: number, to?: number): Promise<Fix[]>;
  /** The dates of a trip for which events of the unit are stored. */
  tripDatesOf(companyId: string, unitId: string, tripId: string): Promise<string[]>;
  /** The ordinal that follows the last stored event of the company for a message. */
  nextOrdinal(companyId: string, cell: number, seq: number): Promise<number>;
  /** The stored events of a run, in the order of their ids. `from`: when its window opens, epoch milliseconds. */
  tripEventsOf(
    companyId: string,
    run: { readonly unitId: string; readonly tripId: string; readonly date: string },
    from: number,
  ): Promise<RunEvent[]>;
  /** The number of a unit's stored fixes from `from` to `to`, epoch milliseconds, both included. */
  fixCount(companyId: string, unitId: string, from: number, to: number): Promise<number>;
  /** The stored events of the meetings of a pair, in the order of their ids. */
  meetingEventsOf(companyId: string, units: readonly [string, string]): Promise<MeetingStreamEvent[]>;
  /** The time of a unit's first stored fix, epoch milliseconds; null if no fix is stored. */
  firstFixOf(companyId: string, unitId: string): Promise<number | null>;
  /** The times of units' first stored fixes, epoch milliseconds. Units without a stored fix are left out. */
  firstFixesOf(companyId: string, unitIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** At most `limit` stored fixes of each unit from its time on, in time order: a function that reads them. Units with more are left out. */
  fixesOfUnits(
    companyId: string,
    units: readonly UnitFrom[],
    limit: number,
  ): Promise<ReadonlyMap<string, () => Fix[]>>;
  /** The trip-detector settings with which units were registered. Unregistered units are left out. */
  readonly settingsOf: (
    units: readonly UnitOfCompany[],
  ) => Promise<ReadonlyMap<string, TripDetectorSettings>>;
  /** Rows of a unit that is set aside: its state, null if it had none, and its parts of messages in their order. */
  asideOf(
    companyId: string,
    unitId: string,
  ): Promise<{
    readonly state: string | null;
    readonly rows: readonly { readonly seq: number; readonly payload: Uint8Array }[];
  }>;
  /** A unit's stored events whose `lastTimeOf` is at least `from`, in the order of their ids. */
  eventsOf(companyId: string, unitId: string, from: number): Promise<readonly StreamEvent[]>;
  /** Stored events of units whose `lastTimeOf` is at least the unit's time, in the order of their ids. */
  eventsOfUnits(
    companyId: string,
    units: readonly UnitFrom[],
  ): Promise<ReadonlyMap<string, readonly StreamEvent[]>>;
}

/** A unit and a time, epoch milliseconds. */
export interface UnitFrom {
  readonly unitId: string;
  readonly from: number;
}

const columnsOf = (units: readonly UnitFrom[]) =>
  sql`unnest(${units.map(({ unitId }) => unitId)}::text[], ${columnOf(units.map(({ from }) => from))}::bigint[]) as u(id, start)`;
/** Whether the unit is of no other company. */
const isOwn = (companyId: string) =>
  sql`not exists (select from units where units.id = u.id and company_id <> ${companyId})`;

export function storedHistory(db: Kysely<Tables>): StoredHistory {
  const firstFixesOf: StoredHistory['firstFixesOf'] = async (companyId, unitIds) => {
    const { rows } = await sql<{ id: string; first: string | null }>`
      select u.id, (select min(time) from fixes where unit_id = u.id) as first from unnest(${unitIds}::text[]) as u(id)
      where ${isOwn(companyId)}`.execute(db);
    return new Map(rows.flatMap(({ id, first }) => (first === null ? [] : [[id, Number(first)]])));
  };
  const eventsOfUnits: StoredHistory['eventsOfUnits'] = async (companyId, units) => {
    const { rows } = await sql<{ id: string; event: StreamEvent }>`
      select u.id, e.event from ${columnsOf(units)} cross join lateral (
        select * from events where company_id = ${companyId} and unit_id = u.id and time >= u.start
      ) as e order by u.id, e.cell, e.seq, e.ordinal`.execute(db);
    const found = grouped(rows, ({ id }) => id);
    return new Map([...found].map(([id, own]) => [id, own.map(({ event }) => event)]));
  };
  return {
    firstFixesOf,
    eventsOfUnits,
    async tripDatesOf(companyId, unitId, tripId) {
      const { rows } = await sql<{ date: string }>`
        select distinct event->>'date' as date from events
        where company_id = ${companyId} and unit_id = ${unitId} and event->>'tripId' = ${tripId}`.execute(db);
      return rows.map(({ date }) => date);
    },
    async nextOrdinal(companyId, cell, seq) {
      const row = await db
        .selectFrom('events')
        .select('ordinal')
        .where('company_id', '=', companyId)
        .where('cell', '=', cell)
        .where('seq', '=', String(seq))
        .orderBy('ordinal', 'desc')
        .limit(1)
        .executeTakeFirst();
      return (row?.ordinal ?? -1) + 1;
    },
    async tripEventsOf(companyId, { unitId, tripId, date }, from) {
      const { rows } = await sql<{ event: RunEvent }>`
        select event from events
        where company_id = ${companyId} and unit_id = ${unitId} and time >= ${from} and event->>'tripId' = ${tripId} and event->>'date' = ${date}
        order by cell, seq, ordinal`.execute(db);
      return rows.map(({ event }) => event);
    },
    async fixCount(companyId, unitId, from, to) {
      const row = await db
        .selectFrom('fixes')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('unit_id', '=', ownUnit(companyId, unitId))
        .where('time', '>=', String(from))
        .where('time', '<=', String(to))
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    async meetingEventsOf(companyId, [unitId, other]) {
      const { rows } = await sql<{ event: MeetingStreamEvent }>`
        select event from events
        where company_id = ${companyId} and unit_id = ${unitId} and event->>'kind' = 'meeting' and event->'units'->>1 = ${other}
        order by cell, seq, ordinal`.execute(db);
      return rows.map(({ event }) => event);
    },
    async fixesOf(companyId, unitId, from, to) {
      const rows = await db
        .selectFrom('fixes')
        .selectAll()
        .where('unit_id', '=', ownUnit(companyId, unitId))
        .where('time', '>=', String(from))
        .$if(to !== undefined, (query) => query.where('time', '<=', String(to)))
        .orderBy('time')
        .execute();
      return rows.map((row) => fixOfRow(row as FixRow));
    },
    firstFixOf: async (companyId, unitId) => (await firstFixesOf(companyId, [unitId])).get(unitId) ?? null,
    async fixesOfUnits(companyId, units, limit) {
      const { rows } = await sql<FixRow & { readonly unit_id: string }>`
        select f.* from ${columnsOf(units)} cross join lateral (
          select * from fixes where unit_id = u.id and time >= u.start order by time limit ${limit + 1}
        ) as f where ${isOwn(companyId)} order by f.unit_id, f.time`.execute(db);
      const found = grouped(rows, ({ unit_id: id }) => id);
      const few = units.filter(({ unitId }) => (found.get(unitId)?.length ?? 0) <= limit);
      return new Map(few.map(({ unitId }) => [unitId, () => (found.get(unitId) ?? []).map(fixOfRow)]));
    },
    async settingsOf(units) {
      const { rows } = await sql<{ id: string; settings: unknown }>`
        select id, settings from units where (company_id, id) in (
          select * from unnest(${units.map(({ companyId }) => companyId)}::text[], ${units.map(({ unitId }) => unitId)}::text[])
        )`.execute(db);
      return new Map(rows.map(({ id, settings }) => [id, settings as TripDetectorSettings]));
    },
    async asideOf(companyId, unitId) {
      const stored = await db
        .selectFrom('unit_states')
        .select('state')
        .where('company_id', '=', companyId)
        .where('unit_id', '=', unitId)
        .executeTakeFirst();
      const rows = await db
        .selectFrom('set_aside')
        .select(['seq', 'payload'])
        .where('company_id', '=', companyId)
        .where('unit_id', '=', unitId)
        .orderBy('seq')
        .execute();
      return {
        state: stored === undefined ? null : stateOfAside(stored.state),
        rows: rows.map(({ seq, payload }) => ({ seq: Number(seq), payload })),
      };
    },
    eventsOf: async (companyId, unitId, from) =>
      (await eventsOfUnits(companyId, [{ unitId, from }])).get(unitId) ?? [],
  };
}
