import { describe, expect, test } from 'vitest';
import { sublevelFractions } from '../../../src/geodesy/sublevelIntervals.js';
import { type Move, PairDistance } from '../../../src/tracks/meetings/pairDistance.js';
import { seeded, volume } from '../../volume.js';
import { movesOf } from './movesOf.js';

const COUNT = volume(60_000);

const distanceOf = ([a, b]: readonly [Move, Move]) => new PairDistance(a, b, Number.NaN);
/** Rounding of a distance: 5 nm, and 1e-14 of long ones. */
const slack = (meters: number): number => 5e-9 + 1e-12 * meters;

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
        expect(Math.abs(one - other) - most, JSON.stringify([pair, s, t])).toBeLessThan(slack(one + other));
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
        expect(above, JSON.stringify([pair, from, to, share])).toBeLessThan(
          distance.bulge * (to! - from!) ** 2 + 1e-4,
        );
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
