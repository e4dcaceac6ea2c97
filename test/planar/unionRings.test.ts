import GeoJSONReader from 'jsts/org/locationtech/jts/io/GeoJSONReader.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';
import { describe, expect, test } from 'vitest';
import { crossingPixel, passes } from '../../src/planar/compareCrossings.js';
import { joinRings } from '../../src/planar/curves.js';
import { snapRound } from '../../src/planar/snapRound.js';
import { type RingsOfPolygon, unionRings } from '../../src/planar/unionRings.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { gridMeeting, type Point } from './grid.js';

/** The part of jsts that is used here; its types leave it out. */
const Reader = GeoJSONReader as unknown as new () => { read(geometry: object): object };
const ValidOperation = IsValidOp as unknown as new (
  geometry: object,
) => { isValid(): boolean; getValidationError(): unknown };

function faults(polygons: readonly RingsOfPolygon[]): string | null {
  const closed = (ring: readonly number[]): Point[] => {
    const points = Array.from({ length: ring.length / 2 }, (_, i): Point => [ring[2 * i]!, ring[2 * i + 1]!]);
    return [...points, points[0]!];
  };
  const coordinates = polygons.map((rings) => rings.map(closed));
  if (coordinates.length === 0) return null;
  const operation = new ValidOperation(new Reader().read({ type: 'MultiPolygon', coordinates }));
  return operation.isValid() ? null : String(operation.getValidationError());
}

/** Winding number around a point, from the angles of its view of the edges. */
function turns(rings: readonly (readonly number[])[], x: number, y: number): number {
  let sum = 0;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const j = (i + 2) % ring.length;
      const [ax, ay, bx, by] = [ring[i]! - x, ring[i + 1]! - y, ring[j]! - x, ring[j + 1]! - y];
      sum += Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
  }
  return Math.round(sum / (2 * Math.PI)) + 0;
}

/** Distance from a point to the nearest edge. */
function clearance(rings: readonly (readonly number[])[], x: number, y: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const j = (i + 2) % ring.length;
      const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[j]!, ring[j + 1]!];
      const length = (bx - ax) ** 2 + (by - ay) ** 2;
      const t = length === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length;
      const at = Math.max(0, Math.min(1, t));
      best = Math.min(best, Math.hypot(x - ax - at * (bx - ax), y - ay - at * (by - ay)));
    }
  }
  return best;
}

const area = (ring: readonly number[]): number => {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    sum += (ring[i]! * ring[j + 1]! - ring[j]! * ring[i + 1]!) / 2;
  }
  return sum;
};

function union(rings: readonly number[][], step: number): RingsOfPolygon[] {
  return unionRings(joinRings(rings), step, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)!;
}

describe('unionRings', () => {
  // The rings also have negative windings, vertices on edges, overlapping edges, and sizes of a few steps.
  test.each([
    ['a grid of 5 by 5, in whole steps', 5, 1],
    ['a grid of 9 by 9, in whole steps', 9, 1],
    ['a grid of 5 by 5, in fine steps', 5, 2 ** -20],
    ['a grid of 1,000 by 1,000, in fine steps', 1000, 2 ** -20],
    ['a grid of 1,000 by 1,000, in steps of 16', 1000, 16],
  ])('any rings on %s give valid polygons with a positive winding number inside', (_name, size, step) => {
    const random = seeded(size + step);
    for (let round = 0; round < volume(8000); round++) {
      const whole = (): number => Math.floor(random() * (size + 1));
      const rings = Array.from({ length: 1 + Math.floor(random() * 5) }, () =>
        Array.from({ length: 2 * (3 + Math.floor(random() * 6)) }, whole),
      );
      const polygons = union(rings, step);
      expect({ rings, fault: faults(polygons) }).toEqual({ rings, fault: null });
      for (const [shell, ...holes] of polygons) {
        expect(area(shell!)).toBeGreaterThan(0);
        for (const hole of holes) expect(area(hole)).toBeLessThan(0);
      }
      const united = polygons.flat();
      for (let k = 0; k < 12; k++) {
        const [x, y] = [random() * size, random() * size];
        if (clearance(rings, x, y) <= Math.max(0.71 * step, 1e-6)) continue;
        expect({ rings, x, y, inside: turns(united, x, y) }).toEqual({
          rings,
          x,
          y,
          inside: turns(rings, x, y) > 0 ? 1 : 0,
        });
      }
    }
  });

  test('two triangles that touch at one vertex are both kept', () => {
    const polygons = union(
      [
        [0, 0, 2, 0, 1, 2],
        [1, 2, 2, 4, 0, 4],
      ],
      1,
    );
    expect(polygons.map((rings) => rings.map(area))).toEqual([[2], [2]]);
    expect(faults(polygons)).toBeNull();
  });

  test('keeps a hole that touches its shell and a hole in an island in a hole, and stops at the limit', () => {
    const square = (low: number, high: number): number[] => [low, low, high, low, high, high, low, high];
    const reversed = (ring: number[]): number[] => {
      const points = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
      return points.reverse().flat();
    };
    const nested = [square(0, 90), reversed(square(10, 80)), square(20, 70), reversed(square(30, 60))];
    const polygons = union(nested, 1);
    expect(polygons.map((rings) => rings.map(area)).sort((p, q) => q[0]! - p[0]!)).toEqual(
      wkt('8100 -4900, 2500 -900'),
    );
    const touching = union([square(0, 9), reversed([0, 3, 4, 2, 4, 6])], 1);
    expect(touching.map((rings) => rings.length)).toEqual([2]);
    expect(faults(touching)).toBeNull();
    expect(unionRings(joinRings([square(0, 9), square(5, 20)]), 1, 1, 99)).toBeNull();
    expect(union([[0, 0, 5, 5, 0, 0]], 1)).toEqual([]);
    expect(union([], 1)).toEqual([]);
  });
});

