import { describe, expect, test } from 'vitest';
import type { Trip } from '../../src/core/trip.js';
import type { Visit } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions, type TripReport, type TripVisits } from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';

const DATE = '2026-03-02';
const MIDNIGHT = Date.parse(DATE);
const UTC: TripOptions = { timeZone: 'UTC' };

/** `HH:mm` or `HH:mm:ss` of the date. */
const at = (time: string): number => Date.parse(`${DATE}T${time.length === 5 ? `${time}:00` : time}Z`);
const clock = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString().slice(11, 19).replace(/:00$/, '');

/** Points by the letter of their zone: `A 08:00±5 08:30` is zone A with an arrival and a departure. */
function trip(points: readonly string[], more: object = {}): Trip {
  const due = (text: string | undefined): object | null => {
    if (text === undefined || text === '-') return null;
    const [time, minutes] = text.split('±');
    return { time, ...(minutes === undefined ? {} : { deviation_minutes: Number(minutes) }) };
  };
  return {
    id: 'trip',
    name: 'Trip',
    unit: { id: 'unit' },
    activation_type: { key: 'entrance_to_first_point' },
    passage_order_type: { key: 'strict' },
    dates: [DATE],
    points: points.map((text) => {
      const [zone, arrival, departure] = text.split(' ') as [string, string?, string?];
      const geometry = [[13 + zone.charCodeAt(0) / 100, 52]];
      return {
        name: zone,
        type: { key: 'point' },
        geometry,
        arrival: due(arrival),
        departure: due(departure),
      };
    }),
    ...more,
  } as unknown as Trip;
}

/** `1 08:00 08:10` is a visit to point 1, `1 08:00` one still open; words at the end set `seen` and `end`. */
function visits(...lines: readonly string[]): Visit[] {
  return lines.map((line) => {
    const [zoneId, ...rest] = line.split(' ') as [string, ...string[]];
    const [enter, exit = null] = rest.filter((word) => word.includes(':')).map(at) as [number, number?];
    return {
      zoneId,
      seen: rest.includes('crossed') ? 'crossed' : 'inside',
      end: exit === null ? 'open' : rest.includes('gap') ? 'gap' : 'left',
      enter,
      exit,
      enterBounds: [enter, enter],
      exitBounds: exit === null ? null : [exit, rest.includes('gap') ? exit + 7_200_000 : exit],
      fixCount: 1,
    };
  });
}

function evaluate(given: Trip, source: TripVisits | Visit[], options: Partial<TripOptions> = {}): TripReport {
  return evaluateTrip(given, DATE, Array.isArray(source) ? { visits: source } : source, {
    ...UTC,
    ...options,
  });
}

/** Each point as `status arrival departure`. */
const points = (report: TripReport): string[] =>
  report.points.map(({ status, arrival, departure }) => [status, clock(arrival), clock(departure)].join(' '));
const violations = (report: TripReport): string[] =>
  report.violations.map(({ type, pointIndex, which, seconds }) =>
    [type, pointIndex, which, seconds].filter((part) => part !== null).join(' '),
  );
