import { describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, explainTrip, type TripReport, TripTracker } from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { apartWithChanges } from './changedRuns.js';
import type { RandomRun } from './randomRuns.js';
import { at, DATE, points as exactly, trip, UTC, violations } from './shortTrips.js';

const lonOf = (zone: string): number => 13 + zone.charCodeAt(0) / 100;
const fix = (time: string, lon: number): { time: number; lon: number; lat: number } => ({
  time: at(time),
  lon,
  lat: 52,
});
/** A stay from a time on, with a fix each two minutes, and a fix away from it after the last one. */
const stay = (zone: string, ...times: readonly string[]): ReturnType<typeof fix>[] =>
  times.map((time) => fix(time, lonOf(zone)));

const FIXES = [
  fix('07:59', lonOf('A') - 0.005),
  ...stay('A', '08:00', '08:05', '08:10'),
  ...['08:12', '08:18', '08:24'].map((time) => fix(time, lonOf('A') + 0.005)),
  fix('08:29', lonOf('B') - 0.004),
  ...stay('B', '08:30', '08:35', '08:40'),
  ...['08:42', '08:48', '08:54'].map((time) => fix(time, lonOf('B') + 0.005)),
  fix('08:59', lonOf('C') - 0.004),
  ...stay('C', '09:00', '09:05'),
  fix('09:07', lonOf('C') + 0.005),
];
type Given = Parameters<TripTracker['amend']>[0];
const amendment = (to: Given, time: string, from?: readonly (number | null)[]): object => ({
  type: 'amend',
  at: at(time),
  trip: to,
  ...(from && { from }),
});
const report = (base: Given, change: object, now = '10:00', fixes = FIXES): TripReport =>
  evaluateTrip(base, DATE, readTrack([...fixes]), { ...UTC, now: at(now), changes: [change] as never });

/** Each point as `status arrival departure`, in minutes. */
const points = (found: TripReport): string[] =>
  exactly(found).map((text) => text.replace(/(\d\d:\d\d):\d\d/g, '$1'));

