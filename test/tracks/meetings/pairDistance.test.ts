import { describe, expect, test } from 'vitest';
import { sublevelFractions } from '../../../src/geodesy/sublevelIntervals.js';
import { distanceMeters } from '../../../src/index.js';
import {
  areApart,
  LEAST_TOLERANCE,
  type Move,
  PairDistance,
} from '../../../src/tracks/meetings/pairDistance.js';
import { seeded, volume } from '../../volume.js';
import { movesOf, must } from './movesOf.js';

const COUNT = volume(60_000);

const distanceOf = ([a, b]: readonly [Move, Move]) => new PairDistance(a, b, Number.NaN);
/** Rounding of a distance: 5 nm, and 1e-14 of long ones. */
const slack = (meters: number): number => 5e-9 + 1e-12 * meters;

function quantile(values: readonly number[], share: number): number {
  expect(values.length).toBeGreaterThan(10);
  return values.toSorted((a, b) => a - b)[Math.floor(share * values.length)]!;
}

/** Counts the distances that are computed, but for the known ones at the ends. */
function counted(distance: PairDistance): { calls: number } {
  const count = { calls: 0 };
  const at = distance.at.bind(distance);
  distance.at = (t) => {
    if (t > 0 && t < 1) count.calls++;
    return at(t);
  };
  return count;
}

