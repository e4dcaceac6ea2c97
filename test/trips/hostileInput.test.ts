import { expect, test } from 'vitest';
import { WayzoneError } from '../../src/core/errors.js';
import { evaluateTrip, planTrip, TripTracker } from '../../src/trips/index.js';
import { seeded, volume } from '../volume.js';
import { DATE, fix, journey, timed, trip } from './journeys.js';
import { randomCase } from './visitCases.js';

const CYCLE: Record<string, unknown> = {};
CYCLE['self'] = CYCLE;
const THROWER = {
  get key(): never {
    throw new Error('no');
  },
};
const REVOKED = Proxy.revocable([], {});
REVOKED.revoke();

const NUMBERS = [0, -0, -1, 1e308, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];
const TEXTS = ['', 'x', '__proto__', '2026-02-30', '25:00', '9999-12-31', '\ud800'];
const OBJECTS = [
  {},
  [],
  [[]],
  [null],
  [{}],
  new Date(0),
  new Map(),
  new Float64Array(2),
  Object.create(null),
];
const OTHERS = [undefined, null, true, 10n, Symbol('s'), () => 1, CYCLE, THROWER, REVOKED.proxy];
const JUNK: readonly unknown[] = [...NUMBERS, ...TEXTS, ...OBJECTS, ...OTHERS];

/** Replaces something deep inside the value, which must be its own copy. */
function damage(root: Record<string, unknown>, random: () => number): void {
  let node = root;
  for (;;) {
    const keys = Object.keys(node);
    const key = keys[Math.floor(random() * keys.length)];
    if (key === undefined) return;
    const child = node[key];
    if (typeof child !== 'object' || child === null || random() < 0.25) {
      node[key] = JUNK[Math.floor(random() * JUNK.length)];
      return;
    }
    node = child as Record<string, unknown>;
  }
}

/** Checks that no number of a result is NaN. Names and visits of the caller are not checked. */
function expectNumbers(value: unknown, seed: number): void {
  if (typeof value === 'number') expect({ seed, ok: Number.isFinite(value) }).toEqual({ seed, ok: true });
  else if (Array.isArray(value)) for (const item of value) expectNumbers(item, seed);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) if (key !== 'visit') expectNumbers(item, seed);
}

test('any invalid trip, visits or options throw a coded error, and no result contains NaN', () => {
  const seen = { refused: 0, taken: 0 };
  for (let seed = 0; seed < volume(40_000); seed++) {
    const random = seeded(seed);
    const given = structuredClone(randomCase(random)) as unknown as Record<string, unknown>;
    damage(given, random);
    const { trip: damaged, date, source, options } = given as unknown as ReturnType<typeof randomCase>;
    for (const run of [
      () => evaluateTrip(damaged, date, source, options),
      () => planTrip(damaged, date, options),
      () => {
        const tracker = new TripTracker(damaged, date, options);
        return [tracker.push(fix(0, 'A')), tracker.report()];
      },
    ]) {
      try {
        expectNumbers(run(), seed);
        seen.taken++;
      } catch (error) {
        if (!(error instanceof WayzoneError))
          throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
        expect(error.message).toMatch(/^expected/);
        seen.refused++;
      }
    }
  }
  expect(Math.min(seen.refused, seen.taken)).toBeGreaterThan(100);
});

test.each([0, '', false, Number.NaN])('%j is no place of a gap', (place) => {
  const gaps = [{ from: fix(0, 'A').time, to: fix(60, 'A').time, start: place, end: null }];
  for (const gap of [...gaps, { ...gaps[0]!, start: null, end: place }]) {
    const source = { visits: [], gaps: [gap] } as unknown as Parameters<typeof evaluateTrip>[2];
    expect(() => evaluateTrip(timed(trip('ABA')), DATE, source, { timeZone: 'UTC' })).toThrow(WayzoneError);
  }
});

test('an option of -0 is 0', () => {
  const [from, to] = [fix(0, 'A').time, fix(60, 'A').time];
  const gaps = [{ from, to, start: [13.5, 52.15] as const, end: null }];
  const bounds = { enterBounds: [from, to], exitBounds: [to + 1000, to + 2000] } as const;
  const visit = {
    zoneId: '0',
    seen: 'inside',
    end: 'left',
    enter: to,
    exit: to + 1000,
    fixCount: 2,
    ...bounds,
  } as const;
  const reports = [0, -0].map((reachSpeedKph) =>
    evaluateTrip(timed(trip('ABA')), DATE, { visits: [visit], gaps }, { timeZone: 'UTC', reachSpeedKph }),
  );
  expectNumbers(reports, 0);
  expect(reports[1]).toEqual(reports[0]);
  expect(reports[0]!.points[0]!.arrivalBounds).not.toBeNull();
});

test('any snapshot is restored or throws a coded error', () => {
  const options = { timeZone: 'UTC', latenessSeconds: 300 };
  const given = timed(trip('ABA'));
  for (let seed = 0; seed < volume(4000); seed++) {
    const random = seeded(seed);
    const tracker = new TripTracker(given, DATE, options);
    for (const next of journey(random).slice(0, 12)) tracker.push(next);
    const snapshot = structuredClone(tracker.snapshot());
    damage(snapshot as unknown as Record<string, unknown>, random);
    try {
      expectNumbers(TripTracker.restore(given, snapshot).report(), seed);
    } catch (error) {
      expect({ seed, error }).toEqual({ seed, error: expect.any(WayzoneError) });
    }
  }
});

test('every fix is counted, whatever its content', () => {
  const tracker = new TripTracker(trip('AB'), DATE, { timeZone: 'UTC' });
  for (const junk of JUNK) {
    for (const message of [junk, { ...fix(0, 'A'), time: junk }, { ...fix(0, 'A'), lon: junk }]) {
      try {
        tracker.push(message as never);
      } catch (error) {
        expect(error).toBeInstanceOf(WayzoneError);
      }
    }
  }
  const { in: all, applied, duplicate, rejected, late, pending } = tracker.counts();
  expect(applied + duplicate + rejected + late + pending).toBe(all);
  expect(rejected).toBeGreaterThan(JUNK.length);
  expectNumbers(tracker.report(), 0);
});
