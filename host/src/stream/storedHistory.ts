/** What is stored of units: their fixes, their events and their settings. */

import { type Kysely, sql } from 'kysely';
import type { Fix } from 'wayzone';
import type { TripDetectorSettings } from 'wayzone/tracks';
import { type FixRow, fixOfRow, ownUnit } from '../live/fixes.js';
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
  /** The trip-detector settings with which units were registered. Unregistered units are left out. */
  readonly settingsOf: (
    units: readonly UnitOfCompany[],
  ) => Promise<ReadonlyMap<string, TripDetectorSettings>>;
  /** What is kept of a unit that is set aside: its state, null if it had none, and its parts of messages in their order. */
  asideOf(
    companyId: string,
    unitId: string,
  ): Promise<{
    readonly state: string | null;
    readonly rows: readonly { readonly seq: number; readonly payload: Uint8Array }[];
  }>;
  /** A unit's stored events whose `lastTimeOf` is at least `from`, in the order of their ids. */
  eventsOf(companyId: string, unitId: string, from: number): Promise<StreamEvent[]>;
}

export function storedHistory(db: Kysely<Tables>): StoredHistory {
  return {
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
    async firstFixOf(companyId, unitId) {
      const row = await db
        .selectFrom('fixes')
        .select((eb) => eb.fn.min('time').as('first'))
        .where('unit_id', '=', ownUnit(companyId, unitId))
        .executeTakeFirst();
      return row?.first == null ? null : Number(row.first);
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
    async eventsOf(companyId, unitId, from) {
      const rows = await db
        .selectFrom('events')
        .select('event')
        .where('company_id', '=', companyId)
        .where('unit_id', '=', unitId)
        .where('time', '>=', String(from))
        .orderBy('cell')
        .orderBy('seq')
        .orderBy('ordinal')
        .execute();
      return rows.map(({ event }) => event as unknown as StreamEvent);
    },
  };
}
