/** Small runs for the causes by which the two models once differed: each violated a rule of TRIPS.md in one of them. */

import { describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions, type TripReport } from '../../src/trips/index.js';
import { apartWithChanges } from './changedRuns.js';
import { apartIn } from './manyRuns.js';
import type { RandomRun } from './randomRuns.js';
import { at, clock, DATE, evaluate, points, trip, UTC, violations, visits } from './shortTrips.js';

const lonOf = (zone: string): number => 13 + zone.charCodeAt(0) / 100;
const fix = (time: string, zone: string, east = 0): { time: number; lon: number; lat: number } => ({
  time: at(time),
  lon: lonOf(zone) + east,
  lat: 52,
});
/** Fixes so many metres east of the middle of A. */
const fixAt =
  (meters: number): ((time: string) => ReturnType<typeof fix>) =>
  (time) =>
    fix(time, 'A', meters / 68_600);
type Given = Parameters<typeof evaluateTrip>[0];

/** The report, which is also that of the slow model. */
function judged(
  base: Given,
  fixes: readonly ReturnType<typeof fix>[],
  change: object,
  options: Partial<TripOptions> = {},
): TripReport {
  const all = { ...UTC, ...options };
  const changes = [{ type: 'amend', ...change }] as never;
  const tracks = { unit: readTrack([...fixes]) };
  const run = { trip: base, date: DATE, fixes, options: all } as unknown as RandomRun;
  expect(apartWithChanges({ run, tracks, changes })!.found).toEqual([]);
  return evaluateTrip(base, DATE, tracks.unit, { ...all, changes });
}

describe('T32: which point a stop under way serves decides what a drive-by may pass', () => {
  const of = (...times: readonly string[]): TripReport =>
    evaluate(
      trip(['A', 'B 08:10±10', 'B 08:20', 'A'], { activation_type: { key: 'entrance_to_first_point' } }),
      visits('0 08:00 08:06', ...times),
      { now: at('08:36'), allowSharedVisit: false },
    );

  test('the later one, so that the point before it is skipped by a stop, and not by the drive-by', () => {
    const found = of('1 08:00', '0 08:23 08:23:30');
    expect(points(found)).toEqual([
      'passed 08:00 08:06',
      'skipped  ',
      'passed 08:00 ',
      'passed 08:23 08:23:30',
    ]);
  });

  test('the first one where no drive-by follows', () => {
    expect(points(of('1 08:00'))).toEqual(['passed 08:00 08:06', 'passed 08:00 ', 'pending  ', 'pending  ']);
  });
});

describe('T49a: visits around one that serves a settled point', () => {
  const more = { activation_type: { key: 'time_of_first_point' } };
  const [A, AA] = [trip(['A 08:10±5'], more), trip(['A 08:10±5', 'A 08:15±1'], more)];
  const fixes = [
    fix('07:58', 'A', -0.01),
    fix('08:00', 'A', -0.002),
    fix('08:01', 'A', 0.002),
    fix('08:03', 'A', 0.01),
    fix('08:09', 'A', 0.002),
    ...['08:10', '08:13', '08:16', '08:19'].map((time) => fix(time, 'A')),
    // It stands beside the zone for some minutes, near the place at which it was within.
    ...['08:20', '08:22', '08:24'].map((time) => fix(time, 'A', 0.0028)),
    ...['08:25', '08:28', '08:31'].map((time) => fix(time, 'A')),
    fix('08:33', 'A', 0.01),
  ];

  test('T18: they are no presence by drift: the unit re-entered by the settled one', () => {
    const change = { at: at('08:23'), trip: AA, from: [0, null] };
    const found = judged(A, fixes, change, { leaveConfirmSeconds: 0, parkedMeters: 400 });
    expect(points(found).map((text) => text.replace(/:\d\d( |$)/g, '$1'))[1]).toBe('passed 08:24 08:31');
    expect(violations(found).map((text) => text.split(' ').slice(0, 3).join(' '))).toEqual([
      'late 1 arrival',
    ]);
  });
});

describe('T30: under wait, a point before a settled one', () => {
  const AB = trip(['A', 'B'], { activation_type: { key: 'entrance_to_first_point' } });
  const to = trip(['A', 'C', 'B', 'D'], { activation_type: { key: 'entrance_to_first_point' } });
  const stands = (zone: string, ...times: readonly string[]): ReturnType<typeof fix>[] => [
    fix(times[0]!, zone, -0.004),
    ...times.slice(1, -1).map((time) => fix(time, zone)),
    fix(times.at(-1)!, zone, 0.004),
  ];
  const change = { at: at('08:50'), trip: to, from: [0, null, 1, null] };
  const before = [
    ...stands('A', '07:59', '08:00', '08:05', '08:07'),
    ...stands('B', '08:29', '08:30', '08:38', '08:40'),
  ];
  const after = stands('D', '09:40', '09:41', '09:46', '09:48');
  const options = { policy: 'wait', now: at('10:00') } as const;
  const statuses = (found: TripReport): readonly string[] => found.points.map(({ status }) => status);

  test('holds back where it was visited too late for its place in the list', () => {
    const late = stands('C', '08:59', '09:00', '09:05', '09:07');
    expect(statuses(judged(AB, [...before, ...late, ...after], change, options))).toEqual([
      'passed',
      'skipped',
      'passed',
      'pending',
    ]);
  });

  test('was passed unseen before the stop of a settled one, whenever it was visited later', () => {
    const late = stands('C', '08:59', '09:00', '09:05', '09:07');
    const fixes = [...stands('B', '08:29', '08:30', '08:38', '08:40'), ...late, ...after];
    const found = judged(to, fixes, { at: at('08:50'), trip: to, from: [0, 1, 2, 3] }, options);
    expect([found.activation, ...statuses(found)]).toEqual([
      'assumed',
      'no_data',
      'no_data',
      'passed',
      'passed',
    ]);
  });

  test('was not passed unseen after the settled visit was over', () => {
    expect(statuses(judged(AB, [...before, ...after], change, options))[3]).toBe('pending');
  });
});

