import { describe, expect, test } from 'vitest';
import { compareCrossings, crossingFraction } from '../../src/planar/compareCrossings.js';
import { findCrossings } from '../../src/planar/crossings.js';
import { boxTree, joinRings } from '../../src/planar/curves.js';
import { joinBySeams } from '../../src/planar/joinBySeams.js';
import { edgeX, nearestOnLeft, windingNumber } from '../../src/planar/nearestOnLeft.js';
import { sortPoints } from '../../src/planar/sweepLine.js';
import { windingRings } from '../../src/planar/windingRings.js';
import { seeded } from '../volume.js';
import { area, edgesOf, flat, gridMeeting, isInside, type Point } from './grid.js';

/** The crossing of two edges, by Cramer's rule. */
function placeOf(xy: Float64Array, e: number, f: number): readonly [number, number] {
  const [ax, ay, bx, by] = xy.subarray(2 * e, 2 * e + 4);
  const [cx, cy, dx, dy] = xy.subarray(2 * f, 2 * f + 4);
  const whole = (bx! - ax!) * (dy! - cy!) - (by! - ay!) * (dx! - cx!);
  const t = ((cx! - ax!) * (dy! - cy!) - (cy! - ay!) * (dx! - cx!)) / whole;
  return [ax! + t * (bx! - ax!), ay! + t * (by! - ay!)];
}

describe('sortPoints', () => {
  /** Compares the sorted coordinates with those of a plain sort. */
  function expectSorted(x: Float64Array, y: Float64Array): void {
    const order = sortPoints(x, y);
    expect([...order].sort((p, q) => p - q)).toEqual(Array.from(x, (_, i) => i));
    const wanted = Array.from(x, (value, i) => [value, y[i]!] as const).sort(
      (p, q) => p[0] - q[0] || p[1] - q[1],
    );
    expect(Array.from(order, (i) => [x[i], y[i]])).toEqual(wanted);
  }

  test.each([0, 1, 2, 255, 256, 257, 3000])('%i points: by x, then y', (count) => {
    const random = seeded(count + 1);
    const of = (value: () => number): Float64Array => Float64Array.from({ length: count }, value);
    expectSorted(of(random), of(random));
    // Few positions: long runs of one x, and points on top of each other.
    expectSorted(
      of(() => Math.floor(random() * 40)),
      of(() => Math.floor(random() * 5)),
    );
    // Pairs and triples that differ only in the comparison after the sort by keys.
    expectSorted(
      of(() => Math.floor(random() * count) * 1e-12 + Math.round(random())),
      of(random),
    );
    expectSorted(
      of(() => -180 + 360 * random()),
      of(() => 1),
    );
    // Pairs that differ only in that comparison, in either order.
    expectSorted(
      Float64Array.from({ length: count }, (_, i) => (i >> 1) + (i % 3) * 1e-12),
      of(random),
    );
    // All on one vertical line.
    expectSorted(
      of(() => 7),
      of(random),
    );
    expectSorted(
      of(() => (random() < 0.5 ? -1e300 : random())),
      of(random),
    );
  });
});

describe('the order of crossings along an edge', () => {
  // Edge 0 goes from (0, 0) to (8, 0); the others cross it.
  const xy = Float64Array.from([0, 0, 8, 0, 2, -1, 2, 1, 6, 2, 6, -2, 1, -1, 3, 1, 8, 0, 0, 0, 0, 5, 8, 5]);

  test('the fraction is measured along the first edge, from its start', () => {
    expect(crossingFraction(xy, 0, 2)).toBe(0.25);
    expect(crossingFraction(xy, 0, 4)).toBe(0.75);
    expect(crossingFraction(xy, 0, 6)).toBe(0.25);
    expect(crossingFraction(xy, 8, 2)).toBe(0.75);
    expect(crossingFraction(xy, 2, 0)).toBe(0.5);
    expect(crossingFraction(xy, 0, 10)).toBe(0);
  });

  test('distant crossings are ordered by the given fractions, near ones by exact areas, in either direction of the edges', () => {
    expect(compareCrossings(xy, 0, 2, 4, 0.25, 0.75)).toBe(-0.5);
    expect(compareCrossings(xy, 0, 4, 2, 0.75, 0.25)).toBe(0.5);
    for (const t of [0.2, 0.5]) {
      expect(compareCrossings(xy, 0, 2, 4, t, t)).toBe(-1);
      expect(compareCrossings(xy, 0, 4, 2, t, t)).toBe(1);
      expect(compareCrossings(xy, 0, 2, 6, t, t)).toBe(0);
      expect(compareCrossings(xy, 0, 6, 4, t, t)).toBe(-1);
      expect(compareCrossings(xy, 8, 2, 4, t, t)).toBe(1);
      expect(compareCrossings(xy, 8, 4, 2, t, t)).toBe(-1);
    }
  });

  test('crossings 2^-51 apart are distinguished', () => {
    const near = Float64Array.from([0, 0, 8, 0, 2, -1, 2, 1, 2 + 2 ** -51, 1, 2 + 2 ** -51, -1]);
    const [f, g] = [crossingFraction(near, 0, 2), crossingFraction(near, 0, 4)];
    expect(compareCrossings(near, 0, 2, 4, f, g)).toBe(-1);
    expect(compareCrossings(near, 0, 4, 2, g, f)).toBe(1);
  });
});

