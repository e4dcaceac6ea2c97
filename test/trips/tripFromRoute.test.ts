import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { TripInput } from '../../src/core/trip.js';
import type { Route } from '../../src/core/wire.js';
import { buildRouting, routeFromRouting, straightLineEngine } from '../../src/routing/index.js';
import { validateTrip } from '../../src/schemas/index.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, planTrip, type TripFromRouteOptions, tripFromRoute } from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { seeded } from '../volume.js';

const ROUTE: Route = {
  id: 'r',
  name: 'Milk',
  company_id: 'c',
  points: [37.6, 37.7, 37.8].map((lon, i) => ({
    name: `P${i}`,
    type: { key: 'circle' },
    width: 50,
    geometry: [[lon, 55.7]],
  })),
};
const DATES = ['2026-03-02'];
const times = (more: object): TripFromRouteOptions => ({
  dates: DATES,
  times: { start: '08:00', durationsSeconds: [600, 600], ...more },
});

const THROWER = {
  get name(): never {
    throw new Error('no');
  },
};

describe('tripFromRoute', () => {
  test('without times: the points unchanged, in strict order', () => {
    expect(tripFromRoute(ROUTE, { dates: ['2026-03-02 00:00', '2026-03-05'] })).toEqual({
      name: 'Milk',
      company_id: 'c',
      unit: { id: '' },
      passage_order_type: { key: 'strict' },
      dates: ['2026-03-02', '2026-03-05'],
      points: ROUTE.points,
    });
  });

  test('arrivals add up driving and service; seconds are cut off but do not add up', () => {
    const { points } = tripFromRoute(
      ROUTE,
      times({ durationsSeconds: [630.5, 89.4], serviceSeconds: [0, 300.1, 0], deviationMinutes: 5 }),
    );
    expect(points.map(({ arrival, departure }) => [arrival, departure])).toEqual([
      [{ time: '08:00', deviation_minutes: 5 }, undefined],
      // 08:10:30.5, left at 08:15:30.6, then 08:17:00.0
      [
        { time: '08:10', deviation_minutes: 5 },
        { time: '08:15', deviation_minutes: 5 },
      ],
      [{ time: '08:17', deviation_minutes: 5 }, undefined],
    ]);
  });

  test('times past midnight get `after_days`', () => {
    const { points } = tripFromRoute(
      ROUTE,
      times({ start: '23:30', durationsSeconds: [1800, 2 * 86_400], serviceSeconds: 60 }),
    );
    expect(points.map(({ arrival }) => arrival)).toEqual([
      { time: '23:30' },
      { time: '00:01', after_days: 1 },
      { time: '00:02', after_days: 3 },
    ]);
  });

  test('the fields of the trip come from the caller; the route is not changed', () => {
    const before = structuredClone(ROUTE);
    const trip = tripFromRoute(ROUTE, {
      dates: DATES,
      trip: { name: 'Own', unit: { id: 'u' }, passage_order_type: { key: 'arbitrary' }, work_types: ['w'] },
    });
    expect(trip).toMatchObject({
      name: 'Own',
      unit: { id: 'u' },
      passage_order_type: { key: 'arbitrary' },
      work_types: ['w'],
    });
    expect(ROUTE).toEqual(before);
    expect(trip.points[0]).not.toBe(ROUTE.points[0]);
  });

  test.each([
    [{}, { dates: DATES }, 'route-points', 'points'],
    [{ points: [] }, { dates: DATES }, 'route-points', 'points'],
    [{ points: [7] }, { dates: DATES }, 'route-points', 'points[0]'],
    [ROUTE, {}, 'dates-missing', 'options.dates'],
    [ROUTE, { dates: ['2026-02-30'] }, 'date', 'options.dates[0]'],
    [ROUTE, times({ start: '24:00' }), 'time', 'options.times.start'],
    [ROUTE, times({ durationsSeconds: [1] }), 'option-value', 'options.times.durationsSeconds'],
    [ROUTE, times({ durationsSeconds: [1, -1] }), 'option-value', 'options.times.durationsSeconds[1]'],
    [ROUTE, times({ durationsSeconds: [1, Infinity] }), 'option-value', 'options.times.durationsSeconds[1]'],
    [ROUTE, times({ durationsSeconds: [3e9, 3e9] }), 'option-value', 'options.times'],
    [ROUTE, times({ serviceSeconds: [1] }), 'option-value', 'options.times.serviceSeconds'],
    [ROUTE, times({ serviceSeconds: Number.NaN }), 'option-value', 'options.times.serviceSeconds'],
    [ROUTE, times({ deviationMinutes: -1 }), 'option-value', 'options.times.deviationMinutes'],
    [ROUTE, { dates: DATES, times: 7 }, 'option-value', 'options.times'],
    [ROUTE, { dates: DATES, trip: 'name' }, 'option-value', 'options.trip'],
    [ROUTE, { dates: DATES, trip: THROWER }, 'input-unreadable', 'options.trip'],
    [ROUTE, 7, 'option-type', 'options'],
  ])('case %#: rejected', (route, options, code, field) => {
    expect(errorOf(() => tripFromRoute(route as never, options as never))).toMatchObject({ code, field });
  });
});

