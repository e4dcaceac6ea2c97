import { describe, expect, test } from 'vitest';
import { learnLegs, type PointReport, predictByRoute, type TripReport } from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { seeded } from '../volume.js';

const DAY = Date.parse('2026-03-02T00:00Z');
type Run = Pick<TripReport, 'timeZone' | 'points'>;
/** Points from minutes of the day: arrival, departure, planned arrival and departure. */
const run = (rows: readonly (readonly (number | null)[])[], timeZone = 'UTC'): Run => ({
  timeZone,
  points: rows.map((row) => {
    const [arrival, departure, plannedArrival, plannedDeparture] = [0, 1, 2, 3].map((i) =>
      typeof row[i] === 'number' ? DAY + row[i] * 60_000 : null,
    );
    const bounds = (time: number | null | undefined) => (time === null ? null : [time, time]);
    return {
      status: arrival === null ? 'missed' : 'passed',
      arrival,
      departure,
      plannedArrival,
      plannedDeparture,
      arrivalBounds: bounds(arrival),
      departureBounds: bounds(departure),
    } as unknown as PointReport;
  }),
});

describe('learnLegs', () => {
  test('medians of legs and stays, by hour in the zone of the trip, drawn to the median of all', () => {
    const runs = [480, 485, 1020].map((start, i) => {
      const leg = [10, 14, 30][i]!;
      return run([[start - 5, start], [start + leg, start + leg + 6]], 'Europe/Berlin'); // biome-ignore format: a run
    });
    const { legs, dwell } = learnLegs(runs);
    expect(legs).toHaveLength(1);
    expect(legs[0]).toMatchObject({ seconds: 840, count: 3 });
    // 08:00 UTC is 09:00 there: two runs with the median of 12 min.
    expect(legs[0]!.hours[9]).toBe((2 * 720 + 3 * 840) / 5);
    expect(legs[0]!.hours[18]).toBe((1800 + 3 * 840) / 4);
    expect(legs[0]!.hours.filter((hour) => hour !== null)).toHaveLength(2);
    expect(dwell.map((stay) => stay?.seconds)).toEqual([300, 360]);
    expect(JSON.parse(JSON.stringify({ legs, dwell }))).toEqual({ legs, dwell });
  });

  test('uncertain times and missed points teach nothing, and waits count only alone', () => {
    const unsure = run([[0, 5], [15, 20], [30, 35]]); // biome-ignore format: a run
    const [first, second, third] = unsure.points;
    const fuzzy = { ...second!, arrivalBounds: [DAY, DAY + 1] as const };
    const { legs, dwell } = learnLegs([{ ...unsure, points: [first!, fuzzy, third!] }, run([[0, 5], [null], [30, 35]])]); // biome-ignore format: two runs
    expect(legs.map((leg) => leg?.seconds ?? null)).toEqual([null, 600]);
    expect(dwell[1]).toBe(null);
    const wait = run([[0, 20, 10, 20]]);
    expect(learnLegs([wait]).dwell[0]!.seconds).toBe(1200);
    expect(learnLegs([wait, run([[12, 18, 10, 20]])]).dwell[0]!.seconds).toBe(360);
    expect(learnLegs([])).toEqual({ legs: [], dwell: [] });
  });

  test('the median of generated runs equals that of a sorted list', () => {
    const random = seeded(5);
    const legs = Array.from({ length: 40 }, () => 1 + Math.floor(60 * random()));
    const sorted = legs.toSorted((a, b) => a - b);
    const learned = learnLegs(legs.map((leg) => run([[0, 5], [5 + leg, 10 + leg]]))); // biome-ignore format: a run
    expect(learned.legs[0]!.seconds).toBe(30 * (sorted[19]! + sorted[20]!));
  });

  test.each([
    [5, 'runs'],
    [[5], 'runs[0]'],
    [[{ timeZone: 'UTC' }], 'runs[0]'],
    [[run([[0, 1]]), run([[0, 1], [2, 3]])], 'runs[1].points'], // biome-ignore format: two runs
  ])('%j is refused at %s', (runs, field) => {
    expect(errorOf(() => learnLegs(runs as never)).field).toBe(field);
  });

  const LEG = { durationSeconds: 60, geometry: [[37, 55], [38, 55]] } as const; // biome-ignore format: a leg
  const good = { seconds: 60, count: 1, hours: new Array<null>(24).fill(null) };
  test.each([
    [{ legs: 5 }, 'options.legs'],
    [{ legs: [] }, 'options.legs'],
    [{ legs: [5] }, 'options.legs[0].hours'],
    [{ legs: [{ ...good, seconds: -1 }] }, 'options.legs[0].seconds'],
    [{ dwell: [null, { ...good, hours: new Array<string>(24).fill('') }] }, 'options.dwell[1].hours[0]'],
  ])('predictByRoute refuses %j at %s', (options, field) => {
    expect(errorOf(() => predictByRoute([LEG], options as never))).toMatchObject({
      code: 'option-value',
      field,
    });
  });
});
