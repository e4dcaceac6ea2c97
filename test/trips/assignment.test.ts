import { describe, expect, test } from 'vitest';
import { at, evaluate, events, MIDNIGHT, points, trip, violations, visits } from './shortTrips.js';

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

  test('skips a point that is not visited, and names the successor that skipped it', () => {
    const report = evaluate(trip(['A', 'B', 'C', 'D']), visits('0 08:00 08:10', '2 09:00 09:10'), {
      now: at('09:30'),
    });
    expect(points(report)).toEqual(['passed 08:00 08:10', 'skipped  ', 'passed 09:00 09:10', 'pending  ']);
    expect(violations(report)).toEqual(['skipped 1']);
    expect(events(report)).toContain('09:00 point_skipped 1');
    expect(report).toMatchObject({ status: 'active', totals: { passed: 2, skipped: 1 } });
  });

  test('is aborted at the end of the window', () => {
    const report = evaluate(trip(['A', 'B']), visits('0 08:00 08:10'));
    expect(report).toMatchObject({ status: 'aborted', finishedAt: null, totals: { missed: 1 } });
    expect(report.events.at(-1)).toEqual({
      type: 'trip_aborted',
      time: MIDNIGHT + 86_400_000,
      pointIndex: null,
    });
  });

  test('reports visits out of turn, also of served points', () => {
    const seen = visits('0 08:00 08:10', '2 08:30 08:40', '1 09:00 09:10', '2 10:00 10:10');
    const report = evaluate(trip(['A', 'B', 'C']), seen);
    expect(points(report)[2]).toBe('passed 10:00 10:10');
    expect(report.points.map(({ outOfOrder }) => outOfOrder)).toEqual([false, false, true]);
    expect(violations(report)).toEqual(['out_of_order 2']);
    expect(events(report)).toContain('08:30 point_out_of_order 2');
    expect(report.status).toBe('finished_with_violations');
  });

  test('T28: of equally many points and stops, those without a visit out of turn are served', () => {
    const report = evaluate(trip(['A', 'B', 'C']), visits('0 08:00 08:10', '2 08:30 08:40', '1 09:00 09:10'));
    expect(points(report)).toEqual(['passed 08:00 08:10', 'skipped  ', 'passed 08:30 08:40']);
    expect(violations(report)).toEqual(['skipped 1']);
    const wait = evaluate(trip(['A', 'B', 'C']), visits('0 08:00 08:10', '2 08:30 08:40'), {
      policy: 'wait',
    });
    expect(points(wait)).toEqual(['passed 08:00 08:10', 'missed  ', 'skipped  ']);
    expect(violations(wait)).toEqual(['missed 1', 'skipped 2', 'out_of_order 2']);
  });

  test('with `wait` takes the first visit after the predecessor’s and serves nothing past a gap in the order', () => {
    const seen = visits('0 08:00 08:10', '2 08:30 08:40', '1 09:00 09:10', '1 09:30 09:40', '2 10:00 10:10');
    const report = evaluate(trip(['A 08:00±30', 'B 09:30', 'C']), seen, { policy: 'wait' });
    expect(points(report)).toEqual(['passed 08:00 08:10', 'passed 09:00 09:10', 'passed 10:00 10:10']);
  });

  test('goes back to the first zone as the last', () => {
    const report = evaluate(trip(['A', 'B', 'A']), visits('0 08:00 08:10', '1 09:00 09:10', '0 10:00 10:30'));
    expect(points(report)[2]).toBe('passed 10:00 10:30');
    expect(report.points[2]!.visit!.zoneId).toBe('2');
    expect(report.status).toBe('finished');
  });
});

