import { describe, expect, test, vi } from 'vitest';
import type { Position } from '../../src/core/geometry.js';
import {
  type RoutingEngine,
  sequencePoints,
  sequenceRoute,
  straightLineEngine,
} from '../../src/routing/index.js';
import { seeded } from '../volume.js';
import { rejected } from './loopback.js';

const random = seeded(88);
const cloud = (n: number): Position[] =>
  Array.from({ length: n }, () => [9 + random(), 47 + random()] as const);
const engine = straightLineEngine();

test('equals sequencePoints of the engine’s matrix, by duration or by distance', async () => {
  for (const n of [0, 1, 2, 9, 40]) {
    const points = cloud(n);
    const { durationsSeconds, distancesMeters } =
      n === 0 ? { durationsSeconds: [], distancesMeters: [] } : await engine.matrix(points);
    const options = { maxMoves: 600, roundTrip: true };
    expect(await sequenceRoute(points, engine, options)).toEqual({
      ...sequencePoints(durationsSeconds, options),
      stopped: null,
    });
    const { cost } = await sequenceRoute(points, engine, { ...options, by: 'distance' });
    expect(cost).toBe(sequencePoints(distancesMeters, options).cost);
  }
});

describe('between rounds', () => {
  test('timers run, and an aborted signal rejects with its reason', async () => {
    const controller = new AbortController();
    let turns = 0;
    const timer = setInterval(() => {
      if (++turns === 3) controller.abort(new Error('enough'));
    }, 0);
    const work = sequenceRoute(cloud(100), engine, { maxMoves: 1e9, signal: controller.signal });
    expect((await rejected(work)).message).toBe('enough');
    clearInterval(timer);
  });

  test('the time limit gives the best order so far and reports it', async () => {
    const points = cloud(60);
    let time = 0;
    const clock = (): number => (time += 1000);
    const limited = await sequenceRoute(points, engine, { maxMoves: 1e9, timeLimitSeconds: 5, clock });
    expect(limited).toMatchObject({ stopped: 'time-limit', optimal: false, unreachable: [] });
    expect([...limited.order].sort((a, b) => a - b)).toEqual(points.map((_, i) => i));
    time = 0;
    expect(await sequenceRoute(points, engine, { maxMoves: 1e9, timeLimitSeconds: 5, clock })).toEqual(
      limited,
    );
    const none = await sequenceRoute(points, engine, { maxMoves: 1e9, timeLimitSeconds: 0, clock });
    const { durationsSeconds } = await engine.matrix(points);
    expect(none.order).toEqual(sequencePoints(durationsSeconds, { maxMoves: 0 }).order);
    expect(limited.cost).toBeLessThan(none.cost);
    const ample = await sequenceRoute(points, engine, { maxMoves: 600, timeLimitSeconds: 1e4, clock });
    expect(ample.stopped).toBeNull();
  });
});

test('windows count in seconds of the engine; missing paths are reported', async () => {
  const points = [
    [9.5, 47.1],
    [9.6, 47.1],
    [9.4, 47.1],
  ] as const;
  const early = { start: 0, windows: [null, null, [0, 1200]] as const, service: [0, 3600, 0] };
  expect((await sequenceRoute(points, engine, early)).order).toEqual([0, 2, 1]);
  const island: RoutingEngine = {
    ...engine,
    matrix: async () => {
      const none = Number.POSITIVE_INFINITY;
      const table = [
        [0, none, 2],
        [none, 0, none],
        [2, none, 0],
      ];
      return { distancesMeters: table, durationsSeconds: table };
    },
  };
  expect((await sequenceRoute(points, island)).unreachable).toHaveLength(1);
});

test.each([
  [{ timeLimitSeconds: 1 }, 'option-value', 'options.clock'],
  [{ timeLimitSeconds: -1, clock: () => 0 }, 'option-value', 'options.timeLimitSeconds'],
  [{ by: 'price' }, 'option-value', 'options.by'],
  [{ start: 9 }, 'option-value', 'options.start'],
  [{ end: 1, roundTrip: true }, 'option-value', 'options.end'],
])('%j: refused', async (options, code, field) => {
  const work = sequenceRoute(cloud(3), engine, options as object);
  expect(await rejected(work)).toMatchObject({ code, field });
});

test('too many points are refused before the engine is called', async () => {
  const points = Array.from({ length: 5001 }, (_, i): [number, number] => [i / 100, 0]);
  const silent = { ...engine, matrix: () => Promise.reject(new Error('asked')) };
  expect(await rejected(sequenceRoute(points, silent))).toMatchObject({
    code: 'limit-points',
    field: 'points',
  });
});

test('yields over message ports without `once`, as browsers have them', async () => {
  class Channel {
    readonly port1: { onmessage: (() => void) | null; close(): void } = { onmessage: null, close: () => {} };
    readonly port2 = { postMessage: () => void setTimeout(() => this.port1.onmessage?.(), 0) };
  }
  vi.stubGlobal('MessageChannel', Channel);
  try {
    expect((await sequenceRoute(cloud(20), engine, { maxMoves: 1200 })).order).toHaveLength(20);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('an aborted signal does not call the engine; a NaN in the matrix is reported with its place', async () => {
  let asked = 0;
  const strange: RoutingEngine = {
    ...engine,
    matrix: async () => {
      asked++;
      const table = [
        [0, Number.NaN],
        [1, 0],
      ];
      return { distancesMeters: table, durationsSeconds: table };
    },
  };
  expect(await rejected(sequenceRoute(cloud(2), strange, { signal: AbortSignal.abort('no') }))).toBe('no');
  expect(asked).toBe(0);
  expect(await rejected(sequenceRoute(cloud(2), strange))).toMatchObject({
    code: 'matrix-value',
    field: 'matrix[0][1]',
  });
});
