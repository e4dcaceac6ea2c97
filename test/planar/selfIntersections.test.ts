import { describe, expect, test } from 'vitest';
import { edgesMeet, ringEdges, ringGraph } from '../../src/planar/ringEdges.js';
import { selfIntersections } from '../../src/planar/selfIntersections.js';
import { sweepEdges } from '../../src/planar/sweepEdges.js';
import { exactSelfIntersections } from '../oracle/exact.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { ringCase } from './adversarial.js';
import { flat, gridSelfIntersections } from './grid.js';
import { LONG_RINGS, round } from './longRings.js';

describe('selfIntersections', () => {
  test('is empty for valid rings, closed or open, with or without repeated vertices', () => {
    for (const ring of [
      [0, 0, 2, 0, 2, 2, 0, 2],
      [0, 0, 2, 0, 2, 2, 0, 2, 0, 0],
      [0, 0, 0, 0, 2, 0, 2, 0, 2, 2, 0, 2, 0, 0, 0, 0],
      [0, 0, 1, 0, 2, 0, 2, 2, 0, 2],
      [0, 0, 4, 0, 4, 4, 2, 1],
    ])
      expect(selfIntersections(ring)).toEqual([]);
  });

  test('is empty for rings of no, one or two equal points, and finds the overlap of a line forth and back', () => {
    expect(selfIntersections([])).toEqual([]);
    expect(selfIntersections([1, 1])).toEqual([]);
    expect(selfIntersections([1, 1, 1, 1, 1, 1])).toEqual([]);
    expect(selfIntersections([0, 0, 1, 1])).toEqual([[0, 1]]);
    expect(selfIntersections([0, 0, 1, 1, 0, 0])).toEqual([[0, 1]]);
    expect(selfIntersections([0, 0, 1, 0, 3, 0])).toEqual(wkt('0 2, 1 2'));
  });

  test('finds a bow-tie, a figure of eight at a vertex, a vertex on an edge, a spike and a shared edge', () => {
    expect(selfIntersections([0, 0, 2, 2, 2, 0, 0, 2])).toEqual([[0, 2]]);
    expect(selfIntersections([0, 0, 1, 1, 2, 0, 2, 2, 1, 1, 0, 2])).toEqual(wkt('0 3, 0 4, 1 3, 1 4'));
    expect(selfIntersections([0, 0, 4, 0, 4, 4, 2, 0, 0, 4])).toEqual(wkt('0 2, 0 3'));
    expect(selfIntersections([0, 0, 2, 0, 4, 0, 2, 0, 2, 2])).toEqual(wkt('0 2, 0 3, 1 2, 1 3'));
    expect(selfIntersections([0, 0, 4, 0, 4, 4, 4, 6, 4, 4, 0, 4])).toContainEqual([2, 3]);
    expect(selfIntersections([0, 0, 2, 0, 2, 2, 0, 2, 0, 0, 2, 0, 2, -2, 0, -2])).toContainEqual([0, 4]);
  });

  test('stops at the limit', () => {
    const star = Array.from({ length: 22 }, (_, i) => {
      const angle = (Math.floor(i / 2) * 5 * 2 * Math.PI) / 11;
      return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
    });
    const all = selfIntersections(star);
    expect(all.length).toBe(44);
    expect(selfIntersections(star, 0)).toEqual([]);
    for (const limit of [1, 3, 44, 50]) {
      const some = selfIntersections(star, limit);
      expect(some.length).toBe(Math.min(limit, 44));
      for (const pair of some) expect(all).toContainEqual(pair);
    }
  });

  test('equals the exact test of all pairs on random rings', () => {
    const random = seeded(9);
    const seen = { valid: 0, invalid: 0 };
    for (let number = volume(40_000); number > 0; number--) {
      const ring = randomRing(number, random);
      const exact = exactSelfIntersections(ring);
      seen[exact.length === 0 ? 'valid' : 'invalid']++;
      expect(selfIntersections(ring), ring.join(', ')).toEqual(exact);
      const first = selfIntersections(ring, 1);
      expect(first.length, ring.join(', ')).toBe(Math.min(exact.length, 1));
      if (first[0]) expect(exact, ring.join(', ')).toContainEqual(first[0]);
      expectSweep(ring, exact);
    }
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(volume(40_000) / 20);
  });

  test('equals the exact test of all pairs on rings of hundreds of vertices', () => {
    const random = seeded(11);
    const seen = { valid: 0, invalid: 0 };
    for (let number = volume(200, 25); number > 0; number--) {
      const name = Object.keys(LONG_RINGS)[number % Object.keys(LONG_RINGS).length]!;
      const ring = LONG_RINGS[name]!(100 + Math.floor(random() * 150), random);
      if (random() < 0.5) ring[Math.floor(random() * ring.length)]! += random() - 0.5;
      const exact = exactSelfIntersections(ring);
      seen[exact.length === 0 ? 'valid' : 'invalid']++;
      expect(selfIntersections(ring), `${name}: ${ring.join(', ')}`).toEqual(exact);
      const few = selfIntersections(ring, 5);
      expect(few.length === 0, name).toBe(exact.length === 0);
      for (const pair of few) expect(exact).toContainEqual(pair);
      expectSweep(ring, exact);
    }
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(volume(200, 25) / 5);
  });

  test('lists all crossings of a tangle in order, and one of them with a limit of one', () => {
    const random = seeded(14);
    for (let round = 0; round < 4; round++) {
      const ring = Array.from(
        { length: 110 + 20 * round },
        () => [Math.floor(1000 * random()), Math.floor(1000 * random())] as const,
      );
      const wanted = gridSelfIntersections(ring);
      expect(selfIntersections(flat(ring))).toEqual(wanted);
      const one = selfIntersections(flat(ring), 1);
      expect(one.length).toBe(1);
      expect(wanted).toContainEqual(one[0]);
    }
  });

  test('a star polygon meets itself if it winds more than once around its middle', () => {
    const random = seeded(15);
    const seen = [0, 0];
    for (let number = 0; number < 1500; number++) {
      const turns = 1 + (number % 3);
      const count = 2 * turns + 1 + Math.floor(4 * random());
      const start = 2 * Math.PI * random();
      const ring = Array.from({ length: count }, (_, i) => {
        const angle = start + (2 * Math.PI * turns * (i + 0.5 * random())) / count;
        return [Math.round(1000 * Math.cos(angle)), Math.round(1000 * Math.sin(angle))] as const;
      });
      for (const turned of [ring, ring.toReversed()]) {
        const wanted = gridSelfIntersections(turned);
        expect(selfIntersections(flat(turned)), String(turned)).toEqual(wanted);
        seen[wanted.length > 0 ? 1 : 0]!++;
      }
    }
    expect(Math.min(...seen)).toBeGreaterThan(500);
  });

  test.each(Object.entries(LONG_RINGS))('accepts %s of 100,000 vertices, also mirrored', (_, make) => {
    const ring = Float64Array.from(make(100_000, seeded(3)));
    expect(selfIntersections(ring)).toEqual([]);
    expect(selfIntersections(mirrored(ring), 1)).toEqual([]);
  });

  test('stops at the limit in a ring of a billion crossings and in a comb with one tooth too long', () => {
    const random = seeded(12);
    const tangle = Float64Array.from({ length: 200_000 }, random);
    expect(selfIntersections(tangle, 100).length).toBe(100);
    const comb = LONG_RINGS['a comb of slanted teeth across the whole width']!(100_000, random);
    comb[80_001]! += 100;
    const pairs = selfIntersections(comb, 100);
    expect(pairs.length).toBeGreaterThan(0);
    const edges = ringEdges(comb);
    for (const [i, j] of pairs) expect(edgesMeet(edges, i, j)).toBe(true);
  });

  test.each([
    ['smooth', () => 1],
    ['rough', (random: () => number) => 1 + 0.01 * random()],
  ] as const)('accepts a %s star-shaped ring of 100,000 vertices', (_, radius) => {
    const random = seeded(3);
    const ring = round(100_000, (i) => [(2 * Math.PI * i) / 100_000, radius(random)]);
    expect(selfIntersections(ring)).toEqual([]);
  });

  test('accepts a tight spiral of 100,000 vertices, and finds a vertex that is moved across its other turns', () => {
    const half = 50_000;
    const ring = round(2 * half, (i) => {
      const along = i < half ? i : 2 * half - 1 - i;
      return [(200 * Math.PI * along) / half, 1 + (100 * along) / half + (i < half ? 0 : 0.4)];
    });
    expect(selfIntersections(ring)).toEqual([]);
    expect(selfIntersections(ring.toReversed())).toEqual([]);
    ring[2 * 30_000] = 0;
    expect(selfIntersections(ring, 10).length).toBe(10);
  });
});

