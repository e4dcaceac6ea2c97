import { booleanOpD, ClipType, FillRule } from 'clipper2-ts';
import { describe, expect, test } from 'vitest';
import { compareCrossings, crossingFraction } from '../../src/planar/compareCrossings.js';
import { findCrossings } from '../../src/planar/crossings.js';
import { boxTree, joinRings } from '../../src/planar/curves.js';
import { joinBySeams } from '../../src/planar/joinBySeams.js';
import { edgeX, nearestOnLeft } from '../../src/planar/nearestOnLeft.js';
import { segmentsCross } from '../../src/planar/orient2d.js';
import { ringsMeet } from '../../src/planar/ringsMeet.js';
import { windingRings } from '../../src/planar/windingRings.js';
import { seeded, volume } from '../volume.js';

type Random = () => number;

/** A star around (x, y) with winding number `turn`. */
function star(random: Random, x: number, y: number, reach: number, turn: 1 | 2 | -1 = 1): number[] {
  const count = Math.abs(turn) * (4 + Math.floor(random() * 12));
  return Array.from({ length: count }, (_, k) => {
    const angle = (turn * 2 * Math.PI * (k + 0.7 * random())) / count;
    const radius = reach * (0.4 + 0.6 * random());
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  }).flat();
}

/** Winding number of a ring around a point, from the angles of its view of the edges. */
function turnsAround(ring: ArrayLike<number>, x: number, y: number): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    const [ax, ay, bx, by] = [ring[i]! - x, ring[i + 1]! - y, ring[j]! - x, ring[j + 1]! - y];
    sum += Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return Math.round(sum / (2 * Math.PI)) + 0;
}

const signedArea = (ring: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    sum += ring[i]! * ring[j + 1]! - ring[j]! * ring[i + 1]!;
  }
  return sum / 2;
};

