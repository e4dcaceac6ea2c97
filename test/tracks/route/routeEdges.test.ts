/** What holds exactly at the limits of a run along a route, in the batch and after each fix of a stream. */

import { describe, expect, it } from 'vitest';
import type { Fix } from '../../../src/core/fix.js';
import { distanceMeters } from '../../../src/index.js';
import {
  findDeviations,
  type MatchOptions,
  matchRoute,
  prepareRoute,
  type RouteEvent,
  RouteTracker,
  readTrack,
} from '../../../src/tracks/index.js';
import { sealed } from '../../../src/tracks/stream/sealed.js';
import { errorOf, errorText } from '../../errorOf.js';
import { wkt } from '../../wkt.js';

const START = 1_772_438_400_000;
const PER_DEGREE = (6_378_137 * Math.PI) / 180;
/** Vertices at 0, 500, …, 3000 m along the equator. */
const METERS = [0, 500, 1000, 1500, 2000, 2500, 3000];
const ROUTE = prepareRoute(METERS.map((meters) => [20 + meters / PER_DEGREE, 0]));
const READING = { maxSpeedKph: Number.POSITIVE_INFINITY, frozenSpeedKph: Number.POSITIVE_INFINITY };

type Point = readonly [seconds: number, meters: number, off?: number];

const fixesOf = (points: readonly Point[]): Fix[] =>
  points.map(([seconds, meters, off = 0]) => ({
    time: START + seconds * 1000,
    lon: 20 + meters / PER_DEGREE,
    lat: off / 110_574,
  }));

/** The report of a run, which a tracker gives after each fix, restored in between; and its events. */
function run(points: readonly Point[], options: MatchOptions) {
  const fixes = fixesOf(points);
  let tracker = new RouteTracker(ROUTE, {
    ...options,
    ...READING,
    maxAheadSeconds: Number.POSITIVE_INFINITY,
  });
  const events: RouteEvent[] = [];
  for (const [i, fix] of fixes.entries()) {
    events.push(...tracker.push(fix));
    const { along, ...report } = matchRoute(readTrack(fixes.slice(0, i + 1), READING), ROUTE, options);
    expect(tracker.report(), `after ${i}`).toEqual(report);
    const { alongMeters, remainingMeters, onRoute } = tracker.progress();
    expect(onRoute).toBe((along.at(-1) ?? -1) >= 0);
    if (alongMeters === null) expect(remainingMeters).toBe(null);
    else expect(alongMeters + remainingMeters!).toBeCloseTo(ROUTE.lengthMeters, 6);
    tracker = RouteTracker.restore(ROUTE, JSON.stringify(tracker.snapshot()));
  }
  const { legs, parts, deviations } = tracker.report();
  const round = (time: number): number => Math.round((time - START) / 1000);
  return {
    legs: legs.map(
      ({ from, to, fromMeters, toMeters, direction }) =>
        `${round(from)} ${round(to)} ${Math.round(fromMeters)} ${Math.round(toMeters)} ${direction}`,
    ),
    parts: parts.map(
      ({ fromMeters, toMeters, status, passes }) =>
        `${Math.round(fromMeters)} ${Math.round(toMeters)} ${status} ${passes}`,
    ),
    deviations: deviations.map(
      ({ from, to, maxMeters }) => `${round(from)} ${round(to)} ${Math.round(maxMeters)}`,
    ),
    events: events.map(({ type, time }) => `${type} ${round(time)}`),
  };
}

const along = (i: number): number => {
  const { alongMeters } = ROUTE.nearest([20 + METERS[i]! / PER_DEGREE, 0])!;
  return alongMeters;
};

