import { describe, expect, test } from 'vitest';
import { sequencePoints } from '../../src/routing/index.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import type { Ends } from './bruteForce.js';
import { matrixOf } from './matrixOf.js';

const NONE = Number.POSITIVE_INFINITY;
type Window = readonly [number, number] | null;

interface Timed {
  readonly order: number[];
  readonly cost: number;
  readonly finish: number;
  readonly begins: number[];
}

/** Drives one order by the clock. `null` if it misses a window or needs a missing path. */
function drive(
  matrix: readonly number[][],
  order: readonly number[],
  back: boolean,
  windows: readonly Window[],
  service: readonly number[],
): Omit<Timed, 'order'> | null {
  let clock = 0;
  let cost = 0;
  const begins: number[] = [];
  for (const [i, point] of order.entries()) {
    const way = i === 0 ? 0 : matrix[order[i - 1]!]![point]!;
    cost += way;
    const [open, close] = windows[point] ?? [-NONE, NONE];
    clock = Math.max(clock + way, open);
    if (clock > close || clock === NONE) return null;
    begins.push(clock);
    clock += service[point]!;
  }
  const home = back ? matrix[order.at(-1)!]![order[0]!]! : 0;
  return home === NONE ? null : { cost: cost + home, finish: clock + home, begins };
}

function* permutations(points: readonly number[], taken: readonly number[] = []): Generator<number[]> {
  if (taken.length === points.length) yield [...taken];
  else for (const i of points) if (!taken.includes(i)) yield* permutations(points, [...taken, i]);
}

/** The best of all orders of `points`; of equal ones the first by index. */
function best(
  matrix: readonly number[][],
  points: readonly number[],
  ends: Ends,
  windows: readonly Window[],
  service: readonly number[],
): Timed | null {
  let found: Timed | null = null;
  for (const order of permutations(points)) {
    if (ends.start !== undefined && order[0] !== ends.start) continue;
    if (ends.end !== undefined && order.at(-1) !== ends.end) continue;
    const driven = drive(matrix, order, ends.roundTrip ?? false, windows, service);
    if (driven === null) continue;
    if (
      found === null ||
      driven.cost < found.cost ||
      (driven.cost === found.cost && driven.finish < found.finish)
    ) {
      found = { order, ...driven };
    }
  }
  return found;
}

describe('windows and service times equal the best of all permutations', () => {
  const random = seeded(59);
  const whole = (max: number): number => Math.floor(random() * max);
  const kinds: [string, (n: number) => number[][]][] = [
    ['asymmetric', (n) => matrixOf(n, () => 1 + whole(20))],
    ['with many ties', (n) => matrixOf(n, () => 1 + whole(2))],
    ['with missing paths', (n) => matrixOf(n, () => (random() < 0.2 ? NONE : 1 + whole(20)))],
  ];
  test.each(kinds)('%s: order, times and the blocking point', (_, make) => {
    let feasible = 0;
    let blocked = 0;
    for (let round = 0; round < volume(1000, 25); round++) {
      const n = 1 + (round % 6);
      const matrix = make(n);
      const windows = matrix.map((): Window => {
        const open = whole(40) - 5;
        return random() < 0.3 ? null : [open, open + whole(40)];
      });
      const service = matrix.map(() => whole(5));
      const all: Ends[] = [
        {},
        { start: 0 },
        { end: n - 1 },
        { roundTrip: true },
        { start: n - 1, roundTrip: true },
      ];
      if (n > 1) all.push({ start: 1, end: 0 });
      for (const ends of all) {
        const points = matrix.map((__, i) => i);
        const expected = best(matrix, points, ends, windows, service);
        const run = (): object => sequencePoints(matrix, { ...ends, windows, service });
        if (expected !== null) {
          feasible++;
          const { order, cost, begins } = expected;
          expect(run()).toEqual({ order, cost, begins, optimal: true, unreachable: [] });
        } else {
          blocked++;
          const upTo = (last: number): number[] =>
            points.filter((i) => i <= last || i === ends.start || i === ends.end);
          const blocking = points.find((i) => best(matrix, upTo(i), ends, windows, service) === null);
          expect(errorOf(run)).toMatchObject({
            code: 'windows-infeasible',
            field: `options.windows[${blocking}]`,
          });
        }
      }
    }
    expect(Math.min(feasible, blocked)).toBeGreaterThan(volume(1000, 25) / 3);
  });
});

test('waiting time, service time and the end of a window are exact', () => {
  const matrix = matrixOf(3, () => 10);
  const timed = { start: 0, service: [5, 5, 5] };
  const at = (close: number): object =>
    sequencePoints(matrix, { ...timed, windows: [null, [40, 40], [0, close]] });
  expect(at(15)).toMatchObject({ order: [0, 2, 1], begins: [0, 15, 40] });
  expect(errorOf(() => at(14.9)).field).toBe('options.windows[2]');
  expect(at(55)).toMatchObject({ order: [0, 2, 1] });
  const late = sequencePoints(matrix, { ...timed, windows: [null, [40, 40], [41, 55]] });
  expect(late).toMatchObject({ order: [0, 1, 2], begins: [0, 40, 55], cost: 20 });
});

test('no points, one point, and windows that never bind', () => {
  expect(sequencePoints([], { windows: [] })).toEqual({
    order: [],
    cost: 0,
    optimal: true,
    unreachable: [],
    begins: [],
  });
  expect(sequencePoints([[0]], { windows: [[7, 9]], roundTrip: true })).toMatchObject({
    begins: [7],
    cost: 0,
  });
  const random = seeded(12);
  const matrix = matrixOf(12, () => random());
  for (const ends of [{}, { start: 3 }, { end: 4 }, { start: 2, end: 9 }, { start: 5, roundTrip: true }]) {
    const free = sequencePoints(matrix, { ...ends, windows: new Array<null>(12).fill(null) });
    expect(free).toMatchObject({ order: sequencePoints(matrix, ends).order });
  }
});
