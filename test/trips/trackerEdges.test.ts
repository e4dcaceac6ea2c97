import { describe, expect, test } from 'vitest';
import type { Trip } from '../../src/core/trip.js';
import { readTrack } from '../../src/tracks/index.js';
import {
  evaluateTrip,
  type TripReport,
  TripTracker,
  type TripTrackerOptions,
  tripZones,
} from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { DATE, fix, MINUTE, START, trip } from './journeys.js';

const UTC: TripTrackerOptions = { timeZone: 'UTC' };
type Places = readonly (readonly [number, string | number])[];

/** The report of a tracker after the fixes. Checks that it equals the batch. */
function followed(given: Trip, places: Places, options: object = {}): TripReport {
  const fixes = places.map(([minutes, place]) => fix(minutes, place));
  const tracker = new TripTracker(given, DATE, { ...UTC, ...options });
  for (const next of fixes) tracker.push(next);
  const now = fixes.at(-1)!.time;
  const report = tracker.report();
  expect(report).toEqual(evaluateTrip(given, DATE, readTrack(fixes), { ...UTC, ...options, now }));
  return report;
}

describe('a tracker', () => {
  test('does not leave a point in which the unit is after a gap', () => {
    const leaving = trip('AB', { activation_type: { key: 'leaving_first_point' } });
    const back: Places = [[0, 'A'], [5, 0.002], [70, -0.002], [71, 0.01], [80, 'B'], [85, 'B']]; // biome-ignore format: short
    const awake = { parkedMeters: 0 };
    expect(followed(leaving, back, awake).points[0]!).toMatchObject({
      arrival: START,
      visit: { hasGap: true },
    });
    const away: Places = [[0, 'A'], [5, 0.002], [70, 0.05], [80, 'B']]; // biome-ignore format: short
    expect(followed(leaving, away).activatedAt).toBe(START + 5 * MINUTE);
    // At B after a gap from A, and at A after a gap from B.
    const across: Places = [[0, 'A'], [5, 'A'], [70, 'B'], [75, 'B'], [140, 'A'], [150, 0.05]]; // biome-ignore format: short
    expect(followed(leaving, across).activatedAt).toBe(START + 5 * MINUTE);
  });

  test('reports a point in a hole as no_data', () => {
    const { points } = followed(trip('ABC'), [[0, 'A'], [5, 'A'], [10, 'C'], [12, 'C']]); // biome-ignore format: short
    expect(points.map(({ status }) => status)).toEqual(['passed', 'no_data', 'passed']);
  });

  test('measures from an activation before its first fix', () => {
    const byTime = trip('AB', { activation_type: { key: 'time_of_first_point' } });
    const points = byTime.points.map((point, i) =>
      i === 0 ? { ...point, arrival: { time: '07:00' } } : point,
    );
    const report = followed({ ...byTime, points }, [[0, -0.05], [10, 0], [20, 0.05]]); // biome-ignore format: short
    expect(report.activatedAt).toBe(START - 60 * MINUTE);
    expect(report.totals.distanceMeters).toBeCloseTo(0.1 * 111_319.49, 0);
  });

  test('has no fix at first', () => {
    const tracker = new TripTracker(trip('AB'), DATE, UTC);
    expect(tracker.report()).toMatchObject({ lastFixAt: null, status: 'scheduled' });
    expect(tracker.snapshot().unit).toMatchObject({ intake: { in: 0 }, dwells: [] });
  });

  test('counts fixes older than the clock minus the lateness as late', () => {
    const tracker = new TripTracker(trip('AB'), DATE, { ...UTC, latenessSeconds: 600 });
    tracker.advance(START + 20 * MINUTE);
    tracker.push({ ...fix(10, 'A'), time: START + 10 * MINUTE - 1 });
    expect(tracker.counts()).toMatchObject({ late: 1, pending: 0 });
    tracker.push(fix(10, 'A'));
    tracker.push(fix(24, 'A'));
    expect(tracker.counts()).toMatchObject({ late: 1, applied: 1, pending: 1 });
  });

  test('has no limit of units; options that are null use the default', () => {
    const tracker = new TripTracker(trip('AB'), DATE, {
      ...UTC,
      maxUnits: -1,
      minStaySeconds: null,
    } as never);
    const snapshot = tracker.snapshot();
    expect(snapshot.options).toEqual({ timeZone: 'UTC' });
    expect(TripTracker.restore(trip('AB'), snapshot).snapshot()).toEqual(snapshot);
  });

  test('reports errors of the trip if it cannot be restored', () => {
    const snapshot = new TripTracker(trip('AB'), DATE, UTC).snapshot();
    const errorsFor = (given: unknown): string[] => {
      const { code, field } = errorOf(() => TripTracker.restore(given as Trip, snapshot));
      return [code, field];
    };
    expect(errorsFor({ ...trip('AB'), points: [null] })).toEqual(['zone-type', 'points[0]']);
    expect(errorsFor({ ...trip('AB'), dates: ['x'] })).toEqual(['date', 'dates[0]']);
    expect(errorsFor({ ...trip('AB'), dates: [] })).toEqual(['dates-missing', 'dates']);
  });

  test('a point that throws at its nth reading is an error with its path', () => {
    const failing = (most: number): Trip => {
      let count = 0;
      const type = {
        get key(): string {
          if (count++ >= most) throw new Error('no');
          return 'circle';
        },
      };
      return { ...trip('A'), points: [{ ...trip('A').points[0]!, type }] } as never;
    };
    expect(() => new TripTracker(failing(100), DATE, UTC)).not.toThrow();
    const fields: string[] = [];
    for (let most = 0; most < 100; most++) {
      try {
        new TripTracker(failing(most), DATE, UTC);
        break;
      } catch {
        const error = errorOf(() => new TripTracker(failing(most), DATE, UTC));
        expect(error).toMatchObject({ code: 'input-unreadable' });
        fields.push(error.field);
      }
    }
    expect(fields.length).toBeGreaterThan(3);
    expect(fields.filter((field) => !/^(points|zones\[0\])/.test(field))).toEqual([]);
  });
});

describe('zones of a trip', () => {
  test('have a width and parts only if the point has them', () => {
    const ring = [[0, 0], [1, 0], [1, 1]]; // biome-ignore format: ring
    const polygon = { name: 'P', type: { key: 'polygon' }, geometry: ring };
    const [bare] = tripZones({ points: [polygon] } as never);
    expect(Object.keys(bare!)).toEqual(['id', 'name', 'type', 'geometry']);
    const parts = [[ring]];
    const [whole] = tripZones({ points: [{ ...polygon, parts, width: 5 }] } as never);
    expect(Object.keys(whole!)).toEqual(['id', 'name', 'type', 'geometry', 'parts', 'width']);
  });

  test('options must be an object; the cause of an error is kept', () => {
    for (const options of [5, 'x', true])
      expect(errorOf(() => tripZones(trip('A'), options as never))).toMatchObject({ code: 'option-type' });
    const cause = new Error('no');
    const geometry = Object.defineProperty([], 0, { get: () => { throw cause; } }); // biome-ignore format: short
    const error = errorOf(() =>
      tripZones({ points: [{ name: 'P', type: { key: 'point' }, geometry }] } as never),
    );
    expect(error).toMatchObject({ code: 'input-unreadable', cause });
  });
});
