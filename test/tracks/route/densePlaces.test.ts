/** Places, legs and events where each fix has many candidates, beside a comparison of all pairs of them. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { distanceMeters, type Position, ZoneIndex } from '../../../src/index.js';
import { fromGpx } from '../../../src/interchange/index.js';
import {
  type Fix,
  findDeviations,
  findVisits,
  matchRoute,
  prepareRoute,
  RouteTracker,
  readTrack,
  type Track,
} from '../../../src/tracks/index.js';
import { RouteLine } from '../../../src/tracks/route/routeLine.js';
import { dataPath } from '../../interchange/realData.js';
import { needs, sharedData } from '../../needs.js';
import { seeded, volume } from '../../volume.js';
import { DENSE_ROUTES, driveAlong } from './denseRoutes.js';

const TIE = 1e-6;

interface Place {
  readonly along: number;
  readonly offset: number;
}

/** The candidates of each fix. `routeLine.test.ts` holds them to dense samples. */
function candidatesOf(line: readonly Position[], fixes: readonly Fix[], halfWidth: number): Place[][] {
  const route = new RouteLine(Float64Array.from(line.flat()));
  return fixes.map(({ lon, lat }) => {
    const count = route.placesWithin(lon, lat, halfWidth);
    return route.along.slice(0, count).map((along, i) => ({ along, offset: route.offsets[i]! }));
  });
}

const wayOf = (from: number, to: number, moved: number): number =>
  Math.abs(Math.abs(to - from) - moved) + Math.max(0, from - to);

/** The choice of least cost by all pairs of candidates of successive fixes; `null` if others cost hardly more than a tie. */
function slowPlaces(fixes: readonly Fix[], all: readonly Place[][]): number[] | null {
  const on = all.flatMap((places, i) => (places.length > 0 ? [i] : []));
  const moved = on.map((i, k) => (k === 0 ? 0 : distanceMeters(...pairOf(fixes[on[k - 1]!]!, fixes[i]!))));
  const costs: number[][] = [];
  for (const [k, i] of on.entries()) {
    costs.push(
      all[i]!.map(({ along, offset }) => {
        if (k === 0) return offset;
        return offset + Math.min(...all[on[k - 1]!]!.map((from, p) => costs[k - 1]![p]! + wayOf(from.along, along, moved[k]!))); // biome-ignore format: one line
      }),
    );
  }
  const result: number[] = fixes.map(() => -1);
  let rest = 0;
  let next: Place | null = null;
  const least = Math.min(...(costs.at(-1) ?? [0]));
  for (let k = on.length - 1; k >= 0; k--) {
    const after = next;
    const totals = all[on[k]!]!.map(({ along }, c) => {
      const way = after === null ? 0 : wayOf(along, after.along, moved[k + 1]!);
      return costs[k]![c]! + way + rest;
    });
    if (totals.some((total) => total > least + TIE / 2 && total < least + 20 * TIE)) return null;
    const chosen = totals.findIndex((total) => total <= least + TIE);
    const place: Place = all[on[k]!]![chosen]!;
    rest += place.offset + (after === null ? 0 : wayOf(place.along, after.along, moved[k + 1]!));
    next = place;
    result[on[k]!] = place.along;
  }
  return result;
}

const pairOf = (a: Fix, b: Fix): [Position, Position] => [
  [a.lon, a.lat],
  [b.lon, b.lat],
];

/** Compares a match with all pairs, and the stream with it; returns the greatest number of candidates, 0 where ties decide. */
function compare(line: readonly Position[], fixes: readonly Fix[], widthMeters: number): number {
  const all = candidatesOf(line, fixes, widthMeters / 2);
  const wanted = slowPlaces(fixes, all);
  if (wanted === null) return 0;
  const route = prepareRoute(line);
  const track = readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY });
  const { along, ...report } = matchRoute(track, route, { widthMeters });
  for (const [i, place] of along.entries()) {
    if (Math.abs(place - wanted[i]!) < 1e-6) continue;
    expect.unreachable(JSON.stringify([line, fixes, widthMeters, i, place, wanted[i]]));
  }
  const tracker = new RouteTracker(route, { widthMeters, maxSpeedKph: Number.POSITIVE_INFINITY });
  for (const fix of fixes) tracker.push(fix);
  expect(tracker.report()).toEqual(report);
  return Math.max(...all.map((places) => places.length));
}

describe.each(Object.entries(DENSE_ROUTES))('on %s', (kind, make) => {
  test('the places are those of all pairs of candidates', () => {
    const random = seeded(3820);
    let most = 0;
    const runs = Math.ceil(volume(160) / 2);
    let compared = 0;
    for (let n = 0; n < runs; n++) {
      const line = make(10 + 100 * random(), 2 + Math.floor(20 * random()));
      const step = [10, 60, 400][n % 3]!;
      const fixes = driveAlong(prepareRoute(line), 25, step, 4, random());
      const found = compare(line, fixes, [20, 60][n % 2]!);
      if (found > 0) compared++;
      most = Math.max(most, found);
    }
    expect(compared).toBeGreaterThan(runs / 2);
    expect(most).toBeGreaterThan(kind.startsWith('a snake') ? 1 : 9);
  });
});

