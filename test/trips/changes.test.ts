import { describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, explainTrip, TripTracker } from '../../src/trips/index.js';
import { at, DATE, evaluate, events, points, trip, UTC, violations, visits } from './shortTrips.js';

const SEEN = visits('0 08:00 08:10', '2 09:00 09:10');
const ABC = trip(['A', 'B 08:30', 'C']);

describe('T47: an excused point', () => {
  const excuse = {
    type: 'excuse',
    pointIndex: 1,
    at: at('08:40'),
    reason: 'closed',
    by: 'dispatch',
  } as const;

  test('makes no violation, is not overdue, and leaves the share', () => {
    const report = evaluate(ABC, SEEN, { changes: [excuse] });
    expect(points(report)[1]).toBe('excused  ');
    expect(violations(report)).toEqual([]);
    expect(events(report).filter((text) => text.includes('overdue'))).toEqual([]);
    expect(report).toMatchObject({ status: 'finished', totals: { passed: 2, excused: 1 } });
    expect(explainTrip(report, 'en').points[1]).toBe('B is excused (planned 08:30).');
    expect(explainTrip(report, 'ru').points[1]).toBe('B: посещение отменено (план 08:30).');
  });

  test('is not known before its time', () => {
    const early = evaluate(ABC, SEEN.slice(0, 1), { changes: [excuse], now: at('08:39') });
    expect(early.points[1]!.status).toBe('pending');
    expect(early.points[1]!.overdueSeconds).toBe(8 * 60);
  });

  test('that is served stays passed; the finish needs only the others', () => {
    const both = evaluate(ABC, visits('0 08:00 08:10', '1 08:30 08:35', '2 09:00 09:10'), {
      changes: [excuse],
    });
    expect(points(both)[1]).toBe('passed 08:30 08:35');
    const last = evaluate(ABC, visits('0 08:00 08:10', '1 08:30 08:35'), {
      changes: [{ type: 'excuse', pointIndex: 2, at: at('08:40') }],
      now: at('09:00'),
    });
    expect(last).toMatchObject({ status: 'finished', finishedAt: at('08:30') });
    const all = [0, 1, 2].map((pointIndex) => ({ type: 'excuse', pointIndex, at: at('08:50') }) as const);
    expect(evaluate(ABC, SEEN.slice(0, 1), { changes: all, now: at('09:00') })).toMatchObject({
      status: 'finished',
      finishedAt: at('08:50'),
    });
  });
});

describe('T48: a cancelled run', () => {
  test('keeps what was served, and excuses the rest', () => {
    const changes = [{ type: 'cancel', at: at('08:45') }] as const;
    const report = evaluate(trip(['A 07:30', 'B 08:30', 'C']), SEEN, { changes });
    expect(report.status).toBe('cancelled');
    expect(points(report)).toEqual(['passed 08:00 08:10', 'excused  ', 'excused  ']);
    expect(violations(report)).toEqual(['late 0 arrival 1800']);
    expect(explainTrip(report, 'en').trip).toContain('and was cancelled: 1 of 3 points passed');
  });

  test('that was over stays as it is', () => {
    const changes = [{ type: 'cancel', at: at('09:05') }] as const;
    expect(evaluate(ABC, SEEN, { changes })).toEqual(evaluate(ABC, SEEN));
  });
});

test('errors of changes name their field', () => {
  const errorOf = (changes: unknown): unknown => {
    try {
      evaluate(ABC, [], { changes: changes as never });
    } catch (error) {
      const { code, field } = error as { code: string; field: string };
      return [code, field];
    }
    return null;
  };
  expect(errorOf({})).toEqual(['changes-type', 'options.changes']);
  expect(errorOf([null])).toEqual(['change-invalid', 'options.changes[0]']);
  expect(errorOf([{ type: 'move', at: 0 }])).toEqual(['change-invalid', 'options.changes[0].type']);
  expect(errorOf([{ type: 'amend', at: 0 }])).toEqual(['change-invalid', 'options.changes[0].trip']);
  expect(errorOf([{ type: 'cancel', at: 0.5 }])).toEqual(['change-invalid', 'options.changes[0].at']);
  expect(errorOf([{ type: 'cancel', at: 0, by: 7 }])).toEqual(['change-invalid', 'options.changes[0].by']);
  expect(errorOf([{ type: 'excuse', at: 0, pointIndex: 3 }])).toEqual([
    'change-invalid',
    'options.changes[0].pointIndex',
  ]);
});

describe('the changes of a tracker', () => {
  const fix = (time: string, lon: number): { time: number; lon: number; lat: number } => ({
    time: at(time),
    lon,
    lat: 52,
  });
  const lonOf = (zone: string): number => 13 + zone.charCodeAt(0) / 100;
  const FIXES = [
    ...['07:58', '08:00', '08:05', '08:10'].map((time) => fix(time, lonOf('A'))),
    fix('08:15', lonOf('A') + 0.005),
    ...['09:00', '09:05'].map((time) => fix(time, lonOf('C'))),
    fix('09:10', lonOf('C') + 0.01),
  ];

  test('are those of the batch, also from a snapshot, with a log of who and when', () => {
    for (const latenessSeconds of [0, 600]) {
      let tracker = new TripTracker(ABC, DATE, { ...UTC, latenessSeconds });
      for (const own of FIXES.slice(0, 5)) tracker.push(own);
      const emitted = tracker.excuse(1, { at: at('08:40'), by: 'dispatch', reason: 'closed' });
      expect(emitted).toEqual([]);
      tracker = TripTracker.restore(ABC, JSON.stringify(tracker.snapshot()));
      for (const own of FIXES.slice(5)) tracker.push(own);
      tracker.cancel({ at: at('09:20') });
      tracker.advance(at('10:00'));
      expect(tracker.changes()).toEqual([
        { type: 'excuse', pointIndex: 1, at: at('08:40'), by: 'dispatch', reason: 'closed' },
        { type: 'cancel', at: at('09:20') },
      ]);
      const options = { ...UTC, now: at('10:00'), changes: tracker.changes() };
      expect(tracker.report()).toEqual(evaluateTrip(ABC, DATE, readTrack(FIXES), options));
    }
  });

  test('a cancellation ends the run at its time; one before the last fix is refused', () => {
    const tracker = new TripTracker(ABC, DATE, UTC);
    for (const own of FIXES.slice(0, 5)) tracker.push(own);
    expect(() => tracker.cancel({ at: at('08:14') })).toThrow(
      expect.objectContaining({ code: expect.anything() }),
    );
    tracker.cancel({ at: at('08:30') });
    for (const own of FIXES.slice(5)) tracker.push(own);
    const changes = [{ type: 'cancel', at: at('08:30') }] as const;
    expect(tracker.report()).toMatchObject({ status: 'cancelled', totals: { passed: 1, excused: 2 } });
    const batch = evaluateTrip(ABC, DATE, readTrack(FIXES), { ...UTC, changes });
    expect({ ...tracker.report(), holes: [] }).toEqual({ ...batch, holes: [] });
  });
});