describe('snapRound', () => {
  test('edges meet only at common ends, and no point is further from the curves than half a diagonal of the grid', () => {
    const random = seeded(77);
    for (let round = 0; round < volume(2000); round++) {
      const size = 3 + Math.floor(random() * 40);
      const rings = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
        Array.from({ length: 2 * (3 + Math.floor(random() * 5)) }, () => random() * size),
      );
      const noded = snapRound(joinRings(rings), 1, 1e9, 1e9)!;
      const at = (p: number): Point => [noded.points[2 * p]!, noded.points[2 * p + 1]!];
      const edges: [Point, Point][] = [];
      const seen = new Set<string>();
      for (let c = 0; c + 1 < noded.starts.length; c++) {
        for (let k = noded.starts[c]!; k + 1 < noded.starts[c + 1]!; k++) {
          const [p, q] = [noded.chain[k]!, noded.chain[k + 1]!];
          const key = [Math.min(p, q), Math.max(p, q)].join();
          if (p !== q && !seen.has(key)) edges.push([at(p), at(q)]);
          seen.add(key);
        }
      }
      const same = (p: Point, q: Point): boolean => p[0] === q[0] && p[1] === q[1];
      edges.forEach((e, i) => {
        for (const f of edges.slice(i + 1)) {
          const { meeting, at: where } = gridMeeting(e, f);
          const share = e.some((p) => f.some((q) => same(p, q)));
          expect(meeting === 'none' || (meeting === 'touch' && share && where !== null)).toBe(true);
        }
      });
      for (const point of noded.chain)
        expect(clearance(rings, ...at(point))).toBeLessThan(Math.SQRT1_2 + 0.71);
    }
  });

  test('a square contains its left and lower sides and no others', () => {
    expect(passes(-1, -0.5, 5, -0.5, 0, 0)).toBe(true);
    expect(passes(-1, 0.5, 5, 0.5, 0, 0)).toBe(false);
    expect(passes(-0.5, -3, -0.5, 3, 0, 0)).toBe(true);
    expect(passes(0.5, -3, 0.5, 3, 0, 0)).toBe(false);
    // These pass through the corners.
    expect(passes(-1, 0, 0, 1, 0, 0)).toBe(false);
    expect(passes(0, -1, 1, 0, 0, 0)).toBe(false);
    expect(passes(-1, 0, 0, -1, 0, 0)).toBe(true);
    expect(passes(0, 1, 1, 0, 0, 0)).toBe(false);
    expect(passes(-3, -3, 3, 3, 0, 0)).toBe(true);
    expect(passes(-3, 3, 3, -3, 0, 0)).toBe(true);
  });

  test('the square of a crossing equals that of exact rationals, also for edges of 2^46', () => {
    const random = seeded(78);
    for (let round = 0; round < volume(4000); round++) {
      const size = 2 ** (3 + Math.floor(random() * 43));
      const xy = Float64Array.from({ length: 8 }, () => Math.round(random() * size));
      const [ax, ay, bx, by, cx, cy, dx, dy] = Array.from(xy, (v) => BigInt(v));
      const whole = (bx! - ax!) * (dy! - cy!) - (by! - ay!) * (dx! - cx!);
      if (whole === 0n) continue;
      const t = (cx! - ax!) * (dy! - cy!) - (cy! - ay!) * (dx! - cx!);
      const u = (cx! - ax!) * (by! - ay!) - (cy! - ay!) * (bx! - ax!);
      const inside = (v: bigint): boolean => (whole > 0n ? v >= 0n && v <= whole : v <= 0n && v >= whole);
      if (!inside(t) || !inside(u)) continue;
      const [x, y] = crossingPixel(xy, 0, 2);
      const holds = (from: bigint, step: bigint, pixel: number): boolean => {
        // −1/2 ≤ from + t / whole · step − pixel < 1/2, times `whole`.
        const sign = whole > 0n ? 1n : -1n;
        const doubled = sign * 2n * ((from - BigInt(pixel)) * whole + t * step);
        return doubled >= -sign * whole && doubled < sign * whole;
      };
      expect(holds(ax!, bx! - ax!, x) && holds(ay!, by! - ay!, y)).toBe(true);
    }
  });
});