const events = (report: TripReport): string[] =>
  report.events.map(({ type, time, pointIndex }) => [clock(time), type, pointIndex].join(' ').trim());

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
      startedInside: false,
      defaultWidthMeters: 100,
      defaultDeviationMinutes: 0,
      violations: [],
      totals: { passed: 3, skipped: 0, missed: 0, noData: 0, onTime: 3, share: 1, distanceMeters: null },
    });
  });

  test('tells of each point its times, deviations and visit', () => {
    expect(report.points[0]).toEqual({
      index: 0,
      name: 'A',
      status: 'passed',
      plannedArrival: at('08:00'),
      plannedDeparture: at('08:30'),
      arrival: at('08:03'),
      departure: at('08:28'),
      arrivalDeviationSeconds: 180,
      departureDeviationSeconds: -120,
      arrivalStatus: 'on_time',
      departureStatus: 'on_time',
      outOfOrder: false,
      visit: seen[0],
    });
  });

  test('tells its events in order', () => {
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

  test('without a tolerance may be up to a minute late, and no second early', () => {
    const plan = trip(['A 08:00', 'B 09:00', 'C 10:00', 'D - 11:00±0']);
    const seen = visits('0 08:00 08:01', '1 09:01 09:06', '2 09:59:59 10:01', '3 10:59 11:00:59');
    const report = evaluate(plan, seen, { finishOn: 'departure' });
    expect(violations(report)).toEqual(['late 1 arrival 60', 'early 2 arrival -1']);
    expect(report.totals).toMatchObject({ onTime: 2 });
  });

  test('take the default deviation where a time says none', () => {
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
    expect(report).toMatchObject({ activatedAt: at('07:00'), startedInside: true, status: 'finished' });
    expect(report.points[0]).toMatchObject({
      arrival: at('06:30'),
      arrivalDeviationSeconds: null,
      arrivalStatus: null,
    });
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

  test('by leaving counts once the time to undo it is over', () => {
    const plan = trip(['A', 'B'], byLeaving);
    const seen = visits('0 07:00 08:00');
    expect(evaluate(plan, seen, { now: at('08:01:59') }).status).toBe('scheduled');
    expect(evaluate(plan, seen, { now: at('08:02') })).toMatchObject({
      status: 'active',
      activatedAt: at('08:00'),
    });
  });

  test('by leaving asks for a fix outside after a gap', () => {
    const plan = trip(['A', 'B'], byLeaving);
    expect(evaluate(plan, visits('0 07:00 08:00 gap', '1 11:00')).activatedAt).toBe(at('08:00'));
    const still = visits('0 07:00 08:00 gap', '0 10:00 10:30', '1 11:00');
    expect(points(evaluate(plan, still))).toEqual(['passed 10:00 10:30', 'passed 11:00 ']);
  });

  test('without a type is by time where the first point has one, else by entrance', () => {
    const none = { activation_type: null };
    expect(evaluate(trip(['A 08:00', 'B'], none), visits('0 08:10 08:20')).activatedAt).toBe(at('08:00'));
    expect(evaluate(trip(['A', 'B'], none), visits('0 08:10 08:20')).activatedAt).toBe(at('08:10'));
  });

  test('that does not come leaves every point missed once the window is over', () => {
    const report = evaluate(trip(['A', 'B']), visits('1 08:00 08:10'));
    expect(report).toMatchObject({ status: 'not_started', events: [], totals: { missed: 2, share: 0 } });
    expect(violations(report)).toEqual(['missed 0', 'missed 1']);
    expect(evaluate(trip(['A', 'B']), [], { now: at('23:59') }).status).toBe('scheduled');
  });
});

describe('strict order', () => {
  test('serves the most points, then with the least deviation, then the earliest', () => {
    const most = evaluate(
      trip(['A', 'B', 'C']),
      visits('0 08:00 08:01', '2 08:30 08:31', '1 09:00 09:01', '2 10:00 10:01'),
    );
    expect(points(most)).toEqual(['passed 08:00 08:01', 'passed 09:00 09:01', 'passed 10:00 10:01']);
    const least = evaluate(trip(['A', 'B 09:00']), visits('0 08:00 08:01', '1 08:30 08:31', '1 09:10 09:11'));
    expect(points(least)[1]).toBe('passed 09:10 09:11');
    const earliest = evaluate(trip(['A', 'B']), visits('0 08:00 08:01', '1 08:30 08:31', '1 09:10 09:11'));
    expect(points(earliest)[1]).toBe('passed 08:30 08:31');
  });

  test('skips a point that is not visited, and says who skipped it', () => {
    const report = evaluate(trip(['A', 'B', 'C', 'D']), visits('0 08:00 08:10', '2 09:00 09:10'), {
      now: at('09:30'),
    });
    expect(points(report)).toEqual(['passed 08:00 08:10', 'skipped  ', 'passed 09:00 09:10', 'pending  ']);
    expect(violations(report)).toEqual(['skipped 1']);
    expect(events(report)).toContain('09:00 point_skipped 1');
    expect(report).toMatchObject({ status: 'active', totals: { passed: 2, skipped: 1, share: 0.5 } });
  });

  test('is aborted when the window ends', () => {
    const report = evaluate(trip(['A', 'B']), visits('0 08:00 08:10'));
    expect(report).toMatchObject({ status: 'aborted', finishedAt: null, totals: { missed: 1 } });
    expect(report.events.at(-1)).toEqual({
      type: 'trip_aborted',
      time: MIDNIGHT + 86_400_000,
      pointIndex: null,
    });
  });

  test('tells visits out of turn, of served points too', () => {
    const seen = visits('0 08:00 08:10', '2 08:30 08:40', '1 09:00 09:10', '2 10:00 10:10');
    const report = evaluate(trip(['A', 'B', 'C']), seen);
    expect(points(report)[2]).toBe('passed 10:00 10:10');
    expect(report.points.map(({ outOfOrder }) => outOfOrder)).toEqual([false, false, true]);
    expect(violations(report)).toEqual(['out_of_order 2']);
    expect(events(report)).toContain('08:30 point_out_of_order 2');
    expect(report.status).toBe('finished_with_violations');
  });

  test('skips a point that is visited out of turn alone', () => {
    const report = evaluate(trip(['A', 'B', 'C']), visits('0 08:00 08:10', '2 08:30 08:40', '1 09:00 09:10'));
    expect(points(report)).toEqual(['passed 08:00 08:10', 'passed 09:00 09:10', 'skipped  ']);
    const wait = evaluate(trip(['A', 'B', 'C']), visits('0 08:00 08:10', '2 08:30 08:40'), {
      policy: 'wait',
    });
    expect(points(wait)).toEqual(['passed 08:00 08:10', 'missed  ', 'skipped  ']);
    expect(violations(wait)).toEqual(['missed 1', 'skipped 2', 'out_of_order 2']);
  });

  test('with `wait` takes the first visit after the predecessor’s and serves nothing past a gap in the order', () => {
    const seen = visits('0 08:00 08:10', '2 08:30 08:40', '1 09:00 09:10', '1 09:30 09:40', '2 10:00 10:10');
    const report = evaluate(trip(['A', 'B 09:30', 'C']), seen, {
      policy: 'wait',
      windowBeforeSeconds: 7200,
    });
    expect(points(report)).toEqual(['passed 08:00 08:10', 'passed 09:00 09:10', 'passed 10:00 10:10']);
  });

  test('goes back to the first zone as the last', () => {
    const report = evaluate(trip(['A', 'B', 'A']), visits('0 08:00 08:10', '1 09:00 09:10', '0 10:00 10:30'));
    expect(points(report)[2]).toBe('passed 10:00 10:30');
    expect(report.points[2]!.visit!.zoneId).toBe('2');
    expect(report.status).toBe('finished');
  });
});

describe('arbitrary order', () => {
  const arbitrary = { passage_order_type: { key: 'arbitrary' } };

  test('serves all it can, not the nearest first', () => {
    // The first B would take 09:00 for itself, five minutes off, and leave the second three hours off.
    const plan = trip(['A', 'B 09:05', 'B 09:00'], arbitrary);
    const report = evaluate(plan, visits('0 08:00 08:01', '1 09:00 09:01', '1 12:00 12:01'));
    expect(points(report).slice(1)).toEqual(['passed 12:00 12:01', 'passed 09:00 09:01']);
  });

  test('is finished when the last of all points is entered, whatever the order', () => {
    const report = evaluate(
      trip(['A', 'B', 'C'], arbitrary),
      visits('2 09:00 09:10', '0 08:00 08:10', '1 10:00 10:10'),
    );
    expect(report).toMatchObject({ status: 'finished', finishedAt: at('10:00') });
  });

  test('has no points out of turn, only missed ones', () => {
    const report = evaluate(trip(['A', 'B', 'C'], arbitrary), visits('0 08:00 08:10', '2 09:00 09:10'));
    expect(violations(report)).toEqual(['missed 1']);
    expect(report.status).toBe('aborted');
  });
});

describe('one zone twice in the list', () => {
  const plan = trip(['A', 'B 09:00', 'B - 09:30', 'C']);
  const seen = visits('0 08:00 08:10', '1 09:00 09:31', '3 10:00 10:10');

  test('needs two visits', () => {
    expect(points(evaluate(plan, seen))).toEqual([
      'passed 08:00 08:10',
      'passed 09:00 09:31',
      'skipped  ',
      'passed 10:00 10:10',
    ]);
  });

  test('shares one closed visit where that is allowed', () => {
    const report = evaluate(plan, seen, { allowSharedVisit: true, minStaySeconds: 600 });
    expect(points(report).slice(1, 3)).toEqual(['passed 09:00 09:15:30', 'passed 09:15:30 09:31']);
    expect(report.points[2]!.visit).toEqual({ ...seen[1], zoneId: '2' });
  });
});

describe('visits that do not count', () => {
  test('are too short, or crossed where that is refused', () => {
    const plan = trip(['A', 'B']);
    const seen = visits('0 08:00 08:10', '1 08:30 08:34', '1 09:00 09:20 crossed');
    expect(points(evaluate(plan, seen))[1]).toBe('passed 08:30 08:34');
    expect(points(evaluate(plan, seen, { minStaySeconds: 241 }))[1]).toBe('passed 09:00 09:20');
    expect(points(evaluate(plan, seen, { minStaySeconds: 241, acceptCrossed: false }))[1]).toBe('missed  ');
  });

  test('are off by too much, yet activate the trip', () => {
    const plan = trip(['A 08:00', 'B']);
    const report = evaluate(plan, visits('0 09:00 09:10', '1 10:00 10:10'), { maxDeviationSeconds: 3599 });
    expect(report.activatedAt).toBe(at('09:00'));
    expect(points(report)).toEqual(['skipped  ', 'passed 10:00 10:10']);
    expect(points(evaluate(plan, visits('0 09:00 09:10'), { maxDeviationSeconds: 3600 }))[0]).toBe(
      'passed 09:00 09:10',
    );
  });

  test('are open and young: they serve for now, and finish nothing', () => {
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

  test('never comes when the unit stays', () => {
    const report = evaluate(trip(['A', 'B']), visits('0 08:00 08:10', '1 09:00'), options);
    expect(report.status).toBe('aborted');
    expect(points(report)[1]).toBe('passed 09:00 ');
  });
});

describe('no data', () => {
  const plan = trip(['A', 'B 09:00±10', 'C']);
  const seen = visits('0 08:00 08:10', '2 10:00 10:10');
  const gap = (from: string, to: string): { from: number; to: number } => ({ from: at(from), to: at(to) });

  test('is told apart from a point that was skipped', () => {
    const silent = evaluate(plan, { visits: seen, gaps: [gap('09:00', '09:10'), gap('08:50', '09:00')] });
    expect(points(silent)[1]).toBe('no_data  ');
    expect(silent).toMatchObject({ status: 'finished', violations: [], totals: { noData: 1, skipped: 0 } });
    const partly = evaluate(plan, { visits: seen, gaps: [gap('08:51', '09:10')] });
    expect(points(partly)[1]).toBe('skipped  ');
    expect(points(evaluate(plan, seen))[1]).toBe('skipped  ');
  });

  test('without a plan is asked of the time between the neighbours', () => {
    const open = trip(['A', 'B', 'C']);
    expect(points(evaluate(open, { visits: seen, gaps: [gap('08:10', '10:00')] }))[1]).toBe('no_data  ');
    expect(points(evaluate(open, { visits: seen, gaps: [gap('08:11', '10:00')] }))[1]).toBe('skipped  ');
    const rest = { visits: seen.slice(0, 1), gaps: [{ from: at('08:10'), to: MIDNIGHT + 86_400_000 }] };
    expect(points(evaluate(open, rest)).slice(1)).toEqual(['no_data  ', 'no_data  ']);
  });
});

test('the order of the visits does not matter, and nothing is changed', () => {
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
  ['visits that are no list', trip(['A']), 3, {}, 'visits-type', 'visits'],
  ['a visit that is none', trip(['A']), [{ zoneId: '0' }], {}, 'visit-invalid', 'visits[0]'],
  ['a visit to no point', trip(['A']), visits('1 08:00'), {}, 'visit-zone', 'visits[0].zoneId'],
  ['an unknown policy', trip(['A']), [], { policy: 'x' }, 'option-value', 'options.policy'],
  ['an unknown finish', trip(['A']), [], { finishOn: 'x' }, 'option-value', 'options.finishOn'],
  ['half a millisecond', trip(['A']), [], { now: 0.5 }, 'option-value', 'options.now'],
  ['a negative stay', trip(['A']), [], { minStaySeconds: -1 }, 'option-value', 'options.minStaySeconds'],
  ['a word for a flag', trip(['A']), [], { acceptCrossed: 'no' }, 'option-value', 'options.acceptCrossed'],
  ['no zone', trip(['A']), [], { timeZone: undefined }, 'tz-unknown', 'options.timeZone'],
])('%s is refused', (_, given, seen, options, code, field) => {
  const error = errorOf(() =>
    evaluateTrip(given as Trip, DATE, { visits: seen as Visit[] }, { ...UTC, ...options }),
  );
  expect([error.code, error.field]).toEqual([code, field]);
});

test('gaps that are none, a source that is none, and too many shared points are refused', () => {
  const codeOf = (given: Trip, source: unknown, options: object = {}): string[] => {
    const error = errorOf(() => evaluateTrip(given, DATE, source as TripVisits, { ...UTC, ...options }));
    return [error.code, error.field];
  };
  expect(codeOf(trip(['A']), { visits: [], gaps: 3 })).toEqual(['gaps-type', 'gaps']);
  expect(codeOf(trip(['A']), { visits: [], gaps: [{ from: 2, to: 1 }] })).toEqual(['gap-invalid', 'gaps[0]']);
  expect(codeOf(trip(['A']), null)).toEqual(['track-invalid', 'track']);
  expect(codeOf(trip(['A']), {})).toEqual(['track-invalid', 'track']);
  const many = trip(new Array<string>(14).fill('A'), { passage_order_type: { key: 'arbitrary' } });
  expect(
    codeOf(many, { visits: visits('0 08:00 09:00', '0 10:00 11:00') }, { allowSharedVisit: true }),
  ).toEqual(['limit-points', 'points']);
});