describe('a run', () => {
  const options = { widthMeters: 60 };

  it('turns back from exactly `backMeters` on, half of the width if that is not given', () => {
    const back: Point[] = [[0, 0], [30, 500], [60, 1000], [90, 500], [120, 1500]]; // biome-ignore format: one line
    const exact = along(2) - along(1);
    const turned = ['0 60 0 1000 forward', '60 90 1000 500 backward', '90 120 500 1500 forward'];
    expect(run(back, { ...options, backMeters: exact }).legs).toEqual(turned);
    expect(run(back, { ...options, backMeters: exact }).events).toEqual(['turned 60']);
    expect(run(back, { ...options, backMeters: exact + 1e-6 }).legs).toEqual(['0 120 0 1500 forward']);
    const little = (meters: number): string[] => run([[0, 0], [30, 500], [40, 500 - meters], [60, 1000]], options).events; // biome-ignore format: one line
    expect(little(29)).toEqual([]);
    expect(little(31)).toEqual(['turned 30']);
    // Any move counts with 0, and none is no move.
    expect(run([[0, 0], [30, 500], [40, 499], [50, 499], [60, 1000]], { ...options, backMeters: 0 }).legs).toHaveLength(3); // biome-ignore format: one line
    expect(run([[0, 0], [30, 500], [40, 500], [60, 1000]], { ...options, backMeters: 0 })).toMatchObject({ legs: ['0 60 0 1000 forward'], events: [] }); // biome-ignore format: one line
    // At the beginning of a run, too.
    expect(run([[0, 1000], [30, 500], [60, 0]], options)).toMatchObject({ legs: ['0 60 1000 0 backward'], events: ['turned 0'] }); // biome-ignore format: one line
    expect(run([[0, 1000], [30, 990], [60, 1500]], options)).toMatchObject({ legs: ['0 60 1000 1500 forward'], events: [] }); // biome-ignore format: one line
    // Moves that are too small to have a direction are one leg forward.
    expect(run(wkt('0 1000, 30 990, 60 1010'), options).legs).toEqual(['0 60 990 1010 forward']);
    expect(run(wkt('0 1000, 30 1000, 60 1000'), options).legs).toEqual([]);
  });

  it('has holes where it was silent and moved, and misses what it cannot have driven unseen', () => {
    const silent = (seconds: number, meters: number): string[] =>
      run([[0, 0], [30, 500], [60, 600], [60 + seconds, 600 + meters], [90 + seconds, 2500]], options).parts; // biome-ignore format: one line
    expect(silent(600, 1500)).toEqual(['0 2500 covered 1', '2500 3000 ahead 0']);
    expect(silent(601, 1500)).toEqual(['0 600 covered 1', '600 2100 no_data 0', '2100 2500 covered 1', '2500 3000 ahead 0']); // biome-ignore format: one line
    // It stood: it is where it was.
    expect(silent(601, 150)).toEqual(['0 2500 covered 1', '2500 3000 ahead 0']);
    expect(silent(4000, 150)).toEqual(['0 2500 covered 1', '2500 3000 ahead 0']);
    // Beside the route it did not drive along it.
    const off = (seconds: number): string[] =>
      run([[0, 0], [30, 500], [40, 600], [40 + seconds / 2, 1300, 300], [40 + seconds, 2100], [70 + seconds, 2500]], options).parts; // biome-ignore format: one line
    expect(off(20)).toEqual([
      '0 600 covered 1',
      '600 2100 missed 0',
      '2100 2500 covered 1',
      '2500 3000 ahead 0',
    ]);
    // It was seen, however long that took.
    expect(off(200)[1]).toBe('600 2100 missed 0');
    const late = run([[10, 1500], [40, 2000]], { ...options, from: START }).parts; // biome-ignore format: one line
    expect(late[0]).toBe('0 1500 missed 0');
    expect(run([[60, 1500], [90, 2000]], { ...options, from: START }).parts[0]).toBe('0 1500 no_data 0'); // biome-ignore format: one line
  });

  it('leaves the corridor and comes back, over gaps and from one side to the other', () => {
    const out = run([[0, 0], [60, 500, 90], [120, 1000]], options); // biome-ignore format: one line
    expect(out.deviations).toEqual(['20 100 90']);
    expect(out.events).toEqual(['deviated 20', 'returned 100']);
    expect(run([[0, 0, 90], [60, 500, -90], [120, 1000, 90]], options).deviations).toEqual(['0 20 90', '40 80 90', '100 120 90']); // biome-ignore format: one line
    const gap = run([[0, 0], [60, 500, 60], [4000, 1500, 60], [4060, 1600]], options); // biome-ignore format: one line
    expect(gap.deviations).toEqual(['30 60 60', '4000 4030 60']);
    expect(gap.events).toEqual(['deviated 30', 'returned 60', 'deviated 4000', 'returned 4030']);
    expect(run([[0, 0], [4000, 1500], [4060, 1600]], options)).toMatchObject({ deviations: [], events: [] }); // biome-ignore format: one line
    const long = { ...options, minSeconds: 80, exitBufferMeters: 59 };
    expect(run([[0, 0], [60, 500, 90], [120, 1000]], long).deviations).toEqual(['20 100 90']); // biome-ignore format: one line
    expect(run([[0, 0], [60, 500, 90], [120, 1000]], { ...long, minSeconds: 81 }).deviations).toEqual([]); // biome-ignore format: one line
    expect(run([[0, 0], [60, 500, 90], [120, 1000]], { ...long, exitBufferMeters: 61 })).toMatchObject({ deviations: [], events: [] }); // biome-ignore format: one line
    // Two absences, each told once.
    const twice = run([[0, 0], [60, 500, 90], [120, 1000], [180, 1000, 90], [240, 1500]], options); // biome-ignore format: one line
    expect(twice.events).toEqual(['deviated 20', 'returned 100', 'deviated 140', 'returned 220']);
  });
});

