import { expect, test } from 'vitest';
import { joinBySeams } from '../../src/planar/joinBySeams.js';

test('a single ring is unchanged', () => {
  for (const ring of [
    [0, 0, 0, 8, 8, 8, 8, 0],
    [0, 0, 8, 0, 8, 8, 0, 8],
    [8, 8, 0, 8, 0, 0, 8, 0],
    [3, 4, 5, 6],
    [1, 1],
  ])
    expect(joinBySeams([ring])).toEqual(ring);
});

test('the seam ends at the leftmost point of a hole, the lowest of several, from whichever point the hole starts', () => {
  const outer = [0, 0, 20, 0, 20, 20, 0, 20];
  const hole = [5, 5, 4, 7, 3, 8, 2, 6, 2.5, 5, 2, 4, 4, 3];
  const points = Array.from({ length: 7 }, (_, i) => hole.slice(2 * i, 2 * i + 2));
  for (let first = 0; first < 7; first++) {
    const from = [...points.slice(first), ...points.slice(0, first)];
    const start = from.findIndex(([x, y]) => x === 2 && y === 4);
    const around = [...from.slice(start), ...from.slice(0, start), [2, 4]].flat();
    expect(joinBySeams([outer, from.flat()])).toEqual([...outer, 0, 4, ...around, 0, 4]);
  }
});

test('of two leftmost points the seam takes the lower one, also if the point before the higher one is lower still', () => {
  expect(
    joinBySeams([
      [0, 0, 20, 0, 20, 20, 0, 20],
      [2, 4, 2.2, 3, 8, 3.5, 2, 6],
    ]).slice(8, 12),
  ).toEqual([0, 4, 2, 4]);
});

test('seams on an upward edge are in upward order, also if the edge before it comes down from far above', () => {
  const joined = joinBySeams([
    [30, 12, 0, 0, 0, 10, 5, 20],
    [1, 6, 2, 6, 2, 7],
    [1, 3, 2, 3, 2, 4],
  ]);
  expect(joined).toEqual([
    30, 12, 0, 0, 0, 3, 1, 3, 2, 3, 2, 4, 1, 3, 0, 3, 0, 6, 1, 6, 2, 6, 2, 7, 1, 6, 0, 6, 0, 10, 5, 20,
  ]); // biome-ignore format: x and y
});

test('seams on a slanted edge are in the order of the edge, in either direction', () => {
  // The left side goes from (0, 0) to (4, 20): x = y / 5.
  const up = [4, 20, -2, 10, 0, 0, 30, 0, 30, 20]; // the bend at (-2, 10) is the left side
  const holes = [
    [6, 15, 8, 15, 8, 16],
    [6, 12, 8, 12, 8, 13],
    [6, 18, 8, 18, 8, 19],
    [6, 5, 8, 5, 8, 6],
    [6, 2, 8, 2, 8, 3],
  ];
  const seamsOf = (ring: readonly number[]): number[] => {
    const ys: number[] = [];
    for (let i = 0; i < ring.length; i += 2) if (ring[i] === 6) ys.push(ring[i + 1]!);
    // The seam arrives at each hole and leaves it at the same point.
    return ys.filter((_, i) => i % 2 === 0);
  };
  expect(seamsOf(joinBySeams([up, ...holes]))).toEqual([18, 15, 12, 5, 2]);
  const down = Array.from({ length: 5 }, (_, i) => up.slice(2 * i, 2 * i + 2))
    .toReversed()
    .flat();
  expect(seamsOf(joinBySeams([down, ...holes]))).toEqual([2, 5, 12, 15, 18]);
});

test('a seam that passes the top of a hole starts at the same point as the seam of that hole', () => {
  const joined = joinBySeams([
    [0, 0, 9, 0, 9, 9, 0, 9],
    [2, 5, 3, 4, 2.5, 4],
    [6, 5, 7, 5, 7, 6],
  ]);
  expect(joined).toEqual([
    0, 0, 9, 0, 9, 9, 0, 9, 0, 5, 2, 5, 3, 4, 2.5, 4, 2, 5, 0, 5, 6, 5, 7, 5, 7, 6, 6, 5, 0, 5,
  ]); // biome-ignore format: x and y
});
