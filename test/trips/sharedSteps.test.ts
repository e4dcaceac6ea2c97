import { describe, expect, test } from 'vitest';
import { Costs } from '../../src/trips/assign/serving.js';
import { evaluateTrip } from '../../src/trips/index.js';
import { at, DATE, trip, UTC } from './shortTrips.js';

/** Counts computed costs, which are the steps of the search. */
function stepsOf(points: number, visits: number, policy: 'skip' | 'wait', planned: boolean): number {
  let steps = 0;
  // Not a spy of vitest, which would keep the arguments of every call.
  const own = Object.getOwnPropertyDescriptor(Costs.prototype, 'of')!;
  const of = own.value as (this: Costs, ...given: unknown[]) => number;
  Object.defineProperty(Costs.prototype, 'of', {
    ...own,
    value(this: Costs, ...given: unknown[]): number {
      steps++;
      return of.apply(this, given);
    },
  });
  const clock = (i: number): string =>
    `${String(Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`;
  const given = trip(Array.from({ length: points }, (_, i) => (planned ? `A ${clock(480 + i)}±300` : 'A')));
  const list = Array.from({ length: visits }, (_, k) => {
    const [enter, exit] = [at('08:00') + 600_000 * k, at('08:08') + 600_000 * k];
    return {
      zoneId: '0',
      seen: 'inside',
      end: 'left',
      enter,
      exit,
      enterBounds: [enter, enter],
      exitBounds: [exit, exit],
      fixCount: 3,
    } as const;
  });
  let passed = 0;
  try {
    ({ passed } = evaluateTrip(
      given,
      DATE,
      { visits: list },
      { ...UTC, allowSharedVisit: true, policy },
    ).totals);
  } finally {
    Object.defineProperty(Costs.prototype, 'of', own);
  }
  expect(passed).toBe(points);
  return steps;
}

describe.each(['skip', 'wait'] as const)('hundreds of equal neighbours, policy %s', (policy) => {
  test.each([
    [1, false],
    [1, true],
    [2, false],
    [2, true],
  ])('%i visits, planned: %s: twice the points are four times the steps at most', (visits, planned) => {
    const [few, many] = [100, 200].map((points) => stepsOf(points, visits, policy, planned));
    expect(many! / few!).toBeLessThan(4.2);
    expect(many!).toBeLessThan(1.2 * 200 ** 2);
  });
});
