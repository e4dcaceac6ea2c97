import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import type { Trip } from '../../src/core/trip.js';
import { planTrip, type TripPlanOptions } from '../../src/trips/index.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';

const UTC: TripPlanOptions = { timeZone: 'UTC' };
const BERLIN: TripPlanOptions = { timeZone: 'Europe/Berlin' };

function trip(points: readonly object[], dates: readonly string[] = ['2026-03-02']): Trip {
  const shape = { type: { key: 'point' }, geometry: [[13.4, 52.5]] };
  return {
    id: 'trip',
    dates,
    points: points.map((point, i) => ({ name: `p${i}`, ...shape, ...point })),
  } as unknown as Trip;
}

const at = (time: string, more: object = {}): object => ({ arrival: { time, ...more } });
const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
const windowOf = (...given: Parameters<typeof planTrip>): (string | null)[] => {
  const { window } = planTrip(...given);
  return [iso(window.from), iso(window.to)];
};

describe('planned times', () => {
  test('are the date plus `after_days` at the local time', () => {
    const points = [
      { arrival: { time: '08:00', deviation_minutes: 10 }, departure: { time: '08:30', after_days: 0 } },
      { departure: { time: '00:15', after_days: 2, deviation_minutes: 0.5 } },
      {},
    ];
    const plan = planTrip(trip(points), '2026-03-02', { ...BERLIN, defaultDeviationMinutes: 3 });
    expect(plan).toMatchObject({ tripId: 'trip', date: '2026-03-02', timeZone: 'Europe/Berlin' });
    expect(plan.points.map((point) => [iso(point.plannedArrival), iso(point.plannedDeparture)])).toEqual([
      ['2026-03-02T07:00:00.000Z', '2026-03-02T07:30:00.000Z'],
      [null, '2026-03-03T23:15:00.000Z'],
      [null, null],
    ]);
    expect(
      plan.points.map((point) => [point.arrivalToleranceSeconds, point.departureToleranceSeconds]),
    ).toEqual([
      [600, 180],
      [null, 30],
      [null, null],
    ]);
    expect(plan.points.map(({ index, name }) => [index, name])).toEqual([
      [0, 'p0'],
      [1, 'p1'],
      [2, 'p2'],
    ]);
  });

  test('move forward by a gap of the clocks; a repeated time means the first', () => {
    const gap = planTrip(trip([at('02:30')], ['2026-03-29']), '2026-03-29', BERLIN);
    expect(iso(gap.points[0]!.plannedArrival)).toBe('2026-03-29T01:30:00.000Z');
    const doubled = planTrip(trip([at('02:30', { after_days: 1 })], ['2026-10-24']), '2026-10-24', BERLIN);
    expect(iso(doubled.points[0]!.plannedArrival)).toBe('2026-10-25T00:30:00.000Z');
  });

  test.each(['2026-03-02', '2026-03-02 00:00', '2026-03-02 00:00:00'])('accept the date as %s', (date) => {
    for (const stored of ['2026-03-02', '2026-03-02 00:00', '2026-03-02 00:00:00']) {
      expect(planTrip(trip([at('08:00')], ['2026-01-01', stored]), date, UTC).date).toBe('2026-03-02');
    }
  });

  test('equal Temporal’s for any date, time and zone', () => {
    const random = seeded(5);
    const zones = ['Africa/Cairo', 'America/New_York', 'Asia/Tehran', 'Australia/Lord_Howe', 'Pacific/Apia'];
    for (let i = 0; i < volume(2000); i++) {
      const timeZone = zones[i % zones.length]!;
      const date = Temporal.PlainDate.from('2006-01-01').add({ days: Math.floor(random() * 7300) });
      const days = Math.floor(random() * 3);
      const time = Temporal.PlainTime.from('00:00').add({ minutes: Math.floor(random() * 1440) });
      const plan = planTrip(
        trip([at(time.toString().slice(0, 5), { after_days: days })], [date.toString()]),
        date.toString(),
        { timeZone },
      );
      const expected = date.add({ days }).toZonedDateTime({ timeZone, plainTime: time });
      expect(plan.points[0]!.plannedArrival).toBe(expected.epochMilliseconds);
    }
  });
});