describe('a RouteTracker', () => {
  it('applies what waits when the clock is advanced, and names what does not fit', () => {
    const tracker = new RouteTracker(ROUTE, { widthMeters: 60, latenessSeconds: 100 });
    const fixes = fixesOf([[0, 0], [60, 500, 90], [120, 1000], [150, 500]]); // biome-ignore format: one line
    for (const fix of [fixes[1]!, fixes[0]!]) expect(tracker.push(fix)).toEqual([]);
    expect(tracker.push(fixes[2]!)).toEqual([]);
    expect(tracker.push(fixes[3]!).map(({ type }) => type)).toEqual([]);
    expect(
      tracker.advance(START + 400_000).map(({ type, time }) => `${type} ${(time - START) / 1000}`),
    ).toEqual(['deviated 20', 'returned 100', 'turned 120']);
    expect(tracker.progress()).toMatchObject({ time: START + 150_000, onRoute: true });
    const other = prepareRoute([[20, 0], [20.5, 0]]); // biome-ignore format: one line
    expect(errorText(() => RouteTracker.restore(other, tracker.snapshot()))).toBe(
      'state-options route: expected the route of the snapshot, received another',
    );
  });

  it('gives the events of one fix in order of time', () => {
    const place = (east: number, north: number): [number, number] => [
      20 + east / PER_DEGREE,
      north / 110_574,
    ];
    const corner = prepareRoute([place(0, 0), place(1000, 0), place(1000, 1000)]);
    const tracker = new RouteTracker(corner, { widthMeters: 60, ...READING });
    // Back round the corner by the short way, which leaves the corridor.
    const ways = [place(800, 0), place(1000, 0), place(1000, 200), place(800, 0)];
    const events = ways.flatMap(([lon, lat], i) => tracker.push({ time: START + 100_000 * i, lon, lat }));
    expect(events.map(({ type }) => type)).toEqual(['turned', 'deviated', 'returned']);
    const times = events.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times[0]).toBe(START + 200_000);
  });

  it('tells turns of one time and of one place apart', () => {
    const tracker = new RouteTracker(ROUTE, { widthMeters: 60 });
    const points: Point[] = [[0, 0], [30, 1000], [60, 500], [90, 1000], [120, 500], [150, 1000]]; // biome-ignore format: one line
    const turned = fixesOf(points).flatMap((fix) => tracker.push(fix));
    expect(turned.map(({ type, time, alongMeters }) => [type, (time - START) / 1000, Math.round(alongMeters!)])).toEqual([['turned', 30, 1000], ['turned', 90, 1000]]); // biome-ignore format: one line
  });
});

it('a frozen receiver beside the route, on it, or where its place is ambiguous, has no frozen fixes in the end', () => {
  // An eight: its crossing is ambiguous until the way on.
  const eight = prepareRoute([[20, 0], [20.01, 0.005], [20.01, 0], [20, 0.005]]); // biome-ignore format: one line
  const place = (share: number, off = 0): readonly [number, number] => {
    const { position } = eight.positionAt(share * eight.lengthMeters);
    return [position[0], position[1] + off / 110_574];
  };
  let count = 0;
  for (const before of [[], [0.02], [0.02, 0.1], [0.1, 0.02], [0.1, 0.207], [0.206, 0.208, 0.212]]) {
    for (const [stop, off] of [
      [0.1, 0],
      [0.1, 400],
      [0.205, 0],
      [0.21, 0],
      [0.215, 0],
      [0.22, 0],
      [0.79, 0],
      [0.22, 400],
    ] as const) {
      // biome-ignore format: one line
      const ways = [...before.map((share) => place(share)), place(stop, off)];
      const fixes: Fix[] = ways.map(([lon, lat], i) => ({ time: START + i * 10_000, lon, lat }));
      const { time: last, lon, lat } = fixes.at(-1)!;
      for (let k = 1; k <= 10; k++) fixes.push({ time: last + k * 60_000, lon, lat });
      // Seen again 12 km to the east, and on from there so fast that no fix comes back.
      for (let k = 0; k < 8; k++)
        fixes.push({ time: last + 620_000 + k * 10_000, lon: 20.11 + k * 0.002, lat: 0 });
      const reading = { maxJamSeconds: 60 };
      const track = readTrack(fixes, reading);
      if ((track.rejected.frozen ?? 0) === 0) continue;
      count++;
      const { along: _, deviations: __, ...report } = matchRoute(track, eight, { widthMeters: 60 });
      const tracker = new RouteTracker(eight, {
        widthMeters: 60,
        ...reading,
        maxAheadSeconds: Number.POSITIVE_INFINITY,
      });
      for (const fix of fixes) tracker.push(fix);
      expect(tracker.report(), JSON.stringify([before, stop, off])).toMatchObject(report);
      expect(RouteTracker.restore(eight, JSON.stringify(tracker.snapshot())).report()).toEqual(
        tracker.report(),
      );
    }
  }
  expect(count).toBeGreaterThan(20);
});

