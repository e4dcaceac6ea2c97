import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pointInRing } from '../../src/planar/pointInRing.js';
import { rayCrosses } from '../../src/planar/rayCrosses.js';
import { exactOnEdge, exactPointInRing, exactPointInRingHalfOpen } from '../oracle/exact.js';
import { seeded, volume } from '../volume.js';
import { FAMILIES, ringCase } from './adversarial.js';
import { onEdge } from './onEdge.js';

const SQUARE = [0, 0, 2, 0, 2, 2, 0, 2];

describe('pointInRing', () => {
  test('distinguishes inside, boundary and outside of a square, closed or open', () => {
    // An odd number at the end is ignored.
    for (const ring of [SQUARE, [...SQUARE, 0, 0], [...SQUARE, 1], Float64Array.from(SQUARE)]) {
      expect(pointInRing(1, 1, ring)).toBe(1);
      for (const [x, y] of [
        [0, 0],
        [2, 2],
        [1, 0],
        [1, 2],
        [0, 1],
        [2, 1],
      ] as const)
        expect(pointInRing(x, y, ring)).toBe(0);
      for (const [x, y] of [
        [3, 1],
        [-1, 0],
        [3, 0],
        [1, -1],
        [0, 3],
        [2, -1],
        [2, 3],
      ] as const)
        expect(pointInRing(x, y, ring)).toBe(-1);
    }
  });

  test('handles rings of zero to three points', () => {
    expect(pointInRing(0, 0, [])).toBe(-1);
    expect([pointInRing(1, 2, [1, 2]), pointInRing(1, 3, [1, 2])]).toEqual([0, -1]);
    const line = [0, 0, 4, 2];
    expect([pointInRing(2, 1, line), pointInRing(2, 1.5, line), pointInRing(6, 3, line)]).toEqual([
      0, -1, -1,
    ]);
    const triangle = [0, 0, 4, 0, 0, 4];
    expect([pointInRing(1, 1, triangle), pointInRing(2, 2, triangle), pointInRing(3, 2, triangle)]).toEqual([
      1, 0, -1,
    ]);
    const flat = [0, 0, 2, 2, 4, 4];
    expect([pointInRing(3, 3, flat), pointInRing(3, 2, flat)]).toEqual([0, -1]);
    expect([pointInRing(1, 1, [1, 1, 1, 1, 1, 1]), pointInRing(1, 0, [1, 1, 1, 1, 1, 1])]).toEqual([0, -1]);
  });

  test('ignores repeated vertices and reads -0 and 1e-320 as 0', () => {
    const ring = [0, 0, 0, 0, 2, 0, 2, 0, 2, 2, 0, 2, 0, 2];
    expect([pointInRing(1, 1, ring), pointInRing(0, 0, ring), pointInRing(3, 0, ring)]).toEqual([1, 0, -1]);
    for (const zero of [-0, 1e-320, -1e-320, 9e-13]) {
      expect(pointInRing(zero, 1, SQUARE)).toBe(0);
      expect(pointInRing(1, zero, SQUARE)).toBe(0);
      expect(pointInRing(0, 1, [zero, zero, 2, 0, 2, 2, zero, 2])).toBe(0);
    }
    expect(pointInRing(-1e-12, 1, SQUARE)).toBe(-1);
    expect(pointInRing(1e-12, 1, SQUARE)).toBe(1);
  });

  test('a vertex is on the boundary, whatever the directions of its edges', () => {
    const around = [[-2, -1], [-1, -2], [0, -2], [1, -2], [2, -1], [2, 0], [2, 1], [1, 2], [0, 2], [-1, 2], [-2, 1], [-2, 0]] as const; // biome-ignore format: places
    for (const from of around) {
      for (const to of around) {
        expect(pointInRing(0, 0, [...from, 0, 0, ...to])).toBe(0);
        expect(pointInRing(0, 0, [0, 0, ...to, 9, 9, ...from])).toBe(0);
      }
    }
  });

  test('applies the even-odd rule to a bow-tie, a figure of eight and a ring drawn twice', () => {
    const bowTie = [0, 0, 2, 2, 2, 0, 0, 2];
    expect([pointInRing(0.5, 1, bowTie), pointInRing(1, 0.5, bowTie), pointInRing(1, 1, bowTie)]).toEqual([
      1, -1, 0,
    ]);
    const eight = [0, 0, 1, 1, 2, 0, 2, 2, 1, 1, 0, 2];
    expect([pointInRing(0.5, 1, eight), pointInRing(1.5, 1, eight), pointInRing(1, 1, eight)]).toEqual([
      1, 1, 0,
    ]);
    expect(pointInRing(1, 1, [...SQUARE, ...SQUARE])).toBe(-1);
    expect(pointInRing(0, 1, [...SQUARE, ...SQUARE])).toBe(0);
  });

  test('decides the point (0.4, 1.6) at the edge (0, 2)–(2, 0) exactly (geos#1207)', () => {
    // The doubles 0.4 and 1.6 add up to slightly more than 2, so the point is not on the edge.
    expect(pointInRing(0.4, 1.6, [0, 0, 2, 0, 0, 2])).toBe(exactPointInRing(0.4, 1.6, [0, 0, 2, 0, 0, 2]));
    expect(pointInRing(0.4, 1.6, [0, 0, 2, 0, 0, 2])).toBe(-1);
  });

  test('equals exact rational arithmetic on adversarial cases, closed, half-open, and edge by edge', () => {
    const random = seeded(20_261);
    const cases = volume(200_000);
    const differences: unknown[] = [];
    const answers = { '-1': 0, '0': 0, '1': 0 };
    for (let number = 0; number < cases; number++) {
      const { x, y, ring } = ringCase(number, random);
      const exact = exactPointInRing(x, y, ring);
      answers[exact]++;
      const isSame = pointInRing(x, y, ring) === exact && edgesAgree(x, y, ring);
      if (!isSame) differences.push({ number, x, y, ring });
    }
    expect(differences).toEqual([]);
    for (const count of Object.values(answers)) expect(count).toBeGreaterThan(cases / 50);
  });

  test('the result is the same for the reversed, rotated and closed ring', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 31 }),
        fc.constantFrom(...Object.values(FAMILIES)),
        fc.nat(20),
        (seed, family, turns) => {
          const { x, y, ring } = family(seeded(seed));
          const points = Array.from({ length: ring.length / 2 }, (_, i) => ring.slice(2 * i, 2 * i + 2));
          const by = turns % points.length;
          const same = [
            points.toReversed().flat(),
            [...points.slice(by), ...points.slice(0, by)].flat(),
            [...ring, ...ring.slice(0, 2)],
          ];
          for (const other of same) expect(pointInRing(x, y, other)).toBe(pointInRing(x, y, ring));
        },
      ),
      { numRuns: volume(20_000), seed: 11 },
    );
  });
});

/** Whether `rayCrosses` over all edges equals the half-open rule (its mirror image with `onEdgeCounts`), and `onEdge` is exact. */
function edgesAgree(x: number, y: number, ring: readonly number[]): boolean {
  let above = false;
  let below = false;
  for (let i = 0; i < ring.length; i += 2) {
    const edge = [
      ...ring.slice(i, i + 2),
      ...(i + 2 < ring.length ? ring.slice(i + 2, i + 4) : ring.slice(0, 2)),
    ];
    const [ax, ay, bx, by] = edge as [number, number, number, number];
    if (onEdge(x, y, ax, ay, bx, by) !== exactOnEdge(x, y, ax, ay, bx, by)) return false;
    if (rayCrosses(x, y, ax, ay, bx, by, false)) above = !above;
    if (rayCrosses(x, y, ax, ay, bx, by, true)) below = !below;
  }
  const mirrored = ring.map((value, i) => (i % 2 === 0 ? value : -value));
  return (
    above === exactPointInRingHalfOpen(x, y, ring) && below === exactPointInRingHalfOpen(x, -y, mirrored)
  );
}
