import { describe, expect, test } from 'vitest';
import { TripTracker } from '../../src/trips/index.js';
import { at, DATE, evaluate, events, MIDNIGHT, points, trip, UTC, visits } from './shortTrips.js';

const END = MIDNIGHT + 86_400_000;
const LEAVING = { activation_type: { key: 'leaving_first_point' } };
const ARBITRARY = { passage_order_type: { key: 'arbitrary' } };

describe('activation', () => {
  test('a unit in the first point at the start of the window activates the trip', () => {
    const given = trip(['A 08:00 08:00', 'B']);
    const seen = visits('0 06:30 07:30', '1 09:00 09:10');
    expect(evaluate(given, seen).activatedAt).toBe(at('07:00'));
  });

  test('on the first day of the epoch an open visit has not left its point at time 0', () => {
    const [open] = visits('0 08:00');
    const enter = -3_600_000;
    const seen = [{ ...open!, enter, enterBounds: [enter, enter] as const }];
    const given = trip(['A', 'B'], { ...LEAVING, dates: ['1970-01-01'] });
    const tracker = new TripTracker(given, '1970-01-01', UTC);
    expect(tracker.report().activatedAt).toBeNull();
    const { activatedAt, status } = evaluate(given, seen, { now: 3_600_000 }, '1970-01-01');
    expect([activatedAt, status]).toEqual([null, 'scheduled']);
  });

  test('T9: by a time after the next date begins, in a window that lasts beyond that time', () => {
    const given = trip(['A 08:00', 'B 06:00'], {
      activation_type: { key: 'time_of_first_point' },
      dates: [DATE, '2026-03-03'],
    });
    const late = {
      ...given,
      points: given.points.map((point, i) =>
        i === 0 ? { ...point, arrival: { time: '08:00', after_days: 2 } } : point,
      ),
    };
    const start = Date.parse('2026-03-04T08:00Z');
    const windowEnd = start + 3_600_000;
    expect(evaluate(late, [])).toMatchObject({ status: 'aborted', window: { to: windowEnd } });
    expect(evaluate(late, [], { now: start - 1 })).toMatchObject({ status: 'scheduled', activatedAt: null });
    expect(evaluate(late, [], { now: start })).toMatchObject({ status: 'active', activatedAt: start });
    const entered = { ...given, activation_type: { key: 'entrance_to_first_point' } } as never;
    expect(evaluate(entered, []).status).toBe('not_started');
  });
});

describe('finish', () => {
  test('in arbitrary order it is the last entry; the last point of the list is then passed, even before the exit', () => {
    const given = trip(['A', 'B'], ARBITRARY);
    const report = evaluate(given, visits('0 08:00 08:10', '1 09:00'), {
      finishOn: 'departure',
      now: at('10:00'),
    });
    expect(report).toMatchObject({ status: 'finished', finishedAt: at('09:00') });
    expect(points(report)).toEqual(['passed 08:00 08:10', 'passed 09:00 ']);
    const waiting = evaluate(given, visits('1 09:00', '0 08:00 08:10').slice(0, 1), {
      finishOn: 'departure',
      now: at('10:00'),
    });
    expect(waiting.status).toBe('scheduled');
  });

  test('on departure it is within the window, its end excluded', () => {
    const [first, last] = visits('0 08:00 08:10', '1 23:00 23:30');
    const left = (exit: number): (string | number | null)[] => {
      const { status, finishedAt } = evaluate(
        trip(['A', 'B']),
        [first!, { ...last!, exit, exitBounds: [exit, exit] }],
        { finishOn: 'departure', now: END + 1000 },
      );
      return [status, finishedAt];
    };
    expect(left(END - 1)).toEqual(['finished', END - 1]);
    expect(left(END)).toEqual(['aborted', null]);
  });
});