describe('T43: the way up to a finish at an amendment', () => {
  const A = trip(['A'], { activation_type: { key: 'entrance_to_first_point' } });
  const way = [
    fix('07:56', 'A', -0.01),
    fix('08:00', 'A'),
    fix('08:05', 'A', 0.0005),
    fix('08:09', 'A', 0.0005),
  ];
  const end = { at: at('08:05'), trip: trip(['D'], { activation_type: A.activation_type }), from: [0] };

  test('of a visit that ends at a fix because the zone is elsewhere', () => {
    const found = judged(A, way, end, { finishOn: 'departure' });
    expect(found).toMatchObject({ finishedAt: at('08:05'), points: [{ visit: { end: 'zone-changed' } }] });
    const old = evaluateTrip(A, DATE, readTrack(way), { ...UTC, finishOn: 'departure', now: at('08:05') });
    expect(found.totals.distanceMeters).toBeCloseTo(old.totals.distanceMeters!, 6);
    expect(found.totals.distanceMeters).toBeGreaterThan(100);
  });

  test('of a visit that begins where the zone comes to the unit, before a gap', () => {
    const fixes = [...way, fix('08:20', 'A', 0.01), fix('08:24', 'B'), fix('10:30', 'D')];
    const here = trip(['B'], { activation_type: A.activation_type });
    const base = trip(['A', 'D'], { activation_type: A.activation_type });
    const found = judged(base, fixes, { at: at('08:30'), trip: here, from: [1] });
    expect(found).toMatchObject({ finishedAt: at('08:30'), points: [{ visit: { end: 'gap' } }] });
    const old = evaluateTrip(base, DATE, readTrack(fixes), { ...UTC, now: at('08:29') });
    expect(found.totals.distanceMeters).toBeCloseTo(old.totals.distanceMeters!, 6);
  });
});

test('T34, T47: in any order, an excused point could not have been visited on time after the finish', () => {
  const given = trip(['A', 'B 08:30±30', 'C 12:00±5'], {
    passage_order_type: { key: 'arbitrary' },
    activation_type: { key: 'entrance_to_first_point' },
  });
  const gap = (from: string, to: string): { from: number; to: number } => ({ from: at(from), to: at(to) });
  const of = (...gaps: readonly ReturnType<typeof gap>[]): TripReport =>
    evaluateTrip(
      given,
      DATE,
      { visits: visits('1 08:30 08:40', '2 08:50 09:00'), gaps },
      { ...UTC, changes: [{ type: 'excuse', pointIndex: 2, at: at('10:00') }] },
    );
  // The first point may have been passed before eight; without it the trip is finished at B.
  const found = of(gap('07:30', '08:00'), gap('11:50', '12:10'));
  expect([found.finishedAt, found.points[2]!.arrivalStatus]).toEqual([at('08:30'), 'early']);
  expect(found.violations).toEqual([]);
});

describe('T16: the gap of a stay begins where the unit was last in the zone', () => {
  const given = trip(['A 12:05'], { activation_type: { key: 'time_of_first_point' } });
  /** A wide zone that is crossed to a place within its buffer; then the unit is unseen until it stands in it. */
  const wide = {
    ...given,
    points: given.points.map((point) => ({ ...point, type: { key: 'circle' as const }, width: 1500 })),
  };
  const east = (meters: number): number => meters / (111_195 * Math.cos((52 * Math.PI) / 180));

  test('and not before a crossing that is early', () => {
    const fixes = [
      fix('12:03:23', 'A', east(1970)),
      fix('12:06:18', 'A', east(-1540)),
      fix('12:31:18', 'A', east(-1460)),
    ];
    const options = { ...UTC, maxGapSeconds: 500 };
    const found = evaluateTrip(wide, DATE, readTrack(fixes), options);
    expect(found.points[0]!.arrivalStatus).toBe('early');
    expect(apartIn({ trip: wide, date: DATE, fixes, options } as unknown as RandomRun)).toEqual([]);
  });
});