describe('T49: an amended run', () => {
  const ABC = trip(['A 08:00±5', 'B 08:10', 'C 09:00±5']);

  test('is restored with the first trip or with the one last amended, and no other', () => {
    const [second, third] = [
      trip(['A 08:00±5', 'D 08:40', 'C 09:00±5']),
      trip(['A 08:00±5', 'B 08:30', 'C 09:05±5']),
    ];
    const tracker = new TripTracker(ABC, DATE, UTC);
    for (const one of FIXES.slice(0, 8)) tracker.push(one);
    tracker.amend(second, { at: at('08:29') });
    tracker.amend(third, { at: at('08:29') });
    const snapshot = JSON.stringify(tracker.snapshot());
    const rest = (own: TripTracker): TripReport => {
      own.pushAll(FIXES.slice(8));
      return own.report();
    };
    const expected = rest(tracker);
    for (const given of [ABC, third]) {
      const restored = TripTracker.restore(given, snapshot);
      expect(rest(restored)).toEqual(expected);
      expect(restored.snapshot()).toEqual(tracker.snapshot());
    }
    expect(errorOf(() => TripTracker.restore(second, snapshot)).code).toBe('state-trip');
  });

  test('T49a: a settled point keeps its visit, plan and statuses, and takes the new name', () => {
    const to = trip(['A 11:00', 'D 12:00', 'C 09:00']);
    const renamed = { ...to, points: to.points.map((point) => ({ ...point, name: `new ${point.name}` })) };
    const found = report(ABC, amendment(renamed as never, '08:20'), '08:25');
    expect(points(found)).toEqual(['passed 07:59 08:10', 'pending  ', 'pending  ']);
    expect(found.points[0]).toMatchObject({
      name: 'new A',
      plannedArrival: at('08:00'),
      arrivalStatus: 'on_time',
    });
    expect(found.points[1]).toMatchObject({ name: 'new D', plannedArrival: at('12:00') });
    expect(explainTrip(found, 'en').points[0]).toContain('new A was reached at 07:59');
  });

  test('T49a: a settled point that is dropped leaves with its violations', () => {
    expect(violations(report(ABC, amendment(ABC, '08:50')))).toEqual(['late 1 arrival 1178.159']);
    const found = report(ABC, amendment(trip(['A 08:00', 'C 09:00±5']), '08:50', [0, 2]));
    expect(violations(found)).toEqual([]);
    expect(found).toMatchObject({ status: 'finished', totals: { passed: 2 } });
  });

  test('T49b: a visit that is open goes on in a wider zone, and ends where the unit is not in the new one', () => {
    const wide = {
      ...ABC,
      points: ABC.points.map((point, i) => (i === 1 ? { ...point, width: 300 } : point)),
    };
    const open = report(ABC, amendment(wide, '08:37'), '08:39');
    expect(points(open)[1]).toBe('passed 08:29 ');
    const gone = report(ABC, amendment(trip(['A 08:00', 'D 08:10', 'C 09:00']), '08:37'), '08:39');
    expect(gone.points[1]).toMatchObject({ visit: { end: 'zone-changed', exit: at('08:37') } });
    expect(gone.points[1]!.arrival).toBe(open.points[1]!.arrival);
  });

  test('T49b: an added point is visited only from then on', () => {
    const to = trip(['A 08:00', 'B 08:10', 'B 08:50', 'C 09:00']);
    const late = report(ABC, amendment(to, '08:50', [0, 1, null, 2]));
    expect(points(late)).toEqual([
      'passed 07:59 08:10',
      'passed 08:29 08:40',
      'skipped  ',
      'passed 08:59 09:05',
    ]);
    const early = report(
      ABC,
      amendment(trip(['A 08:00', 'B 08:10', 'D', 'C 09:00']), '08:20', [0, 1, null, 2]),
      '08:45',
    );
    expect(points(early)[2]).toBe('pending  ');
  });

  test('T49c: the start stays, and the window contains what was of the old one', () => {
    const found = report(ABC, amendment(trip(['D 12:00', 'C 13:00']), '08:20', [null, 2]), '08:30');
    expect(found).toMatchObject({ activation: 'seen', status: 'active' });
    expect(found.activatedAt).toBe(report(ABC, amendment(ABC, '08:20')).activatedAt);
    expect(found.window.from).toBe(at('06:55'));
    const before = report(ABC, amendment(trip(['D 12:00', 'C 13:00']), '07:50', [null, 2]), '11:00');
    expect(before).toMatchObject({ activatedAt: null, status: 'scheduled' });
  });

  test('T13: the first point of an assumed run stays without data when it is planned for later', () => {
    const base = trip(['A', 'B'], { activation_type: { key: 'leaving_first_point' } });
    const later = trip(['A 09:30±10', 'B'], { activation_type: { key: 'leaving_first_point' } });
    const options = { ...UTC, now: at('09:00') };
    const day = { trip: base, date: DATE, fixes: FIXES.filter(({ time }) => time >= at('08:30')), options };
    const tracks = { unit: readTrack([...day.fixes]) };
    const changes = [{ type: 'amend', at: at('08:50'), trip: later } as const];
    const found = evaluateTrip(base, DATE, tracks.unit, { ...options, changes });
    expect([found.activation, found.points[0]!.status]).toEqual(['assumed', 'no_data']);
    expect(found.violations).toEqual([]);
    expect(apartWithChanges({ run: day as RandomRun, tracks, changes })!.found).toEqual([]);
  });

  test('is not known before its time', () => {
    const change = amendment(trip(['D 12:00']), '08:50', [null]);
    const { points: before } = report(ABC, change, '08:49');
    expect(before.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
  });

  test('is made of a tracker with the same result, kept in snapshots, with a log of who and when', () => {
    let tracker = new TripTracker(ABC, DATE, UTC);
    for (const own of FIXES.slice(0, 5)) tracker.push(own);
    const to = trip(['A 08:00', 'C 09:00±5']);
    const emitted = tracker.amend(to, {
      at: at('08:14'),
      from: [0, 2],
      by: 'dispatch',
      reason: 'B is closed',
    });
    expect(emitted).toEqual([]);
    expect(tracker.advance(at('08:14'))).toEqual([
      { type: 'revised', was: { type: 'arrival_overdue', time: at('08:11'), pointIndex: 1 }, is: null },
    ]);
    tracker = TripTracker.restore(ABC, JSON.stringify(tracker.snapshot()));
    for (const own of FIXES.slice(5)) tracker.push(own);
    tracker = TripTracker.restore(ABC, JSON.stringify(tracker.snapshot()));
    const changes = tracker.changes();
    expect(changes).toEqual([
      {
        type: 'amend',
        at: at('08:14'),
        by: 'dispatch',
        reason: 'B is closed',
        trip: JSON.parse(JSON.stringify(to)),
        from: [0, 2],
      },
    ]);
    const batch = evaluateTrip(ABC, DATE, readTrack([...FIXES]), { ...UTC, now: at('09:07'), changes });
    expect(tracker.report()).toEqual(batch);
    expect(batch).toMatchObject({ status: 'finished', totals: { passed: 2 } });
  });
});

test('errors of amendments name their field', () => {
  const ABC = trip(['A 08:00', 'B 08:30', 'C']);
  const AB = trip(['A', 'B']);
  const errorAt = (change: object): unknown => {
    const { code, field } = errorOf(() => report(ABC, change)) as { code: string; field: string };
    return [code, field];
  };
  const field = 'options.changes[0]';
  expect(errorAt(amendment(AB, '09:00'))).toEqual(['amend-points', `${field}.from`]);
  expect(errorAt(amendment(AB, '09:00', [0]))).toEqual(['amend-points', `${field}.from`]);
  expect(errorAt(amendment(AB, '09:00', [0, 0]))).toEqual(['amend-points', `${field}.from[1]`]);
  expect(errorAt(amendment(AB, '09:00', [0, 3]))).toEqual(['amend-points', `${field}.from[1]`]);
  expect(errorAt({ ...amendment(AB, '09:00'), from: 'all' })).toEqual(['amend-points', `${field}.from`]);
  expect(errorAt(amendment({ ...AB, points: [] } as never, '09:00'))).toEqual([
    'points-missing',
    `${field}.trip.points`,
  ]);
  expect(errorAt(amendment({ ...AB, dates: ['2026-03-03'] }, '09:00', [0, 1]))).toEqual([
    'date-not-planned',
    `${field}.trip.dates`,
  ]);
  const bad = { ...AB, points: [AB.points[0]!, { ...AB.points[1]!, width: -1 }] };
  expect(errorAt(amendment(bad, '09:00', [0, 1]))).toEqual(['radius-range', `${field}.trip.points[1].width`]);
  const visits = errorOf(() =>
    evaluateTrip(ABC, DATE, { visits: [] }, { ...UTC, changes: [amendment(ABC, '09:00')] as never }),
  );
  expect(visits).toMatchObject({ code: 'change-invalid', field: `${field}.type` });
});

test('a tracker refuses what is judged already', () => {
  const ABC = trip(['A 08:00', 'B 08:30', 'C']);
  const tracker = new TripTracker(ABC, DATE, UTC);
  for (const own of FIXES.slice(0, 5)) tracker.push(own);
  const late = { code: 'change-late', field: 'change.at' };
  expect(errorOf(() => tracker.amend(ABC, { at: at('08:11') }))).toMatchObject(late);
  tracker.amend(ABC, { at: at('08:20') });
  expect(errorOf(() => tracker.excuse(2, { at: at('08:19') }))).toMatchObject(late);
  expect(errorOf(() => tracker.amend(trip(['A']), { at: at('08:21') }))).toMatchObject({
    code: 'amend-points',
    field: 'change.from',
  });
  expect(tracker.changes()).toHaveLength(1);
});
