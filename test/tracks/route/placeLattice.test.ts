/** The cheapest ways between the places of two fixes, beside all pairs of places. */

import { expect, test } from 'vitest';
import { leastWays, wayCost } from '../../../src/tracks/route/placeLattice.js';
import { seeded, volume } from '../../volume.js';

test('for each place the way of least cost is found among all places before', () => {
  const random = seeded(3810);
  let [many, ties] = [0, 0];
  for (let n = 0; n < volume(8000); n++) {
    const size = [3, 40, 80, 160][n % 4]!;
    const isWhole = random() < 0.5;
    const value = (most: number): number =>
      isWhole ? Math.floor((most / 10) * random()) * 10 : most * random();
    const places = (): number[] =>
      Array.from({ length: Math.ceil(size * random()) + 1 }, () => value(1000)).sort(
        (one, other) => one - other,
      );
    const [from, to] = [places(), places()];
    const costs = from.map(() => value(800 * random()));
    const meters = [0, value(50), value(400), value(3000)][Math.floor(4 * random())]!;
    const pairs = to.map((place) => from.map((start, p) => costs[p]! + wayCost(start, place, meters)));
    const wanted = pairs.map((all) => Math.min(...all));
    const found = leastWays(from, costs, to, meters);
    expect(found.length).toBe(to.length);
    for (const [c, cost] of found.entries())
      expect(Math.abs(cost - wanted[c]!), JSON.stringify([from, costs, to, meters])).toBeLessThan(1e-9);
    if (from.length * to.length > 1000) many++;
    if (pairs.some((all, c) => all.filter((cost) => cost === wanted[c]).length > 1)) ties++;
  }
  expect(Math.min(many, ties)).toBeGreaterThanOrEqual(Math.floor(volume(8000) / 50));
});

test('the way ahead costs what it differs from the metres moved, and the way back its length besides', () => {
  expect(wayCost(100, 150, 50)).toBe(0);
  expect(wayCost(100, 150, 20)).toBe(30);
  expect(wayCost(100, 100, 20)).toBe(20);
  expect(wayCost(100, 90, 20)).toBe(20);
  expect(wayCost(100, 50, 20)).toBe(80);
});