/** Rings of a few vertices with whole coordinates. */
function lumps(random: () => number, count: number): Point[][] {
  return Array.from({ length: count }, () => {
    const [x, y] = [random() * 400, random() * 400];
    const points = 3 + Math.floor(random() * 14);
    return Array.from({ length: points }, (_, k) => {
      const angle = (2 * Math.PI * (k + 0.6 * random())) / points;
      const radius = 30 + 90 * random();
      return [Math.round(x + radius * Math.cos(angle)), Math.round(y + radius * Math.sin(angle))] as const;
    });
  });
}

/** Winding number around a point that is at the height of no vertex. */
function turns(rings: readonly Point[][], [x, y]: Point): number {
  let sum = 0;
  for (const [a, b] of rings.flatMap(edgesOf)) {
    if (a[1] > y === b[1] > y) continue;
    if (a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0]) < x) sum += a[1] > y ? 1 : -1;
  }
  return sum;
}

describe('winding numbers, edges on the left, crossings and unions of rings with whole coordinates', () => {
  const random = seeded(71);
  const CASES = Array.from({ length: 36 }, (_, k) => lumps(random, 1 + (k % 7)));

  test('the winding number and the next edge on the left equal those of all edges', () => {
    for (const rings of CASES) {
      const curves = joinRings(rings.map(flat));
      const tree = boxTree(curves);
      for (let k = 0; k < 25; k++) {
        const point = [
          Math.floor(random() * 500 - 50) + 0.25,
          Math.floor(random() * 500 - 50) + 0.5,
        ] as const;
        expect(windingNumber(curves, tree, ...point)).toBe(turns(rings, point));
        const alone = joinRings([flat(rings[0]!)]);
        const wanted = edgesOf(rings[0]!)
          .filter(([a, b]) => a[1] > point[1] !== b[1] > point[1])
          .map(([a, b]) => a[0] + ((point[1] - a[1]) / (b[1] - a[1])) * (b[0] - a[0]))
          .filter((x) => x < point[0]);
        const found = nearestOnLeft(alone, boxTree(alone), ...point, null);
        if (wanted.length === 0) expect(found).toBe(-1);
        else expect(edgeX(alone.xy, found, point[1])).toBeCloseTo(Math.max(...wanted), 9);
      }
    }
  });

  test('at the height of a vertex each crossing counts once', () => {
    const curves = joinRings([[0, 0, 2, 2, 0, 4, -2, 2]]);
    const tree = boxTree(curves);
    const at = (x: number, y: number): number => windingNumber(curves, tree, x, y);
    expect([at(0, 2), at(3, 2), at(-3, 2), at(3, 0), at(3, 4), at(1, 2), at(-1, 2), at(2.5, 2)]).toEqual([
      1, 0, 0, 0, 0, 1, 1, 0,
    ]);
    const left = (x: number, y: number): number => nearestOnLeft(curves, tree, x, y, null);
    expect(edgeX(curves.xy, left(3, 2), 2)).toBe(2);
    expect(edgeX(curves.xy, left(2, 2), 2)).toBe(-2);
    expect(left(3, 4)).toBe(-1);
  });

  test('crossings inside both edges are found, each with its direction, up to a limit', () => {
    for (const rings of CASES) {
      const curves = joinRings(rings.map(flat));
      const found = findCrossings(curves, boxTree(curves), Infinity, Infinity)!;
      const edges: (readonly [Point, Point] | null)[] = rings.flatMap((ring) => [...edgesOf(ring), null]);
      const wanted: string[] = [];
      edges.forEach((p, i) => {
        edges.forEach((q, j) => {
          if (j <= i || p === null || q === null || gridMeeting(p, q).meeting !== 'cross') return;
          wanted.push(`${i} ${j} ${area(p[0], p[1], q[1]) > 0 ? 1 : 0}`);
        });
      });
      const got = Array.from(
        { length: found.count },
        (_, k) => `${found.first[k]} ${found.second[k]} ${found.upward[k]}`,
      );
      // An end may lie on an edge; this is a touch, reported by `touches`.
      if (!found.touches) expect(got.sort()).toEqual(wanted.sort());
      else for (const one of wanted) expect(got).toContain(one);
      if (found.count > 0) {
        expect(findCrossings(curves, boxTree(curves), found.count - 1, Infinity)).toBeNull();
        expect(findCrossings(curves, boxTree(curves), found.count, Infinity)!.count).toBe(found.count);
        expect(findCrossings(curves, boxTree(curves), Infinity, 0)).toBeNull();
      }
    }
  });

  test('`touches` reports an end on an edge, but not the common end of neighbours', () => {
    const hasTouch = (...rings: number[][]): boolean => {
      const curves = joinRings(rings);
      return findCrossings(curves, boxTree(curves), Infinity, Infinity)!.touches;
    };
    expect(hasTouch([0, 0, 4, 0, 4, 4, 0, 4])).toBe(false);
    expect(hasTouch([0, 0, 4, 0, 4, 4, 0, 4], [4, 2, 8, 1, 8, 3])).toBe(true);
    expect(hasTouch([0, 4, 4, 4, 4, 0, 0, 0], [4, 2, 8, 1, 8, 3])).toBe(true);
    expect(hasTouch([4, 2, 8, 1, 8, 3], [0, 4, 4, 4, 4, 0, 0, 0])).toBe(true);
    expect(hasTouch([0, 0, 4, 0, 4, 4, 0, 4], [4, 2, 0.5, 1, 0.5, 3])).toBe(true);
    expect(hasTouch([0, 0, 4, 0, 4, 4, 0, 4], [5, 2, 8, 1, 8, 3])).toBe(false);
    expect(hasTouch([0, 0, 4, 0, 4, 4, 2, 0.5, 0, 4], [1, -1, 1, 0.25, 0, -1])).toBe(false);
  });

  test('the union covers each point with a positive winding number, and its new vertices are the crossings', () => {
    let united = 0;
    for (const rings of CASES) {
      const curves = joinRings(rings.map(flat));
      const found = windingRings(curves, Infinity, Infinity);
      const crossings = findCrossings(curves, boxTree(curves), Infinity, Infinity)!;
      if (crossings.touches) continue;
      if (typeof found === 'string') throw new Error(found);
      united++;
      expect(found.touches).toBe(false);
      const around = found.rings.map((ring) =>
        Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!] as const),
      );
      for (let k = 0; k < 40; k++) {
        const point = [random() * 500 - 50, random() * 500 - 50] as const;
        expect(turns(around, point)).toBe(turns(rings, point) > 0 ? 1 : 0);
      }
      const corners = new Set(rings.flat().map(String));
      const places = Array.from({ length: crossings.count }, (_, k) =>
        placeOf(curves.xy, crossings.first[k]!, crossings.second[k]!),
      );
      found.rings.forEach((_, r) => {
        around[r]!.forEach((point, i) => {
          if (corners.has(String(point))) expect(found.cuts?.[r] ?? []).not.toContain(i);
          else
            expect(Math.min(...places.map(([x, y]) => Math.hypot(x - point[0], y - point[1])))).toBeLessThan(
              1e-9,
            );
        });
      });
      if (crossings.count > 0)
        expect(windingRings(curves, crossings.count - 1, Infinity)).toBe('too-many-crossings');
    }
    expect(united).toBeGreaterThan(12);
  });

  test('a clockwise curve is inconsistent', () => {
    expect(windingRings(joinRings([[0, 0, 0, 1, 1, 1, 1, 0]]), 9, 99)).toBe('inconsistent');
    expect(windingRings(joinRings([[0, 0, 1, 0, 1, 1, 0, 1]]), 9, 99)).toEqual({
      rings: [Float64Array.of(0, 0, 1, 0, 1, 1, 0, 1)],
      cuts: null,
      touches: false,
      crossings: 0,
    });
    // One half of a figure of eight is clockwise.
    expect(windingRings(joinRings([[0, 0, 4, 4, 4, 0, 0, 5]]), 9, 99)).toBe('inconsistent');
  });

  test('the union of two squares is one ring', () => {
    const found = windingRings(joinRings([
      [0, 0, 2, 0, 2, 2, 0, 2],
      [1, 1, 3, 1, 3, 3, 1, 3],
    ]), 9, 999); // biome-ignore format: two rings
    if (typeof found === 'string') throw new Error(found);
    expect(found.rings).toHaveLength(1);
    const ring = Array.from(
      { length: 8 },
      (_, i) => `${found.rings[0]![2 * i]} ${found.rings[0]![2 * i + 1]}`,
    );
    const at = ring.indexOf('0 0');
    expect([...ring.slice(at), ...ring.slice(0, at)]).toEqual([
      '0 0',
      '2 0',
      '2 1',
      '3 1',
      '3 3',
      '1 3',
      '1 2',
      '0 2',
    ]);
    // Both crossings are far from everything else.
    expect(found.cuts).toBe(null);
  });

  test('a ring in a hole stays; a ring around everything removes the hole', () => {
    const outer = [0, 0, 9, 0, 9, 9, 0, 9];
    const hole = [1, 1, 1, 8, 8, 8, 8, 1];
    const inner = [3, 3, 5, 3, 5, 5, 3, 5];
    expect(windingRings(joinRings([outer, hole, inner]), 9, 999)).toMatchObject({
      rings: [outer, hole, inner].map((ring) => Float64Array.from(ring)),
    });
    const closing = [-1, -1, 10, -1, 10, 10, -1, 10];
    expect(windingRings(joinRings([outer, hole, closing]), 9, 999)).toMatchObject({
      rings: [Float64Array.from(closing)],
    });
  });
});

