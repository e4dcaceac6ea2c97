import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { TripTracker } from '../../src/trips/index.js';
import { dayTrip, fixes } from './fairDays.js';
import { JUDGES, type Judge } from './judges.js';
import { DATE } from './shortTrips.js';

/** `08:10 0.1 v0`: a fix of `fixes` with a speed; without `v` the unit reports none. */
const track = (...lines: readonly string[]): Fix[] =>
  lines.flatMap((line) => {
    const [place, speed] = line.split(' v') as [string, string?];
    return fixes(place).map((fix) => ({ ...fix, ...(speed !== undefined && { speedKph: Number(speed) }) }));
  });

const ABC = dayTrip(['A 08:00±10 09:00±10', 'B 09:30±10', 'C 10:00±60']);
const ARRIVES = ['07:40 -4 v50', '07:50 -2 v50', '07:58 0 v0', '08:05 0 v0'];
const LEAVES = [
  '09:00 0 v0',
  '09:05 2 v50',
  '09:25 4 v0',
  '09:35 4 v0',
  '09:45 6 v50',
  '09:55 8 v0',
  '10:05 8 v0',
];
/** Positions outside A for longer than `leaveConfirmSeconds`, three times. */
const away = (...places: readonly string[]): Fix[] =>
  track(
    ...ARRIVES,
    ...['08:10', '08:20', '08:30'].flatMap((time, i) => [
      `${time} ${places[i % places.length]}`,
      `${time.slice(0, 4)}5 0 v0`,
    ]),
    ...LEAVES,
  );

const atTracker: Judge = (trip, day, options) => {
  const tracker = new TripTracker(trip, DATE, { timeZone: 'UTC', ...options } as never);
  for (const fix of day) tracker.push(fix);
  const { window } = tracker.report();
  tracker.advance(window.to);
  return tracker.report() as never;
};

describe.each([...JUDGES, ['TripTracker', atTracker] as const])('T18 by %s', (_name, judge) => {
  const arrival = (day: readonly Fix[], trip = ABC): string => {
    const { points, violations } = judge(trip, day);
    return `${points[0]!.departureStatus} ${violations.length}`;
  };

  test('an exit is drift within parkedMeters of the last fix inside', () => {
    expect(arrival(away('0.4 v0'), dayTrip(['A w250 08:00±10 09:00±10', 'B 09:30±10', 'C 10:00±60']))).toBe(
      'on_time 0',
    );
  });

  test('farther away it is drift at a speed below 1 km/h', () => {
    expect(arrival(away('0.9 v0', '-0.9 v0.9', '0.4 v0'))).toBe('on_time 0');
  });

  test.each([
    ['at 1 km/h', '0.9 v1'],
    ['without a speed', '0.9'],
    ['over 3 km/h', '0.4 v4'],
    ['in another zone of the trip', '4 v0'],
  ])('farther away it is no drift %s', (_what, place) => {
    expect(arrival(away(place))).not.toBe('on_time 0');
  });

  test('a unit that reports no speed over 3 km/h in the whole track has no speed that shows anything', () => {
    const slow = (fix: Fix): Fix => ({ ...fix, speedKph: Math.min(fix.speedKph ?? 0, 3) });
    expect(arrival(away('0.9 v0').map(slow))).not.toBe('on_time 0');
  });

  test('a jump over the zone between two fixes is part of the drift', () => {
    const day = track(...ARRIVES, '08:10 0.5 v0', '08:15 -0.5 v0', '08:20 0.6 v0', '08:25 0 v0', ...LEAVES);
    expect(arrival(day)).toBe('on_time 0');
  });

  test('the run is judged without it where that gives no more violations', () => {
    const day = away('0.9 v0');
    const report = judge(dayTrip(['A 08:00±10 08:08±10', 'B 09:30±10', 'C 10:00±60']), day);
    expect(report.violations).toEqual([]);
    expect(report.points[0]!.departureStatus).toBe('on_time');
  });
});

test('a later speed shows what an earlier one of 0 was worth', () => {
  const tracker = new TripTracker(ABC, DATE, { timeZone: 'UTC' });
  const day = away('0.9 v0').map((fix, i) => (i < 10 ? { ...fix, speedKph: 0 } : fix));
  const before = day.slice(0, 10);
  for (const fix of before) tracker.push(fix);
  const halfway = TripTracker.restore(ABC, tracker.snapshot());
  for (const fix of day.slice(10)) halfway.push(fix);
  halfway.advance(halfway.report().window.to);
  expect(halfway.report().violations).toEqual([]);
});
