import { describe, expect, test } from 'vitest';
import { reviseEvents } from '../../src/trips/follow/tripEvents.js';
import { evaluateTrip, planTrip } from '../../src/trips/index.js';
import type { TripEvent } from '../../src/trips/terms/tripReport.js';
import { errorOf } from '../errorOf.js';
import { at, DATE, evaluate, MIDNIGHT, points, trip, UTC, visits } from './shortTrips.js';

const END = MIDNIGHT + 86_400_000;
const ARBITRARY = { passage_order_type: { key: 'arbitrary' } };
const gap = (from: string, to: string): { from: number; to: number } => ({ from: at(from), to: at(to) });

describe('inside or passed', () => {
  test('the last point is passed at its exit if the finish is a departure, other points at once', () => {
    const given = trip(['A', 'B', 'C'], ARBITRARY);
    const status = (seen: string, finishOn: 'entry' | 'departure'): string[] =>
      points(evaluate(given, visits('0 08:00 08:10', seen), { finishOn, now: at('10:00') }));
    expect(status('2 09:00', 'entry')[2]).toBe('passed 09:00 ');
    expect(status('2 09:00', 'departure')[2]).toBe('inside 09:00 ');
    expect(status('1 09:00', 'departure')[1]).toBe('passed 09:00 ');
  });

  test('a visit that continues after a gap is one visit and not left', () => {
    const seen = visits('0 08:00 08:10', '1 09:00 09:30 gap', '1 11:30');
    const report = evaluate(trip(['A', 'B']), seen, { finishOn: 'departure', now: at('12:00') });
    expect(report.status).toBe('active');
    expect(points(report)[1]).toBe('inside 09:00 ');
    expect(report.points[1]!.visit).toMatchObject({ end: 'open', hasGap: true });
  });
});

describe('the time in which a point could have been visited', () => {
  const seen = visits('0 08:00 08:10', '3 10:00 10:10');
  const statusOf = (
    due: string,
    gaps: ReturnType<typeof gap>[],
    more: object = {},
    options: object = {},
  ): string => points(evaluate(trip(['A', due, 'C', 'D'], more), { visits: seen, gaps }, options))[1]!.trim();

  test('is that of its arrival, of its departure, or of both', () => {
    expect(statusOf('B 09:00±10', [gap('08:50', '09:10')])).toBe('no_data');
    expect(statusOf('B 09:00±10', [gap('08:20', '08:50')])).toBe('no_data');
    expect(statusOf('B 09:00±10', [gap('08:20', '08:49:59')])).toBe('skipped');
    expect(statusOf('B 09:00±10', [gap('09:10', '09:20')])).toBe('no_data');
    expect(statusOf('B 09:00±10', [gap('09:10:01', '09:20')])).toBe('skipped');
    expect(statusOf('B - 09:00±10', [gap('09:10', '09:20')])).toBe('no_data');
    expect(statusOf('B - 09:00±10', [gap('09:10:01', '09:20')])).toBe('skipped');
    expect(statusOf('B 08:50±5 09:10±5', [gap('08:55', '09:05')])).toBe('no_data');
    expect(statusOf('B 08:50±5 09:10±5', [gap('08:55:01', '09:05')])).toBe('skipped');
    expect(statusOf('B 08:50±5 09:10±5', [gap('08:55', '09:04:59')])).toBe('skipped');
    // The gap must be long enough for the stay.
    const ofStay = (minStaySeconds: number): string =>
      statusOf('B 09:00±10', [gap('09:05', '09:10')], {}, { minStaySeconds });
    expect(ofStay(300)).toBe('no_data');
    expect(ofStay(301)).toBe('skipped');
  });

  test('is any time without a plan, and the time of the trip for arbitrary order', () => {
    expect(statusOf('B', [gap('08:10', '10:00')])).toBe('no_data');
    expect(statusOf('B', [gap('10:11', '10:20')])).toBe('skipped');
    expect(statusOf('B', [gap('10:11', '10:20')], ARBITRARY)).toBe('no_data');
    expect(statusOf('B', [{ from: MIDNIGHT, to: END - 1 }], ARBITRARY)).toBe('no_data');
    expect(statusOf('B', [gap('07:00', '07:59')], ARBITRARY)).toBe('missed');
  });
});

