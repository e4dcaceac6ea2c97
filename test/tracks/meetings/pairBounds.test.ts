import { describe, expect, test } from 'vitest';
import { PairBounds } from '../../../src/tracks/meetings/pairBounds.js';
import { type Move, PairDistance } from '../../../src/tracks/meetings/pairDistance.js';
import { seeded, volume } from '../../volume.js';
import { movesOf } from './movesOf.js';

const COUNT = volume(60_000);

function set(bounds: PairBounds, [a, b]: readonly [Move, Move]): PairBounds {
  Object.assign(bounds.a, a);
  Object.assign(bounds.b, b);
  bounds.begin();
  return bounds;
}

const exact = ([a, b]: readonly [Move, Move]): PairDistance => new PairDistance(a, b, Number.NaN);

describe('the cheap bounds of the distance of two moves', () => {
  test('the exact distance lies between them, and they are narrow', () => {
    const random = seeded(388);
    const bounds = new PairBounds();
    let [known, narrow] = [0, 0];
    for (let i = 0; i < COUNT; i++) {
      const pair = movesOf(random);
      if (!set(bounds, pair).measure()) continue;
      known++;
      const distance = exact(pair);
      const message = JSON.stringify(pair);
      const { least, startMost, endMost } = bounds;
      expect(startMost, message).toBeGreaterThanOrEqual(distance.startMeters);
      expect(endMost, message).toBeGreaterThanOrEqual(distance.endMeters);
      let nearest = Math.min(distance.startMeters, distance.endMeters);
      for (let k = 0; k < 8; k++) {
        const meters = distance.at(random());
        nearest = Math.min(nearest, meters);
        expect(meters, message).toBeLessThanOrEqual(Math.max(startMost, endMost));
      }
      nearest = Math.min(nearest, distance.least(0, 1, Number.POSITIVE_INFINITY).meters);
      expect(least, message).toBeLessThanOrEqual(nearest);
      // Short ways and near units, away from the poles.
      if (pair.some(({ latA, latB }) => Math.abs(latA) > 60 || Math.abs(latB - latA) > 0.005)) continue;
      if (Math.max(startMost, endMost) > 300) continue;
      narrow++;
      expect(nearest - least, message).toBeLessThan(1e-3 * Math.max(startMost, endMost) + 3e-3);
      expect(startMost - distance.startMeters, message).toBeLessThan(1e-3 * startMost + 1e-6);
      expect(endMost - distance.endMeters, message).toBeLessThan(1e-3 * endMost + 1e-6);
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
      const off = 0.03 * (random() - 0.5);
      const shifted = pair.map((move) => ({ ...move, latA: move.latA + off, latB: move.latB + off }));
      if (!set(bounds, shifted as unknown as readonly [Move, Move]).measure()) continue;
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
      const message = JSON.stringify([pair, atLeast, atMost]);
      expect(distance.least(0, 1, Number.POSITIVE_INFINITY).meters, message).toBeGreaterThan(atLeast);
      for (let k = 0; k < 8; k++) expect(distance.at(random()), message).toBeLessThan(atMost);
      expect(Math.max(startMeters, endMeters), message).toBeLessThan(atMost);
    }
    expect(decided).toBeGreaterThan(COUNT / 50);
    expect(undecided).toBeGreaterThan(COUNT / 50);
  });

  test('the millisecond of an exit is that of the exact crossing', () => {
    const random = seeded(390);
    const bounds = new PairBounds();
    let [found, unsure] = [0, 0];
    for (let i = 0; i < COUNT; i++) {
      const pair = movesOf(random);
      const isKnown = set(bounds, pair).measure();
      const distance = exact(pair);
      const { startMeters, endMeters } = distance;
      if (!isKnown || !(startMeters < endMeters)) continue;
      const meters = startMeters + (endMeters - startMeters) * (random() < 0.1 ? 0 : random());
      const length = [1, 7, 1000, 10_000, 3_600_000][i % 5]!;
      const exit = bounds.exitWithin(meters, length);
      if (exit === -1) {
        unsure++;
        continue;
      }
      found++;
      const crossings = distance.within(meters);
      expect(crossings, JSON.stringify([pair, meters])).toHaveLength(2);
      expect(exit, JSON.stringify([pair, meters, length])).toBe(Math.round(crossings[1]! * length));
    }
    expect(found).toBeGreaterThan(COUNT / 50);
    expect(unsure).toBeGreaterThan(COUNT / 500);
  });
});
