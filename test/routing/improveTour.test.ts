import { describe, expect, test } from 'vitest';
import { geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import { heldKarp, type TourEnds } from '../../src/routing/heldKarp.js';
import { improveTour } from '../../src/routing/improveTour.js';
import { sequencePoints } from '../../src/routing/index.js';
import { readMatrix } from '../../src/routing/readMatrix.js';
import { orderOf, tourProblem } from '../../src/routing/tour.js';
import { seeded, volume } from '../volume.js';
import { priceOf } from './bruteForce.js';
import { matrixOf } from './matrixOf.js';

const NONE = Number.POSITIVE_INFINITY;

const mirrored = (matrix: number[][]): number[][] =>
  matrixOf(matrix.length, (i, j) => matrix[Math.min(i, j)]![Math.max(i, j)]!);

const ENDS: TourEnds[] = [
  { start: null, end: null, back: false },
  { start: 3, end: null, back: false },
  { start: null, end: 5, back: false },
  { start: 4, end: 1, back: false },
  { start: null, end: null, back: true },
  { start: 6, end: null, back: true },
];

const improved = (matrix: number[][], ends: TourEnds, moves: number): number[] => {
  const problem = tourProblem(readMatrix(matrix, 5000), ends);
  const search = improveTour(problem, moves);
  for (;;) {
    const { done, value } = search.next();
    if (done === true) return orderOf(value, problem, ends);
  }
};

const priced = (matrix: number[][], order: readonly number[], { back }: TourEnds): object =>
  priceOf(matrix, back ? [...order, order[0]!] : order);

describe('the search finds the optimum of Held-Karp for every combination of ends', () => {
  const random = seeded(81);
  const whole = (max: number): number => Math.floor(random() * max);
  const kinds: [string, (n: number) => number[][]][] = [
    ['asymmetric', (n) => matrixOf(n, () => whole(1000))],
    ['symmetric', (n) => mirrored(matrixOf(n, () => whole(1000)))],
    ['asymmetric with missing paths', (n) => matrixOf(n, () => (random() < 0.6 ? NONE : whole(50)))],
    ['symmetric with missing paths', (n) => mirrored(matrixOf(n, () => (random() < 0.6 ? NONE : whole(50))))],
    ['all paths missing', (n) => matrixOf(n, () => NONE)],
    ['costs of 0', (n) => matrixOf(n, () => whole(2))],
    ['costs near the greatest allowed', (n) => matrixOf(n, () => (1 + whole(9)) * 1e299)],
  ];
  test.each(kinds)('%s', (_, make) => {
    for (let round = 0; round < volume(600) / 10; round++) {
      const matrix = make(7 + (round % 6));
      for (const ends of ENDS) {
        const order = improved(matrix, ends, 2000);
        expect([...order].sort((a, b) => a - b)).toEqual(matrix.map((__, i) => i));
        if (ends.start !== null) expect(order[0]).toBe(ends.start);
        if (ends.end !== null) expect(order.at(-1)).toBe(ends.end);
        const exact = heldKarp(readMatrix(matrix, 12), ends);
        const { missing, cost } = priceOf(matrix, ends.back ? [...exact, exact[0]!] : exact);
        const found = priced(matrix, order, ends) as { missing: number; cost: number };
        expect(found.missing).toBe(missing);
        expect(found.cost).toBeLessThanOrEqual(cost * (1 + 2 ** -40));
      }
    }
  });
});

describe('orders whose optimum is known', () => {
  /** The numbers 0 … n-1, shuffled. */
  const shuffled = (n: number, seed: number): number[] => {
    const random = seeded(seed);
    const keys = Array.from({ length: n }, () => random());
    return keys.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]!);
  };

  test('200 points along a meridian: from one end to the other, and back with fixed ends', () => {
    const places = shuffled(200, 5);
    const matrix = matrixOf(200, (i, j) => geodesicDistance(10, places[i]! / 10, 10, places[j]! / 10));
    const along = sequencePoints(matrix).order.map((i) => places[i]!);
    const sorted = places.toSorted((a, b) => a - b);
    expect([sorted, sorted.toReversed()]).toContainEqual(along);
    const first = places.indexOf(0);
    expect(sequencePoints(matrix, { start: first }).order.map((i) => places[i]!)).toEqual(sorted);
    expect(sequencePoints(matrix, { end: first }).order.map((i) => places[i]!)).toEqual(sorted.toReversed());
    const last = places.indexOf(199);
    expect(sequencePoints(matrix, { start: last, end: first }).order.map((i) => places[i]!)).toEqual(
      sorted.toReversed(),
    );
  });

  test('200 points on a circle over the antimeridian: once around', () => {
    const places = shuffled(200, 6);
    const points = places.map((place) => [
      180 + 3 * Math.cos((place * Math.PI) / 100),
      3 * Math.sin((place * Math.PI) / 100),
    ]);
    const matrix = matrixOf(200, (i, j) =>
      geodesicDistance(points[i]![0]!, points[i]![1]!, points[j]![0]!, points[j]![1]!),
    );
    const { order } = sequencePoints(matrix, { start: places.indexOf(0), roundTrip: true });
    const around = order.map((i) => places[i]!);
    const sorted = Array.from({ length: 200 }, (_, i) => i);
    expect([sorted, [0, ...sorted.slice(1).reverse()]]).toContainEqual(around);
  });

  test('one-way streets: the hidden cycle of an asymmetric matrix', () => {
    const hidden = shuffled(60, 7);
    const random = seeded(70);
    const matrix = matrixOf(60, (i, j) =>
      (hidden[i]! + 1) % 60 === hidden[j] ? 1 : 2 + Math.floor(random() * 100),
    );
    expect(sequencePoints(matrix, { roundTrip: true }).cost).toBe(60);
    const start = hidden.indexOf(30);
    const { order, cost } = sequencePoints(matrix, { start });
    expect(cost).toBe(59);
    expect(order.map((i) => hidden[i]!)).toEqual(Array.from({ length: 60 }, (_, i) => (30 + i) % 60));
  });

  test('two islands: exactly one missing path, and it is reported', () => {
    const matrix = matrixOf(60, (i, j) => (i % 2 === j % 2 ? 1 + Math.abs(i - j) : NONE));
    const { unreachable, cost } = sequencePoints(matrix);
    expect(unreachable).toHaveLength(1);
    expect(cost).toBe(58 * 3);
    expect(sequencePoints(matrix, { roundTrip: true }).unreachable).toHaveLength(2);
  });
});

