import { describe, expect, test } from 'vitest';
import type { Visit } from '../../src/tracks/index.js';
import { StrictSearch } from '../../src/trips/assign/strictSearch.js';
import { evaluateTrip, TripTracker } from '../../src/trips/index.js';
import { at, DATE, trip, UTC } from './shortTrips.js';

/** Runs something and counts the steps of the strict searches, and the searches. */
function counted(run: () => unknown): { steps: number; runs: number } {
  const own = Object.getOwnPropertyDescriptor(StrictSearch.prototype, 'run')!;
  const search = own.value as (this: StrictSearch) => unknown;
  const count = { steps: 0, runs: 0 };
  Object.defineProperty(StrictSearch.prototype, 'run', {
    ...own,
    value(this: StrictSearch): unknown {
      const result = search.call(this);
      count.steps += this.steps;
      count.runs++;
      return result;
    },
  });
  try {
    run();
  } finally {
    Object.defineProperty(StrictSearch.prototype, 'run', own);
  }
  return count;
}

/** `points` points in so many zones, each visited in turn by short visits one minute apart. */
function stepsOf(points: number, zones: number, visits: number, options: object, isUnseen = false): number {
  const letters = Array.from({ length: points }, (_, i) => String.fromCodePoint(65 + (i % zones)));
  const list = Array.from({ length: visits }, (_, k): Visit => {
    const enter = at('08:00') + 60_000 * k;
    const isHidden = isUnseen && k % 100 === 50;
    return {
      zoneId: String(k % zones),
      seen: 'inside',
      end: 'left',
      enter,
      exit: enter + 30_000,
      enterBounds: [isHidden ? enter - 20_000 : enter, enter],
      exitBounds: [enter + 30_000, enter + 30_000],
      fixCount: 3,
    };
  });
  const gaps = isUnseen
    ? list.filter((_, k) => k % 100 === 50).map(({ enter }) => ({ from: enter - 20_000, to: enter }))
    : [];
  const run = (): unknown =>
    evaluateTrip(trip(letters), DATE, { visits: list, gaps }, { ...UTC, leaveConfirmSeconds: 0, ...options });
  return counted(run).steps;
}

describe('T54: the steps of the strict search', () => {
  test.each([
    ['of different zones', 40, false, {}],
    ['of different zones, with holes', 40, true, {}],
    ['of three zones', 3, false, {}],
    ['of three zones, shared', 3, false, { allowSharedVisit: true }],
    ['of one zone', 1, false, {}],
    ['of one zone, shared', 1, false, { allowSharedVisit: true }],
  ] as const)('points %s: at most 8 for each point and visit', (_name, zones, isUnseen, options) => {
    for (const [points, visits] of [[40, 200], [40, 400]] as const) // biome-ignore format: sizes
      expect(stepsOf(points, zones, visits, options, isUnseen)).toBeLessThan(8 * points * visits);
  });

  test('zones that repeat and overlap for a day: a polynomial of the fifth degree at most', () => {
    const steps = (zones: number): number => {
      const letters = Array.from({ length: 2 * zones }, (_, i) => String.fromCodePoint(65 + (i % zones)));
      const list = Array.from({ length: zones }, (_, k): Visit => {
        const enter = at('08:00') + 60_000 * k;
        const bounds: readonly [number, number] = [at('20:00'), at('20:00')];
        return { zoneId: String(k), seen: 'inside', end: 'left', enter, exit: at('20:00'), enterBounds: [enter, enter], exitBounds: bounds, fixCount: 9 }; // biome-ignore format: short
      });
      return counted(() => evaluateTrip(trip(letters), DATE, { visits: list }, UTC)).steps;
    };
    const [few, many] = [steps(8), steps(16)];
    expect(many / few).toBeLessThan(2 ** 5);
  });
});

test('a push evaluates the run only where its events may change', () => {
  const given = trip(['A 08:30', 'B 09:30', 'C 10:30'], { activation_type: { key: 'time_of_first_point' } });
  const tracker = new TripTracker(given, DATE, UTC);
  const late = new TripTracker(given, DATE, { ...UTC, latenessSeconds: 30 });
  const fixes = Array.from({ length: 3600 }, (_, i) => ({
    time: at('08:40') + 2000 * i,
    lon: 13.65 + 0.02 * Math.min(1, i / 3000) + 1e-6 * (i % 2),
    lat: 52,
    speedKph: 4,
  }));
  for (const own of [tracker, late]) {
    const { runs } = counted(() => {
      for (const fix of fixes) own.push(fix);
    });
    expect(runs).toBeLessThan(120);
  }
  expect(late.report().events).toEqual(tracker.report().events);
  // The snapshot grows with visits, not with fixes.
  expect(JSON.stringify(tracker.snapshot()).length).toBeLessThan(20_000);
});
