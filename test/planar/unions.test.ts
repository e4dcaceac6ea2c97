import { describe, expect, test } from 'vitest';
import { joinRings } from '../../src/planar/curves.js';
import { type WindingRings, windingRings } from '../../src/planar/windingRings.js';
import { seeded } from '../volume.js';
import { edgesOf, flat, type Point } from './grid.js';

/** Winding number around a point that is on no edge; counterclockwise is positive. */
function turns(rings: readonly (readonly Point[])[], [x, y]: Point): number {
  let sum = 0;
  for (const [a, b] of rings.flatMap(edgesOf)) {
    if (a[1] > y === b[1] > y) continue;
    if (a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0]) < x) sum += a[1] > y ? 1 : -1;
  }
  return sum;
}

/** Points close to both sides of each part of an edge between two crossings, so that each face has at least one. */
function probes(rings: readonly (readonly Point[])[]): Point[] {
  const edges = rings.flatMap(edgesOf).filter(([a, b]) => a[0] !== b[0] || a[1] !== b[1]);
  return edges.flatMap(([a, b]) => {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const at = edges.flatMap(([c, d]) => {
      const whole = dx * (d[1] - c[1]) - dy * (d[0] - c[0]);
      if (whole === 0) return [];
      const t = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / whole;
      return t > 0 && t < 1 ? [t] : [];
    });
    const sorted = [0, ...at.sort((p, q) => p - q), 1];
    const scale = 1e-6 / Math.hypot(dx, dy);
    return sorted.slice(1).flatMap((to, i): Point[] => {
      const from = sorted[i]!;
      if (to - from < 1e-3) return [];
      const t = from + 0.4637 * (to - from);
      const [x, y] = [a[0] + t * dx, a[1] + t * dy];
      return [
        [x - dy * scale, y + dx * scale],
        [x + dy * scale, y - dx * scale],
      ];
    });
  });
}

function pointsOf({ rings }: WindingRings): Point[][] {
  return rings.map((ring) =>
    Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!] as const),
  );
}

/** Boxes around everything. Each adds a turn, so that a clockwise ring inside has no negative winding number. */
const BOXES: readonly Point[][] = [1100, 1200, 1300].map((reach) => [
  [-reach, -reach],
  [reach, -reach],
  [reach, reach],
  [-reach, reach],
]); // biome-ignore format: points

describe('the union of rings that cross themselves and each other', () => {
  test.each([
    ['far apart', 1000, 70],
    ['on a small grid, where no point lies on an edge', 6, 240],
  ])(
    'covers the points with a positive winding number, %s; a negative one is inconsistent',
    (_, half, rounds) => {
      const random = seeded(half);
      const seen = { inconsistent: 0, right: 0 };
      for (let round = 0; round < rounds; round++) {
        const whole = (): number => Math.round((2 * random() - 1) * half);
        const drawn = Array.from({ length: 1 + (round % 5) }, () => {
          const ring = Array.from(
            { length: 3 + Math.floor(random() * 4) },
            () => [whole(), whole()] as const,
          );
          if (round % 2 === 0) return ring;
          // The leftmost point comes first.
          const least = Math.min(...ring.map(([x]) => x));
          const first = ring.findIndex(([x]) => x === least);
          return [...ring.slice(first), ...ring.slice(0, first)];
        });
        const boxes = BOXES.slice(0, round % 4);
        const rings = round % 3 === 0 ? [...drawn, ...boxes] : [...boxes, ...drawn];
        const found = windingRings(joinRings(rings.map(flat)), Infinity, Infinity);
        if (half < 1000 && (typeof found === 'string' || found.touches)) continue;
        const around = probes(rings);
        const wanted = around.map((point) => turns(rings, point));
        const isNegative = wanted.some((winding) => winding < 0);
        if (typeof found === 'string') {
          seen.inconsistent++;
          expect(found).toBe('inconsistent');
          expect({ rings, isNegative }).toEqual({ rings, isNegative: true });
          continue;
        }
        seen.right++;
        expect({ rings, isNegative }).toEqual({ rings, isNegative: false });
        const united = pointsOf(found);
        around.forEach((point, i) => {
          const inside = turns(united, point);
          if (inside !== (wanted[i]! > 0 ? 1 : 0))
            expect({ rings, point, inside }).toEqual({ rings, point, inside: wanted[i] });
        });
      }
      expect(seen.right).toBeGreaterThan(rounds / 20);
      if (half === 1000) expect(seen.inconsistent).toBeGreaterThan(rounds / 20);
    },
  );

  test('a leftmost side of three points gives the same union from each start of the ring', () => {
    const ring = [[0, 2], [0, 0], [4, 0], [4, 4], [0, 4]] as const; // biome-ignore format: points
    const other = [[3, 1], [9, 1], [9, 3], [3, 3]] as const; // biome-ignore format: points
    for (let first = 0; first < 5; first++) {
      const turned = [...ring.slice(first), ...ring.slice(0, first)];
      const alone = windingRings(joinRings([flat(turned)]), 9, 999);
      expect(alone).toEqual({
        rings: [Float64Array.from(flat(turned))],
        cuts: null,
        touches: false,
        crossings: 0,
      });
      const both = windingRings(joinRings([flat(turned), flat(other)]), 9, 999);
      expect(both).toMatchObject({ rings: [expect.any(Float64Array)], touches: false });
      expect(windingRings(joinRings([flat(turned.toReversed())]), 9, 999)).toBe('inconsistent');
    }
  });

  test('three edges through one point are inconsistent, since they have no order there', () => {
    const through = (x: number, y: number): number[] => [
      -x,
      -y,
      x,
      y,
      x - 9 * y,
      y + 9 * x,
      -x - 9 * y,
      -y + 9 * x,
    ];
    expect(windingRings(joinRings([through(4, 0), through(3, 3), through(0, 4)]), 99, 999)).toBe(
      'inconsistent',
    );
    expect(windingRings(joinRings([through(4, 0), through(3, 3)]), 99, 999)).not.toBe('inconsistent');
  });

  test('a crossing that rounds to the vertex before it becomes this vertex', () => {
    const found = windingRings(
      joinRings([
        [1, 0, 2, 0, 2, 2, 1, 2],
        [1 - 2 ** -53, -1, 3, -1, 3, 1, 1 + 2 ** -52, 1],
      ]),
      9,
      999,
    ) as WindingRings;
    expect(found.rings).toHaveLength(1);
    const corners = pointsOf(found)[0]!.map(String);
    const first = corners.indexOf('1,0');
    expect([...corners.slice(first), ...corners.slice(0, first)]).toEqual([
      '1,0',
      String([1 - 2 ** -53, -1]),
      '3,-1',
      '3,1',
      '2,1',
      '2,2',
      '1,2',
    ]);
    // The edges at this vertex may meet others, so `ringsMeet` must test them.
    expect(found.cuts![0]!.map((i) => corners[i])).toContain('1,0');
  });
});
