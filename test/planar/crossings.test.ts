import { describe, expect, test } from 'vitest';
import { findCrossings } from '../../src/planar/crossings.js';
import { boxTree, joinRings } from '../../src/planar/curves.js';
import { seeded } from '../volume.js';
import { area, edgesOf, flat, gridMeeting, gridPoints, type Point, type Segment } from './grid.js';

interface Found {
  readonly pairs: readonly string[];
  readonly touches: boolean;
}

/**
 * All pairs by definition. A point on the line of the other edge counts as left of it; an edge never crosses the edge that follows it.
 */
function allPairs(rings: readonly (readonly Point[])[]): Found {
  const edges: (Segment | null)[] = rings.flatMap((ring) => [...edgesOf(ring), null]);
  const pairs: string[] = [];
  let touches = false;
  edges.forEach((p, i) => {
    edges.slice(i + 1).forEach((q, k) => {
      if (p === null || q === null || String(p[1]) === String(q[0]) || String(p[0]) === String(q[1])) return;
      const { meeting } = gridMeeting(p, q);
      if (meeting === 'touch' || meeting === 'overlap') touches = true;
      const isLeft = (edge: Segment, point: Point): boolean => area(...edge, point) >= 0;
      if (isLeft(p, q[0]) === isLeft(p, q[1]) || isLeft(q, p[0]) === isLeft(q, p[1])) return;
      pairs.push(`${i} ${i + 1 + k} ${isLeft(p, q[1]) ? 1 : 0}`);
    });
  });
  return { pairs: pairs.sort(), touches };
}

function found(rings: readonly (readonly Point[])[]): Found {
  const curves = joinRings(rings.map(flat));
  const { count, first, second, upward, touches } = findCrossings(
    curves,
    boxTree(curves),
    Infinity,
    Infinity,
  )!;
  const pairs = Array.from({ length: count }, (_, k) => `${first[k]} ${second[k]} ${upward[k]}`);
  return { pairs: pairs.sort(), touches };
}

function expectAllPairs(rings: readonly (readonly Point[])[]): void {
  const [got, wanted] = [found(rings), allPairs(rings)];
  if (got.touches !== wanted.touches || got.pairs.join() !== wanted.pairs.join())
    expect({ rings, ...got }).toEqual({ rings, ...wanted });
}

describe('crossings and touches on small grids equal those of all pairs of edges', () => {
  const SMALL = gridPoints(3, 3);

  test('for every fourth ring of four points', () => {
    for (let number = 0; number < 9 ** 4; number += 4) {
      expectAllPairs([Array.from({ length: 4 }, (_, k) => SMALL[Math.floor(number / 9 ** k) % 9]!)]);
    }
  });

  test.each([
    [2, 3, 3, 800],
    [2, 4, 4, 500],
    [3, 5, 5, 300],
    [1, 9, 6, 500],
    [4, 9, 8, 120],
  ])('for %i rings of %i points on a grid of %i', (count, points, side, rounds) => {
    const random = seeded(count + 10 * points);
    const grid = gridPoints(side, side);
    for (let round = 0; round < rounds; round++) {
      expectAllPairs(
        Array.from({ length: count }, () =>
          Array.from({ length: points }, () => grid[Math.floor(random() * grid.length)]!),
        ),
      );
    }
  });

  test('the limit of comparisons is inclusive', () => {
    // A square has the pairs 0 2, 0 3 and 1 3.
    const curves = joinRings([[0, 0, 4, 0, 4, 4, 0, 4]]);
    expect(findCrossings(curves, boxTree(curves), 0, 3)).toMatchObject({ count: 0, touches: false });
    expect(findCrossings(curves, boxTree(curves), 0, 2)).toBeNull();
  });

  test('long zigzags in one direction: all crossings with others are found, and no zigzag is compared with itself', () => {
    const random = seeded(7);
    for (const [x, y] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
      [1, 1],
      [-1, 1],
    ] as const) {
      // Forth and back in one direction, with steps to either side.
      const way = (from: number, step: number): Point[] =>
        Array.from({ length: 40 }, (_, k): Point => {
          const along = from + step * k;
          const beside = Math.floor(random() * 9) - 4;
          return [along * x - beside * y, along * y + beside * x];
        });
      expectAllPairs([[...way(0, 3), ...way(118, -3)], way(1, 2)]);
    }
    const arch = Array.from({ length: 4000 }, (_, k): Point => [k, k * (4000 - k)]);
    const curves = joinRings([flat(arch)]);
    expect(findCrossings(curves, boxTree(curves), 0, 400)).toMatchObject({ count: 0, touches: false });
  });
});
