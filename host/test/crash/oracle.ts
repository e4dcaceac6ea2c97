/** Computes the expected content of the tables: by one process over the log in order, and by the batch over all fixes. */

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
import { hostJobs } from '../../src/jobs/jobs.js';
import { fixOfRow } from '../../src/live/fixes.js';
import { fixDays } from '../../src/storage/fixDays.js';
import type { Storage } from '../../src/storage/storage.js';
import type { Sealed } from '../../src/stream/commitSealed.js';
import { isPreferred } from '../../src/stream/fixOrder.js';
import type { Log } from '../../src/stream/log.js';
import { TICK } from '../../src/stream/message.js';
import { partitionOf } from '../../src/stream/partitionOf.js';
import { partitionRun } from '../../src/stream/partitionRun.js';
import { spanOf } from '../../src/stream/spanOf.js';
import type { StreamEvent } from '../../src/stream/streamEvent.js';
import { lastTimeOf } from '../../src/stream/streamEvent.js';
import { streamStore } from '../../src/stream/streamStore.js';
import { boundaryOf } from '../../src/stream/tripRuns.js';
import { type FollowedTrip, tripSource } from '../../src/stream/tripSource.js';
import { type VersionedZones, zoneSource } from '../../src/stream/zoneSource.js';
import { batchMovement } from '../batchMovement.js';
import { eventsInOrder } from '../eventsInOrder.js';
import { newPartition } from '../newPartition.js';

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

/**
 * Events and fixes of one process over the log up to the committed positions, with zones at the versions and messages that the workers recorded.
 * Throws if later messages are not ticks: then the workers had not handled everything.
 */
