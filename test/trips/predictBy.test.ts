import { describe, expect, test } from 'vitest';
import { lengthMeters } from '../../src/index.js';
import { straightLineEngine } from '../../src/routing/index.js';
import {
  type PendingPoint,
  type PendingRun,
  type Predict,
  predictByEngine,
  predictByRoute,
} from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';

const points = (...indexes: number[]): PendingPoint[] =>
  indexes.map((index) => ({
    id: String(index),
    index,
    name: '',
    type: { key: 'point' },
    geometry: [],
    position: [37 + index, 55],
    plannedArrival: null,
    plannedDeparture: null,
  }));
const run = (passageOrder: PendingRun['passageOrder'], ...indexes: number[]): PendingRun => ({
  passageOrder,
  points: points(...indexes),
  start: 0,
  delaySeconds: null,
  served: [],
  timeZone: 'UTC',
});
const ask = (
  predict: Predict,
  from: [number, number],
  index: number,
  pending: PendingRun,
  time = 0,
): number | null =>
  predict(from, pending.points.find((point) => point.index === index)!, time, { ...pending, start: time });

describe('predictByRoute', () => {
  const LEGS = [
    { durationSeconds: 1000, geometry: [[37, 55], [37.1, 55], [37.1, 55.1]] },
    { durationSeconds: 500, geometry: [[37.1, 55.1], [37.2, 55.1]] },
    { durationSeconds: 700, geometry: [[37.2, 55.1], [37.2, 55.1]] },
  ] as const; // biome-ignore format: a leg a line

  test('scales the leg by the rest of its line, and adds later legs and stays', () => {
    const predict = predictByRoute(LEGS, { serviceSeconds: [1, 20, 300, 4000] });
    const pending = run('strict', 1, 2, 3);
    const all = lengthMeters(LEGS[0].geometry);
    const half = lengthMeters([[37.05, 55], ...LEGS[0].geometry.slice(1)]);
    expect(ask(predict, [37, 55], 1, pending)).toBeCloseTo(1000, 6);
    expect(ask(predict, [37.05, 55], 1, pending)).toBeCloseTo((1000 * half) / all, 6);
    expect(ask(predict, [37.05, 55], 2, pending)).toBeCloseTo((1000 * half) / all + 20 + 500, 6);
    expect(ask(predict, [37.05, 55], 3, pending)).toBeCloseTo((1000 * half) / all + 20 + 500 + 300 + 700, 6);
    expect(ask(predict, [37.1, 55.1], 1, pending)).toBeCloseTo(0, 6);
    // The unit drives by point 2, so no stay is added.
    expect(ask(predict, [37.1, 55.1], 3, run('strict', 1, 3))).toBeCloseTo(20 + 500 + 700, 6);
  });

  test('the way back to the line takes time at the mean speed of the leg', () => {
    const predict = predictByRoute(LEGS);
    const all = lengthMeters(LEGS[0].geometry);
    const off = lengthMeters([[37.1, 55.05], [37.13, 55.05]]); // biome-ignore format: a way
    const rest = lengthMeters([[37.1, 55.05], [37.1, 55.1]]); // biome-ignore format: a way
    expect(ask(predict, [37.13, 55.05], 1, run('strict', 1))! / ((1000 * (off + rest)) / all)).toBeCloseTo(
      1,
      4,
    );
  });

  test('a unit that drove past a point is on a later leg', () => {
    const legs = [
      { durationSeconds: 100, geometry: [[37, 55], [37.1, 55]] },
      { durationSeconds: 100, geometry: [[37.1, 55], [37.2, 55]] },
      { durationSeconds: 100, geometry: [[37.2, 55], [37.2, 55.1]] },
    ] as const; // biome-ignore format: a leg a line
    const predict = predictByRoute(legs, { serviceSeconds: 10 });
    const pending = run('strict', 1, 2, 3);
    expect(ask(predict, [37.15, 55], 2, pending)).toBeCloseTo(50, 3);
    expect(ask(predict, [37.15, 55], 3, pending)).toBeCloseTo(50 + 10 + 100, 3);
    // The unit has to return to point 1.
    expect(ask(predict, [37.15, 55], 1, pending)).toBeCloseTo(50, 3);
    // 300 m may be the other side of a road.
    expect(ask(predict, [37.104, 55], 2, pending)).toBeCloseTo(4 + 10 + 100, 3);
  });

  test('over the antimeridian, and a leg of no length', () => {
    const predict = predictByRoute([{ durationSeconds: 100, geometry: [[179.9, 0], [-179.9, 0]] }]); // biome-ignore format: a leg
    expect(ask(predict, [-179.95, 0], 1, run('strict', 1))).toBeCloseTo(25, 6);
    expect(ask(predictByRoute(LEGS), [37.2, 55.1], 3, run('strict', 3))).toBe(700);
  });

  test('returns null for the first point and for arbitrary order', () => {
    const predict = predictByRoute(LEGS);
    expect(ask(predict, [37, 55], 0, run('strict', 0, 1))).toBe(null);
    expect(ask(predict, [37, 55], 1, run('strict', 0, 1))).toBe(null);
    expect(ask(predict, [37, 55], 1, run('arbitrary', 1, 2))).toBe(null);
    expect(ask(predict, [37, 55], 9, run('strict', 1, 9))).toBe(null);
  });

  test.each([
    [null, undefined, 'legs-type', 'legs'],
    [[], undefined, 'legs-type', 'legs'],
    [[5], undefined, 'leg-invalid', 'legs[0]'],
    [[{ ...LEGS[0], durationSeconds: -1 }], undefined, 'leg-invalid', 'legs[0].durationSeconds'],
    [[{ ...LEGS[0], geometry: [[37, 55]] }], undefined, 'leg-invalid', 'legs[0].geometry'],
    [[{ ...LEGS[0], geometry: [[37, 55], [37, 95]] }], undefined, 'lat-range', 'legs[0].geometry[1][1]'],
    [LEGS, 5, 'option-type', 'options'],
    [LEGS, { serviceSeconds: -1 }, 'option-value', 'options.serviceSeconds'],
    [LEGS, { serviceSeconds: [1] }, 'option-value', 'options.serviceSeconds'],
    [LEGS, { serviceSeconds: [1, 2, 3, '4'] }, 'option-value', 'options.serviceSeconds[3]'],
  ])('%j with %j: %s at %s', (legs, options, code, field) => {
    expect(errorOf(() => predictByRoute(legs as never, options as never))).toMatchObject({ code, field });
  }); // biome-ignore format: a case a line
});