describe('one zone many times, in any order', () => {
  test.each([14, 120])('%i points are judged, with shared visits or not', (count) => {
    const names = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 'A 08:00±60' : 'A 09:00±60'));
    const seen = visits('0 08:00 08:10', '5 09:00 09:10');
    expect(evaluate(trip(names, ARBITRARY), seen).totals).toMatchObject({ passed: count, missed: 0 });
    const separate = evaluate(trip(names, ARBITRARY), seen, { allowSharedVisit: false });
    expect(separate.totals).toMatchObject({ passed: 2, missed: count - 2 });
  });

  test('of more than twelve points that do not fit one visit, each visit serves the neighbours of its own', () => {
    const names = Array.from({ length: 20 }, (_, i) => (i < 10 ? 'A 08:00±5' : 'A 15:00±5'));
    const report = evaluate(trip(names, ARBITRARY), visits('0 07:58 08:10', '0 15:00 15:05'));
    expect(report.points.map(({ visit }) => visit?.enter)).toEqual(
      names.map((_, i) => at(i < 10 ? '07:58' : '15:00')),
    );
  });

  test('of two ways to share equally many points, the one nearer to the plan counts, else the one with earlier entries', () => {
    const near = trip(['A', 'A 08:30', 'A 10:00'], ARBITRARY);
    expect(points(evaluate(near, visits('0 08:00 09:00', '0 10:00 11:00')))).toEqual([
      'passed 08:00 09:00',
      'passed 08:00 09:00',
      'passed 10:00 11:00',
    ]);
    const plain = trip(['A', 'A', 'A'], ARBITRARY);
    expect(points(evaluate(plain, visits('0 08:00 09:00', '0 10:00 11:00')))).toEqual([
      'passed 08:00 09:00',
      'passed 08:00 09:00',
      'passed 10:00 11:00',
    ]);
  });
});

describe('out of turn', () => {
  const turnEvents = (...given: Parameters<typeof evaluate>): string[] =>
    events(evaluate(...given)).filter((text) => text.includes('out_of_order'));

  test('from the activation on', () => {
    const given = trip(['A', 'X', 'B', 'C']);
    const from = (time: string): string[] =>
      turnEvents(
        given,
        visits('0 08:00 08:10', `2 ${time} 08:15`, '1 08:30 08:35', '2 08:40 08:45', '3 09:00 09:10'),
      );
    expect(from('07:59:59')).toEqual([]);
    expect(from('08:00')).toEqual(['08:00 point_out_of_order 2']);
  });

  test('excludes a second visit to a served point, and a visit that begins when its predecessor is served', () => {
    const given = trip(['A', 'B 08:30', 'C']);
    const seen = visits('0 08:00 08:10', '1 08:30 08:40', '1 09:00 09:10', '2 10:00 10:10');
    expect(turnEvents(given, seen)).toEqual([]);
    const early = visits('0 08:00 08:10', '1 08:00 08:01', '1 08:30 08:40', '2 10:00 10:10');
    expect(turnEvents(given, early)).toEqual([]);
    const before = visits('0 08:00 08:10', '2 08:28 08:29', '1 08:30 08:40', '2 10:00 10:10');
    expect(turnEvents(given, before)).toEqual(['08:28 point_out_of_order 2']);
    const atOnce = visits('0 08:00 08:10', '2 08:30 08:31', '1 08:30 08:40', '2 10:00 10:10');
    expect(turnEvents(trip(['A 08:00±30', 'B', 'C 10:00']), atOnce)).toEqual([]);
  });
});

describe('fields of a trip', () => {
  test('a unit that is missing, null or not text is null in the report', () => {
    for (const unit of [undefined, null, {}, { id: 7 }]) {
      expect(evaluate({ ...trip(['A']), unit } as never, []).unitId).toBeNull();
    }
    expect(evaluate({ ...trip(['A']), id: 7 } as never, []).tripId).toBeNull();
    const { name: _, ...nameless } = trip(['A']).points[0]!;
    expect(evaluate({ ...trip(['A']), points: [nameless] } as never, []).points[0]!.name).toBe('');
    expect(
      evaluate({ ...trip(['A']), points: [{ ...nameless, name: 7 }] } as never, []).points[0]!.name,
    ).toBe('');
  });
});
