/** Computes the expected content of the tables by the batch over all fixes. */

import { sql } from 'kysely';
import type { Fix, ZoneIndex } from 'wayzone';
import {
  type DescribedMovement,
  type DescribedVisit,
  describeEvents,
  type UnitEvents,
} from 'wayzone/operator';
import { detectTrips, findVisits, readTrack } from 'wayzone/tracks';
import { evaluateTrip, planTrip, type TripEvent } from 'wayzone/trips';
import { fixOfRow } from '../../src/live/fixes.js';
import type { Storage } from '../../src/storage/storage.js';
import { cellMap } from '../../src/stream/cellMap.js';
import { isPreferred } from '../../src/stream/fixOrder.js';
import { spanOf } from '../../src/stream/spanOf.js';
import { storedHistory } from '../../src/stream/storedHistory.js';
import type { StreamEvent } from '../../src/stream/streamEvent.js';
import { boundaryOf } from '../../src/stream/tripRuns.js';
import type { FollowedTrip } from '../../src/stream/tripSource.js';
import { batchMovement } from '../batchMovement.js';
import { eventsInOrder } from '../eventsInOrder.js';

export interface Difference {
  readonly lost: number;
  readonly doubled: number;
  readonly changed: number;
  /** Some of the differences, for the message. */
  readonly examples: readonly string[];
}

/** Content of rows by key. */
type Rows = Map<string, string>;

export function differenceOf(expected: Rows, received: readonly (readonly [string, string])[]): Difference {
  const seen = new Map<string, number>();
  const examples: string[] = [];
  let changed = 0;
  for (const [key, content] of received) {
    seen.set(key, (seen.get(key) ?? 0) + 1);
    const wanted = expected.get(key);
    if (wanted !== undefined && wanted !== content) {
      changed++;
      examples.push(`changed ${key}: expected ${wanted}, received ${content}`);
    }
  }
  const lost = [...expected.keys()].filter((key) => !seen.has(key));
  const more = received.filter(([key]) => !expected.has(key) || seen.get(key)! > 1);
  examples.push(...lost.map((key) => `lost ${key}: ${expected.get(key)}`));
  examples.push(...more.map(([key, content]) => `doubled ${key}: ${content}`));
  return { lost: lost.length, doubled: more.length, changed, examples: examples.slice(0, 20) };
}

export async function storedEvents({ db }: Storage): Promise<[string, string][]> {
  const rows = await db.selectFrom('events').selectAll().execute();
  return rows.map(({ company_id: id, cell, seq, ordinal, event }) => [
    `${id} ${cell} ${seq} ${ordinal}`,
    contentOf(event),
  ]);
}

export async function storedFixes({ db }: Storage): Promise<[string, string][]> {
  const rows = await db.selectFrom('fixes').selectAll().execute();
  return rows.map((row) => [`${row.unit_id} ${row.time}`, contentOf(fixOfRow(row))]);
}

/** The preferred fix of each time among the sent fixes. */
export function bestOf(sent: readonly { readonly unitId: string; readonly fix: Fix }[]): Map<string, Fix[]> {
  const units = new Map<string, Map<number, Fix>>();
  for (const { unitId, fix } of sent) {
    const own = units.get(unitId) ?? new Map<number, Fix>();
    units.set(unitId, own);
    const known = own.get(fix.time);
    if (known === undefined || isPreferred(fix, known)) own.set(fix.time, fix);
  }
  return new Map([...units].map(([unitId, own]) => [unitId, [...own.values()]]));
}

/** Visits, trips, parkings and stops of these units of the company `still`: by the batch, and by the stored events. */
export async function itemsOf(
  storage: Storage,
  index: ZoneIndex,
  sent: Map<string, Fix[]>,
): Promise<Record<'visits' | 'movement', { readonly batch: Rows; readonly emitted: [string, string][] }>> {
  const visits = { batch: new Map<string, string>(), emitted: [] as [string, string][] };
  const movement = { batch: new Map<string, string>(), emitted: [] as [string, string][] };
  const { settingsOf } = storedHistory(storage.db);
  const settings = await settingsOf([...sent.keys()].map((unitId) => ({ companyId: 'still', unitId })));
  for (const [unitId, fixes] of sent) {
    const track = readTrack(fixes);
    for (const visit of findVisits(track, index)) visits.batch.set(keyOf(unitId, visit), textOf(visit));
    const events = await eventsInOrder(storage, { unit_id: unitId });
    for (const visit of describeEvents('visits', events))
      visits.emitted.push([keyOf(unitId, visit), textOf(visit)]);

    const emitted = describeEvents('movement', events);
    for (const one of emitted) movement.emitted.push([movementKey(unitId, one), contentOf(one)]);
    for (const one of batchMovement(detectTrips(track, settings.get(unitId)), emitted))
      movement.batch.set(movementKey(unitId, one), contentOf(one));
  }
  return { visits, movement };
}

/** Events of the company's trips: by the reports of the batch, and by the stored events. */
export async function tripsOf(
  storage: Storage,
  companyId: string,
  sent: Map<string, Fix[]>,
): Promise<{ readonly batch: Rows; readonly emitted: [string, string][] }> {
  const batch: Rows = new Map();
  const emitted: [string, string][] = [];
  const { rows: clocks } = await sql<{
    cell: number;
    clock: string;
  }>`select cell, clock from cell_positions`.execute(storage.db);
  const clockOf = new Map(clocks.map(({ cell, clock }) => [cell, Number(clock)]));
  const cells = await cellMap(storage).of(companyId);
  const { rows } = await sql<{ row: FollowedTrip }>`
    select row from trips where company_id = ${companyId}`.execute(storage.db);
  for (const { row: trip } of rows) {
    const unitId = trip.unit.id;
    const events = await eventsInOrder(storage, { unit_id: unitId });
    const fixes = sent.get(unitId) ?? [];
    const boundary = boundaryOf(clockOf.get(cells.of(unitId).cell)!);
    for (const date of trip.dates) {
      const { window } = planTrip(trip, date, { timeZone: 'UTC' });
      const { to } = spanOf(window);
      const last = Math.max(...fixes.map(({ time }) => time).filter((time) => time <= to));
      const now = Math.max(Math.min(boundary, to), last);
      const report = evaluateTrip(trip, date, readTrack(fixes), { timeZone: 'UTC', now });
      const key = (event: TripEvent): string => `${trip.id} ${date} ${event.type} ${event.pointIndex}`;
      for (const event of report.events) batch.set(`${key(event)} ${event.time}`, '');
      for (const event of describeEvents('trips', runEvents(events, trip.id, date)))
        emitted.push([`${key(event)} ${event.time}`, '']);
    }
  }
  return { batch, emitted };
}

function runEvents(events: readonly StreamEvent[], tripId: string, date: string): UnitEvents['trips'][] {
  return events.flatMap((event) =>
    'tripId' in event && !('kind' in event) && event.tripId === tripId && event.date === date ? [event] : [],
  );
}

const movementKey = (unitId: string, { kind, from }: Pick<DescribedMovement, 'kind' | 'from'>): string =>
  `${unitId} ${kind} ${from}`;

const keyOf = (unitId: string, { zoneId, enter }: DescribedVisit): string => `${unitId} ${zoneId} ${enter}`;

/** The comparable content of a visit. An open visit has fewer fields. */
function textOf({ exit, seen, enterBounds, exitBounds, end, fixCount }: DescribedVisit): string {
  return JSON.stringify(
    exit === null ? [seen, enterBounds] : [exit, seen, enterBounds, exitBounds, end, fixCount],
  );
}

/** JSON with sorted keys. */
function contentOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
