import { describe, expect, test } from 'vitest';
import type { Position } from '../../src/index.js';
import { prepareRoute, RouteTracker } from '../../src/tracks/index.js';
import { type PendingPoint, predictByRoute } from '../../src/trips/index.js';

const A: Position = [37.6, 55.7];
const B: Position = [37.7, 55.7];
const leg = (durationSeconds: number, ...geometry: Position[]) => ({ durationSeconds, geometry });
/** There and back by the same road. */
const legs = [leg(600, A, B), leg(900, B, A)];
const points = [1, 2].map((index) => ({ id: String(index), index }) as PendingPoint);
const context = {
  passageOrder: 'strict' as const,
  points,
  start: 0,
  delaySeconds: null,
  served: [],
  timeZone: 'UTC',
};

describe('predictByRoute with alongOf', () => {
  const route = prepareRoute(legs.flatMap(({ geometry }) => geometry));
  const L = route.lengthMeters;
  const predict = (along: number | null, index: number) =>
    predictByRoute(legs, { alongOf: () => along, serviceSeconds: 60 })(
      [37.65, 55.7],
      points[index - 1]!,
      0,
      context,
    );

  test('counts from the place that it tells', () => {
    expect(predict(0.25 * L, 1)).toBeCloseTo(300, 6);
    expect(predict(0.25 * L, 2)).toBeCloseTo(300 + 60 + 900, 6);
    expect(predict(0.75 * L, 2)).toBeCloseTo(450, 6);
    expect(predict(0.5 * L, 2)).toBeCloseTo(900, 3);
    expect(predict(L, 2)).toBe(0);
  });

  test('gives 0 s for a point that is passed, and is as before without a place', () => {
    expect(predict(0.75 * L, 1)).toBe(0);
    const plain = predictByRoute(legs, { serviceSeconds: 60 })([37.65, 55.7], points[1]!, 0, context);
    expect(predict(null, 2)).toBe(plain);
  });

  test('takes the place of a RouteTracker, so that the way back counts', () => {
    const tracker = new RouteTracker(route, { widthMeters: 60 });
    const alongOf = () => tracker.progress().alongMeters;
    const ahead = predictByRoute(legs, { alongOf });
    for (let i = 0; i <= 15; i++) {
      const [lon, lat] = route.positionAt((i / 20) * L).position;
      tracker.push({ time: 1.7e12 + i * 60_000, lon, lat });
    }
    expect(ahead([37.65, 55.7], points[1]!, 0, { ...context, points: [points[1]!] })).toBeCloseTo(450, 3);
  });

  test('refuses what is not a function, or not a place', () => {
    expect(() => predictByRoute(legs, { alongOf: 5 as never })).toThrow('a function');
    expect(() => predict(Number.NaN, 1)).toThrow('a number from 0');
  });
});
