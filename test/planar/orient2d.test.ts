import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planarArea, pointInRing, rayCrosses, segmentsCross } from '../../src/planar/orient2d.js';
import {
  exactDeterminant,
  exactMeeting,
  exactOnEdge,
  exactPointInRing,
  exactPointInRingHalfOpen,
} from '../oracle/exact.js';
import { seeded, volume } from '../volume.js';
import { FAMILIES, ringCase } from './adversarial.js';
import { crossingFractions } from './crossingFractions.js';
import { onEdge } from './onEdge.js';

describe('segmentsCross', () => {
  test('returns each kind of meeting', () => {
    expect(segmentsCross(0, 0, 2, 2, 0, 2, 2, 0)).toBe('cross');
    expect(segmentsCross(0, 0, 2, 2, 1, 1, 2, 0)).toBe('touch');
    expect(segmentsCross(0, 0, 2, 2, 2, 2, 3, 0)).toBe('touch');
    expect(segmentsCross(0, 0, 2, 0, 2, 0, 3, 0)).toBe('touch');
    expect(segmentsCross(0, 0, 2, 0, 1, 0, 3, 0)).toBe('overlap');
    expect(segmentsCross(0, 0, 0, 3, 0, 2, 0, 1)).toBe('overlap');
    expect(segmentsCross(0, 0, 2, 0, 3, 0, 4, 0)).toBe('none');
    expect(segmentsCross(0, 0, 2, 0, 0, 1, 2, 1)).toBe('none');
    expect(segmentsCross(0, 0, 1, 1, 3, 0, 2, 5)).toBe('none');
  });

  test('a segment of zero length is treated as one point', () => {
    expect(segmentsCross(1, 1, 1, 1, 0, 0, 2, 2)).toBe('touch');
    expect(segmentsCross(0, 0, 2, 2, 1, 1, 1, 1)).toBe('touch');
    expect(segmentsCross(1, 0, 1, 0, 0, 0, 2, 2)).toBe('none');
    expect(segmentsCross(1, 1, 1, 1, 1, 1, 1, 1)).toBe('touch');
    expect(segmentsCross(1, 1, 1, 1, 1, 2, 1, 2)).toBe('none');
    expect(segmentsCross(3, 3, 3, 3, 0, 0, 2, 2)).toBe('none');
  });
});

describe('crossingFractions', () => {
  test('returns the positions along a→b', () => {
    expect(crossingFractions(0, 0, 4, 0, 1, -1, 1, 1)).toEqual([0.25, 0.25]);
    expect(crossingFractions(0, 0, 4, 0, 3, 0, 1, 0)).toEqual([0.25, 0.75]);
    expect(crossingFractions(0, 0, 4, 0, 3, 0, 9, 0)).toEqual([0.75, 1]);
    expect(crossingFractions(4, 0, 0, 0, 3, 0, 9, 0)).toEqual([0, 0.25]);
    expect(crossingFractions(0, 0, 4, 0, -1, 0, 9, 0)).toEqual([0, 1]);
    expect(crossingFractions(0, 0, 0, 4, 0, 4, 5, 4)).toEqual([1, 1]);
    expect(crossingFractions(0, 0, 0, 4, -1, 1, 0, 1)).toEqual([0.25, 0.25]);
    expect(crossingFractions(0, 0, 0, 4, 1, 1, 2, 1)).toBeNull();
    expect(crossingFractions(1, 1, 1, 1, 0, 0, 2, 2)).toEqual([0, 1]);
    expect(crossingFractions(1, 0, 1, 0, 0, 0, 2, 2)).toBeNull();
  });

  test('is 0 or 1 only at the ends themselves', () => {
    expect(crossingFractions(1, 0, 1e-12, 0, 2e-12, -1, 2e-12, 1)?.[0]).toBeLessThan(1);
    expect(
      crossingFractions(1e-12, 0, 180, 0, 1.0000000000000002e-12, -1, 1.0000000000000002e-12, 1)?.[0],
    ).toBeGreaterThan(0);
    // The fraction differs from 1 by 1e-22, which rounds to 1.
    const nearEnd = 1 - 2 ** -53;
    expect(crossingFractions(-1e6, 0, 1, 0, nearEnd, -1, nearEnd, 1)).toEqual([nearEnd, nearEnd]);
    expect(crossingFractions(0, 1, 0, -1e6, -1, nearEnd, 1, nearEnd)?.[0]).toBeGreaterThan(0);
  });
});