describe('the window', () => {
  const early = [at('09:00', { deviation_minutes: 0 }), at('08:50', { deviation_minutes: 20 })];

  test('opens an hour before the earliest planned time minus its tolerance', () => {
    expect(windowOf(trip(early), '2026-03-02', UTC)[0]).toBe('2026-03-02T07:30:00.000Z');
  });

  test('opens at the date’s 00:00 without a planned time, and ends with that day', () => {
    expect(windowOf(trip([{}]), '2026-03-02', BERLIN)).toEqual([
      '2026-03-01T23:00:00.000Z',
      '2026-03-02T23:00:00.000Z',
    ]);
    expect(windowOf(trip([{}], ['2026-03-29']), '2026-03-29', BERLIN)).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
  });

  test('ends with the last planned day, or with the last time plus six hours if that is later', () => {
    expect(windowOf(trip(early), '2026-03-02', UTC)[1]).toBe('2026-03-03T00:00:00.000Z');
    expect(windowOf(trip([at('12:00', { after_days: 2 })]), '2026-03-02', UTC)[1]).toBe(
      '2026-03-05T00:00:00.000Z',
    );
    expect(windowOf(trip([at('23:00', { deviation_minutes: 30 })]), '2026-03-02', UTC)[1]).toBe(
      '2026-03-03T05:30:00.000Z',
    );
    expect(windowOf(trip([at('23:00')]), '2026-03-02', { ...UTC, windowAfterSeconds: 7200 })[1]).toBe(
      '2026-03-03T01:00:00.000Z',
    );
  });

  test('ends where the window of the next date opens, for any order of the dates', () => {
    const night = trip([at('23:00'), at('04:00', { after_days: 1 })], ['2026-03-03', '2026-03-02']);
    expect(windowOf(night, '2026-03-02', UTC)).toEqual([
      '2026-03-02T22:00:00.000Z',
      '2026-03-03T22:00:00.000Z',
    ]);
    expect(windowOf(night, '2026-03-03', UTC)[1]).toBe('2026-03-05T00:00:00.000Z');
    const days = ['2026-03-02', '2026-03-09', '2026-03-03'];
    for (const dates of [days, days.toReversed()]) {
      const given = trip([at('23:00'), at('04:00', { after_days: 1 })], dates);
      expect(windowOf(given, '2026-03-02', UTC)[1]).toBe('2026-03-03T22:00:00.000Z');
      expect(windowOf(given, '2026-03-03', UTC)[1]).toBe('2026-03-05T00:00:00.000Z');
    }
    const skipped = trip([at('12:00')], ['2011-12-30', '2011-12-31']);
    const [from, to] = windowOf(skipped, '2011-12-30', { timeZone: 'Pacific/Apia' });
    // T8: not before an hour after its own last time.
    expect(Date.parse(to!) - Date.parse(from!)).toBe(2 * 3_600_000);
  });

  test('T8: the next run closes it, by its own least time, and never before an hour after the greatest time of the run', () => {
    const dates = ['2026-03-02', '2026-03-03'];
    const to = (points: object[], more: object = {}): string | null =>
      windowOf(trip(points, dates), '2026-03-02', { ...UTC, ...more })[1]!;
    // The next run opens at 07:00, or with the tolerance at 06:30.
    expect(to([at('08:00'), at('04:00', { after_days: 1 })])).toBe('2026-03-03T07:00:00.000Z');
    expect(to([at('08:00', { deviation_minutes: 30 }), at('04:00', { after_days: 1 })])).toBe(
      '2026-03-03T06:30:00.000Z',
    );
    // The run itself ends at 06:10, or at 06:30 with the tolerance, and an hour.
    expect(to([at('08:00'), at('06:10', { after_days: 1 })])).toBe('2026-03-03T07:10:00.000Z');
    expect(to([at('08:00'), at('06:10', { after_days: 1, deviation_minutes: 20 })])).toBe(
      '2026-03-03T07:30:00.000Z',
    );
    // T7 may close it before that hour is over.
    const late = [at('08:00'), at('23:50')];
    expect(to(late, { windowAfterSeconds: 1800 })).toBe('2026-03-03T00:20:00.000Z');
    expect(to(late)).toBe('2026-03-03T05:50:00.000Z');
    // Without a plan the next run opens at its 00:00.
    expect(to([{}])).toBe('2026-03-03T00:00:00.000Z');
    const lone = windowOf(
      trip([at('08:00'), at('06:10', { after_days: 1 })], ['2026-03-02']),
      '2026-03-02',
      UTC,
    );
    expect(lone[1]).toBe('2026-03-04T00:00:00.000Z');
  });
});

test.each<[string, unknown, unknown, object, string, string]>([
  ['a date that is not planned', trip([{}]), '2026-03-03', UTC, 'date-not-planned', 'date'],
  ['a date that does not exist', trip([{}]), '2026-02-30', UTC, 'date', 'date'],
  ['a date with a time', trip([{}]), '2026-03-02 08:00', UTC, 'date', 'date'],
  ['no date', trip([{}]), undefined, UTC, 'date', 'date'],
  ['a stored date that does not exist', trip([{}], ['x']), '2026-03-02', UTC, 'date', 'dates[0]'],
  ['no dates', trip([{}], []), '2026-03-02', UTC, 'dates-missing', 'dates'],
  ['no points', trip([]), '2026-03-02', UTC, 'points-missing', 'points'],
  ['no trip', null, '2026-03-02', UTC, 'trip-type', 'trip'],
  [
    'a value that is not a point',
    { dates: ['2026-03-02'], points: [3] },
    '2026-03-02',
    UTC,
    'zone-type',
    'points[0]',
  ],
  ['24:00', trip([at('24:00')]), '2026-03-02', UTC, 'time', 'points[0].arrival.time'],
  [
    '8:00',
    trip([{}, { departure: { time: '8:00' } }]),
    '2026-03-02',
    UTC,
    'time',
    'points[1].departure.time',
  ],
  [
    'half a day',
    trip([at('08:00', { after_days: 0.5 })]),
    '2026-03-02',
    UTC,
    'integer',
    'points[0].arrival.after_days',
  ],
  [
    'a day before',
    trip([at('08:00', { after_days: -1 })]),
    '2026-03-02',
    UTC,
    'range',
    'points[0].arrival.after_days',
  ],
  [
    'a text',
    trip([at('08:00', { deviation_minutes: '5' })]),
    '2026-03-02',
    UTC,
    'type',
    'points[0].arrival.deviation_minutes',
  ],
  ['no zone', trip([{}]), '2026-03-02', {}, 'tz-unknown', 'options.timeZone'],
  ['an unknown zone', trip([{}]), '2026-03-02', { timeZone: 'Mars/A' }, 'tz-unknown', 'options.timeZone'],
  [
    'a negative option',
    trip([{}]),
    '2026-03-02',
    { ...UTC, windowAfterSeconds: -1 },
    'option-value',
    'options.windowAfterSeconds',
  ],
  ['no options', trip([{}]), '2026-03-02', 7 as unknown as object, 'option-type', 'options'],
])('%s is rejected', (_, given, date, options, code, field) => {
  const error = errorOf(() => planTrip(given as Trip, date as string, options as TripPlanOptions));
  expect([error.code, error.field]).toEqual([code, field]);
});