test('the lists grow when there are many crossings', () => {
  // Two crossing combs of 20 teeth each; a tooth has two edges.
  const comb = (turned: boolean): number[] =>
    Array.from({ length: 40 }, (_, k) => (k % 2 === 0 ? [k, -100] : [k, 100])).flatMap(([x, y]) =>
      turned ? [y! + 0.5, x! + 0.25] : [x!, y!],
    );
  const curves = joinRings([comb(false), comb(true)]);
  const found = findCrossings(curves, boxTree(curves), Infinity, Infinity)!;
  expect(found.count).toBeGreaterThan(1000);
  const pairs = new Set(
    Array.from({ length: found.count }, (_, k) => `${found.first[k]} ${found.second[k]}`),
  );
  expect(pairs.size).toBe(found.count);
  for (let k = 0; k < found.count; k++) {
    const at = (edge: number): readonly [Point, Point] => [
      [curves.xy[2 * edge]!, curves.xy[2 * edge + 1]!],
      [curves.xy[2 * edge + 2]!, curves.xy[2 * edge + 3]!],
    ];
    const [p, q] = [at(found.first[k]!), at(found.second[k]!)];
    expect(gridMeeting(p, q).meeting).toBe('cross');
    expect(found.upward[k]).toBe(area(p[0], p[1], q[1]) > 0 ? 1 : 0);
  }
});

