import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import { describeEvents, type UnitEvents } from 'wayzone/operator';
import { findMeetings, matchRoute, prepareRoute, readTrack } from 'wayzone/tracks';
import { planTrip } from 'wayzone/trips';
import { wkt } from '../../test/wkt.js';
import { EVENT_SCHEMA } from '../src/live/eventSchema.js';
import { type WireRow, write } from '../src/storage/rows.js';
import type { Storage } from '../src/storage/storage.js';
import { encodeTick } from '../src/stream/message.js';
import { emittedMeetings } from '../src/stream/pairRuns.js';
import { pairsOf } from '../src/stream/pairSource.js';
import { isMeetingEvent, type StreamEvent } from '../src/stream/streamEvent.js';
import type { FollowedTrip } from '../src/stream/tripSource.js';
import { addCompany } from './addCompany.js';
import { eventsInOrder } from './eventsInOrder.js';
import { memoryRun } from './memoryRun.js';
import { embedded } from './testHost.js';
import { addTo, testStream } from './testStream.js';

/** Routes of trips, and meetings of units with their trailers, in the stream: as the batch, over restarts and late fixes. */

const START = Date.UTC(2026, 2, 2, 6);
const DATE = '2026-03-02';
const LINE: [number, number][] = wkt('30 60, 30.1 60');
const WIDTH = 200;
const NOWHERE = new ZoneIndex([{ id: 'far', type: { key: 'circle' }, geometry: [[-30, -60]], width: 100 }]);
const TRIP = {
  id: 'along',
  name: 'Along',
  unit: { id: 'van' },
  activation_type: { key: 'entrance_to_first_point' },
  passage_order_type: { key: 'strict' },
  dates: [DATE],
  points: [
    { name: 'A', type: { key: 'circle' }, geometry: [[30, 60]], width: 300, arrival: { time: '06:00' } },
    { name: 'B', type: { key: 'circle' }, geometry: [[30.1, 60]], width: 300, arrival: { time: '07:00' } },
  ],
  route: { id: 'r', width: WIDTH },
} as unknown as FollowedTrip;

const check = new Ajv2020({ strict: false }).compile(EVENT_SCHEMA);
function checked(events: readonly StreamEvent[]): readonly StreamEvent[] {
  for (const event of events) {
    check(JSON.parse(JSON.stringify(event)));
    expect(check.errors, JSON.stringify(event)).toBeNull();
  }
  return events;
}
const routeEvents = (events: readonly StreamEvent[]): UnitEvents['routes'][] =>
  events.flatMap((event) => ('kind' in event && event.kind === 'route' ? [event] : []));

/** What `matchRoute` tells of absences and turns, in the form of the stream's events. */
function batchRoute(fixes: readonly Fix[]): string[] {
  const { window } = planTrip(TRIP, DATE, { timeZone: 'UTC' });
  const { legs, deviations } = matchRoute(readTrack(fixes), prepareRoute(LINE), {
    widthMeters: WIDTH,
    from: window.from,
  });
  return [
    ...deviations.map(({ from }) => `deviated ${from}`),
    ...deviations.map(({ to }) => `returned ${to}`),
    ...legs.flatMap(({ direction, from }) => (direction === 'backward' ? [`turned ${from}`] : [])),
  ].sort();
}

