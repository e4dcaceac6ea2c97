import { describe, expect, test } from 'vitest';
import { ringsMeet } from '../../src/planar/ringsMeet.js';
import { seeded } from '../volume.js';
import { edgesOf, flat, gridMeeting, gridPoints, type Point, type Segment } from './grid.js';

interface Edge {
  readonly edge: Segment;
  readonly ring: number;
  readonly number: number;
  readonly count: number;
}

/** Whether two edges meet. Neighbours of one ring count only if they overlap. */
function meet(p: Edge, q: Edge): boolean {
  const { meeting } = gridMeeting(p.edge, q.edge);
  const step = (p.number - q.number + p.count) % p.count;
  const areNeighbours = p.ring === q.ring && (step === 1 || step === p.count - 1);
  return areNeighbours ? meeting === 'overlap' : meeting !== 'none';
}

const isPoint = ({ edge: [a, b] }: Edge): boolean => a[0] === b[0] && a[1] === b[1];

function edgesOfAll(rings: readonly (readonly Point[])[]): Edge[] {
  return rings.flatMap((ring, r) =>
    edgesOf(ring).map((edge, i) => ({ edge, ring: r, number: i, count: ring.length })),
  );
}

describe('ringsMeet on a small grid equals the test of all pairs of edges', () => {
  test.each([
    [2, 3, 4],
    [2, 4, 5],
    [3, 3, 6],
    [1, 6, 4],
    [2, 4, 9],
  ])(
    '%i rings of %i points on a grid of %i, for all edges and for those at one point',
    (count, points, side) => {
      const random = seeded(7 * count + points);
      const grid = gridPoints(side, side);
      const seen = [0, 0, 0];
      for (let round = 0; round < 1500; round++) {
        const rings = Array.from({ length: count }, () =>
          Array.from({ length: points }, () => grid[Math.floor(random() * grid.length)]!),
        );
        const edges = edgesOfAll(rings);
        const isMet = edges.some((p, i) => isPoint(p) || edges.some((q, j) => j > i && meet(p, q)));
        seen[isMet ? 1 : 0]!++;
        if (ringsMeet(rings.map(flat)) !== isMet) expect({ rings, isMet: !isMet }).toEqual({ rings, isMet });
        if (edges.some(isPoint)) continue;
        const [ring, point] = [Math.floor(random() * count), Math.floor(random() * points)];
        const own = edges.filter(
          (edge) =>
            edge.ring === ring && (edge.number === point || edge.number === (point + points - 1) % points),
        );
        const isMetThere = own.some((p) => edges.some((q) => q !== p && meet(p, q)));
        if (isMetThere !== isMet) seen[2]!++;
        const cuts = rings.map((_, r) => (r === ring ? [point] : []));
        if (ringsMeet(rings.map(flat), cuts) !== isMetThere)
          expect({ rings, cuts, isMetThere: !isMetThere }).toEqual({ rings, cuts, isMetThere });
      }
      expect(Math.min(...seen)).toBeGreaterThan(0);
    },
  );
});

describe('ringsMeet', () => {
  test('edges apart on one line do not meet, for any direction, rotation or mirroring of the ring', () => {
    const battlement = [0, 0, 1, 0, 1, 1, 2, 1, 2, 0, 3, 0, 3, 1, 4, 1, 4, 0, 5, 0, 5, 3, 0, 3];
    for (const [a, b, c, d] of [
      [1, 0, 0, 1],
      [0, 1, 1, 0],
      [-1, 0, 0, 1],
      [0, -1, 1, 0],
      [1, 0, 0, -1],
      [0, 1, -1, 0],
      [1, 1, 1, 2],
    ] as const) {
      const ring = Array.from({ length: 12 }, (_, i) => {
        const [x, y] = [battlement[2 * i]!, battlement[2 * i + 1]!];
        return [a * x + b * y, c * x + d * y] as const;
      });
      for (let first = 0; first < 12; first++) {
        const turned = [...ring.slice(first), ...ring.slice(0, first)].flat();
        expect(ringsMeet([turned])).toBe(false);
        expect(ringsMeet([turned], [[0, 3, 11]])).toBe(false);
      }
    }
  });

  test('a line forth and back, and a single point, meet themselves', () => {
    for (const ring of [
      [0, 0, 2, 0],
      [0, 0, 0, 2],
      [0, 0, 2, 1],
      [1, 1],
      [1, 1, 1, 1],
    ]) {
      expect(ringsMeet([ring])).toBe(true);
      expect(ringsMeet([[5, 5, 6, 5, 6, 6], ring])).toBe(true);
      expect(ringsMeet([ring], [[0]])).toBe(true);
    }
  });
});