test('from points to a report: a unit that drives and serves as planned is on time everywhere', async () => {
  const random = seeded(8);
  for (let round = 0; round < 20; round++) {
    const count = 2 + Math.floor(random() * 6);
    const text = Array.from({ length: count }, () => `${55 + random()},${37 + random()}`).join(';');
    const engine = straightLineEngine({ speedKph: 40 });
    const routing = await buildRouting(text, { engine, optimize: true });
    const service = Array.from({ length: count }, () => Math.floor(random() * 1200));
    const route = routeFromRouting(routing, { ways: false, widthMeters: 30, name: 'R' });
    const durations = routing.values.map((row) => row.duration!);
    const unit = { id: '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f' };
    const trip = tripFromRoute(route, {
      dates: DATES,
      times: { start: '08:00', durationsSeconds: durations, serviceSeconds: service, deviationMinutes: 2 },
      trip: { unit },
    });
    expect(validateTrip(trip)).toMatchObject({ unit, dates: DATES });
    const plan = planTrip(trip, DATES[0]!, { timeZone: 'Europe/Moscow' });
    // The unit stands at each stop from its exact arrival to its exact departure.
    const fixes: Fix[] = [];
    let now = plan.points[0]!.plannedArrival!;
    const [lon, lat] = route.points[0]!.geometry![0]!;
    fixes.push({ time: now - 60_000, lon: lon + 0.01, lat });
    const stay = (i: number, seconds: number): void => {
      const [lon, lat] = route.points[i]!.geometry![0]!;
      for (let at = 0; at < seconds; at += 20) fixes.push({ time: Math.round(now + at * 1000), lon, lat });
      now += seconds * 1000;
      fixes.push({ time: Math.round(now), lon, lat });
    };
    for (let i = 0; i < count; i++) {
      if (i > 0) now += durations[i - 1]! * 1000;
      stay(i, service[i]!);
    }
    const report = evaluateTrip(
      { ...trip, id: 't' } as TripInput & { id: string },
      DATES[0]!,
      readTrack(fixes),
      {
        timeZone: 'Europe/Moscow',
        maxGapSeconds: 86_400,
        holeSeconds: 86_400,
        maxCrossedMeters: 1e9,
      } as never,
    );
    expect(report.status).toBe('finished');
    expect(report.points.map((point) => [point.status, point.arrivalStatus])).toEqual(
      route.points.map(() => ['passed', 'on_time']),
    );
  }
});

const [POINT] = ROUTE.points;
const TWO = { name: 'R', points: [POINT, POINT] };
const made =
  (route: unknown, options: unknown = { dates: DATES }) =>
  (): unknown =>
    tripFromRoute(route as never, options as never);