describe('which visits serve', () => {
  test('those that begin before the window ends', () => {
    const [first, last] = visits('0 08:00 08:10', '1 23:00');
    const served = (enter: number): string => {
      const visit = { ...last!, enter, enterBounds: [enter, enter] as const };
      return evaluate(trip(['A', 'B']), [first!, visit], { now: END + 1000 }).points[1]!.status;
    };
    expect(served(END - 1)).toBe('passed');
    expect(served(END)).toBe('missed');
  });

  test('those that are left after the activation', () => {
    const served = (exit: number): string => {
      const [first, other] = visits('0 08:00 08:10', '1 07:50 08:00');
      const visit = { ...other!, exit, exitBounds: [exit, exit] as const };
      return evaluate(trip(['A', 'B'], ARBITRARY), [first!, visit]).points[1]!.status;
    };
    expect(served(at('08:00'))).toBe('missed');
    expect(served(at('08:00') + 1)).toBe('passed');
  });

  test('the first point of a trip by time: those that overlap the window', () => {
    const given = trip(['A 08:00', 'B'], { activation_type: { key: 'time_of_first_point' } });
    const served = (seen: string): string => points(evaluate(given, visits(seen)))[0]!;
    expect(served('0 06:30 07:00')).toBe('missed  ');
    expect(served('0 06:30 07:00:01')).toBe('passed 06:30 07:00:01');
    expect(served('0 07:00 07:00')).toBe('passed 07:00 07:00');
    expect(served('0 06:30')).toBe('passed 06:30 ');
    expect(served('0 12:00 12:01')).toBe('passed 12:00 12:01');
  });

  test('an entry as the window opens has a deviation', () => {
    const [point] = evaluate(trip(['A 08:00', 'B']), visits('0 07:00 08:10')).points;
    expect(point).toMatchObject({ arrivalDeviationSeconds: -3600, arrivalStatus: 'early' });
  });

  test('an open visit serves a neighbour as well, from its plan − tolerance on', () => {
    const open = (second: string): string =>
      points(
        evaluate(trip(['A', 'B', second]), visits('0 08:00 08:10', '1 09:00'), { now: at('10:00') }),
      )[2]!;
    expect(['B', 'B 10:00', 'B 10:05±5', 'B 10:05±4', 'B - 10:01'].map(open)).toEqual([
      'passed 09:00 ',
      'passed 09:00 ',
      'passed 09:00 ',
      'pending  ',
      'pending  ',
    ]);
  });
});

describe('validation', () => {
  test('accepts a visit whose zone was changed; rejects a function and times outside the range of dates', () => {
    const [good] = visits('0 08:00 08:10');
    const read = (visit: unknown): unknown =>
      evaluateTrip(trip(['A']), DATE, { visits: [visit as never] }, UTC);
    expect(() => read({ ...good, end: 'zone-changed' })).not.toThrow();
    const far = 8.64e15 + 2;
    for (const bad of [null, Object.assign(() => 1, good), { ...good, exit: far, exitBounds: [far, far] }])
      expect(errorOf(() => read(bad))).toMatchObject({ code: 'visit-invalid', field: 'visits[0]' });
    expect(errorOf(() => evaluateTrip(trip(['A']), DATE, undefined as never, UTC))).toMatchObject({
      code: 'track-invalid',
      message: 'expected a Track from readTrack, or {visits}, received undefined',
    });
  });

  test('a day and a deviation of a hundred years', () => {
    const [point] = trip(['A']).points;
    const arrival = { time: '08:00', after_days: 36_525, deviation_minutes: 52_596_000 };
    const plan = planTrip({ ...trip(['A']), points: [{ ...point!, arrival }] }, DATE, UTC);
    expect(plan.points[0]).toMatchObject({
      plannedArrival: MIDNIGHT + 36_525 * 86_400_000 + 8 * 3_600_000,
      arrivalToleranceSeconds: 52_596_000 * 60,
    });
  });
});

test('a withdrawn event is not paired with an unchanged event of the same kind', () => {
  const emitted: TripEvent[] = [1, 5].map((time) => ({ type: 'point_out_of_order', time, pointIndex: 1 }));
  expect(reviseEvents(emitted, emitted.slice(1))).toEqual([{ type: 'revised', was: emitted[0], is: null }]);
});
