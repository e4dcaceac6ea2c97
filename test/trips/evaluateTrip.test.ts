import { describe, expect, test } from 'vitest';
import type { Trip } from '../../src/core/trip.js';
import type { Visit } from '../../src/tracks/index.js';
import { evaluateTrip, type TripVisits } from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { at, DATE, evaluate, events, MIDNIGHT, points, trip, UTC, violations, visits } from './shortTrips.js';

describe('a trip that goes as planned', () => {
  const plan = trip(['A 08:00±5 08:30±5', 'B 09:00±5', 'C 10:00']);
  const seen = visits('0 08:03 08:28', '1 09:05 09:20', '2 10:00:59.999 10:30');
  const report = evaluate(plan, seen);

  test('is finished on entering the last point', () => {
    expect(report).toMatchObject({
      tripId: 'trip',
      unitId: 'unit',
      date: DATE,
      timeZone: 'UTC',
      passageOrder: 'strict',
      status: 'finished',
      activatedAt: at('08:03'),
      finishedAt: at('10:00:59.999'),
      lastFixAt: null,
      defaultWidthMeters: 100,
      defaultDeviationMinutes: 0,
      violations: [],
      totals: { passed: 3, skipped: 0, missed: 0, noData: 0, onTime: 3, distanceMeters: null },
    });
  });

  test('reports times, deviations and visit of each point', () => {
    expect(report.points[0]).toEqual({
      index: 0,
      name: 'A',
      status: 'passed',
      plannedArrival: at('08:00'),
      plannedDeparture: at('08:30'),
      arrival: at('08:03'),
      arrivalBounds: [at('08:03'), at('08:03')],
      departure: at('08:28'),
      departureBounds: [at('08:28'), at('08:28')],
      arrivalDeviationSeconds: 180,
      departureDeviationSeconds: -120,
      arrivalStatus: 'on_time',
      departureStatus: 'on_time',
      overdueSeconds: null,
      outOfOrder: false,
      visit: seen[0],
    });
  });

  test('reports its events in order', () => {
    expect(events(report)).toEqual([
      '08:03 trip_activated',
      '08:03 point_entered 0',
      '08:28 point_left 0',
      '09:05 point_entered 1',
      '09:20 point_left 1',
      '10:00:59 point_entered 2',
      '10:00:59 trip_finished',
      '10:30 point_left 2',
    ]);
  });
});

describe('deviations', () => {
  test('within the tolerance are on time, both ends included', () => {
    const plan = trip(['A 08:00±5', 'B 09:00±5', 'C 10:00±5', 'D 11:00±5']);
    const seen = visits('0 07:55 08:01', '1 09:05 09:06', '2 09:54:59 10:01', '3 11:05:01 11:10');
    expect(violations(evaluate(plan, seen))).toEqual(['early 2 arrival -301', 'late 3 arrival 301']);
  });

  test('without a tolerance may be less than a minute late, but not early', () => {
    const plan = trip(['A 08:00', 'B 09:00', 'C 10:00', 'D - 11:00±0']);
    const seen = visits('0 08:00 08:01', '1 09:01 09:06', '2 09:59:59 10:01', '3 10:59 11:00:59');
    const report = evaluate(plan, seen, { finishOn: 'departure' });
    expect(violations(report)).toEqual(['late 1 arrival 60', 'early 2 arrival -1']);
    expect(report.totals).toMatchObject({ onTime: 2 });
  });

  test('use the default tolerance if a time has none', () => {
    const plan = trip(['A 08:00', 'B 09:00±0']);
    const report = evaluate(plan, visits('0 08:09 08:10', '1 09:09 09:10'), { defaultDeviationMinutes: 10 });
    expect(violations(report)).toEqual(['late 1 arrival 540']);
    expect(report.defaultDeviationMinutes).toBe(10);
  });

  test('of a departure are events at the departure', () => {
    const report = evaluate(trip(['A 08:00±1 08:10±1', 'B']), visits('0 07:30 08:30', '1 08:30 08:40'));
    expect(events(report)).toEqual([
      '07:30 trip_activated',
      '07:30 point_entered 0',
      '07:30 arrival_early 0',
      '08:30 point_left 0',
      '08:30 departure_late 0',
      '08:30 point_entered 1',
      '08:30 trip_finished',
      '08:40 point_left 1',
    ]);
    expect(violations(report)).toEqual(['early 0 arrival -1800', 'late 0 departure 1200']);
  });
});

