/** What is stored of units: their fixes, their events and their settings. */

import { type Kysely, sql } from 'kysely';
import type { Fix } from 'wayzone';
import type { TripDetectorSettings } from 'wayzone/tracks';
import { type FixRow, fixOfRow } from '../live/fixes.js';
import type { Tables } from '../storage/tables.js';
import { stateOfAside } from './readState.js';
import type { MeetingStreamEvent, RunEvent, StreamEvent } from './streamEvent.js';

export interface StoredHistory {
  /** A unit's stored fixes from `from` (epoch milliseconds) on, up to `to` if it is given, in time order. */
  fixesOf(unitId: string, from: number, to?: number): Promise<Fix[]>;
  /** The dates of a trip for which events of the unit are stored. */
  tripDatesOf(unitId: string, tripId: string): Promise<string[]>;
  /** The ordinal that follows the last stored event of the company for a message. */
  nextOrdinal(companyId: string, partition: number, seq: number): Promise<number>;
  /** The stored events of a run, in the order of their ids. `from`: when its window opens, epoch milliseconds. */
  tripEventsOf(
    run: { readonly unitId: string; readonly tripId: string; readonly date: string },
    from: number,
  ): Promise<RunEvent[]>;
  /** The number of a unit's stored fixes from `from` to `to`, epoch milliseconds, both included. */
  fixCount(unitId: string, from: number, to: number): Promise<number>;
  /** The stored events of the meetings of a pair, in the order of their ids. */
  meetingEventsOf(units: readonly [string, string]): Promise<MeetingStreamEvent[]>;
  /** The time of a unit's first stored fix, epoch milliseconds; null if no fix is stored. */
  firstFixOf(unitId: string): Promise<number | null>;
  /** The trip-detector settings with which units were registered. Unregistered units are left out. */
  readonly settingsOf: (unitIds: readonly string[]) => Promise<ReadonlyMap<string, TripDetectorSettings>>;
  /** What is kept of a unit that is set aside: its state, null if it had none, and its parts of messages in their order. */
  asideOf(unitId: string): Promise<{
    readonly state: string | null;
    readonly rows: readonly { readonly seq: number; readonly payload: Uint8Array }[];
  }>;
  /** A unit's stored events whose `lastTimeOf` is at least `from`, in the order of their ids. */
  eventsOf(unitId: string, from: number): Promise<StreamEvent[]>;
}

export function storedHistory(db: Kysely<Tables>): StoredHistory {
  return {
    async tripDatesOf(unitId, tripId) {
      const { rows } = await sql<{ date: string }>`
        select distinct event->>'date' as date from events
        where unit_id = ${unitId} and event->>'tripId' = ${tripId}`.execute(db);
      return rows.map(({ date }) => date);
    },
    async nextOrdinal(companyId, partition, seq) {
      const row = await db
        .selectFrom('events')
        .select('ordinal')
        .where('company_id', '=', companyId)
        .where('partition', '=', partition)
        .where('seq', '=', String(seq))
        .orderBy('ordinal', 'desc')
        .limit(1)
        .executeTakeFirst();
      return (row?.ordinal ?? -1) + 1;
    },
    async tripEventsOf({ unitId, tripId, date }, from) {
      const { rows } = await sql<{ event: RunEvent }>`
        select event from events
        where unit_id = ${unitId} and time >= ${from} and event->>'tripId' = ${tripId} and event->>'date' = ${date}
        order by partition, seq, ordinal`.execute(db);
      return rows.map(({ event }) => event);
    },
    async fixCount(unitId, from, to) {
      const row = await db
        .selectFrom('fixes')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('unit_id', '=', unitId)
        .where('time', '>=', String(from))
        .where('time', '<=', String(to))
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    async meetingEventsOf([unitId, other]) {
      const { rows } = await sql<{ event: MeetingStreamEvent }>`
        select event from events
        where unit_id = ${unitId} and event->>'kind' = 'meeting' and event->'units'->>1 = ${other}
        order by partition, seq, ordinal`.execute(db);
      return rows.map(({ event }) => event);
    },
    async fixesOf(unitId, from, to) {
      const rows = await db
        .selectFrom('fixes')
        .selectAll()
        .where('unit_id', '=', unitId)
        .where('time', '>=', String(from))
        .$if(to !== undefined, (query) => query.where('time', '<=', String(to)))
        .orderBy('time')
        .execute();
      return rows.map((row) => fixOfRow(row as FixRow));
    },
    async firstFixOf(unitId) {
      const row = await db
        .selectFrom('fixes')
        .select((eb) => eb.fn.min('time').as('first'))
        .where('unit_id', '=', unitId)
        .executeTakeFirst();
      return row?.first == null ? null : Number(row.first);
    },
    async settingsOf(unitIds) {
      const rows = await db
        .selectFrom('units')
        .select(['id', 'settings'])
        .where('id', 'in', [...unitIds])
        .execute();
      return new Map(rows.map(({ id, settings }) => [id, settings as TripDetectorSettings]));
    },
    async asideOf(unitId) {
      const stored = await db
        .selectFrom('unit_states')
        .select('state')
        .where('unit_id', '=', unitId)
        .executeTakeFirst();
      const rows = await db
        .selectFrom('set_aside')
        .select(['seq', 'payload'])
        .where('unit_id', '=', unitId)
        .orderBy('seq')
        .execute();
      return {
        state: stored === undefined ? null : stateOfAside(stored.state),
        rows: rows.map(({ seq, payload }) => ({ seq: Number(seq), payload })),
      };
    },
    async eventsOf(unitId, from) {
      const rows = await db
        .selectFrom('events')
        .select('event')
        .where('unit_id', '=', unitId)
        .where('time', '>=', String(from))
        .orderBy('partition')
        .orderBy('seq')
        .orderBy('ordinal')
        .execute();
      return rows.map(({ event }) => event as unknown as StreamEvent);
    },
  };
}