function union(rings: readonly number[][]): Float64Array[] {
  const found = windingRings(joinRings(rings), Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  if (typeof found === 'string') throw new Error(found);
  expect(found.cuts !== null && ringsMeet(found.rings, found.cuts)).toBe(false);
  return found.rings;
}

describe('windingRings', () => {
  test('for stars, rings with holes and curves with two turns the union equals winding numbers at random points, and clipper2', () => {
    const random = seeded(31);
    for (let round = 0; round < volume(4000); round++) {
      const curves: number[][] = [];
      const spread = 1 + random() * 6;
      for (let k = Math.floor(random() * 12); k >= 0; k--) {
        const [x, y] = [(random() - 0.5) * spread, (random() - 0.5) * spread];
        const kind = random();
        if (kind < 0.7) curves.push(star(random, x, y, 1));
        else if (kind < 0.85) curves.push(star(random, x, y, 3), star(random, x, y, 0.25, -1));
        else curves.push(star(random, x, y, 1.2, 2));
      }
      const rings = union(curves);
      expect(ringsMeet(rings)).toBe(false);
      for (let k = 0; k < 20; k++) {
        const [x, y] = [(random() - 0.5) * (spread + 2), (random() - 0.5) * (spread + 2)];
        const turns = curves.reduce((sum, curve) => sum + turnsAround(curve, x, y), 0);
        const inside = rings.reduce((sum, ring) => sum + turnsAround(ring, x, y), 0);
        expect({ round, k, inside }).toEqual({ round, k, inside: turns > 0 ? 1 : 0 });
      }
      const paths = curves.map((curve) =>
        Array.from({ length: curve.length / 2 }, (_, i) => ({
          x: curve[2 * i]!,
          y: curve[2 * i + 1]!,
          z: 0,
        })),
      );
      const twin = booleanOpD(ClipType.Union, paths, null, FillRule.Positive, 8).reduce(
        (sum, path) => sum + signedArea(path.flatMap(({ x, y }) => [x, y])),
        0,
      );
      expect(rings.reduce((sum, ring) => sum + signedArea(ring), 0)).toBeCloseTo(twin, 4);
    }
  });

  test('reports more crossings than the limit, and negative winding numbers', () => {
    const [a, b] = [star(seeded(1), 0, 0, 1), star(seeded(2), 0.1, 0, 1)];
    expect(windingRings(joinRings([a, b]), 0, Number.POSITIVE_INFINITY)).toBe('too-many-crossings');
    expect(windingRings(joinRings([a, b]), Number.POSITIVE_INFINITY, 0)).toBe('too-many-crossings');
    expect(windingRings(joinRings([star(seeded(1), 0, 0, 1, -1)]), 9, 9e9)).toBe('inconsistent');
  });

  test('crossings on one edge are in exact order, even if their fractions are equal', () => {
    // Two edges through (±2^-60, 0) cross a third one of length 1: their fractions round to the same double.
    const tiny = 2 ** -60;
    const xy = Float64Array.of(-0.5, 0, 0.5, 0, tiny, -1, tiny, 1, -tiny, -1, -tiny, 1);
    expect(crossingFraction(xy, 0, 2)).toBe(crossingFraction(xy, 0, 4));
    const t = crossingFraction(xy, 0, 2);
    expect(compareCrossings(xy, 0, 2, 4, t, t)).toBeGreaterThan(0);
    expect(compareCrossings(xy, 0, 4, 2, t, t)).toBeLessThan(0);
    expect(compareCrossings(xy, 0, 2, 2, t, t)).toBe(0);
  });

  test('rings meet only at cuts, also for thin triangles that end next to edges and crossings of others', () => {
    const random = seeded(34);
    const seen = { meet: 0, withoutCuts: 0, withCuts: 0 };
    for (let round = 0; round < volume(40_000); round++) {
      const curves = [star(random, 0, 0, 1), star(random, random(), random(), 1)];
      const near = 10 ** (-7 - 10 * random());
      const { xy } = joinRings(curves);
      for (let k = 0; k < 3; k++) {
        // The tip is next to a point between two points of the others, in most cases along an edge.
        const i = 2 * Math.floor((random() * xy.length) / 2);
        const j = random() < 0.8 ? (i + 2) % xy.length : 2 * Math.floor((random() * xy.length) / 2);
        const t = random() < 0.2 ? 0 : random();
        const x = xy[i]! + t * (xy[j]! - xy[i]!) + near * (random() - 0.5);
        const y = xy[i + 1]! + t * (xy[j + 1]! - xy[i + 1]!) + near * (random() - 0.5);
        const [dx, dy] = [random() - 0.5, random() - 0.5];
        const wide = random() < 0.5 ? 1 : 10 ** (-12 * random());
        curves.push([x, y, x + dx, y + dy, x + dx - wide * dy, y + dy + wide * dx]);
      }
      const found = windingRings(joinRings(curves), 1e9, 1e9);
      if (typeof found === 'string' || found.touches) continue;
      const { rings, cuts } = found;
      const doMeet = ringsMeet(rings);
      expect({ round, meet: cuts !== null && ringsMeet(rings, cuts) }).toEqual({ round, meet: doMeet });
      if (doMeet) seen.meet++;
      else if (cuts === null) seen.withoutCuts++;
      else seen.withCuts++;
    }
    // Tips at a distance of 1e-11 or more are proved apart; some of the others meet.
    expect(seen.meet).toBeGreaterThan(volume(40_000) / 1000);
    expect(seen.withoutCuts).toBeGreaterThan(volume(40_000) / 10);
  });

  test('finds the same crossings as the test of all pairs', () => {
    const random = seeded(32);
    for (let round = 0; round < volume(600); round++) {
      const curves = joinRings(Array.from({ length: 3 }, () => star(random, random(), random(), 1)));
      const found = findCrossings(curves, boxTree(curves), 1e9, 1e9)!;
      const wanted: string[] = [];
      const { xy } = curves;
      const at = (i: number): [number, number, number, number] => [
        xy[2 * i]!,
        xy[2 * i + 1]!,
        xy[2 * i + 2]!,
        xy[2 * i + 3]!,
      ];
      const last = new Set(Array.from(curves.starts, (start) => start - 1));
      for (let j = 1; j < xy.length / 2; j++) {
        for (let i = 0; i < j; i++) {
          if (!last.has(i) && !last.has(j) && segmentsCross(...at(i), ...at(j)) === 'cross')
            wanted.push(`${i} ${j}`);
        }
      }
      const pairs = Array.from({ length: found.count }, (_, k) => `${found.first[k]} ${found.second[k]}`);
      expect(pairs.sort()).toEqual(wanted.sort());
    }
  });
});

describe('ringsMeet', () => {
  const square = [0, 0, 1, 0, 1, 1, 0, 1];

  test.each([
    ['apart', [square, [2, 0, 3, 0, 3, 1]], false],
    ['one in the other', [square, [0.2, 0.2, 0.4, 0.2, 0.3, 0.4]], false],
    ['at a vertex', [square, [1, 1, 2, 1, 2, 2]], true],
    ['along an edge', [square, [1, 0.2, 2, 0, 2, 1, 1, 0.8]], true],
    ['across', [square, [0.5, 0.5, 2, 0.4, 2, 0.6]], true],
    ['a bow-tie', [[0, 0, 1, 1, 1, 0, 0, 1]], true],
    ['a spike', [[0, 0, 1, 0, 1, 1, 1, 0.5]], true],
    ['a repeated vertex', [[0, 0, 1, 0, 1, 0, 1, 1]], true],
    ['a triangle', [[0, 0, 1, 0, 1, 1]], false],
  ] as [string, number[][], boolean][])('%s', (_name, rings, meet) => {
    expect(ringsMeet(rings)).toBe(meet);
  });
});

describe('joinBySeams', () => {
  test('the joined ring has the same area and winding numbers as all rings together', () => {
    const random = seeded(33);
    for (let round = 0; round < volume(600); round++) {
      const holes = Array.from({ length: Math.floor(random() * 9) }, (_, k) =>
        star(random, 3 * (k % 3) + random(), 3 * Math.floor(k / 3) + random(), 0.9, -1),
      );
      const rings = [[-3, -3, 10, -4, 11, 10, -4, 11], ...holes];
      const joined = joinBySeams(rings);
      expect(signedArea(joined)).toBeCloseTo(
        rings.reduce((sum, ring) => sum + signedArea(ring), 0),
        9,
      );
      for (let k = 0; k < 20; k++) {
        const [x, y] = [random() * 14 - 3, random() * 14 - 3];
        const inside = rings.reduce((sum, ring) => sum + turnsAround(ring, x, y), 0);
        expect(turnsAround(joined, x, y)).toBe(inside);
      }
    }
  });

  test('a ring with nothing on its left is joined to the first one', () => {
    const joined = joinBySeams([
      [0, 0, 1, 0, 1, 1],
      [-5, 5, -4, 5, -4, 6],
    ]);
    expect(signedArea(joined)).toBeCloseTo(1, 12);
  });

  test('nearestOnLeft returns the nearest edge on the left', () => {
    const curves = joinRings([
      [0, 0, 1, 0, 1, 1, 0, 1],
      [2, 0, 3, 0, 3, 1, 2, 1],
    ]);
    const at = (x: number): number => nearestOnLeft(curves, boxTree(curves), x, 0.5, null);
    expect(edgeX(curves.xy, at(5), 0.5)).toBe(3);
    expect(edgeX(curves.xy, at(1.5), 0.5)).toBe(1);
    expect(at(-1)).toBe(-1);
  });
});
