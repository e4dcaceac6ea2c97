import { describe, expect, test } from 'vitest';
import { PairBounds } from '../../../src/tracks/meetings/pairBounds.js';
import { type Move, PairDistance } from '../../../src/tracks/meetings/pairDistance.js';
import { seeded, volume } from '../../volume.js';
import { movesOf, must } from './movesOf.js';

const COUNT = volume(60_000);

function set(bounds: PairBounds, [a, b]: readonly [Move, Move]): PairBounds {
  Object.assign(bounds.a, a);
  Object.assign(bounds.b, b);
  bounds.begin();
  return bounds;
}

/** The moves, `off` degrees farther north. */
function shifted([a, b]: readonly [Move, Move], off: number): readonly [Move, Move] {
  const move = (one: Move): Move => ({ ...one, latA: one.latA + off, latB: one.latB + off });
  return [move(a), move(b)];
}

const turn = (from: number, to: number): number => ((to - from + 540) % 360) - 180;

/** Two units that part, within some hundred metres. */
function partingOf(random: () => number): readonly [Move, Move] {
  const around = (by: number): number => by * (2 * random() - 1);
  const [lat, size] = [75 * around(1), 10 ** (-4 + 1.5 * random())];
  const [lon, apart] = [20, 0.3 * size];
  const [east, north, turn] = [around(size), around(size), 2 * Math.PI * random()];
  const far = size * (0.5 + random());
  return [
    { lonA: lon, latA: lat, lonB: lon + east, latB: lat + north },
    {
      lonA: lon + around(apart),
      latA: lat + around(apart),
      lonB: lon + east + far * Math.sin(turn),
      latB: lat + north + far * Math.cos(turn),
    },
  ];
}

/** Degrees from one unit to the other at the beginning and at the end. */
function apartOf([a, b]: readonly [Move, Move]): { readonly east: number[]; readonly north: number[] } {
  const east = turn(a.lonA, b.lonA);
  return {
    east: [east, east + turn(b.lonA, b.lonB) - turn(a.lonA, a.lonB)],
    north: [b.latA - a.latA, b.latB - a.latB],
  };
}

const most = (values: readonly number[]): number => Math.max(...values.map(Math.abs));
/** The least size of numbers of one sign; 0 if there may be a 0 between them. */
const leastSize = ([x, y]: readonly number[]): number =>
  x! * y! > 0 ? Math.min(Math.abs(x!), Math.abs(y!)) : 0;

/** The latitudes that shortest ways between the units may reach: their middle, and how far they are from it. */
function reachOf(pair: readonly [Move, Move]): { readonly middle: number; readonly far: number } {
  const lats = pair.flatMap(({ latA, latB }) => [latA, latB]);
  const [low, high] = [Math.min(...lats), Math.max(...lats)];
  const { east, north } = apartOf(pair);
  const sums = east.map((degrees, i) => Math.abs(degrees) + Math.abs(north[i]!));
  return { middle: (low + high) / 2, far: (high - low) / 2 + 0.51 * Math.max(...sums) };
}

/** Whether the distance exceeds `meters` once, and that far from the ends and from half a millisecond that the bounds must tell it. */
function isClear(
  pair: readonly [Move, Move],
  { startMost, endMost }: PairBounds,
  meters: number,
  length: number,
): boolean {
  const distance = exact(pair);
  const { startMeters, endMeters, bulge } = distance;
  const crossings = distance.within(meters);
  if (crossings.length !== 2 || crossings[0] !== 0 || bulge > 3e-4 || length > 1e5) return false;
  const exit = Math.round(crossings[1]! * length);
  const margin = 3 * bulge + 1e-5;
  const wide = margin + 3 * Math.max(startMost - startMeters, endMost - endMeters);
  return (
    Math.abs(crossings[1]! * length - exit) < 0.4 &&
    meters - startMeters > wide &&
    endMeters - meters > wide &&
    meters - distance.at((exit - 0.5) / length) > margin &&
    distance.at((exit + 0.5) / length) - meters > margin
  );
}

const exact = ([a, b]: readonly [Move, Move]): PairDistance => new PairDistance(a, b, Number.NaN);