describe('predictByEngine', () => {
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** Predicts all pending points at each minute. The engine answers after the call. */
  async function minutes(predict: Predict, pending: PendingRun, count: number): Promise<(number | null)[][]> {
    const rows: (number | null)[][] = [];
    for (let minute = 0; minute < count; minute++) {
      const from: [number, number] = [37 + minute / 100, 55];
      rows.push(pending.points.map(({ index }) => ask(predict, from, index, pending, 60_000 * minute)));
      await settled();
    }
    return rows;
  }

  test('sends one request per `everySeconds` for all points, and counts down in between', async () => {
    const asked: number[][] = [];
    const engine = {
      route: async (places: readonly (readonly [number, number])[]) => {
        asked.push(places.map(([lon]) => lon));
        return { legs: [{ durationSeconds: 600 }, { durationSeconds: 300 }] };
      },
      matrix: () => expect.unreachable(),
    };
    const predict = predictByEngine(engine as never, { everySeconds: 120, serviceSeconds: 50 });
    const rows = await minutes(predict, run('strict', 2, 4), 5);
    expect(asked).toEqual([[37, 39, 41], [37.02, 39, 41], [37.04, 39, 41]]); // biome-ignore format: a question a list
    expect(rows).toEqual([[null, null], [540, 890], [480, 830], [540, 890], [480, 830]]); // biome-ignore format: a minute a list
    // A fix before the fix of the answer, and one long after it.
    expect(ask(predict, [37, 55], 2, run('strict', 2), 60_000)).toBe(null);
    expect(ask(predict, [37, 55], 2, run('strict', 2), 240_000 + 1_200_001)).toBe(null);
  });

  test('never has two concurrent requests, and continues after a failed one', async () => {
    const errors: unknown[] = [];
    const waiting: ((value: unknown) => void)[] = [];
    let count = 0;
    const engine = {
      route: () => {
        count++;
        return new Promise((resolve, reject) => {
          if (count === 1) reject(new Error('busy'));
          else waiting.push(resolve);
        });
      },
      matrix: () => expect.unreachable(),
    };
    const predict = predictByEngine(engine as never, { onError: (error) => errors.push(error) });
    const pending = run('strict', 1);
    await minutes(predict, pending, 6);
    expect([count, errors.length]).toEqual([2, 1]);
    waiting[0]!({ legs: [{ durationSeconds: 900 }] });
    await settled();
    expect(ask(predict, [37, 55], 1, pending, 360_000)).toBe(900 - 300);
    expect(count).toBe(3);
  });

  test('uses a matrix for arbitrary order; without a route the prediction is null', async () => {
    const engine = {
      route: () => expect.unreachable(),
      matrix: async () => ({ durationsSeconds: [[0, 600, Number.POSITIVE_INFINITY, 30]] }),
    };
    const rows = await minutes(predictByEngine(engine as never), run('arbitrary', 0, 1, 3), 2);
    expect(rows[1]).toEqual([540, null, 0]);
  });

  test('accepts an engine of wayzone/routing', async () => {
    const predict = predictByEngine(straightLineEngine());
    const rows = await minutes(predict, run('strict', 1, 2), 2);
    expect(rows[1]![1]! > rows[1]![0]! && rows[1]![0]! > 0).toBe(true);
  });

  test.each([
    [null, undefined, 'engine-type', 'engine'],
    [{ route: () => {} }, undefined, 'engine-type', 'engine'],
    [straightLineEngine(), 1, 'option-type', 'options'],
    [straightLineEngine(), { everySeconds: -1 }, 'option-value', 'options.everySeconds'],
    [straightLineEngine(), { serviceSeconds: '1' }, 'option-value', 'options.serviceSeconds'],
    [straightLineEngine(), { onError: 1 }, 'option-value', 'options.onError'],
  ])('%o with %j: %s at %s', (engine, options, code, field) => {
    expect(errorOf(() => predictByEngine(engine as never, options as never))).toMatchObject({ code, field });
  });
});