test('the route events of random drives equal matchRoute, with late fixes and restarts', async () => {
  const found = { deviated: 0, turned: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ along: fc.integer({ min: -2, max: 4 }), off: fc.boolean() }), {
        minLength: 8,
        maxLength: 14,
      }),
      fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 60, maxLength: 60 }),
      async (parts, moves) => {
        let lon = 30.01;
        const fixes = parts.flatMap(({ along, off }, p) =>
          Array.from({ length: 4 }, (_, i) => {
            lon = Math.min(30.099, Math.max(30.001, lon + along * 0.0005));
            return { time: START + (p * 4 + i) * 20_000, lon, lat: off ? 60.004 : 60 };
          }),
        );
        // Ends on the route, where every absence is over.
        for (let i = 0; i < 6; i++)
          fixes.push({
            time: START + (fixes.length + 1) * 20_000,
            lon: Math.min(30.099, lon + i * 1e-5),
            lat: 60,
          });
        const order = fixes
          .map((fix, i) => ({ fix, at: i + (moves[i % 60]! > 4 ? moves[i % 60]! : 0) }))
          .sort((a, b) => a.at - b.at)
          .map(({ fix }) => fix);
        const trips = { version: 1, timeZone: 'UTC', unitsOf: () => new Map([['van', [TRIP]]]) };
        const run = memoryRun(NOWHERE, { trips, route: LINE });
        let clock = START;
        for (const [i, fix] of order.entries()) {
          clock = Math.max(clock, fix.time);
          await run.handle(clock, [fix]);
          if (moves[i % 60]! === 1) run.commit();
          if (moves[i % 60]! === 2) {
            run.commit();
            await run.restart();
          }
          if (moves[i % 60]! === 3) await run.handle(clock);
        }
        await run.handle(clock + 120_000);
        run.commit();
        const events = describeEvents('routes', routeEvents(checked(run.events)));
        expect(events.map(({ type, time }) => `${type} ${time}`).sort()).toEqual(batchRoute(fixes));
        found.deviated += events.filter(({ type }) => type === 'deviated').length;
        found.turned += events.filter(({ type }) => type === 'turned').length;
      },
    ),
    { numRuns: 12, seed: 38 },
  );
  expect(Math.min(found.deviated, found.turned)).toBeGreaterThan(8);
});

let storage: Storage;
beforeAll(async () => {
  ({ storage } = await embedded());
});
afterAll(() => storage.close());

interface Process {
  push(companyId: string, unitId: string, fixes: readonly Fix[]): Promise<void>;
  tick(time: number): Promise<void>;
  close(): Promise<void>;
}
async function opened(): Promise<Process> {
  let now = START;
  const live = testStream({ storage, now: () => now });
  return {
    async push(companyId, unitId, fixes) {
      now = Math.max(now, ...fixes.map(({ time }) => time));
      await live.push(
        companyId,
        fixes.map((fix) => ({ unitId, fix })),
      );
    },
    async tick(time) {
      now = time;
      await addTo(storage, 'meet', 'clock', time, encodeTick());
      // A later message is committed after the tick.
      await live.push('meet', [{ unitId: 'clock', fix: { time, lon: 0, lat: 10 } }]);
    },
    close: () => live.close(),
  };
}
const eventsOf = async (companyId: string): Promise<readonly StreamEvent[]> =>
  checked(await eventsInOrder(storage, { company_id: companyId }));

test('a route of the company is followed for the dates of a trip, over a restart', async () => {
  await addCompany(storage, 'road', { zones: [], units: [{ id: 'road-van' }] });
  const points = LINE.map((at, i) => ({ name: `P${i}`, type: { key: 'point' }, geometry: [at] }));
  await write(storage, 'road', async (writer) => {
    await writer.insert('routes', [{ id: 'road-r', name: 'R', points } as unknown as WireRow]);
    const trip = { ...TRIP, id: 'road-t', unit: { id: 'road-van' }, route: { id: 'road-r', width: WIDTH } };
    await writer.insert('trips', [trip as unknown as WireRow]);
  });
  const fixes = Array.from({ length: 40 }, (_, i) => ({
    time: START + i * 30_000,
    lon: 30.001 + (i < 30 ? i : 60 - i) * 0.002,
    lat: i > 8 && i < 14 ? 60.005 : 60,
  }));
  let live = await opened();
  await live.push('road', 'road-van', fixes.slice(0, 11));
  await live.close();
  live = await opened();
  await live.push('road', 'road-van', fixes.slice(11, 33));
  await live.push('road', 'road-van', fixes.slice(33));
  await live.close();
  const found = describeEvents('routes', routeEvents(await eventsOf('road')));
  expect(found.map(({ type }) => type)).toEqual(['deviated', 'returned', 'turned']);
  expect(found.map(({ type, time }) => `${type} ${time}`).sort()).toEqual(batchRoute(fixes));
});