describe('activation', () => {
  const byTime = { activation_type: { key: 'time_of_first_point' } };
  const byLeaving = { activation_type: { key: 'leaving_first_point' } };

  test('by time is the planned arrival, else the departure; before it nothing is served', () => {
    const plan = trip(['A 08:00', 'B 09:00'], byTime);
    const seen = visits('0 07:30 07:50', '1 08:30 08:40');
    expect(evaluate(plan, seen)).toMatchObject({ activatedAt: at('08:00'), finishedAt: at('08:30') });
    expect(points(evaluate(plan, seen))).toEqual(['passed 07:30 07:50', 'passed 08:30 08:40']);
    const before = evaluate(plan, seen, { now: at('07:59') });
    expect(before).toMatchObject({ status: 'scheduled', activatedAt: null, events: [], violations: [] });
    expect(points(before)).toEqual(['pending  ', 'pending  ']);
    expect(evaluate(trip(['A - 08:30', 'B'], byTime), []).activatedAt).toBe(at('08:30'));
  });

  test('by entrance is the first entry in the window', () => {
    const plan = trip(['A 08:00', 'B']);
    const seen = visits('0 06:30 06:40', '0 07:10 07:20', '0 08:00 08:10', '1 09:00 09:10');
    expect(points(evaluate(plan, seen))).toEqual(['passed 07:10 07:20', 'passed 09:00 09:10']);
  });

  test('by entrance is the window’s start when the unit is inside', () => {
    const plan = trip(['A 08:00', 'B']);
    const report = evaluate(plan, visits('0 06:30 07:30', '1 09:00 09:10'));
    expect(report).toMatchObject({ activatedAt: at('07:00'), status: 'finished_with_violations' });
    // It was over before 08:00.
    expect(report.points[0]).toMatchObject({
      arrival: at('06:30'),
      arrivalDeviationSeconds: -1800,
      arrivalStatus: 'early',
    });
    expect(evaluate(plan, visits('0 06:30 08:00:01', '1 09:00 09:10')).points[0]!.arrivalStatus).toBeNull();
    expect(evaluate(plan, visits('0 06:30 07:00'))).toMatchObject({ status: 'not_started' });
  });

  test('by leaving is the first exit that is not undone', () => {
    const plan = trip(['A', 'B', 'A'], byLeaving);
    const seen = visits(
      '0 07:00 08:00',
      '0 08:01:59 08:10',
      '1 09:00 09:10',
      '0 10:00 10:10',
      '0 10:12 10:20',
    );
    const report = evaluate(plan, seen);
    expect(points(report)).toEqual(['passed 07:00 08:10', 'passed 09:00 09:10', 'passed 10:00 10:10']);
    expect(report.activatedAt).toBe(at('08:10'));
    expect(report.points[0]!.visit).toEqual({ ...visits('0 07:00 08:10')[0], fixCount: 2 });
    expect(evaluate(plan, seen, { leaveConfirmSeconds: 119 }).activatedAt).toBe(at('08:00'));
  });

  test('by leaving counts after the time in which it can be undone', () => {
    const plan = trip(['A', 'B'], byLeaving);
    const seen = visits('0 07:00 08:00');
    expect(evaluate(plan, seen, { now: at('08:01:59') }).status).toBe('scheduled');
    expect(evaluate(plan, seen, { now: at('08:02') })).toMatchObject({
      status: 'active',
      activatedAt: at('08:00'),
    });
  });

  test('by leaving needs a fix outside after a gap', () => {
    const plan = trip(['A', 'B'], byLeaving);
    expect(evaluate(plan, visits('0 07:00 08:00 gap', '1 11:00')).activatedAt).toBe(at('08:00'));
    const still = visits('0 07:00 08:00 gap', '0 10:00 10:30', '1 11:00');
    expect(points(evaluate(plan, still))).toEqual(['passed 07:00 10:30', 'passed 11:00 ']);
  });

  test('without a type is by time if the first point has a time, else by entrance', () => {
    const none = { activation_type: null };
    expect(evaluate(trip(['A 08:00', 'B'], none), visits('0 08:10 08:20')).activatedAt).toBe(at('08:00'));
    expect(evaluate(trip(['A', 'B'], none), visits('0 08:10 08:20')).activatedAt).toBe(at('08:10'));
  });

  test('that does not occur is one violation after the window', () => {
    const report = evaluate(trip(['A', 'B']), visits('1 08:00 08:10'));
    expect(report).toMatchObject({ status: 'not_started', events: [], totals: { missed: 2 } });
    expect(violations(report)).toEqual(['not_started 0']);
    expect(evaluate(trip(['A', 'B']), [], { now: at('23:59') }).status).toBe('scheduled');
  });
});

