import { describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, TripTracker } from '../../src/trips/index.js';
import { dayTrip, fixes } from './fairDays.js';
import { JUDGES } from './judges.js';
import { at, DATE, UTC } from './shortTrips.js';

const DAY_MS = 86_400_000;

describe('T46: a run looks at no fix later than a day after its window', () => {
  const trip = dayTrip(['A 08:00±10', 'B 09:00±10', 'C 10:00±10']);
  const seen = fixes('07:50 -0.6', '07:55 0', '08:05 0', '08:10 1', '08:50 3.6', '08:59 4', '09:10 4');
  const [last] = fixes('09:10 4');

  test('two wrong clocks in a row lock no live run', () => {
    const tracker = new TripTracker(trip, DATE, UTC);
    const { to } = tracker.report().window;
    for (const fix of seen) tracker.push(fix);
    for (const days of [1, 400]) tracker.push({ ...last!, time: to + days * DAY_MS + 1 });
    tracker.push({ ...last!, time: at('09:20') });
    expect(tracker.counts().reasons).toEqual({ 'time-implausible': 2 });
    expect(tracker.counts().late).toBe(0);
    expect(tracker.report()).toMatchObject({ status: 'active', lastFixAt: at('09:20') });
    expect(tracker.issues()[0]!.message).toContain('a time up to a day after the window of the run');
  });

  test('and the batch ignores them: the last hole is no sleep by such a fix', () => {
    const { to } = evaluateTrip(trip, DATE, readTrack([]), UTC).window;
    const holes = (time: number): readonly object[] =>
      evaluateTrip(trip, DATE, readTrack([...seen, { ...last!, time }]), UTC).holes.filter(
        ({ reason }) => reason === 'silent',
      );
    expect(holes(to + DAY_MS)).toEqual([]);
    expect(holes(to + DAY_MS + 1)).toEqual([{ from: at('09:10'), to, reason: 'silent' }]);
  });
});

describe.each(JUDGES)('by %s', (_name, judge) => {
  test('T33: it may have come before plan − tolerance, if it was still there then', () => {
    // Seen 10 km before B at 08:00 and 10 km beyond it at 08:52: it could be there until 08:47, but its time begins at 08:50.
    const trip = dayTrip(['A 07:00±10', 'B 09:00±10', 'C 12:00±59']);
    const day = (back: string): string =>
      judge(
        trip,
        fixes(
          '06:40 -1',
          '06:55 0',
          '07:05 0',
          '07:10 1',
          '08:00 2',
          `${back} 14`,
          '09:00 14.3',
          '09:09 14',
          '09:18 14.3',
          '11:30 8',
          '11:40 8',
        ),
      ).points[1]!.status;
    expect([day('08:52'), day('08:57')]).toEqual(['skipped', 'no_data']);
  });

  test('T34: a first point without a plan could have been visited by the greatest plan of the trip', () => {
    const trip = dayTrip(['A', 'B 09:00±10'], { activation_type: { key: 'entrance_to_first_point' } });
    const status = (...day: readonly string[]): string => judge(trip, fixes(...day, '23:59 21')).status;
    expect(status('07:00 20', '07:10 20', '08:30 21')).toBe('no_data');
    // The hole is after ten past nine.
    expect(status('07:00 20', '09:12 20', '14:00 21')).toBe('not_started');
  });
});

test('T8: a stay where the windows of neighbouring runs overlap belongs to both', () => {
  const next = '2026-03-03';
  const trip = dayTrip(['A 08:00±10', 'B 10:00±10', 'A 06:10±10'], { dates: [DATE, next] });
  const last = trip.points[2]!.arrival!;
  const points = [...trip.points.slice(0, 2), { ...trip.points[2]!, arrival: { ...last, after_days: 1 } }];
  const both = { ...trip, points };
  const day = fixes(
    '07:40 -3',
    '07:55 0',
    '08:05 0',
    '09:50 4',
    '10:10 4',
    '10:20 7',
    '+06:40 7',
    '+06:45 5',
    '+06:50 3',
    '+06:55 1',
  );
  const track = readTrack([...day, ...fixes('+07:00 0.4', '+07:05 0', '+07:18 0', '+07:30 2')]);
  const [one, two] = [DATE, next].map((date) => evaluateTrip(both, date, track, UTC));
  // The first run closes at 07:20, the second one opens at 06:50.
  expect([one!.window.to - two!.window.from, two!.window.from - at('06:50')]).toEqual([1_800_000, DAY_MS]);
  expect(one!.points[2]).toMatchObject({ status: 'passed', arrivalStatus: 'late' });
  expect(two!.points[0]!.arrival).toBe(one!.points[2]!.arrival);
});