describe('move limits and ties', () => {
  const random = seeded(82);
  const places = Array.from({ length: 80 }, () => [random() * 100, random() * 100] as const);
  const matrix = matrixOf(80, (i, j) =>
    Math.hypot(places[i]![0] - places[j]![0], places[i]![1] - places[j]![1]),
  );

  test('more moves never cost more, 0 moves give the constructed order, and every result is repeatable', () => {
    let before = NONE;
    for (const maxMoves of [0, 1, 10, 100, 1000]) {
      const found = sequencePoints(matrix, { roundTrip: true, maxMoves });
      expect(found.cost).toBeLessThanOrEqual(before);
      expect(sequencePoints(matrix, { roundTrip: true, maxMoves })).toEqual(found);
      before = found.cost;
    }
    expect(before).toBeLessThan(sequencePoints(matrix, { roundTrip: true, maxMoves: 0 }).cost * 0.95);
  });

  test('of a symmetric order and its reversal, the one with the smaller first index is returned', () => {
    const path = sequencePoints(matrix).order;
    expect(path[0]).toBeLessThan(path.at(-1)!);
    const tour = sequencePoints(matrix, { roundTrip: true }).order;
    expect(tour[0]).toBe(0);
    expect(tour[1]).toBeLessThan(tour.at(-1)!);
    expect(sequencePoints(matrix, { start: 7, roundTrip: true }).order[0]).toBe(7);
  });

  test('2,000 points with equal costs come in index order', () => {
    const row = new Float64Array(2000).fill(1);
    const rows = Array.from({ length: 2000 }, (_, i) => {
      const own = row.slice();
      own[i] = 0;
      return own;
    });
    const upward = Array.from({ length: 2000 }, (_, i) => i);
    expect(sequencePoints(rows, { maxMoves: 500 })).toMatchObject({ order: upward, cost: 1999 });
    expect(sequencePoints(rows, { roundTrip: true, maxMoves: 500 }).order).toEqual(upward);
  });
});