describe('visits that do not count', () => {
  test('are too short', () => {
    const plan = trip(['A', 'B']);
    const seen = visits('0 08:00 08:10', '1 08:30 08:34', '1 09:00 09:20 crossed');
    expect(points(evaluate(plan, seen))[1]).toBe('passed 08:30 08:34');
    expect(points(evaluate(plan, seen, { minStaySeconds: 241 }))[1]).toBe('passed 09:00 09:20');
  });

  test('are open and too short so far: they serve tentatively and do not finish the trip', () => {
    const plan = trip(['A', 'B']);
    const seen = visits('0 08:00 08:10', '1 09:00');
    const young = evaluate(plan, seen, { minStaySeconds: 600, now: at('09:09') });
    expect(points(young)[1]).toBe('inside 09:00 ');
    expect(young).toMatchObject({ status: 'active', totals: { passed: 2 } });
    const old = evaluate(plan, seen, { minStaySeconds: 600, now: at('09:10') });
    expect(points(old)[1]).toBe('passed 09:00 ');
    expect(old).toMatchObject({ status: 'finished', finishedAt: at('09:00') });
    const late = visits('0 08:00 08:10', '1 23:59');
    expect(points(evaluate(plan, late, { minStaySeconds: 600 }))[1]).toBe('missed  ');
  });

  test('begin after `now`, or end after it', () => {
    const seen = visits('0 08:00 08:10', '1 09:00 09:10');
    expect(points(evaluate(trip(['A', 'B']), seen, { now: at('08:59') }))).toEqual([
      'passed 08:00 08:10',
      'pending  ',
    ]);
    const open = evaluate(trip(['A', 'B']), seen, { now: at('08:05') }).points[0]!;
    expect(open).toMatchObject({ status: 'passed', departure: null, visit: { end: 'open', exit: null } });
  });
});

describe('finishing on departure', () => {
  const options = { finishOn: 'departure' as const };

  test('waits until the last point is left, within the window', () => {
    const seen = visits('0 08:00 08:10', '1 09:00 09:30');
    const inside = evaluate(trip(['A', 'B']), seen, { ...options, now: at('09:10') });
    expect(inside.status).toBe('active');
    expect(points(inside)[1]).toBe('inside 09:00 ');
    expect(evaluate(trip(['A', 'B']), seen, options)).toMatchObject({
      status: 'finished',
      finishedAt: at('09:30'),
    });
  });

  test('never occurs if the unit stays', () => {
    const report = evaluate(trip(['A', 'B']), visits('0 08:00 08:10', '1 09:00'), options);
    expect(report.status).toBe('aborted');
    expect(points(report)[1]).toBe('passed 09:00 ');
  });
});

describe('no data', () => {
  const plan = trip(['A', 'B 09:00±10', 'C']);
  const seen = visits('0 08:00 08:10', '2 10:00 10:10');
  const gap = (from: string, to: string): { from: number; to: number } => ({ from: at(from), to: at(to) });

  test('is distinguished from a skipped point', () => {
    const silent = evaluate(plan, { visits: seen, gaps: [gap('09:00', '09:10'), gap('08:50', '09:00')] });
    expect(points(silent)[1]).toBe('no_data  ');
    expect(silent).toMatchObject({ status: 'finished', violations: [], totals: { noData: 1, skipped: 0 } });
    // The unit may have arrived in the part of the tolerance that was not seen.
    const partly = evaluate(plan, { visits: seen, gaps: [gap('09:10', '09:11')] });
    expect(points(partly)[1]).toBe('no_data  ');
    const after = evaluate(plan, { visits: seen, gaps: [gap('09:10:01', '09:30')] });
    expect(points(after)[1]).toBe('skipped  ');
    expect(points(evaluate(plan, seen))[1]).toBe('skipped  ');
  });

  test('without a plan depends on the time between the neighbours', () => {
    const open = trip(['A', 'B', 'C']);
    expect(points(evaluate(open, { visits: seen, gaps: [gap('08:10', '10:00')] }))[1]).toBe('no_data  ');
    expect(points(evaluate(open, { visits: seen, gaps: [gap('10:11', '11:00')] }))[1]).toBe('skipped  ');
    const rest = { visits: seen.slice(0, 1), gaps: [{ from: at('08:10'), to: MIDNIGHT + 86_400_000 }] };
    expect(points(evaluate(open, rest)).slice(1)).toEqual(['no_data  ', 'no_data  ']);
  });
});