describe('strict order at one instant', () => {
  test('a visit serves once, even if others begin at the same instant; later visits can serve', () => {
    const once = evaluate(trip(['A', 'B', 'A']), visits('0 08:00 08:10', '1 08:00 08:05'));
    expect(points(once)).toEqual(['passed 08:00 08:10', 'passed 08:00 08:05', 'missed  ']);
    const twice = visits('0 08:00 08:10', '1 08:00 08:05', '0 09:00 09:10', '1 09:00 09:05');
    expect(points(evaluate(trip(['A', 'B', 'A', 'B']), twice))).toEqual([
      'passed 08:00 08:10',
      'passed 08:00 08:05',
      'passed 09:00 09:10',
      'passed 09:00 09:05',
    ]);
  });

  test('T24: a shared visit is the whole visit of each point', () => {
    const seen = visits('1 08:00 10:00', '0 08:00 08:10', '0 09:00 09:10');
    expect(points(evaluate(trip(['B', 'A', 'A', 'B']), seen))).toEqual([
      'passed 08:00 08:10',
      'passed 08:00 10:00',
      'passed 08:00 10:00',
      'passed 09:00 09:10',
    ]);
    const between = visits('0 07:30 07:40', '1 08:00 10:00', '3 08:30 08:40');
    expect(points(evaluate(trip(['X', 'A', 'A', 'B']), between)).slice(1)).toEqual([
      'passed 08:00 10:00',
      'passed 08:00 10:00',
      'passed 08:30 08:40',
    ]);
    const beside = visits('0 07:30 07:40', '1 08:00 08:05', '2 08:00 10:00', '1 08:30 08:40');
    expect(points(evaluate(trip(['X', 'B', 'A', 'A', 'B']), beside)).slice(1)).toEqual([
      'passed 08:00 08:05',
      'passed 08:00 10:00',
      'passed 08:00 10:00',
      'passed 08:30 08:40',
    ]);
  });

  test('a touch serves two neighbours, unless later stops serve them', () => {
    const given = trip(['X', 'A 08:00±30', 'A 09:00±30', 'B']);
    const seen = visits('0 07:30 07:40', '1 08:00 08:00', '3 08:00 08:10');
    expect(points(evaluate(given, seen)).slice(1)).toEqual([
      'passed 08:00 08:00',
      'passed 08:00 08:00',
      'passed 08:00 08:10',
    ]);
    const later = [...seen, ...visits('1 09:00 09:10', '3 10:00 10:10')];
    expect(points(evaluate(given, later)).slice(1)).toEqual([
      'passed 09:00 09:10',
      'passed 09:00 09:10',
      'passed 10:00 10:10',
    ]);
  });

  test('of two points of a zone the one nearer to its plan, before or after those of other zones', () => {
    const seen = visits('0 07:30 07:40', '1 08:00 08:10', '2 08:00 08:10', '4 08:00 08:10');
    const served = (...names: string[]): string[] =>
      points(evaluate(trip(names), seen)).map((text) => text.slice(0, 13).trim());
    expect(served('X', 'A 08:00', 'B', 'A 12:00', 'D')).toEqual([
      'passed 07:30',
      'passed 08:00',
      'passed 08:00',
      'skipped',
      'passed 08:00',
    ]);
    expect(served('X', 'A 09:00', 'B', 'A 08:00', 'D')).toEqual([
      'passed 07:30',
      'skipped',
      'passed 08:00',
      'passed 08:00',
      'passed 08:00',
    ]);
    const first = visits('0 07:30 07:40', '1 08:00 08:10', '2 08:00 08:10', '3 08:00 08:10');
    expect(points(evaluate(trip(['X', 'C', 'A 09:00', 'B', 'A 08:00']), first))).toEqual([
      'passed 07:30 07:40',
      'passed 08:00 08:10',
      'skipped  ',
      'passed 08:00 08:10',
      'passed 08:00 08:10',
    ]);
  });

  test('a point is skipped if its only visit comes after visits to two later points', () => {
    const seen = visits('0 08:00 08:10', '2 09:00 09:10', '3 09:30 09:40', '1 10:00 10:10');
    expect(points(evaluate(trip(['A', 'B', 'C', 'D']), seen))).toEqual([
      'passed 08:00 08:10',
      'skipped  ',
      'passed 09:00 09:10',
      'passed 09:30 09:40',
    ]);
  });
});

describe('arbitrary order', () => {
  const arbitrary = { passage_order_type: { key: 'arbitrary' } };

  test('serves as many points as possible instead of the nearest first', () => {
    // The first B alone would use the visit at 09:00 (5 minutes off), and the second B would be three hours off.
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

  test('needs two visits with `allowSharedVisit` false', () => {
    expect(points(evaluate(plan, seen, { allowSharedVisit: false }))).toEqual([
      'passed 08:00 08:10',
      'passed 09:00 09:31',
      'skipped  ',
      'passed 10:00 10:10',
    ]);
  });

  test('shares one visit that spans both plans', () => {
    const report = evaluate(plan, seen, { minStaySeconds: 600 });
    expect(points(report).slice(1, 3)).toEqual(['passed 09:00 09:31', 'passed 09:00 09:31']);
    expect(report.points[2]!.visit).toEqual({ ...seen[1], zoneId: '2' });
  });
});