test.each([
  [0.5000000000000002, 0.5000000000000001, 24, 24, 12, 12, 1.5000000000000002, 1.4999999999999998],
  [0.4999999999999999, 0.5, 24, 24, 12, 12, 1.5, 1.5000000000000002],
  [0.5, 0.4999999999999998, 24, 24, 12, 12, 2, 1.9999999999999998],
] as const)(
  'the fraction is right where plain areas round to 0: %d %d, %d %d',
  (ax, ay, bx, by, cx, cy, dx, dy) => {
    const [a, b] = [exactDeterminant(cx, cy, dx, dy, ax, ay), exactDeterminant(cx, cy, dx, dy, bx, by)].map(
      (area) => (area < 0n ? -area : area),
    ) as [bigint, bigint];
    const [from, to] = crossingFractions(ax, ay, bx, by, cx, cy, dx, dy)!;
    expect(from).toBe(to);
    expect(from).toBeCloseTo(Number((a << 64n) / (a + b)) / 2 ** 64, 14);
  },
);

test('meeting and fractions equal exact rational arithmetic on adversarial segments', () => {
  const random = seeded(31);
  const seen = { none: 0, touch: 0, cross: 0, overlap: 0 };
  const cases = volume(200_000);
  for (let number = 0; number < cases; number++) {
    const { x, y, ring } = ringCase(number, random);
    const [ax, ay, bx, by, ex, ey] = ring as [number, number, number, number, number, number];
    // The near-collinear point starts the second segment; every fifth of these segments continues along the first one.
    const alongFirst = number % 5 === 0;
    const [dx, dy] = alongFirst ? [2 * x - ax, 2 * y - ay] : [ex, ey];
    const segments = [ax, ay, bx, by, x, y, dx, dy] as const;
    const exact = exactMeeting(...segments);
    seen[exact.meeting]++;
    const where = `${segments.join(', ')} of case ${number}`;
    expect(segmentsCross(...segments), where).toBe(exact.meeting);
    expect(segmentsCross(x, y, dx, dy, bx, by, ax, ay), where).toBe(exact.meeting);
    checkFractions(segments, exact, where);
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(cases / 1000);
});

type Segments = readonly [number, number, number, number, number, number, number, number];

/** The ends are exact; at a fraction between them the point is as near to the other segment's line as rounding allows. */
function checkFractions(segments: Segments, exact: ReturnType<typeof exactMeeting>, where: string): void {
  const fractions = crossingFractions(...segments);
  if (exact.meeting === 'none') {
    expect(fractions, where).toBeNull();
    return;
  }
  const [ax, ay, bx, by, cx, cy, dx, dy] = segments.map((v) =>
    Math.abs(v) < 1e-12 ? 0 : v,
  ) as unknown as Segments;
  const [from, to] = fractions as [number, number];
  if (ax === bx && ay === by) {
    expect([from, to], where).toEqual([0, 1]);
    return;
  }
  expect([from === 0, from === 1, to === 0, to === 1], where).toEqual([
    exact.from === 0n,
    exact.from === exact.length,
    exact.to === 0n,
    exact.to === exact.length,
  ]);
  expect(from === to || exact.meeting === 'overlap', where).toBe(true);
  expect(from <= to, where).toBe(true);
  const toLine = Number(exactDeterminant(cx, cy, dx, dy, ax, ay)) * 2 ** -184;
  const toLineAtB = Number(exactDeterminant(cx, cy, dx, dy, bx, by)) * 2 ** -184;
  const extent =
    Math.max(ax, bx, cx, dx) - Math.min(ax, bx, cx, dx) + Math.max(ay, by, cy, dy) - Math.min(ay, by, cy, dy);
  const allowed = 2e-15 * extent * Math.hypot(dx - cx, dy - cy);
  for (const fraction of [from, to]) {
    expect(Math.abs((1 - fraction) * toLine + fraction * toLineAtB), where).toBeLessThanOrEqual(allowed);
  }
  if (exact.meeting === 'overlap') {
    const asNumber = (part: bigint): number => Number((part << 64n) / exact.length) / 2 ** 64;
    expect(Math.abs(from - asNumber(exact.from)), where).toBeLessThan(1e-15);
    expect(Math.abs(to - asNumber(exact.to)), where).toBeLessThan(1e-15);
  }
}

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

test('the area is positive if counterclockwise, for open and closed rings, from any vertex', () => {
  // A box of 4 by 2 with a box of 2 by 3 on top; then sheared along x and along y, which keeps the area.
  const upright = [1, 2, 5, 2, 5, 4, 3, 4, 3, 7, 1, 7];
  const points = Array.from({ length: 6 }, (_, i) => [upright[2 * i]!, upright[2 * i + 1]!] as const);
  const slanted = points.map(([x, y]) => [x + 3 * y, y] as const);
  for (const ring of [points, slanted, slanted.map(([x, y]) => [x, y - 2 * x] as const)]) {
    for (let first = 0; first < ring.length; first++) {
      const turned = [...ring.slice(first), ...ring.slice(0, first)];
      expect(planarArea(turned)).toBe(14);
      expect(planarArea([...turned, turned[0]!])).toBe(14);
      expect(planarArea(turned.toReversed())).toBe(-14);
    }
  }
  expect(planarArea([[3, 4]])).toBe(0);
});