test('T36: an unseen arrival after a point that was perhaps passed unseen is early only if the visit was over too early (T31)', () => {
  const given = trip(['A', 'B', 'A 09:30±10'], { activation_type: { key: 'leaving_first_point' } });
  // Seen at the first point until 08:40, and then in a hole until it drives through it again: before the window ends that skips nothing.
  const fixes = [
    fix('08:30', 'A'),
    fix('08:39', 'A'),
    fix('08:40', 'A', -0.01),
    fix('09:05', 'A', -0.08),
    fix('09:10', 'A'),
    fix('09:11', 'A', 0.004),
    fix('09:15', 'A', 0.006),
  ];
  const options = { ...UTC, serviceSeconds: 300, now: at('09:15') };
  const found = evaluateTrip(given, DATE, readTrack(fixes), options);
  expect(found.points.map(({ status, arrivalStatus }) => [status, arrivalStatus])).toEqual([
    ['passed', null],
    ['pending', null],
    ['passed', 'early'],
  ]);
  // It was left at 09:10:22.
  expect(found.points[2]!.arrivalDeviationSeconds).toBeCloseTo(-1178, 0);
  expect(apartIn({ trip: given, date: DATE, fixes, options } as unknown as RandomRun)).toEqual([]);
});

test('T13: a visit that begins at the end of the hole counts, also if it is over at once', () => {
  const given = trip(['A', 'B', 'A'], { activation_type: { key: 'entrance_to_first_point' } });
  // Its first fix is at the second point; the first one may have been passed before it.
  const fixes = [fix('10:41', 'B'), fix('12:29', 'A')];
  const options = { ...UTC, policy: 'wait' } as const;
  const found = evaluateTrip(given, DATE, readTrack(fixes), options);
  expect([found.activation, ...found.points.map(({ status }) => status)]).toEqual([
    'assumed',
    'no_data',
    'passed',
    'passed',
  ]);
  expect(apartIn({ trip: given, date: DATE, fixes, options } as unknown as RandomRun)).toEqual([]);
});

test('T13, T33: the first point may have been visited at the instant at which the window opens', () => {
  const base = trip(['A', 'A 09:00±5', 'A'], { activation_type: { key: 'entrance_to_first_point' } });
  const points = base.points.map((point, i) => ({ ...point, width: i === 2 ? 300 : 100 }));
  const given = { ...base, points };
  const fixes = [fix('05:00', 'C'), fix('07:55', 'A')];
  const options = { ...UTC, allowSharedVisit: false };
  const found = evaluateTrip(given, DATE, readTrack(fixes), options);
  expect([found.window.from, found.activation, found.activatedAt]).toEqual([
    at('07:55'),
    'assumed',
    at('07:55'),
  ]);
  expect(apartIn({ trip: given, date: DATE, fixes, options } as unknown as RandomRun)).toEqual([]);
});

test('T28: a stop that ends at the turn is out of turn, unless it serves', () => {
  const given = trip(['A 08:15±10', 'B'], { activation_type: { key: 'time_of_first_point' } });
  const found = evaluate(given, visits('1 08:16 08:20', '0 08:20 08:30', '1 08:30 08:40'));
  expect(points(found)).toEqual(['passed 08:20 08:30', 'passed 08:16 08:20']);
  expect(found.violations).toEqual([]);
});

test('T17a, T23: an assumed start counts a stay whose last visit, left apart, would be too short', () => {
  const given = trip(['A', 'A', 'A', 'A 09:00±30'], { activation_type: { key: 'entrance_to_first_point' } });
  const [near, west, east] = [fixAt(0), fixAt(-190), fixAt(190)];
  const fixes = [
    near('08:05'),
    west('08:05:10'),
    fixAt(-60)('08:06:58'),
    east('08:30:03'),
    near('09:05'),
    west('09:05:16'),
    fixAt(610)('09:07:33'),
  ];
  const options = { ...UTC, minStaySeconds: 60, allowSharedVisit: false };
  const found = evaluateTrip(given, DATE, readTrack(fixes), options);
  const { visit, departure } = found.points[3]!;
  // The zone is crossed once more, on the way east.
  expect([clock(departure), departure === visit!.exit]).toEqual(['09:06:05', true]);
  expect(apartIn({ trip: given, date: DATE, fixes, options } as unknown as RandomRun)).toEqual([]);
});

describe('T50: where a unit is that took over is not known before its first fix', () => {
  test('so that its first fixes in the zone show no stop before they last for one', () => {
    const given = trip(['A'], { activation_type: { key: 'entrance_to_first_point' } });
    const own = [fix('07:50', 'A', -0.01), fix('07:58', 'A'), fix('07:58:30', 'A')];
    const spare = [fix('08:00', 'A'), fix('08:00:40', 'A'), fix('08:02', 'A', 0.01)];
    const tracks = { unit: readTrack(own), spare: readTrack(spare) };
    const changes = [{ type: 'handOver', at: at('07:59'), unitId: 'spare' }] as never;
    const run = {
      trip: { ...given, unit: { id: 'unit' } },
      date: DATE,
      fixes: own,
      options: UTC,
    } as unknown as RandomRun;
    expect(apartWithChanges({ run, tracks, changes })!.found).toEqual([]);
  });
});