/** Checks that the sweep finds a pair of `exact`, whatever the size of the ring. */
function expectSweep(ring: ArrayLike<number>, exact: readonly [number, number][]): void {
  const edges = ringEdges(ring);
  // The sweep needs at least four edges.
  if (edges.number.length < 4) return;
  const found = sweepEdges(ringGraph(edges));
  if (found === null) expect(exact).toEqual([]);
  else {
    const pair = [edges.number[found.first]!, edges.number[found.second]!].sort((i, j) => i - j);
    expect(exact, Array.from(ring).join(', ')).toContainEqual(pair);
  }
}

/** The ring with x and y swapped. */
function mirrored(ring: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: ring.length }, (_, i) => ring[i ^ 1]!);
}

/** The kinds take turns: adversarial rings, small whole coordinates with repeats and spikes, valid stars, stars with one vertex moved. */
function randomRing(number: number, random: () => number): number[] {
  const whole = (below: number): number => Math.floor(random() * below);
  switch (number % 4) {
    case 0:
      return ringCase(whole(7), random).ring;
    case 1: {
      const ring = Array.from({ length: 2 * (2 + whole(12)) }, () => whole(8));
      if (random() < 0.3) ring.splice(2, 0, ...ring.slice(0, 2));
      if (random() < 0.3) ring.push(...ring.slice(0, 2));
      return ring;
    }
    default: {
      const count = 3 + whole(18);
      const ring = [...round(count, (i) => [(2 * Math.PI * i) / count, 0.2 + random()])];
      if (number % 4 === 3) ring[whole(ring.length)] = random() - 0.5;
      return random() < 0.5 ? ring.map((value) => Math.round(value * 100) / 100) : ring;
    }
  }
}
