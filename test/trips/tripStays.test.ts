import { describe, expect, test } from 'vitest';
import type { Visit } from '../../src/tracks/visit.js';
import { at, evaluate, points, trip, visits } from './shortTrips.js';

const LEAVING = { activation_type: { key: 'leaving_first_point' } };

test('of visits to a zone that begin at the same instant the longest counts, in any order', () => {
  const seen = visits('0 08:00 08:05', '1 08:00 08:06', '0 08:00 08:10', '1 08:00 08:08', '0 08:00 08:07');
  const orders = [seen, seen.toReversed(), [2, 4, 1, 0, 3].map((i) => seen[i]!)];
  for (const given of orders) {
    expect(points(evaluate(trip(['A', 'B', 'A']), given))).toEqual([
      'passed 08:00 08:10',
      'passed 08:00 08:08',
      'missed  ',
    ]);
    const open = evaluate(trip(['A', 'B', 'A']), [...visits('0 08:00'), ...given]);
    expect(points(open)[0]).toBe('passed 08:00 ');
  }
});

test('T37: a visit that ends at a gap has a departure, also without a later fix', () => {
  const [visit] = visits('0 08:00 08:10 gap');
  const departure = (next: number | null): number | null =>
    evaluate(trip(['A', 'B']), [{ ...visit!, exitBounds: [visit!.exit!, next] }]).points[0]!.departure;
  expect(departure(null)).toBe(at('08:10'));
  expect(departure(at('09:00'))).toBe(at('08:10'));
});

test('an exit is known from the fix after it on', () => {
  const [visit] = visits('0 08:00 08:10');
  const given = [{ ...visit!, exitBounds: [visit!.exit!, at('09:00')] as const }];
  const firstPointAt = (now: string): string =>
    points(evaluate(trip(['A', 'B']), given, { now: at(now) }))[0]!;
  expect(firstPointAt('08:59:59')).toBe('passed 08:00 ');
  expect(firstPointAt('09:00')).toBe('passed 08:00 08:10');
});

describe('what undoes an exit', () => {
  const activated = (...lines: string[]): number | null =>
    evaluate(trip(['A', 'B', 'C'], LEAVING), visits(...lines)).activatedAt;

  test('a visit to the first point, of no other', () => {
    expect(activated('0 08:00 08:10', '1 08:10:30 08:20')).toBe(at('08:10'));
    expect(activated('1 06:00 06:10', '2 07:00 07:59', '0 08:00 08:10')).toBe(at('08:10'));
    expect(activated('1 06:00 06:10', '2 07:00 07:59', '0 08:00 08:10', '0 08:11 08:20')).toBe(at('08:20'));
  });

  test('the joined visit is `inside` if one of its parts is', () => {
    const seen = (first: string, second: string): string => {
      const given = visits(`0 08:00 08:10 ${first}`, `0 08:11 08:20 ${second}`);
      return evaluate(trip(['A', 'B'], LEAVING), given).points[0]!.visit!.seen;
    };
    expect(seen('', '')).toBe('inside');
    expect(seen('crossed', '')).toBe('inside');
    expect(seen('', 'crossed')).toBe('inside');
    expect(seen('crossed', 'crossed')).toBe('crossed');
  });

  test('a gap inside the point is not an exit, also in the first minutes of the epoch', () => {
    const [gap, next] = visits('0 08:00 08:10 gap', '0 08:20 08:30');
    const timed = (visit: Visit, enter: number, exit: number, after: number): Visit => ({
      ...visit,
      enter,
      exit,
      enterBounds: [enter, enter],
      exitBounds: [exit, after],
    });
    const given = [timed(gap!, -3_600_000, -1000, 60_000), timed(next!, 60_000, 90_000, 90_000)];
    const report = evaluate(trip(['A', 'B'], { ...LEAVING, dates: ['1970-01-01'] }), given, {}, '1970-01-01');
    expect(report.activatedAt).toBe(90_000);
    expect(report.points[0]!).toMatchObject({
      arrival: -3_600_000,
      departure: 90_000,
      visit: { hasGap: true },
    });
  });
});

test('a point without a type is evaluated by the given visits', () => {
  const [{ type: _, ...bare }] = trip(['A']).points as unknown as [{ type: unknown }];
  const given = { ...trip(['A']), points: [bare] } as never;
  expect(points(evaluate(given, visits('0 08:00 08:10')))).toEqual(['passed 08:00 08:10']);
});