test('a unit and its trailer meet and part as in findMeetings, over restarts and late fixes of the trailer', async () => {
  await addCompany(storage, 'meet', {
    zones: [],
    units: [{ id: 'truck' }, { id: 'trailer' }, { id: 'other' }],
  });
  const trailers = [{ trailer: { id: 'trailer' }, date_from: DATE, meters: 60 }];
  await storage.db
    .updateTable('units')
    .set({ row: JSON.stringify({ trailers }) })
    .where('id', '=', 'truck')
    .execute();
  // The trailer stands; the truck comes, takes it along, leaves it and comes back.
  const minutes = Array.from({ length: 60 }, (_, i) => i);
  const truckLon = (i: number): number =>
    i < 10
      ? 30 + (10 - i) * 0.002
      : i < 30
        ? 30 + (i - 10) * 0.001
        : 30.02 + Math.abs(((i - 30) % 20) - 10) * 0.001 - 0.01;
  const trailerLon = (i: number): number => (i < 10 ? 30 : i < 30 ? 30 + (i - 10) * 0.001 : 30.02);
  const fixesOf = (lonOf: (i: number) => number): Fix[] =>
    minutes.map((i) => ({ time: START + i * 60_000, lon: lonOf(i), lat: 60 }));
  const truck = fixesOf(truckLon);
  const trailer = fixesOf(trailerLon);
  let live = await opened();
  await live.push('meet', 'truck', truck.slice(0, 15));
  await live.push('meet', 'trailer', trailer.slice(0, 15));
  await live.tick(START + 15 * 60_000);
  const meetings = async (): Promise<unknown[]> =>
    emittedMeetings((await eventsOf('meet')).filter(isMeetingEvent));
  expect(await meetings()).toEqual([{ from: expect.any(Number), to: null }]);
  await live.close();
  live = await opened();
  // The trailer's fixes of ten minutes come at the end.
  await live.push('meet', 'truck', truck.slice(15));
  await live.push('meet', 'trailer', [...trailer.slice(15, 40), ...trailer.slice(50)]);
  await live.tick(START + 62 * 60_000);
  await live.tick(START + 63 * 60_000);
  const before = await meetings();
  await live.push('meet', 'trailer', trailer.slice(40, 50));
  await live.tick(START + 64 * 60_000);
  const batch = findMeetings(readTrack(truck), readTrack(trailer), { meters: 60 });
  expect(batch.length).toBeGreaterThan(1);
  expect(before).not.toEqual([]);
  const ended = batch.map((one) => (one.end === 'track' ? { from: one.from, to: null } : one));
  expect(await meetings()).toEqual(ended);
  // Nothing is emitted twice: no tick and no restart adds an event.
  const count = (await eventsOf('meet')).length;
  await live.tick(START + 66 * 60_000);
  await live.close();
  live = await opened();
  await live.tick(START + 68 * 60_000);
  await live.close();
  expect((await eventsOf('meet')).length).toBe(count);
  const events = (await eventsOf('meet')).filter(isMeetingEvent);
  expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(events.length);
});

test('trailers that name no unit are left out', () => {
  const own = { unitId: 'a', trailerId: 'b', meters: 50, fromDate: null, toDate: null };
  expect(pairsOf('a', null)).toEqual([]);
  expect(pairsOf('a', [null, {}, { trailer: { id: 'a' } }, { trailer: { id: 7 } }])).toEqual([]);
  expect(pairsOf('a', [{ trailer: { id: 'b' }, meters: -1 }])).toEqual([own]);
  expect(
    pairsOf('a', [{ trailer: { id: 'b' }, meters: 9, date_from: '2026-03-02T00:00', date_to: 5 }]),
  ).toEqual([{ ...own, meters: 9, fromDate: DATE }]);
});