test('the order of the visits does not matter, and the input is not changed', () => {
  const plan = trip(['A 08:00', 'B', 'B', 'C']);
  const seen = visits('0 08:00 08:10', '1 08:30 08:31', '2 08:30 08:31', '1 09:00 09:10', '3 10:00');
  const freeze = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    Object.values(Object.freeze(value)).forEach(freeze);
  };
  freeze(plan);
  freeze(seen);
  const report = evaluate(plan, seen);
  expect(points(report)).toEqual([
    'passed 08:00 08:10',
    'passed 08:30 08:31',
    'passed 09:00 09:10',
    'passed 10:00 ',
  ]);
  expect(evaluate(plan, seen.toReversed())).toEqual(report);
});

test.each<[string, object, unknown, object, string, string]>([
  ['no order', trip(['A'], { passage_order_type: {} }), [], {}, 'dictionary-key', 'passage_order_type.key'],
  [
    'an unknown activation',
    trip(['A'], { activation_type: { key: 'now' } }),
    [],
    {},
    'dictionary-key',
    'activation_type.key',
  ],
  [
    'no time to activate',
    trip(['A'], { activation_type: { key: 'time_of_first_point' } }),
    [],
    {},
    'activation-time',
    'points[0].arrival',
  ],
  ['visits that are not a list', trip(['A']), 3, {}, 'visits-type', 'visits'],
  ['a value that is not a visit', trip(['A']), [{ zoneId: '0' }], {}, 'visit-invalid', 'visits[0]'],
  [
    'a visit to a zone that is not a point',
    trip(['A']),
    visits('1 08:00'),
    {},
    'visit-zone',
    'visits[0].zoneId',
  ],
  ['an unknown policy', trip(['A']), [], { policy: 'x' }, 'option-value', 'options.policy'],
  ['an unknown finish', trip(['A']), [], { finishOn: 'x' }, 'option-value', 'options.finishOn'],
  ['half a millisecond', trip(['A']), [], { now: 0.5 }, 'option-value', 'options.now'],
  ['a negative stay', trip(['A']), [], { minStaySeconds: -1 }, 'option-value', 'options.minStaySeconds'],
  [
    'a word for a flag',
    trip(['A']),
    [],
    { allowSharedVisit: 'no' },
    'option-value',
    'options.allowSharedVisit',
  ],
  ['no zone', trip(['A']), [], { timeZone: undefined }, 'tz-unknown', 'options.timeZone'],
])('%s is rejected', (_, given, seen, options, code, field) => {
  const error = errorOf(() =>
    evaluateTrip(given as Trip, DATE, { visits: seen as Visit[] }, { ...UTC, ...options }),
  );
  expect([error.code, error.field]).toEqual([code, field]);
});

test('invalid gaps and an invalid source are rejected', () => {
  const codeOf = (given: Trip, source: unknown, options: object = {}): string[] => {
    const error = errorOf(() => evaluateTrip(given, DATE, source as TripVisits, { ...UTC, ...options }));
    return [error.code, error.field];
  };
  expect(codeOf(trip(['A']), { visits: [], gaps: 3 })).toEqual(['gaps-type', 'gaps']);
  expect(codeOf(trip(['A']), { visits: [], gaps: [{ from: 2, to: 1 }] })).toEqual(['gap-invalid', 'gaps[0]']);
  expect(codeOf(trip(['A']), null)).toEqual(['track-invalid', 'track']);
  expect(codeOf(trip(['A']), {})).toEqual(['track-invalid', 'track']);
});