export async function fromLog(
  storage: Storage,
  log: Log,
  partitions: number,
  latenessSeconds: number,
): Promise<{ readonly events: Rows; readonly fixes: Rows }> {
  const events: Rows = new Map();
  const fixes: Rows = new Map();
  const jobs = hostJobs();
  const source = zoneSource(storage, jobs);
  const { settingsOf } = streamStore(storage, fixDays(storage));
  const trips = tripSource(storage, partitions);
  for (let partition = 0; partition < partitions; partition++) {
    const { rows: records } = await sql<{ company_id: string; seq: string; version: string }>`
      select company_id, seq, version from partition_zones where partition = ${partition} order by seq, version`.execute(
      storage.db,
    );
    const versions = new Map<string, VersionedZones>();
    const recorded = async (companyId: string, at: number): Promise<VersionedZones> => {
      // Each has its own source, so that each version has its own index.
      const zones = await zoneSource(storage, jobs).at(companyId, at);
      versions.set(companyId, zones);
      return zones;
    };
    const byUnit = new Map<string, Map<number, Fix>>();
    const emitted = new Map<string, StreamEvent[]>();
    const next = new Map<string, number>();
    const run = partitionRun({
      partition,
      from: newPartition,
      store: {
        fixesOf: async (_, unitId, from, to = Number.POSITIVE_INFINITY) =>
          [...(byUnit.get(unitId)?.values() ?? [])]
            .filter(({ time }) => time >= from && time <= to)
            .sort((a, b) => a.time - b.time),
        firstFixOf: async (_, unitId) =>
          Math.min(...(byUnit.get(unitId)?.keys() ?? [Number.POSITIVE_INFINITY])),
        eventsOf: async (_, unitId, from) =>
          (emitted.get(unitId) ?? []).filter((event) => lastTimeOf(event) >= from),
        settingsOf,
        tripDatesOf: async (_, unitId, tripId) =>
          (emitted.get(unitId) ?? []).flatMap((event) =>
            'tripId' in event && event.tripId === tripId ? [event.date] : [],
          ),
        fixCount: async () => 0,
        meetingEventsOf: async () => [],
        asideOf: async () => ({ state: null, rows: [] }),
        nextOrdinal: async (companyId, _, seq) => next.get(`${companyId} ${seq}`) ?? 0,
        tripEventsOf: async (_, { unitId, tripId, date }) =>
          runEvents(emitted.get(unitId) ?? [], tripId, date),
      },
      zones: {
        ...source,
        async current(companyId) {
          const known = versions.get(companyId);
          if (known !== undefined) return known;
          const first = records.find((record) => record.company_id === companyId);
          return first === undefined ? null : recorded(companyId, Number(first.version));
        },
      },
      trips,
      routes: async () => null,
      pairs: { of: async () => [], dateOf: async () => '' },
      latenessSeconds,
      settled: async () => {},
    });
    const take = (sealed: Sealed): void => {
      run.committedTo(sealed);
      for (const { unitId, fix } of sealed.fixes) {
        const own = byUnit.get(unitId) ?? new Map<number, Fix>();
        byUnit.set(unitId, own);
        const known = own.get(fix.time);
        if (known === undefined || isPreferred(fix, known)) own.set(fix.time, fix);
      }
      for (const { companyId, seq, ordinal, event } of sealed.events) {
        const own = emitted.get(event.unitId) ?? [];
        emitted.set(event.unitId, own);
        own.push(event);
        events.set(`${companyId} ${partition} ${seq} ${ordinal}`, contentOf(event));
        next.set(`${companyId} ${seq}`, ordinal + 1);
      }
    };
    const last = (await log.state(partition))?.last ?? 0;
    const { position } = await storage.db
      .selectFrom('partitions')
      .select('position')
      .where('partition', '=', partition)
      .executeTakeFirstOrThrow();
    const stop = new AbortController();
    if (last === 0) continue;
    let read = 0;
    for await (const messages of log.read(partition, 1, stop.signal)) {
      for (const message of messages) {
        read = message.seq;
        if (read > Number(position)) {
          if (Buffer.compare(message.payload, TICK) !== 0)
            throw new Error(`expected a committed message, received ${read} after ${position}`);
          continue;
        }
        await run.handle(message);
        take(run.seal({ count: 0 }));
        for (const { company_id: companyId, version } of records.filter(
          (record) => Number(record.seq) === message.seq && versions.has(record.company_id),
        )) {
          if (versions.get(companyId)!.version === Number(version)) continue;
          await run.changeTrips(companyId, await trips.at(companyId, Number(version)));
          take(run.seal({ count: 0 }));
          run.exchange(companyId, await recorded(companyId, Number(version)));
        }
      }
      if (read >= last) stop.abort();
    }
    for (const [unitId, own] of byUnit)
      for (const fix of own.values()) fixes.set(`${unitId} ${fix.time}`, contentOf(fix));
  }
  jobs.close();
  return { events, fixes };
}

export async function storedEvents({ db }: Storage): Promise<[string, string][]> {
  const rows = await db.selectFrom('events').selectAll().execute();
  return rows.map(({ company_id: id, partition, seq, ordinal, event }) => [
    `${id} ${partition} ${seq} ${ordinal}`,
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
  const { settingsOf } = streamStore(storage, fixDays(storage));
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
  partitions: number,
  sent: Map<string, Fix[]>,
): Promise<{ readonly batch: Rows; readonly emitted: [string, string][] }> {
  const batch: Rows = new Map();
  const emitted: [string, string][] = [];
  const clocks = await storage.db.selectFrom('partitions').select(['partition', 'clock']).execute();
  const clockOf = new Map(clocks.map(({ partition, clock }) => [partition, Number(clock)]));
  const { rows } = await sql<{ row: FollowedTrip }>`
    select row from trips where company_id = ${companyId}`.execute(storage.db);
  for (const { row: trip } of rows) {
    const unitId = trip.unit.id;
    const events = await eventsInOrder(storage, { unit_id: unitId });
    const fixes = sent.get(unitId) ?? [];
    const boundary = boundaryOf(clockOf.get(partitionOf(unitId, partitions))!);
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