const timed = (times: unknown): (() => unknown) => made(TWO, { dates: DATES, times });
const good = { start: '08:00', durationsSeconds: [60] };
test.each<[string, () => unknown]>([
  ['route-points points: expected an array of at least one point, received an array', made({ points: [] })],
  ['route-points points: expected an array of at least one point, received "ab"', made({ points: 'ab' })],
  ['route-points points[1]: expected a point of a route, received null', made({ points: [POINT, null] })],
  ['route-points points[1]: expected a point of a route, received 5', made({ points: [POINT, 5] })],
  [
    'dates-missing options.dates: expected a list of at least one date, received an array',
    made(TWO, { dates: [] }),
  ],
  ['dates-missing options.dates: expected a list of at least one date, received undefined', made(TWO, {})],
  [
    'date options.dates[1]: expected a date yyyy-MM-dd that exists, its time part zeros, received "x"',
    made(TWO, { dates: [...DATES, 'x'] }),
  ],
  ['option-value options.times: expected an object of times, received null', timed(null)],
  ['option-value options.times: expected an object of times, received 5', timed(5)],
  [
    'time options.times.start: expected a time of day HH:mm, 00:00 to 23:59, received "x08:00"',
    timed({ ...good, start: 'x08:00' }),
  ],
  [
    'time options.times.start: expected a time of day HH:mm, 00:00 to 23:59, received "08:000"',
    timed({ ...good, start: '08:000' }),
  ],
  [
    'time options.times.start: expected a time of day HH:mm, 00:00 to 23:59, received 8',
    timed({ ...good, start: 8 }),
  ],
  [
    'time options.times.start: expected a time of day HH:mm, 00:00 to 23:59, received an array',
    timed({ ...good, start: ['08:00'] }),
  ],
  [
    'option-value options.times.durationsSeconds: expected 1 numbers of seconds, received 2',
    timed({ ...good, durationsSeconds: [1, 2] }),
  ],
  [
    'option-value options.times.durationsSeconds: expected 1 numbers of seconds, received undefined',
    timed({ start: '08:00' }),
  ],
  [
    'option-value options.times.durationsSeconds[0]: expected a number from 0 to 3155760000, received "1"',
    timed({ ...good, durationsSeconds: ['1'] }),
  ],
  [
    'option-value options.times.serviceSeconds: expected 2 numbers of seconds, received "5"',
    timed({ ...good, serviceSeconds: '5' }),
  ],
  [
    'option-value options.times.serviceSeconds: expected a number from 0 to 3155760000, received -1',
    timed({ ...good, serviceSeconds: -1 }),
  ],
  [
    'option-value options.times.serviceSeconds[1]: expected a number from 0 to 3155760000, received -1',
    timed({ ...good, serviceSeconds: [1, -1] }),
  ],
  [
    'option-value options.times: expected a run of at most 36,525 days, received 3155788800',
    timed({ ...good, durationsSeconds: [3_155_760_000] }),
  ],
  [
    'option-value options.times.deviationMinutes: expected a number from 0 to 52596000, received 52596001',
    timed({ ...good, deviationMinutes: 52_596_001 }),
  ],
])('of a route: %s', (text, run) => {
  const { code, field, message } = errorOf(run);
  expect(`${code} ${field}: ${message}`).toBe(text);
});

test('a route without name or company; a run of a hundred years less a second', () => {
  const bare = tripFromRoute({ points: [POINT!], name: 7 } as never, { dates: DATES });
  expect(bare.name).toBe('');
  expect(Object.keys(bare)).not.toContain('company_id');
  const most = 3_155_760_000;
  const run = (seconds: number): TripInput =>
    tripFromRoute(TWO as never, { dates: DATES, times: { start: '00:00', durationsSeconds: [seconds] } });
  expect(run(most - 1).points[1]!.arrival).toEqual({ time: '23:59', after_days: 36_524 });
  expect(errorOf(() => run(most)).field).toBe('options.times');
});
