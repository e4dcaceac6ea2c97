import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { validateTrip } from '../../src/schemas/index.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, TripTracker } from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { trip as tripInput } from '../schemas/samples.js';
import { dayTrip, fixes } from './fairDays.js';
import { JUDGES } from './judges.js';
import type { SlowReport } from './oracle/slowModel.js';
import { at, DATE } from './shortTrips.js';

/** Rounded to seconds, because crossings of a circle are accurate to some milliseconds. */
const clock = (time: number | null): string =>
  time === null
    ? '-'
    : new Date(Math.round(time / 1000) * 1000).toISOString().slice(11, 19).replace(/:00$/, '');
/** Each point as `status arrival status-of-arrival`. */
const points = ({ points: all }: SlowReport): string[] =>
  all.map(({ status, arrival, arrivalStatus }) => `${status} ${clock(arrival)} ${arrivalStatus ?? '-'}`);
const violations = (report: SlowReport): string[] =>
  report.violations.map(({ type, pointIndex, seconds }) =>
    [type, pointIndex, seconds === null ? null : Math.round(seconds)]
      .filter((part) => part !== null)
      .join(' '),
  );
const events = (report: SlowReport): string[] =>
  report.events.map(({ type, time, pointIndex }) => [clock(time), type, pointIndex].join(' ').trim());

const ABC = ['A 08:00±10', 'B 09:00±10', 'C 10:00±10'];
const BY_ENTRANCE = dayTrip(ABC);
const BY_LEAVING = dayTrip(ABC, { activation_type: { key: 'leaving_first_point' } });
const BY_TIME = dayTrip(ABC, { activation_type: { key: 'time_of_first_point' } });
/** 400 m short of A's centre at 07:50, in A from 07:55, asleep there until 08:15 (the departure). */
const AT_A = ['07:35 -4', '07:45 -0.6', '07:55 0', '08:10 0', '08:20 0.6'];
const B_ON_TIME = ['08:50 2', '09:00 4', '09:20 4'];
const C_ON_TIME = ['09:30 5', '09:40 6', '09:50 6', '10:00 8', '10:20 8'];

