import { describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, TripTracker } from '../../src/trips/index.js';
import { dayTrip, fixes } from './fairDays.js';
import { at, clock, DATE } from './shortTrips.js';

/** The unit is in B until 09:10:40, then outside for a while. */
const DAY = fixes(
  '07:50 -0.6',
  '07:55 0',
  '08:05 0',
  '08:10 1',
  '08:50 3.5',
  '08:58 4',
  '09:10 4',
  '09:12 5',
);
const TRIP = dayTrip(['A 08:00±10', 'B 09:00±10 09:10±5']);

describe('minOutsideSeconds at the last place', () => {
  const judge = (minOutsideSeconds: number, last = 8): ReturnType<typeof evaluateTrip> => {
    const day = DAY.slice(0, last);
    const options = { timeZone: 'UTC', finishOn: 'departure', minOutsideSeconds } as const;
    const now = day.at(-1)!.time;
    const report = evaluateTrip(TRIP, DATE, readTrack(day), { ...options, now });
    const tracker = new TripTracker(TRIP, DATE, options);
    for (const fix of day) tracker.push(fix);
    expect(tracker.report()).toEqual(report);
    return report;
  };

  test('outside for at least that long: the unit left, and the exit finishes the trip', () => {
    const { points, status, finishedAt } = judge(84);
    expect([points[1]!.status, status]).toEqual(['passed', 'finished']);
    expect(points[1]!.departure).toBe(finishedAt);
    expect(finishedAt).toBeGreaterThan(at('09:10:30'));
    expect(finishedAt).toBeLessThan(at('09:10:40'));
    expect(points[1]!.departureStatus).toBe('on_time');
  });

  test('outside for less: the unit is still there', () => {
    const { points, status, finishedAt } = judge(85);
    expect([points[1]!.status, points[1]!.departure, status, finishedAt]).toEqual([
      'inside',
      null,
      'active',
      null,
    ]);
  });

  test('time outside does not count for the stop if the unit left', () => {
    // The unit drives through B, and stands outside for minutes before its exit is confirmed.
    const way = fixes(
      '07:50 -0.6',
      '07:55 0',
      '08:05 0',
      '08:10 1',
      '08:58 3.6',
      '08:59 4.4',
      '09:00 4.4',
      '09:06 4.4',
      '09:15 4.4',
    );
    const options = { timeZone: 'UTC', minOutsideSeconds: 600, serviceSeconds: 120, policy: 'wait' } as const;
    const seen = (day: typeof way): (string | null)[] => {
      const { points, status } = evaluateTrip(dayTrip(['A 08:00±10', 'B', 'C']), DATE, readTrack(day), {
        ...options,
        now: day.at(-1)!.time,
      });
      return [points[1]!.status, clock(points[1]!.departure), status];
    };
    expect(seen(way.slice(0, 8))[0]).toBe('passed');
    expect(seen(way)[0]).toBe('passed');
  });
});