function placeAt({ time, lon, lat }: Track, at: number): Position {
  const next = time.findIndex((one) => one > at);
  const i = (next < 0 ? time.length - 1 : next) - 1;
  const t = (at - time[i]!) / (time[i + 1]! - time[i]!);
  return [lon[i]! + t * (lon[i + 1]! - lon[i]!), lat[i]! + t * (lat[i + 1]! - lat[i]!)];
}

test('the absences from a narrow corridor are what its visits leave', () => {
  const random = seeded(3822);
  let found = 0;
  const runs = Math.ceil(volume(80) / 3);
  for (const [kind, make] of Object.entries(DENSE_ROUTES)) {
    for (let n = 0; n < runs; n++) {
      const geometry = make(10 + 80 * random(), 2 + Math.floor(8 * random()));
      const width = [1, 8, 40][n % 3]!;
      const fixes = driveAlong(
        prepareRoute(geometry),
        10,
        [20, 150, 600][n % 3]!,
        width * random(),
        random(),
      );
      const track = readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY });
      const zone = { id: 'line', type: { key: 'line' as const }, geometry, width };
      const visits = findVisits(track, new ZoneIndex([zone]), { maxCrossedMeters: Number.POSITIVE_INFINITY });
      const rest: [from: number, to: number][] = [];
      let time = track.time[0]!;
      const end = track.time[track.length - 1]!;
      for (const { enter, exit } of visits) {
        if (enter > time) rest.push([time, enter]);
        time = exit ?? Number.POSITIVE_INFINITY;
      }
      if (time < end) rest.push([time, end]);
      const route = prepareRoute(geometry);
      const absences = findDeviations(track, route, width).filter(({ from, to }) => to > from);
      const isOf = (one: number, other: number): boolean => Math.abs(one - other) <= 1;
      const message = `${kind} ${n}`;
      for (const { from, to } of absences)
        expect(
          rest.some(([start, stop]) => isOf(start, from) && isOf(stop, to)),
          `${message} ${from}`,
        ).toBe(true);
      for (const [from, to] of rest) {
        if (absences.some((one) => isOf(one.from, from) && isOf(one.to, to))) continue;
        // The greatest distance is known to a centimetre, so that a shallower absence may not count.
        for (let k = 0; k <= 10; k++) {
          const { offsetMeters } = route.nearest(placeAt(track, from + ((to - from) * k) / 10))!;
          expect(offsetMeters - width / 2, `${message} ${from}`).toBeLessThan(0.0101);
        }
      }
      found += absences.length;
    }
  }
  expect(found).toBeGreaterThan(10 * runs);
});

test('laps after one another are told apart, however many fixes are ambiguous', () => {
  const line = DENSE_ROUTES['laps of a loop']!(120, 12);
  const route = prepareRoute(line);
  const fixes = driveAlong(route, Math.floor(route.lengthMeters / 50), 50, 0);
  const track = readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY });
  const { along, legs } = matchRoute(track, route, { widthMeters: 20 });
  for (const [i, place] of along.entries()) expect(Math.abs(place - 50 * i)).toBeLessThan(1);
  expect(legs.map(({ direction }) => direction)).toEqual(['forward']);
});

test('what all paths of least cost agree on is not kept, though no fix has one candidate', () => {
  const line: Position[] = [
    [12.999, 52],
    [13.06, 52],
    [13, 52],
  ];
  const route = prepareRoute(line);
  const tracker = new RouteTracker(route, { widthMeters: 60, maxSpeedKph: Number.POSITIVE_INFINITY });
  // The beginning has no other candidate. Then ever more to and fro across the road: it is ever cheaper to have turned just now.
  const sizes = Array.from({ length: 180 }, (_, i) => {
    const aside = (i % 2 === 0 ? 0.1 : -0.1) * i;
    tracker.push({
      time: 1_772_438_400_000 + 10_000 * i,
      lon: 12.9991 + 0.0003 * i,
      lat: 52 + aside / 111_300,
    });
    const [unit] = tracker.snapshot().units as unknown as [
      { states: { route: { lattice: { layers: unknown[] } } } },
    ];
    return unit.states.route.lattice.layers.length;
  });
  expect(Math.max(...sizes)).toBeLessThan(20);
  expect(Math.min(...sizes.slice(10))).toBeGreaterThan(1);
});

const DRIVE = 'tracks/gpx/gpxpy/test_files/around-visnjan-with-car.gpx';

needs(sharedData(DRIVE)).test(
  'laps of a drive around a town are those of all pairs (needs ../shared/data)',
  () => {
    const { tracks } = fromGpx(readFileSync(dataPath(DRIVE), 'utf8')).value;
    const places = tracks.flatMap(({ fixes }) => fixes.map(({ lon, lat }): Position => [lon, lat]));
    const loop = places.filter((_, i) => i % Math.ceil(places.length / 40) === 0);
    const line = Array.from({ length: 4 }, () => loop).flat();
    const random = seeded(3821);
    let most = 0;
    for (let n = 0; n < volume(160); n++) {
      const start = Math.floor(random() * places.length);
      const by = 1 + Math.floor(20 * random());
      const fixes = Array.from({ length: 12 }, (_, i) => {
        const [lon, lat] = places[(start + i * by) % places.length]!;
        return { time: 1_772_438_400_000 + 10_000 * i, lon, lat };
      });
      most = Math.max(most, compare(line, fixes, 60));
    }
    expect(most).toBeGreaterThan(3);
  },
);