describe.each(JUDGES)('a day evaluated by %s', (_name, judge) => {
  test.each([
    ['entrance', BY_ENTRANCE],
    ['leaving', BY_LEAVING],
  ])('no GPS until 08:30, activation by %s: A is no_data, B and C are passed', (_activation, trip) => {
    const report = judge(trip, fixes('08:30 1', '08:40 2', ...B_ON_TIME, ...C_ON_TIME));
    expect(report).toMatchObject({ status: 'finished', activation: 'assumed', activatedAt: at('08:30') });
    expect(points(report)).toEqual(['no_data - -', 'passed 08:58:30 on_time', 'passed 09:58:30 on_time']);
    expect(violations(report)).toEqual([]);
  });

  test('not at A, by a track without holes: one violation', () => {
    const report = judge(BY_ENTRANCE, fixes('06:40 1', '08:40 1', ...B_ON_TIME, ...C_ON_TIME));
    expect(report).toMatchObject({ status: 'not_started', activation: null, activatedAt: null });
    expect(violations(report)).toEqual(['not_started 0']);
  });

  test('the first fix is in A at 08:30: the unit may have arrived on time', () => {
    const report = judge(BY_ENTRANCE, fixes('08:30 0', '08:40 1', ...B_ON_TIME, ...C_ON_TIME));
    expect(report.points[0]).toMatchObject({
      arrival: at('08:30'),
      arrivalBounds: [at('06:50'), at('08:30')],
      arrivalStatus: 'uncertain',
      arrivalDeviationSeconds: null,
    });
    expect(report.status).toBe('finished');
    expect(report.totals).toMatchObject({ onTime: 2, uncertain: 1 });
  });

  test('a gap from 07:00 to 09:30 ends in A: the arrival is known by bounds', () => {
    const report = judge(BY_ENTRANCE, fixes('06:55 -10', '07:00 -10', '09:30 0', '09:40 0'));
    const { arrivalBounds, arrivalStatus } = report.points[0]!;
    // 9.7 km at 130 km/h take 268.6 s.
    expect(arrivalBounds!.map(clock)).toEqual(['07:04:29', '09:30']);
    expect(arrivalStatus).toBe('uncertain');
    expect(violations(report).filter((text) => text.includes(' 0'))).toEqual([]);
  });

  test('a gap lies across the planned departure', () => {
    const trip = dayTrip(['A 08:00±10 09:00±10', 'B 10:00±10']);
    const report = judge(trip, fixes('07:45 -0.6', '07:55 0', '08:05 0', '09:20 1', '09:30 2'));
    expect(report.points[0]).toMatchObject({
      departure: at('08:05'),
      departureStatus: 'uncertain',
      departureDeviationSeconds: null,
    });
    // The way from A's border to the fix at 1 km takes 19.4 s.
    expect(report.points[0]!.departureBounds!.map(clock)).toEqual(['08:05', '09:19:41']);
    expect(violations(report).filter((text) => text.includes(' 0'))).toEqual([]);
  });

  test('a gap from 08:10 to 10:08 with the next fix beyond B: the unit could have been at B', () => {
    const trip = dayTrip(['A 08:00±10', 'B 10:00±10', 'C 11:00±10']);
    const day = ['10:08 6', '10:18 6', '10:50 6', '11:00 8', '11:10 8'];
    const report = judge(trip, fixes(...AT_A.slice(0, 4), ...day));
    expect(points(report)).toEqual(['passed 07:50 on_time', 'no_data - -', 'passed 10:58:30 on_time']);
    expect(report).toMatchObject({ status: 'finished', violations: [] });
  });

  test('B is skipped if the distance is too long for the time', () => {
    const trip = dayTrip(['A 08:00±10', '@30 10:00±10', 'C 11:00±10']);
    const day = ['09:52 0', '10:08 1', '10:18 4', '10:50 4', '11:00 8', '11:10 8'];
    const report = judge(trip, fixes(...AT_A.slice(0, 4), ...day));
    expect(points(report)[1]).toBe('skipped - -');
    expect(violations(report)).toEqual(['skipped 1']);
  });

  test('two fixes 55 minutes and 4 km apart, B one km off the line: a hole can be shorter than a gap', () => {
    const day = ['08:20 0.6', '08:30 2 1', '09:25 6 1', '09:40 6', ...C_ON_TIME.slice(2)];
    const report = judge(BY_ENTRANCE, fixes(...AT_A.slice(0, 4), ...day));
    expect(points(report)[1]).toBe('no_data - -');
    expect(report.status).toBe('finished');
  });

  test('the tracker sleeps at home to the end of the window: C is missed', () => {
    const home = ['09:30 1', '09:40 -3', '11:30 -3'];
    const report = judge(
      BY_ENTRANCE,
      fixes(...AT_A, '08:30 1', '08:40 2', ...B_ON_TIME, ...home, '+07:00 -3'),
    );
    expect(points(report)).toEqual(['passed 07:50 on_time', 'passed 08:58:30 on_time', 'missed - -']);
    expect(report.status).toBe('aborted');
    // A tracker that was switched off elsewhere does not count as asleep.
    const silent = judge(BY_ENTRANCE, fixes(...AT_A, '08:30 1', '08:40 2', ...B_ON_TIME));
    expect(points(silent)[2]).toBe('no_data - -');
    expect(silent.status).toBe('no_data');
  });

  test('no GPS to 08:30, and the depot A is seen again at 17:00 only', () => {
    const day = fixes('08:30 1', '08:40 2', ...B_ON_TIME, ...C_ON_TIME, '17:00 0', '17:10 0');
    const report = judge(BY_ENTRANCE, day);
    expect(report).toMatchObject({ activation: 'assumed', activatedAt: at('08:30'), status: 'finished' });
    expect(points(report)).toEqual(['no_data - -', 'passed 08:58:30 on_time', 'passed 09:58:30 on_time']);
  });

  test('no data at all, activation by time: the trip is no_data', () => {
    const report = judge(BY_TIME, []);
    expect(report).toMatchObject({ status: 'no_data', violations: [] });
    expect(report.events.map(({ type }) => type)).not.toContain('trip_activated');
  });

  test('a depot left at 07:00 and entered again at 07:20 is served by the stay that spans the plan', () => {
    const day = ['05:00 0', '06:55 0', '07:05 -0.6', '07:15 -0.6', '07:25 0', '08:00 0', '08:10 0.6'];
    const report = judge(BY_TIME, fixes(...day, '08:40 2', ...B_ON_TIME, ...C_ON_TIME));
    expect(points(report)[0]).toBe('passed 07:20 early');
    expect(report.points[0]!.arrivalDeviationSeconds).toBeCloseTo(-2400, 0);
    expect(violations(report)).toEqual(['early 0 -2400']);
  });

  test('an early driver loses no point', () => {
    const trip = dayTrip(['A 08:00±10', 'B 08:30±10', 'C 10:00±10'], {
      activation_type: { key: 'time_of_first_point' },
    });
    const day = [
      '07:10 -0.6',
      '07:25 0',
      '07:35 0',
      '07:45 2.7',
      '07:53 4',
      '08:00 6',
      ...C_ON_TIME.slice(2),
    ];
    const report = judge(trip, fixes(...day));
    expect(points(report).map((text) => text.split(' ').at(-1))).toEqual(['early', 'early', 'on_time']);
    expect(report.status).toBe('finished_with_violations');
    expect(violations(report).map((text) => text.split(' ')[0])).toEqual(['early', 'early']);
  });

  test('the arrival is the stop, not the drive-by of 24 seconds at the planned time', () => {
    const day = ['09:17 7.4', '09:23 8', '09:40 8', '09:50 9.5', '10:00 9.5', '10:02 6.5', '10:20 6.5'];
    const report = judge(
      BY_ENTRANCE,
      fixes(...AT_A, '08:30 1', '08:40 2', '08:50 3', '09:00 4', '09:10 4', ...day),
    );
    expect(points(report)[2]).toBe('passed 09:20 early');
    expect(violations(report)).toEqual(['early 2 -2400']);
  });

  test('neither a drive through C on the way to B nor a return to the depot is out of turn', () => {
    const trip = dayTrip(['A 08:00±10', '@8 09:00±10', '@4 10:00±10']);
    const day = [...AT_A, '08:30 0', '08:40 0', '08:45 2', '08:50 6', '08:55 6.5', '09:00 8', '09:40 8'];
    const report = judge(trip, fixes(...day, '09:50 6', '10:00 4', '10:20 4'));
    expect(points(report).map((text) => text.split(' ')[0])).toEqual(['passed', 'passed', 'passed']);
    expect(report).toMatchObject({ status: 'finished', violations: [] });
    expect(report.points.map(({ outOfOrder }) => outOfOrder)).toEqual([false, false, false]);
  });

  test('A lies within the larger zone that comes next', () => {
    const trip = dayTrip(['A 08:00±10', '@0 w3000 09:00±10', 'C 10:00±10']);
    const day = [...AT_A, '08:30 1', '08:40 2', '08:50 2.4', '09:20 2.4', '09:30 4', '09:40 6'];
    const report = judge(trip, fixes('07:20 -4', ...day, ...C_ON_TIME.slice(2)));
    expect(points(report)).toEqual(['passed 07:50 on_time', 'passed 07:37:56 -', 'passed 09:58:30 on_time']);
    expect(report).toMatchObject({ status: 'finished', violations: [] });
  });

  test('T13, T17a: for each way to join visits the start is found anew, and none is apart for as many points', () => {
    // By the seen start A and the yard around it are served, as one stay of the yard; by an assumed one its two halves would serve as many.
    const day = ['07:45 1.1', '10:27 0.21', '10:28 0', '12:22 -0.75'];
    const plan = ['A w300', 'A w300', '@0 w1500 - 09:05'];
    const trip = dayTrip(plan, { activation_type: { key: 'leaving_first_point' } });
    const report = judge(trip, fixes(...day), { allowSharedVisit: false });
    expect([report.activation, clock(report.activatedAt)]).toEqual(['seen', '10:28']);
    expect(report.points.map(({ status }) => status)).toEqual(['passed', 'no_data', 'passed']);
    expect(clock(report.points[2]!.arrival)).toBe('07:45');
    expect(report.violations).toEqual([]);
  });

  test('an outage inside a large zone gives one stay with a known departure', () => {
    const trip = dayTrip(['@0 w3000 08:00±10 10:00±10', 'C 11:00±10']);
    const day = [
      '07:45 -4',
      '07:55 -2',
      '08:05 -1',
      '09:20 1',
      '09:50 1',
      '10:00 2.7',
      '10:10 3.3',
      '10:50 6',
    ];
    const report = judge(trip, fixes(...day, '11:00 8', '11:10 8'));
    expect(report.points[0]!.visit).toMatchObject({ hasGap: true, end: 'left' });
    expect(clock(report.points[0]!.departure)).toBe('10:05');
    expect(report.points[0]!.departureStatus).toBe('on_time');
    // A departure in the gap would not have been on time, so a late one stays late.
    const early = dayTrip(['@0 w3000 07:50±10 07:55±5', 'C 11:00±10']);
    expect(judge(early, fixes(...day)).points[0]!.departureStatus).toBe('late');
    // One at 08:30 would have been in the gap.
    const unknown = dayTrip(['@0 w3000 08:00±10 08:30±5', 'C 11:00±10']);
    expect(judge(unknown, fixes(...day)).points[0]!.departureStatus).toBe('uncertain');
  });

  test('at 11:00 a point due at 10:00 is overdue', () => {
    const day = fixes(...AT_A, '08:30 1', '08:40 2', ...B_ON_TIME, '11:00 4');
    const report = judge(BY_ENTRANCE, day, { now: at('11:00') });
    expect(report.points[2]).toMatchObject({ status: 'pending', overdueSeconds: 3000 });
    expect(events(report)).toContain('10:10 arrival_overdue 2');
    expect(report.points[1]!.overdueSeconds).toBeNull();
  });

  test('a gap after a fix beside the zone, within the exit buffer, is no departure', () => {
    const [zone, lat] = [37.6, 55.75];
    const trip = {
      ...dayTrip(['A']),
      activation_type: { key: 'leaving_first_point' },
      points: [{ name: 'A', type: { key: 'circle' }, geometry: [[zone, lat]], width: 300 }],
    } as unknown as Trip;
    const day = (
      [
        [0, 37.63],
        [600, zone],
        [1200, 37.60495],
        [12000, zone],
        [12600, zone],
        [13200, 37.65],
      ] as const
    ).map(([seconds, lon]) => ({ time: at('00:00') + seconds * 1000, lon, lat }));
    const report = judge(trip, day, { exitBufferMeters: 50 });
    // Left between the last two fixes, 300 m into 3.14 km.
    expect(clock(report.activatedAt)).toBe('03:30:57');
    expect(report.points[0]!.visit).toMatchObject({ hasGap: true, end: 'left' });
  });
});