describe('the bounds of the distance of two moves', () => {
  test('it changes by at most `way` times the difference of the fractions', () => {
    const random = seeded(381);
    let tight = 0;
    for (let i = 0; i < COUNT; i++) {
      const pair = movesOf(random);
      const distance = distanceOf(pair);
      for (let k = 0; k < 6; k++) {
        const [s, t] = [random(), k < 3 ? random() : k % 2];
        const [one, other] = [distance.at(s), distance.at(t)];
        const most = distance.way * Math.abs(s - t);
        must(Math.abs(one - other) - most < slack(one + other), pair, s, t);
        if (Math.abs(one - other) > 0.95 * most && most > 1e-3) tight++;
      }
    }
    expect(tight).toBeGreaterThan(COUNT / 10);
  });

  test('it lies at most `bulge` above the straight line between two of its values', () => {
    const random = seeded(382);
    let [bulging, finite] = [0, 0];
    for (let i = 0; i < COUNT; i++) {
      const pair = movesOf(random);
      const distance = distanceOf(pair);
      if (distance.bulge === Number.POSITIVE_INFINITY) continue;
      finite++;
      for (let k = 0; k < 6; k++) {
        const [from, to] = k === 0 ? [0, 1] : [random(), random()].sort((a, b) => a - b);
        const share = random();
        const [left, right] = [distance.at(from!), distance.at(to!)];
        const above = distance.at(from! + (to! - from!) * share) - (left + (right - left) * share);
        must(above < distance.bulge * (to! - from!) ** 2 + 1e-4, pair, from, to, share);
        if (above > slack(left + right)) bulging++;
      }
    }
    expect(finite).toBeGreaterThan(COUNT / 5);
    expect(bulging).toBeGreaterThan(COUNT / 50);
  });

  test('the times within a distance are those that the greatest change alone finds', () => {
    const random = seeded(387);
    let crossings = 0;
    for (let i = 0; i < COUNT / 2; i++) {
      const pair = movesOf(random);
      const distance = distanceOf(pair);
      // Limits that the distance crosses, or nearly touches.
      const [one, other] = [distance.at(random()), distance.at(random())];
      const meters = i % 2 === 0 ? (one + other) / 2 : one * (1 + 1e-4 * (random() - 0.5));
      if (distance.way > 5000) continue;
      const found = distance.within(meters);
      const wanted = sublevelFractions(
        (t) => distance.at(t) - meters,
        (from, to) => distance.way * (to - from),
        distance.startMeters - meters,
        distance.endMeters - meters,
      );
      // Where the two differ, the distance is the limit but for a millimetre.
      for (const t of [...found, ...wanted]) {
        const isBoth = found.some((x) => Math.abs(x - t) * distance.way < 1e-6) && wanted.some((x) => Math.abs(x - t) * distance.way < 1e-6); // biome-ignore format: one line
        if (isBoth) crossings++;
        else {
          const near = [...found, ...wanted].filter((x) => x !== t);
          const deepest = near.map((x) => Math.abs(distance.at((x + t) / 2) - meters));
          expect(Math.min(1, ...deepest), JSON.stringify([pair, meters, t, found, wanted])).toBeLessThan(
            1.5e-3,
          );
        }
      }
    }
    expect(crossings).toBeGreaterThan(COUNT / 10);
  });

  test('the least distance is that of dense samples, within 2 mm, and takes few distances', () => {
    const random = seeded(391);
    const calls: number[] = [];
    let cut = 0;
    for (let i = 0; i < COUNT / 4; i++) {
      const pair = movesOf(random);
      const distance = distanceOf(pair);
      const count = counted(distance);
      const [from, to] = i % 2 === 0 ? [0, 1] : [random(), random()].sort((a, b) => a - b);
      const { t, meters } = distance.least(from!, to!, Number.POSITIVE_INFINITY);
      must(t >= from! && t <= to! && distance.at(t) === meters, pair, from, to, t);
      if (distance.way < 1000 && distance.way > 1) calls.push(count.calls);
      // More of them where the distance is least.
      for (let k = 0; k <= 40; k++) {
        const at = from! + (to! - from!) * (k <= 20 ? k / 20 : random());
        const near = Math.min(to!, Math.max(from!, t + (at - t) * 0.01));
        must(meters <= Math.min(distance.at(at), distance.at(near)) + LEAST_TOLERANCE, pair, from, to, at);
      }
      // Whether there is less than a bound is all that counts.
      const least = (distance.at(from!) + distance.at(to!) - distance.way * (to! - from!)) / 2;
      count.calls = 0;
      const bounded = distance.least(from!, to!, least + LEAST_TOLERANCE);
      must(bounded.meters >= meters - LEAST_TOLERANCE && count.calls <= 4, pair, from, to, count.calls);
      cut++;
    }
    expect(cut).toBeGreaterThan(COUNT / 5);
    expect(quantile(calls, 0.5)).toBeLessThan(10);
    expect(quantile(calls, 0.75)).toBeLessThan(35);
    // Units that pass each other in a town.
    const passes: number[] = [];
    for (let i = 0; i < COUNT / 4; i++) {
      const size = i % 2 === 0 ? 0.004 : 0.04;
      const near = (): number => size * (random() - 0.5);
      const move = (): Move => ({
        lonA: 37.6 + near(),
        latA: 55.7 + near(),
        lonB: 37.6 + near(),
        latB: 55.7 + near(),
      });
      const distance = distanceOf([move(), move()]);
      const count = counted(distance);
      const { t, meters } = distance.least(0, 1, Number.POSITIVE_INFINITY);
      if (i % 2 === 0) passes.push(count.calls);
      for (let k = 0; k <= 60; k++) {
        const at = Math.min(1, Math.max(0, t + (k - 30) / (k % 2 === 0 ? 1000 : 20_000)));
        must(meters <= distance.at(at) + LEAST_TOLERANCE, t, at, size);
      }
    }
    expect(passes.reduce((sum, count) => sum + count, 0) / passes.length).toBeLessThan(2.6);
  });

  test('units that all but collide on long ways are as near as that', () => {
    const random = seeded(398);
    let near = 0;
    for (let i = 0; i < COUNT / 4; i++) {
      const lat = 75 * (2 * random() - 1);
      // Both come to one place about the middle of their ways, of a kilometre or so, nearly at once.
      const move = (): Move => {
        const [turn, size, at] = [2 * Math.PI * random(), 0.02 * random(), 0.5 + 0.004 * (random() - 0.5)];
        const [east, north] = [
          (size * Math.sin(turn)) / Math.cos((lat * Math.PI) / 180),
          size * Math.cos(turn),
        ];
        return {
          lonA: 20 - east * at,
          latA: lat - north * at,
          lonB: 20 + east * (1 - at),
          latB: lat + north * (1 - at),
        };
      };
      const distance = distanceOf([move(), move()]);
      const { t, meters } = distance.least(0, 1, Number.POSITIVE_INFINITY);
      for (let k = -40; k <= 40; k++) {
        const at = Math.min(1, Math.max(0, t + k / 20_000));
        must(meters <= distance.at(at) + LEAST_TOLERANCE, lat, t, at, meters, distance.at(at));
      }
      if (meters < 10) near++;
    }
    expect(near).toBeGreaterThan(COUNT / 8);
  });

  test('few distances are needed for the times within one', () => {
    const random = seeded(392);
    const calls: number[] = [];
    let whole = 0;
    for (let i = 0; i < COUNT; i++) {
      const pair = movesOf(random);
      const distance = distanceOf(pair);
      if (distance.bulge > 1e-3) continue;
      const count = counted(distance);
      const [low, high] = [distance.startMeters, distance.endMeters].sort((a, b) => a - b);
      must(distance.within(high! + 1.01 * distance.bulge).join() === '0,1' && count.calls === 0, pair);
      whole++;
      const meters = low! + (high! - low!) * random();
      if (high! - low! < 1) continue;
      distance.within(meters);
      calls.push(count.calls);
    }
    expect(whole).toBeGreaterThan(COUNT / 20);
    expect(quantile(calls, 0.5)).toBeLessThan(5);
    expect(quantile(calls, 0.75)).toBeLessThan(6);
  });

  test('units are surely apart by the sides of the box between them, and never where they are not', () => {
    const random = seeded(393);
    let [apart, east] = [0, 0];
    for (let i = 0; i < COUNT; i++) {
      const [a, b] = movesOf(random);
      // Also on other sides of the Earth, up to the opposite one.
      const turn = i % 3 === 0 ? 360 * random() - 180 : 0;
      const turned = (lon: number): number => ((lon + turn + 540) % 360) - 180;
      const other = turn === 0 ? b : { ...b, lonA: turned(b.lonA), lonB: turned(b.lonB) };
      const lats = [a.latA, a.latB, other.latA, other.latB];
      const gap = Math.max(
        Math.min(lats[0]!, lats[1]!) - Math.max(lats[2]!, lats[3]!),
        Math.min(lats[2]!, lats[3]!) - Math.max(lats[0]!, lats[1]!),
      );
      const turnOf = (from: number, to: number): number => Math.abs(((to - from + 540) % 360) - 180);
      const clear = turnOf(a.lonA, other.lonA) - turnOf(a.lonA, a.lonB) - turnOf(other.lonA, other.lonB);
      // A chord between two points of the parallel that is nearest to a pole, on a sphere within the Earth.
      const circle = Math.cos((Math.max(...lats.map(Math.abs)) * Math.PI) / 180);
      const chord = 2 * 6_356_752.314 * circle * Math.sin((clear * Math.PI) / 360);
      const sides = Math.max(gap * 110_574, chord);
      if (sides > 0.01) {
        must(areApart(a, other, 0.999 * sides - 0.001), a, other, sides);
        must(!areApart(a, other, 1.001 * sides + 0.001), a, other, sides);
        apart++;
        if (chord > gap * 110_574) east++;
      } else must(!areApart(a, other, 0.02), a, other);
      for (let k = 0; k < 3; k++) {
        const t = k < 2 ? k : random();
        must(!areApart(a, other, distanceOf([a, other]).at(t)), a, other, t);
      }
    }
    expect(apart).toBeGreaterThan(COUNT / 4);
    expect(east).toBeGreaterThan(COUNT / 10);
  });

  test('the distance at a fraction is that of the places there, also over the antimeridian', () => {
    const a = { lonA: 179.9, latA: 10, lonB: -179.7, latB: 10.4 };
    const b = { lonA: -179.9, latA: 10.1, lonB: 179.9, latB: 10.3 };
    const distance = distanceOf([a, b]);
    const places = (t: number): number => {
      const [east, west] = [179.9 + 0.4 * t, 180.1 - 0.2 * t];
      const wrapped = (lon: number): number => (lon > 180 ? lon - 360 : lon);
      return distanceMeters([wrapped(east), 10 + 0.4 * t], [wrapped(west), 10.1 + 0.2 * t]);
    };
    for (const t of [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1])
      expect(Math.abs(distance.at(t) - places(t))).toBeLessThan(1e-6);
    // At an end, of equal distances the first.
    expect(distance.least(0, 0.1, Number.POSITIVE_INFINITY).t).toBe(0.1);
    expect(distance.least(0.5, 0.9, Number.POSITIVE_INFINITY).t).toBe(0.5);
    const still = distanceOf([{ ...a, lonB: a.lonA, latB: a.latA }, { ...b, lonB: b.lonA, latB: b.latA }]); // biome-ignore format: one line
    expect([still.way, still.least(0.25, 0.5, 0).t]).toEqual([0, 0.25]);
    // Known from the interval before, it is not computed again.
    expect(new PairDistance(a, b, 7).at(0)).toBe(7);
  });

  test('both are the same in the other hemispheres, and for the units in the other order', () => {
    const random = seeded(383);
    const mirrored = ({ lonA, latA, lonB, latB }: Move, x: 1 | -1, y: 1 | -1): Move => ({
      lonA: x * lonA,
      latA: y * latA,
      lonB: x * lonB,
      latB: y * latB,
    });
    for (let i = 0; i < COUNT / 4; i++) {
      const [a, b] = movesOf(random);
      const { way, bulge } = distanceOf([a, b]);
      for (const pair of [
        [b, a],
        [mirrored(a, 1, -1), mirrored(b, 1, -1)],
        [mirrored(a, -1, 1), mirrored(b, -1, 1)],
      ] as const) {
        const other = distanceOf(pair);
        expect(Math.abs(other.way - way)).toBeLessThanOrEqual(1e-9 * way);
        expect(other.bulge === bulge || Math.abs(other.bulge - bulge) <= 1e-9 * bulge).toBe(true);
      }
    }
  });
});
