import { describe, expect, test } from 'vitest';
import { expected } from '../../src/core/errors.js';
import type { Trip } from '../../src/core/trip.js';
import { sealed } from '../../src/tracks/stream/sealed.js';
import { TripTracker, tripZones } from '../../src/trips/index.js';
import { errorText } from '../errorOf.js';
import { evaluate, POINT, plan, withArrival, withPoints } from './asked.js';
import { at, DATE, trip, UTC, visits } from './shortTrips.js';

describe('the whole text of an error', () => {
  test.each<[string, () => unknown]>([
    ['trip-type trip: expected a trip, received 5', plan(5)],
    ['trip-type trip: expected a trip, received null', plan(null)],
    [
      'points-missing points: expected a list of at least one of its points, received an array',
      plan({ points: [] }),
    ],
    [
      'dates-missing dates: expected a list of at least one of its dates, received undefined',
      plan({ points: [POINT] }),
    ],
    [
      'date dates[1]: expected a date yyyy-MM-dd that exists, its time part zeros, received "2026-02-30"',
      plan({ ...trip(['A']), dates: [DATE, '2026-02-30'] }),
    ],
    [
      'date date: expected a date yyyy-MM-dd that exists, its time part zeros, received 5',
      plan(trip(['A']), 5),
    ],
    [
      'date-not-planned date: expected one of the dates of the trip, received "2026-03-03"',
      plan(trip(['A']), '2026-03-03'),
    ],
    ['zone-type points[1]: expected a point of a trip, received null', plan(withPoints(POINT, null))],
    ['zone-type points[1]: expected a point of a trip, received 5', plan(withPoints(POINT, 5))],
    ['type points[1].arrival: expected a planned time, received "08:00"', plan(withArrival('08:00'))],
    [
      'time points[1].arrival.time: expected a time of day HH:mm, 00:00 to 23:59, received "8:00"',
      plan(withArrival({ time: '8:00' })),
    ],
    ...([800, ['08:00'], 'x08:00', '08:000'] as const).map((time): [string, () => unknown] => [
      `time points[1].arrival.time: ${expected('a time of day HH:mm, 00:00 to 23:59', time)}`,
      plan(withArrival({ time })),
    ]),
    [
      'integer points[1].arrival.after_days: expected whole days, received 0.5',
      plan(withArrival({ time: '08:00', after_days: 0.5 })),
    ],
    [
      'range points[1].arrival.after_days: expected a number from 0 to 36525, received 36526',
      plan(withArrival({ time: '08:00', after_days: 36_526 })),
    ],
    [
      'type points[1].arrival.after_days: expected a number, received "1"',
      plan(withArrival({ time: '08:00', after_days: '1' })),
    ],
    [
      'range points[1].arrival.deviation_minutes: expected a number from 0 to 52596000, received 52596001',
      plan(withArrival({ time: '08:00', deviation_minutes: 52_596_001 })),
    ],
    [
      'tz-unknown options.timeZone: expected the name of an IANA time zone, received "Mars/Olympus"',
      plan(trip(['A']), DATE, { timeZone: 'Mars/Olympus' }),
    ],
    [
      'option-value options.windowAfterSeconds: expected a number from 0 to 3155760000, received 3155760001',
      plan(trip(['A']), DATE, { ...UTC, windowAfterSeconds: 3_155_760_001 }),
    ],
    [
      'option-value options.defaultDeviationMinutes: expected a number from 0 to 52596000, received 52596001',
      plan(trip(['A']), DATE, { ...UTC, defaultDeviationMinutes: 52_596_001 }),
    ],
  ])('of a plan: %s', (text, run) => {
    expect(errorText(run)).toBe(text);
  });

  const none = { visits: [] };
  const good = visits('0 08:00 08:10');
  test.each<[string, () => unknown]>([
    ['track-invalid track: expected a Track from readTrack, or {visits}, received 5', evaluate(5)],
    ['track-invalid track: expected a Track from readTrack, or {visits}, received null', evaluate(null)],
    ['track-invalid track: expected a Track from readTrack, or {visits}, received an object', evaluate({})],
    ['visits-type visits: expected a list of visits, received "x"', evaluate({ visits: 'x' })],
    [
      'visit-invalid visits[1]: expected a visit as findVisits gives it, received 5',
      evaluate({ visits: [...good, 5] }),
    ],
    [
      'visit-zone visits[1].zoneId: expected the index of one of 1 points as text, received "1"',
      evaluate({ visits: [...good, { ...good[0], zoneId: '1' }] }),
    ],
    ['gaps-type gaps: expected a list of gaps, received 5', evaluate({ ...none, gaps: 5 })],
    [
      'gap-invalid gaps[1]: expected {from, to} in epoch milliseconds, received an object',
      evaluate({ ...none, gaps: [{ from: 1, to: 2 }, { from: 2, to: 1 }] }), // biome-ignore format: short
    ],
    [
      'dictionary-key passage_order_type.key: expected strict or arbitrary, received "free"',
      evaluate(none, {}, trip(['A'], { passage_order_type: { key: 'free' } })),
    ],
    [
      'dictionary-key passage_order_type.key: expected strict or arbitrary, received undefined',
      evaluate(none, {}, trip(['A'], { passage_order_type: null })),
    ],
    [
      'dictionary-key activation_type.key: expected time_of_first_point, entrance_to_first_point or leaving_first_point, received "now"',
      evaluate(none, {}, trip(['A'], { activation_type: { key: 'now' } })),
    ],
    [
      'activation-time points[0].arrival: expected a time of arrival or departure of the first point, which activates the trip, received neither',
      evaluate(none, {}, trip(['A'], { activation_type: { key: 'time_of_first_point' } })),
    ],
    [
      'option-value options.allowSharedVisit: expected true or false, received "no"',
      evaluate(none, { allowSharedVisit: 'no' }),
    ],
    [
      'option-value options.allowSharedVisit: expected true or false, received 1',
      evaluate(none, { allowSharedVisit: 1 }),
    ],
    [
      'option-value options.now: expected whole epoch milliseconds, received 0.5',
      evaluate(none, { now: 0.5 }),
    ],
    [
      'option-value options.now: expected a number from -8640000000000000 to 8640000000000000, received 8640000000000002',
      evaluate(none, { now: 8.64e15 + 2 }),
    ],
    [
      'option-value options.now: expected a number from -8640000000000000 to 8640000000000000, received -8640000000000002',
      evaluate(none, { now: -8.64e15 - 2 }),
    ],
    [
      'option-value options.policy: expected one of skip, wait, received "stop"',
      evaluate(none, { policy: 'stop' }),
    ],
    [
      'option-value options.finishOn: expected one of entry, departure, received "end"',
      evaluate(none, { finishOn: 'end' }),
    ],
    ...['minStaySeconds', 'leaveConfirmSeconds'].map((name): [string, () => unknown] => [
      `option-value options.${name}: expected a number from 0 to Infinity, received -1`,
      evaluate(none, { [name]: -1 }),
    ]),
    [
      'option-value options.defaultWidthMeters: expected a number from 0 to 20003931.4586, received -1',
      evaluate(none, { defaultWidthMeters: -1 }),
    ],
  ])('of an evaluation: %s', (text, run) => {
    expect(errorText(run)).toBe(text);
  });

  const zones = (given: unknown, options?: unknown) => (): unknown =>
    tripZones(given as Trip, options as object);
  test.each<[string, () => unknown]>([
    ['option-type options: expected an object of options, received null', zones(trip(['A']), null)],
    ['option-type options: expected an object of options, received an array', zones(trip(['A']), [])],
    ['trip-type trip: expected a trip, received null', zones(null)],
    ['trip-type trip: expected a trip, received "t"', zones('t')],
    ['points-missing points: expected a list of at least one point, received undefined', zones({})],
    [
      'points-missing points: expected a list of at least one point, received an array',
      zones({ points: [] }),
    ],
    ['zone-type points[1]: expected a point of a trip, received null', zones(withPoints(POINT, null))],
    ['zone-type points[1]: expected a point of a trip, received 7', zones(withPoints(POINT, 7))],
  ])('of zones: %s', (text, run) => {
    expect(errorText(run)).toBe(text);
  });

  const tracker = new TripTracker(trip(['A']), DATE, UTC);
  const snapshot = tracker.snapshot();
  const { checksum: _, ...body } = snapshot;
  const restored =
    (given: unknown, of: Trip = trip(['A'])) =>
    (): unknown =>
      TripTracker.restore(of, given as string);
  const other = new TripTracker(trip(['B']), DATE, UTC).snapshot().trip;
  const fix = { time: at('08:00'), lon: 13, lat: 52 };
  test.each<[string, () => unknown]>([
    ['state-corrupt snapshot: expected JSON, received "{"', restored('{')],
    ['state-version snapshot.version: expected version 9, received 1', restored({ ...snapshot, version: 1 })],
    [
      'state-corrupt snapshot.kind: expected \'trip\', received "visits"',
      restored({ ...snapshot, kind: 'visits' }),
    ],
    [
      `state-corrupt snapshot.checksum: expected the checksum of the rest, ${snapshot.checksum}, received "x"`,
      restored({ ...snapshot, checksum: 'x' }),
    ],
    [
      `state-trip snapshot.trip: expected the trip of this tracker, ${other}, received "${snapshot.trip}"`,
      restored(snapshot, trip(['B'])),
    ],
    [
      'state-corrupt snapshot.date: expected what a tracker of this trip can have, received "expected one of the dates of the trip, received \\"2026-03-03\\""',
      restored(sealed({ ...body, date: '2026-03-03' })),
    ],
    [
      'state-corrupt snapshot.options.policy: expected what a tracker of this trip can have, received "expected one of skip, wait, received \\"x\\""',
      restored(sealed({ ...body, options: { ...body.options, policy: 'x' } })),
    ],
    [
      'option-type options: expected an object of options, received null',
      () => tracker.push(fix, null as never),
    ],
    [
      'option-value options.receivedAt: expected a number from -8640000000000000 to 8640000000000000, received "5"',
      () => tracker.push(fix, { receivedAt: '5' } as never),
    ],
    [
      'option-value time: expected a number from -8640000000000000 to 8640000000000000, received -8640000000000002',
      () => tracker.advance(-8.64e15 - 2),
    ],
  ])('of a tracker: %s', (text, run) => {
    expect(errorText(run)).toBe(text);
  });
});
