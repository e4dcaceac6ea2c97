import { describe, expect, test } from 'vitest';
import { geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import { sequencePoints } from '../../src/routing/index.js';
import { errorOf } from '../errorOf.js';
import { LONG, seeded } from '../volume.js';
import { wkt } from '../wkt.js';
import { bruteForce, type Ends, priceOf } from './bruteForce.js';
import { matrixOf } from './matrixOf.js';

const NONE = Number.POSITIVE_INFINITY;

const ZEROS = new Array<number>(13).fill(0);

const geodesics = (points: readonly (readonly [number, number])[]): number[][] =>
  matrixOf(points.length, (i, j) => geodesicDistance(...points[i]!, ...points[j]!));

/** Every combination of ends for n points. */
const endsOf = (n: number): Ends[] => {
  const points = Array.from({ length: n }, (_, i) => i);
  return [
    {},
    { roundTrip: true },
    ...points.flatMap((start) => [{ start }, { end: start }, { start, roundTrip: true }]),
    ...points.flatMap((start) => points.filter((end) => end !== start).map((end) => ({ start, end }))),
  ];
};

test('the example of the docstring', () => {
  const matrix = [
    [0, 9, 1],
    [9, 0, 1],
    [1, 1, 0],
  ];
  expect(sequencePoints(matrix, { start: 0 })).toEqual({
    order: [0, 2, 1],
    cost: 2,
    optimal: true,
    unreachable: [],
  });
});

describe('equals the best of all permutations', () => {
  const random = seeded(8);
  const whole = (max: number): number => Math.floor(random() * max);
  const kinds: [string, (n: number) => number[][]][] = [
    ['asymmetric', (n) => matrixOf(n, () => whole(1000))],
    ['with many ties', (n) => matrixOf(n, () => whole(3))],
    ['with missing paths', (n) => matrixOf(n, () => (random() < 0.5 ? NONE : whole(5)))],
    [
      'symmetric',
      (n) => {
        const half = matrixOf(n, () => whole(50));
        return matrixOf(n, (i, j) => half[Math.min(i, j)]![Math.max(i, j)]!);
      },
    ],
  ];
  for (const [name, make] of kinds) {
    test(`${name}: order, cost and missing paths for all ends, 1 to ${LONG ? 8 : 7} points`, () => {
      for (let n = 1; n <= (LONG ? 8 : 7); n++) {
        for (let round = 0; round < (n < 6 ? 10 : 1); round++) {
          const matrix = make(n);
          for (const ends of endsOf(n)) {
            const best = bruteForce(matrix, ends);
            const found = sequencePoints(matrix, ends);
            expect({ ends, order: found.order, cost: found.cost, missing: found.unreachable.length }).toEqual(
              {
                ends,
                ...best,
              },
            );
            expect(found.optimal).toBe(true);
          }
        }
      }
    });
  }

  test('8 points, free and fixed ends and a round trip', () => {
    const matrix = kinds[0]![1](8);
    for (const ends of [{}, { start: 3 }, { end: 2 }, { start: 7, end: 0 }, { roundTrip: true }]) {
      const { order, cost } = bruteForce(matrix, ends);
      expect(sequencePoints(matrix, ends)).toMatchObject({ order, cost });
    }
  });
});

describe('ties', () => {
  test('12 points with equal costs come in index order', () => {
    const matrix = matrixOf(12, () => 1);
    const upward = Array.from({ length: 12 }, (_, i) => i);
    expect(sequencePoints(matrix).order).toEqual(upward);
    expect(sequencePoints(matrix, { roundTrip: true })).toMatchObject({ order: upward, cost: 12 });
    expect(sequencePoints(matrix, { start: 5, end: 0 }).order).toEqual([
      5, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 0,
    ]);
  });

  test('of a symmetric tour and its reversal, equal but for rounding, the smaller index wins', () => {
    const random = seeded(55);
    for (let round = 0; round < 60; round++) {
      const matrix = geodesics(
        Array.from({ length: 9 }, () => [random() * 360 - 180, random() * 180 - 90] as const),
      );
      const path = sequencePoints(matrix).order;
      expect(path[0]).toBeLessThan(path[8]!);
      const tour = sequencePoints(matrix, { roundTrip: true }).order;
      expect(tour[0]).toBe(0);
      expect(tour[1]).toBeLessThan(tour[8]!);
    }
  });

  test('renumbering the points only renumbers the order', () => {
    const random = seeded(56);
    const matrix = matrixOf(10, () => random());
    const renamed = matrixOf(10, (i, j) => matrix[9 - i]![9 - j]!);
    const renamedOrder = sequencePoints(renamed).order.map((i) => 9 - i);
    expect(renamedOrder).toEqual(sequencePoints(matrix).order);
  });
});

describe('few, equal and repeated points', () => {
  test('no points, one, two', () => {
    expect(sequencePoints([])).toEqual({ order: [], cost: 0, optimal: true, unreachable: [] });
    expect(sequencePoints([[0]], { start: 0, end: 0 })).toMatchObject({ order: [0], cost: 0 });
    expect(sequencePoints([[0]], { roundTrip: true })).toEqual({
      order: [0],
      cost: 0,
      optimal: true,
      unreachable: [],
    });
    const two = wkt('0 5, 3 0');
    expect(sequencePoints(two)).toMatchObject({ order: [1, 0], cost: 3 });
    expect(sequencePoints(two, { start: 0 })).toMatchObject({ order: [0, 1], cost: 5 });
    expect(sequencePoints(two, { roundTrip: true })).toMatchObject({ order: [0, 1], cost: 8 });
  });

  test('all points equal: the given order, cost 0', () => {
    expect(sequencePoints(matrixOf(6, () => 0))).toMatchObject({ order: [0, 1, 2, 3, 4, 5], cost: 0 });
  });

  test('duplicates come one after the other', () => {
    const points = [0, 10, 0, 10, 5];
    const matrix = matrixOf(5, (i, j) => Math.abs(points[i]! - points[j]!));
    expect(sequencePoints(matrix)).toMatchObject({ order: [0, 2, 4, 1, 3], cost: 10 });
  });

  test('an end equal to the start makes a round trip', () => {
    const matrix = matrixOf(5, (i, j) => ((i * 7 + j * 3) % 11) + 1);
    expect(sequencePoints(matrix, { start: 2, end: 2 })).toEqual(
      sequencePoints(matrix, { start: 2, roundTrip: true }),
    );
  });
});

test('across 180°, at a pole and between antipodes the order follows the points', () => {
  const dateLine = geodesics(wkt('179 0, -178 0, 178 0, -179 0'));
  expect(sequencePoints(dateLine).order).toEqual([1, 3, 0, 2]);
  const pole = geodesics(wkt('0 88, 180 89, 90 90, 180 80'));
  expect(sequencePoints(pole).order).toEqual([0, 2, 1, 3]);
  const antipodes = geodesics(wkt('0 0, 180 0, 90 0'));
  expect(sequencePoints(antipodes).order).toEqual([0, 2, 1]);
});

describe('missing paths', () => {
  test('are avoided where there is another path', () => {
    const matrix = [
      [0, NONE, 100],
      [1, 0, 1],
      [100, 100, 0],
    ];
    expect(sequencePoints(matrix, { start: 0 })).toEqual({
      order: [0, 2, 1],
      cost: 200,
      optimal: true,
      unreachable: [],
    });
  });

  test('that no order avoids are as few as possible and reported; the cost stays finite', () => {
    const islands = matrixOf(4, (i, j) => (i % 2 === j % 2 ? 2 : NONE));
    expect(sequencePoints(islands)).toEqual({
      order: [0, 2, 1, 3],
      cost: 4,
      optimal: true,
      unreachable: [[2, 1]],
    });
    expect(sequencePoints(islands, { roundTrip: true }).unreachable).toEqual(wkt('0 1, 3 2'));
    const nowhere = matrixOf(12, () => NONE);
    expect(sequencePoints(nowhere, { roundTrip: true })).toMatchObject({ cost: 0, optimal: true });
    expect(sequencePoints(nowhere).unreachable).toHaveLength(11);
  });
});

describe('large costs', () => {
  test.each([2 ** 31 - 1, 2 ** 53, 1e300])('%s add up without overflow', (big) => {
    expect(sequencePoints(matrixOf(12, () => big)).cost / big).toBeCloseTo(11, 12);
  });
});

describe('a matrix or options that cannot be used', () => {
  const ok = matrixOf(3, () => 1);
  const withValue = (value: unknown, i = 2, j = 1): unknown =>
    ok.map((row, r) => row.map((cost, c) => (r === i && c === j ? value : cost)));
  test.each([
    ['no matrix', null, {}, 'matrix-shape', 'matrix'],
    ['a row that is not a list', [[0, 1], 7], {}, 'matrix-shape', 'matrix[1]'],
    ['a missing row', [[0, 1]], {}, 'matrix-shape', 'matrix[0]'],
    ['a short row', [[0, 1], [1]], {}, 'matrix-shape', 'matrix[1]'],
    ['NaN', withValue(Number.NaN), {}, 'matrix-value', 'matrix[2][1]'],
    ['a negative', withValue(-1), {}, 'matrix-value', 'matrix[2][1]'],
    ['a text', withValue('1'), {}, 'matrix-value', 'matrix[2][1]'],
    ['null', withValue(null), {}, 'matrix-value', 'matrix[2][1]'],
    ['-Infinity', withValue(-NONE), {}, 'matrix-value', 'matrix[2][1]'],
    ['a cost that would overflow', withValue(1e301), {}, 'matrix-value', 'matrix[2][1]'],
    ['a diagonal that is not 0', withValue(3, 1, 1), {}, 'matrix-value', 'matrix[1][1]'],
    ['5,001 points', new Array(5001).fill([]), {}, 'limit-points', 'matrix'],
    ['13 points with windows', matrixOf(13, () => 1), { windows: [] }, 'option-value', 'options.windows'],
    ['13 points with service', matrixOf(13, () => 1), { service: ZEROS }, 'limit-points', 'matrix'],
    ['a negative number of moves', ok, { maxMoves: -1 }, 'option-value', 'options.maxMoves'],
    [
      'a window that ends before it begins',
      ok,
      { windows: [null, [5, 4], null] },
      'window-invalid',
      'options.windows[1]',
    ],
    [
      'a window with NaN',
      ok,
      { windows: [null, null, [Number.NaN, 4]] },
      'window-invalid',
      'options.windows[2]',
    ],
    [
      'a window that never opens',
      ok,
      { windows: [[NONE, NONE], null, null] },
      'window-invalid',
      'options.windows[0]',
    ],
    ['a window that is not a pair', ok, { windows: [7, null, null] }, 'window-invalid', 'options.windows[0]'],
    ['a negative service', ok, { service: [0, -1, 0] }, 'option-value', 'options.service[1]'],
    ['an infinite service time', ok, { service: [0, NONE, 0] }, 'option-value', 'options.service[1]'],
    ['too few windows', ok, { windows: [null] }, 'option-value', 'options.windows'],
    ['options that are not an object', ok, 7, 'option-type', 'options'],
    ['a start beyond the last point', ok, { start: 3 }, 'option-value', 'options.start'],
    ['a start without points', [], { start: 0 }, 'option-value', 'options.start'],
    ['an end that is not an index', ok, { end: 0.5 }, 'option-value', 'options.end'],
    ['a start that is a text', ok, { start: '0' }, 'option-value', 'options.start'],
    ['an end with a round trip', ok, { end: 1, roundTrip: true }, 'option-value', 'options.end'],
    ['a round trip that is not a boolean', ok, { roundTrip: 1 }, 'option-value', 'options.roundTrip'],
  ])('%s: refused', (_, matrix, options, code, field) => {
    expect(errorOf(() => sequencePoints(matrix as number[][], options as object))).toMatchObject({
      code,
      field,
    });
  });

  test('a getter that throws is reported with its path', () => {
    const row = Object.defineProperty([0, 0], 1, {
      get: () => {
        throw new Error('no');
      },
    });
    expect(errorOf(() => sequencePoints([row, [1, 0]]))).toMatchObject({
      code: 'input-unreadable',
      field: 'matrix[0]',
    });
  });
});

test('typed rows are accepted, frozen input is not changed, the cost is the sum along the order', () => {
  const random = seeded(9);
  const matrix = matrixOf(11, () => random() * 1e4);
  const found = sequencePoints(matrix.map((row) => Float64Array.from(row)));
  expect(found).toEqual(sequencePoints(Object.freeze(matrix.map((row) => Object.freeze(row)))));
  expect(found.cost).toBe(priceOf(matrix, found.order).cost);
});