describe('joinBySeams', () => {
  test('the seam of a hole is level: there, around the hole, and back', () => {
    expect(joinBySeams([[0, 0, 8, 0, 8, 8, 0, 8], [2, 3, 3, 5, 4, 3]])).toEqual([
      0, 0, 8, 0, 8, 8, 0, 8, 0, 3, 2, 3, 3, 5, 4, 3, 2, 3, 0, 3,
    ]); // biome-ignore format: x and y
  });

  test('a seam ends at the leftmost point of a hole, the lowest of several; seams on one edge are in its order, in either direction', () => {
    const holes = [
      [3, 6, 2, 5, 2, 6.5],
      [2, 1, 4, 1, 2, 2],
    ];
    const up = joinBySeams([[0, 0, 8, 0, 8, 8, 0, 8], ...holes]);
    expect(up.join()).toBe(
      [
        0, 0, 8, 0, 8, 8, 0, 8, 0, 5, 2, 5, 2, 6.5, 3, 6, 2, 5, 0, 5, 0, 1, 2, 1, 4, 1, 2, 2, 2, 1, 0, 1,
      ].join(),
    );
    const down = joinBySeams([[0, 8, 8, 8, 8, 0, 0, 0], ...holes]);
    expect(down.join()).toBe(
      [
        0, 8, 8, 8, 8, 0, 0, 0, 0, 1, 2, 1, 4, 1, 2, 2, 2, 1, 0, 1, 0, 5, 2, 5, 2, 6.5, 3, 6, 2, 5, 0, 5,
      ].join(),
    );
  });

  test('a hole to the right of a hole is joined to that hole; a ring outside is joined to the first point', () => {
    const joined = joinBySeams([
      [0, 0, 9, 0, 9, 4, 0, 4],
      [1, 1, 1, 3, 3, 2],
      [5, 2, 6, 3, 6, 1],
      [-5, 0, -4, 0, -4, 1],
    ]);
    const pairs = Array.from(
      { length: joined.length / 2 },
      (_, i) => `${joined[2 * i]} ${joined[2 * i + 1]}`,
    );
    expect(pairs).toContain('5 2');
    expect(pairs.filter((pair) => pair === '3 2').length).toBeGreaterThan(1);
    expect(pairs.slice(0, 6)).toEqual(['0 0', '-5 0', '-4 0', '-4 1', '-5 0', '0 0']);
    const ring = pairs.map((pair) => pair.split(' ').map(Number) as [number, number]);
    expect(isInside(ring, [2, 2.1])).toBe(false);
    expect(isInside(ring, [5.9, 2.1])).toBe(false);
    expect(isInside(ring, [4, 2.1])).toBe(true);
    expect(isInside(ring, [-4.1, 0.5])).toBe(true);
  });
});