describe('the cheap bounds of the distance of two moves', () => {
  test('the exact distance lies between them, and they are narrow', () => {
    const random = seeded(388);
    const bounds = new PairBounds();
    let [known, narrow] = [0, 0];
    for (let i = 0; i < COUNT; i++) {
      const pair = movesOf(random);
      // Scales may be known from another interval near by.
      if (i % 2 === 0) set(bounds, shifted(pair, 0.03 * (random() - 0.5))).measure();
      const isKnown = set(bounds, pair).measure();
      const { middle, far } = reachOf(pair);
      if (Math.abs(middle) < 89.5) {
        if (far < 0.266) must(isKnown, pair);
        if (far > 0.287 || (i % 2 === 1 && !isKnown)) must(!isKnown && far > 0.286, pair);
      }
      if (!isKnown) continue;
      known++;
      const distance = exact(pair);
      const { least, startMost, endMost } = bounds;
      must(startMost >= distance.startMeters && endMost >= distance.endMeters, pair);
      let nearest = Math.min(distance.startMeters, distance.endMeters);
      for (let k = 0; k < 8; k++) {
        const meters = distance.at(random());
        nearest = Math.min(nearest, meters);
        must(meters <= Math.max(startMost, endMost), pair);
      }
      nearest = Math.min(nearest, distance.least(0, 1, Number.POSITIVE_INFINITY).meters);
      must(least <= nearest, pair);
      // Short ways and near units, away from the poles.
      if (pair.some(({ latA, latB }) => Math.abs(latA) > 60 || Math.abs(latB - latA) > 0.005)) continue;
      if (Math.max(startMost, endMost) > 300) continue;
      narrow++;
      must(nearest - least < 1e-3 * Math.max(startMost, endMost) + 3e-3, pair);
      must(startMost - distance.startMeters < 1e-3 * startMost + 1e-6, pair);
      must(endMost - distance.endMeters < 1e-3 * endMost + 1e-6, pair);
    }
    expect(known).toBeGreaterThan(COUNT / 5);
    expect(narrow).toBeGreaterThan(COUNT / 50);
  });

  test('what a box decides, the exact distance does too', () => {
    const random = seeded(389);
    const bounds = new PairBounds();
    let [decided, undecided] = [0, 0];
    for (let i = 0; i < COUNT; i++) {
      const pair = movesOf(random);
      // Scales that are known for a latitude somewhere near, as after other intervals of the pair.
      if (!set(bounds, shifted(pair, 0.03 * (random() - 0.5))).measure()) continue;
      set(bounds, pair);
      const distance = exact(pair);
      const { startMeters, endMeters } = distance;
      const atLeast = Math.min(startMeters, endMeters) * (0.2 + 0.85 * random());
      const atMost = Math.max(startMeters, endMeters) * (0.95 + random());
      if (!bounds.isBetween(atLeast, atMost)) {
        undecided++;
        continue;
      }
      decided++;
      must(distance.least(0, 1, Number.POSITIVE_INFINITY).meters > atLeast, pair, atLeast);
      for (let k = 0; k < 8; k++) must(distance.at(random()) < atMost, pair, atMost);
      must(Math.max(startMeters, endMeters) < atMost, pair, atMost);
    }
    expect(decided).toBeGreaterThan(COUNT / 50);
    expect(undecided).toBeGreaterThan(COUNT / 50);
  });

  test('a box decides by the sides of the units’ difference, where the scales are known', () => {
    const random = seeded(394);
    let [east, north] = [0, 0];
    for (let i = 0; i < COUNT; i++) {
      const pair = movesOf(random);
      const before = shifted(pair, 0.05 * (random() - 0.5));
      const bounds = new PairBounds();
      if (Math.abs(before[0].latA) > 89 || !set(bounds, before).measure()) continue;
      set(bounds, pair);
      const known = reachOf(before).middle;
      const off = most([pair[0].latA - known, pair[0].latB - known]);
      const apart = apartOf(pair);
      const sum = most(apart.east) + most(apart.north);
      const atMost = 1.0001 * sum * 111_694 + 1e-6;
      if (off > 0.02001 || sum > 0.01901) must(!bounds.isBetween(0, 1e6), pair, before);
      if (off > 0.0199 || sum > 0.0189) continue;
      const sin = Math.sin((known * Math.PI) / 180);
      const meridian = (6_335_439.327 / (1 - 0.00669438 * sin * sin) ** 1.5) * (Math.PI / 180);
      const highest = ((Math.abs(known) + 0.05) * Math.PI) / 180;
      const parallel =
        (Math.cos(highest) * 6_378_137 * Math.PI) / 180 / Math.sqrt(1 - 0.00669438 * sin * sin);
      const sides = [leastSize(apart.east) * parallel, leastSize(apart.north) * meridian];
      const side = Math.max(...sides);
      if (side < 0.01) {
        must(!bounds.isBetween(0.02, atMost), pair, before);
        continue;
      }
      // The scales are rounded down a little, for the farthest latitude.
      must(bounds.isBetween(0.999 * side - 1e-3, atMost), pair, before);
      must(!bounds.isBetween(1.0001 * side + 1e-6, atMost), pair, before);
      must(!bounds.isBetween(0.9 * side, 0.9999 * sum * 111_694), pair, before);
      if (sides[0]! > sides[1]!) east++;
      else north++;
    }
    expect(east).toBeGreaterThan(COUNT / 50);
    expect(north).toBeGreaterThan(COUNT / 50);
  });

  test('an exit of slow units is told only where the exact distances prove its millisecond', () => {
    const random = seeded(397);
    const bounds = new PairBounds();
    let [found, unsure] = [0, 0];
    for (let i = 0; i < COUNT / 2; i++) {
      const lat = 80 * (2 * random() - 1);
      const around = (by: number): number => by * (2 * random() - 1);
      // North of one another, some metres in minutes; the scales are those of a latitude 2 km away, or less.
      const [apart, way] = [0.005 * random(), 1e-4 * random()];
      const pair = [
        { lonA: 20, latA: lat, lonB: 20 + around(1e-6), latB: lat + around(1e-6) },
        { lonA: 20 + around(1e-6), latA: lat + apart, lonB: 20 + around(1e-6), latB: lat + apart + way },
      ] as const;
      set(bounds, shifted(pair, i % 3 === 0 ? 0 : around(0.019))).measure();
      if (!set(bounds, pair).measure()) continue;
      const distance = exact(pair);
      const meters =
        distance.startMeters + (distance.endMeters - distance.startMeters) * (0.1 + 0.8 * random());
      const length = Math.round(1000 * 10 ** (3 * random()));
      const exit = bounds.exitWithin(meters, length);
      if (exit === -1) unsure++;
      else {
        found++;
        const crossings = distance.within(meters);
        must(
          crossings.length === 2 && exit === Math.round(crossings[1]! * length),
          pair,
          meters,
          length,
          exit,
        );
      }
    }
    expect(found).toBeGreaterThan(COUNT / 20);
    expect(unsure).toBeGreaterThan(COUNT / 20);
  });

  test('a box never decides at the distance itself, north or east of one another on any latitude', () => {
    const random = seeded(395);
    const bounds = new PairBounds();
    let isNarrow = 0;
    for (let i = 0; i < COUNT / 2; i++) {
      // At the equator a degree of longitude is as long as it gets.
      const known = (i % 4 === 0 ? 0.01 : 85) * (2 * random() - 1);
      const [lat, size] = [known + 0.019 * (2 * random() - 1), 0.002 * random()];
      const at = (off: number, east: number, north: number): Move => ({ lonA: 20 + east, latA: lat + off + north, lonB: 20 + east, latB: lat + off + north }); // biome-ignore format: one line
      set(bounds, shifted([at(0, 0, 0), at(0, 0, 0)], known - lat)).measure();
      for (const pair of [
        [at(0, 0, 0), at(0, size, 0)],
        [at(0, 0, 0), at(0, 0, size)],
      ] as const) {
        set(bounds, pair);
        const { startMeters } = exact(pair);
        must(!bounds.isBetween(startMeters, 1e6), pair, known);
        if (bounds.isBetween(startMeters * (1 - 1e-3 * (1 + Math.tan((Math.abs(known) * Math.PI) / 180))) - 1e-3, 1e6)) isNarrow++; // biome-ignore format: one line
      }
    }
    expect(isNarrow).toBeGreaterThan(0.9 * COUNT);
  });

  test('the millisecond of an exit is that of the exact crossing', () => {
    const random = seeded(390);
    const bounds = new PairBounds();
    let [found, unsure] = [0, 0];
    for (let i = 0; i < 2 * COUNT; i++) {
      const pair = i % 2 === 0 ? movesOf(random) : partingOf(random);
      const isKnown = set(bounds, pair).measure();
      const distance = exact(pair);
      const { startMeters, endMeters } = distance;
      if (!isKnown || !(startMeters < endMeters)) continue;
      // Some of them within the proof's margin of the beginning.
      const inner = startMeters + (endMeters - startMeters) * (random() < 0.1 ? 0 : random());
      const meters = i % 4 === 1 ? Math.min(inner, bounds.startMost + 3 * random() * distance.bulge) : inner;
      const length = [1, 7, 1000, 10_000, 3_600_000][i % 5]!;
      const exit = bounds.exitWithin(meters, length);
      // At or beyond the greater end there is no exit.
      const beyond = endMeters + (i % 3 === 0 ? 0 : 10 ** (-8 * random()) * (i % 7));
      must(bounds.exitWithin(beyond, length) === -1, pair, beyond);
      must(bounds.exitWithin(startMeters - (beyond - endMeters), length) === -1, pair, beyond);
      const crossings = distance.within(meters);
      if (exit === -1) {
        unsure++;
        must(!isClear(pair, bounds, meters, length), pair, meters, length);
        continue;
      }
      found++;
      must(
        endMeters > 300 || Math.abs(pair[0].latA) > 80 || meters - bounds.startMost > 0.9 * distance.bulge,
        pair,
        meters,
      );
      expect(crossings, JSON.stringify([pair, meters])).toHaveLength(2);
      expect(exit, JSON.stringify([pair, meters, length])).toBe(Math.round(crossings[1]! * length));
    }
    expect(found).toBeGreaterThan(COUNT / 3);
    expect(unsure).toBeGreaterThan(COUNT / 500);
  });
});