test('a strict plan past midnight without after_days is rejected, with a hint', () => {
  const plain = tripInput();
  const [point] = plain['points'] as readonly object[];
  const due = (...times: string[]): object => ({
    ...plain,
    passage_order_type: { key: 'strict' },
    activation_type: { key: 'time_of_first_point' },
    points: times.map((time) => ({ ...point, arrival: { time, deviation_minutes: 10 }, departure: null })),
  });
  const error = errorOf(() => validateTrip(due('23:30', '00:15', '01:00')));
  expect(JSON.stringify(error)).toContain('order-of-times');
  expect(JSON.stringify(error)).toContain('after_days');
  expect(validateTrip(due('00:15', '01:00', '23:30'))).toMatchObject({ name: plain['name'] });
});

describe('a stream', () => {
  const open = (): TripTracker => new TripTracker(BY_ENTRANCE, DATE, { timeZone: 'UTC' });

  test('advance does not limit later fixes', () => {
    const tracker = open();
    tracker.advance(at('07:00'));
    const day = fixes('07:05 -4', ...AT_A, '08:30 1', '08:40 2', ...B_ON_TIME, ...C_ON_TIME);
    for (const fix of day) tracker.push(fix);
    expect(tracker.counts()).toMatchObject({ in: day.length, applied: day.length, rejected: 0, late: 0 });
    expect(tracker.report()).toMatchObject({ status: 'finished', violations: [] });
  });

  test('a fix dated next year does not make other fixes late', () => {
    const tracker = open();
    const day = fixes(...AT_A, '08:30 1', '08:40 2', ...B_ON_TIME, ...C_ON_TIME);
    const [first, second, ...rest] = day as [Fix, Fix, ...Fix[]];
    tracker.push(first);
    tracker.push({ ...second, time: second.time + 365 * 86_400_000 });
    expect(tracker.counts()).toMatchObject({ applied: 1, rejected: 1, pending: 0 });
    for (const fix of [second, ...rest]) tracker.push(fix);
    expect(tracker.counts()).toMatchObject({ rejected: 1, late: 0, reasons: { 'time-implausible': 1 } });
    expect(tracker.report().status).toBe('finished');
  });

  test('times with fractions of a millisecond are rounded', () => {
    const day = fixes(...AT_A, '08:30 1', '08:40 2', ...B_ON_TIME, ...C_ON_TIME);
    const fractions = day.map((fix, i) => ({ ...fix, time: fix.time + (i % 2 === 0 ? 0.25 : -0.25) }));
    const tracker = open();
    for (const fix of fractions) tracker.push(fix);
    expect(tracker.counts()).toMatchObject({ applied: day.length, rejected: 0 });
    expect(evaluateTrip(BY_ENTRANCE, DATE, readTrack(fractions), { timeZone: 'UTC' })).toEqual(
      evaluateTrip(BY_ENTRANCE, DATE, readTrack(day), { timeZone: 'UTC' }),
    );
  });
});