it('the course of a route is that of a short way along it', () => {
  for (const [lat, east, north] of [
    [60, 0.02, 0.01],
    [-45, -0.02, 0.013],
    [10, 0.01, -0.02],
    [75, -0.04, -0.01],
  ] as const) {
    // biome-ignore format: one line
    const way = prepareRoute([[30, lat], [30 + east, lat + north]]); // biome-ignore format: one line
    const { position, courseDegrees } = way.positionAt(way.lengthMeters / 2);
    const next = way.positionAt(way.lengthMeters / 2 + 1).position;
    const [toEast, toNorth] = [distanceMeters(position, [next[0], position[1]]), distanceMeters(position, [position[0], next[1]])]; // biome-ignore format: one line
    const course = (Math.atan2(toEast * Math.sign(east), toNorth * Math.sign(north)) * 180) / Math.PI;
    expect(courseDegrees).toBeCloseTo((course + 360) % 360, 2);
  }
  for (const [to, course] of [[[30, 1], 0], [[31, 0], 90], [[30, -1], 180], [[29, 0], 270]] as const)
    expect(prepareRoute([[30, 0], to as never]).positionAt(0).courseDegrees).toBe(course); // biome-ignore format: one line
});

it('options beyond their greatest value, and a snapshot without its run, are refused', () => {
  const track = readTrack(fixesOf([[0, 0]]));
  expect(errorOf(() => matchRoute(track, ROUTE, { widthMeters: 2_000_001 }))).toMatchObject({
    code: 'option-value',
    field: 'options.widthMeters',
  });
  expect(matchRoute(track, ROUTE, { widthMeters: 2_000_000 }).legs).toEqual([]);
  expect(errorOf(() => matchRoute(track, ROUTE, { widthMeters: 5, from: 8.65e15 }))).toMatchObject({
    code: 'option-value',
    field: 'options.from',
  });
  const { checksum: _, ...body } = new RouteTracker(ROUTE, { widthMeters: 60 }).snapshot();
  const empty = { ...body, units: [] };
  expect(errorText(() => RouteTracker.restore(ROUTE, JSON.stringify(sealed(empty))))).toBe(
    'state-corrupt snapshot.units: expected one run, received 0',
  );
  const wrong = sealed({ ...body, options: { ...body.options, widthMeters: -60 } });
  expect(errorText(() => RouteTracker.restore(ROUTE, wrong))).toMatch(
    /^state-corrupt snapshot\.options\.widthMeters: expected an option of a tracker/,
  );
});

it('the nearest place is found at exactly the distance that is allowed', () => {
  expect(ROUTE.nearest([20, 0], { maxMeters: 0 })).toEqual({ alongMeters: 0, offsetMeters: 0 });
  expect(ROUTE.nearest([20, 0.001], { maxMeters: 0 })).toBe(null);
  expect(ROUTE.nearest([20, 0.001], { maxMeters: 110.6 })!.offsetMeters).toBeCloseTo(110.574, 2);
  expect(ROUTE.nearest([20, 0.001], { maxMeters: 110.5 })).toBe(null);
});

it('deviations from a prepared route have the widths and errors of a line', () => {
  const track = readTrack(fixesOf([[0, 0], [60, 500, 90], [120, 1000]]), READING); // biome-ignore format: one line
  const line = METERS.map((meters): [number, number] => [20 + meters / PER_DEGREE, 0]);
  for (const lineWidth of ['total', 'each-side'] as const)
    expect(findDeviations(track, ROUTE as never, 60, { lineWidth } as never)).toEqual(
      findDeviations(track, line, 60, { lineWidth } as never),
    );
  for (const width of [0, -1, Number.NaN, '5'])
    expect(errorOf(() => findDeviations(track, ROUTE as never, width as never))).toMatchObject({
      code: 'width-range',
      field: 'width',
    });
});
