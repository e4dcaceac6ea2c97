/** The whole text of each error of the meter, the ledger, speeding, routes and meetings. */

import { describe, expect, test } from 'vitest';
import { ZoneIndex } from '../../../src/index.js';
import {
  findMeetings,
  findRides,
  findSpeeding,
  MeetingTracker,
  matchRoute,
  measureVisits,
  meterTrack,
  prepareRoute,
  RouteTracker,
  readTrack,
  SpeedingTracker,
  sumByZone,
} from '../../../src/tracks/index.js';
import { errorText } from '../../errorOf.js';
import { wkt } from '../../wkt.js';

const START = 1772438400000;
const TRACK = readTrack([0, 1].map((i) => ({ time: START + i * 60_000, lon: 37.6 + 0.01 * i, lat: 55.7 })));
const METER = meterTrack(TRACK);
const INDEX = new ZoneIndex([{ id: 'z', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 100 }]);
const ROUTE = prepareRoute(wkt('37.6 55.7, 37.7 55.7'));
const VISIT = { zoneId: 'z', enter: 0, exit: 1, enterBounds: [0, 0], exitBounds: [1, 1] };

const visits = (given: unknown) => (): unknown => measureVisits(given as never, METER);
const sums =
  (given: unknown, meter: unknown = METER) =>
  (): unknown =>
    sumByZone(given as never, meter as never, { by: 'all', timeZone: 'UTC' } as never);
const rides = (given: unknown, options?: unknown) => (): unknown =>
  findRides(given as never, options as never);
const speeding = (options: unknown) => (): unknown => findSpeeding(TRACK, options as never);
const meetings = (options: unknown) => (): unknown => findMeetings(TRACK, TRACK, options as never);
const route = (options: unknown) => (): unknown => matchRoute(TRACK, ROUTE, options as never);
const watch = (a: unknown, b: unknown) => (): unknown =>
  new MeetingTracker({ meters: 5 }).watch(a as string, b as string);
const restored = (own: object, sources: object) => (): unknown => {
  const tracker = new SpeedingTracker({ limitKph: 90, ...own } as never);
  return SpeedingTracker.restore(JSON.stringify(tracker.snapshot()), sources as never);
};

const A_VISIT = 'a visit as findVisits gives it';
const A_SPAN = 'a visit, or {zoneId, from, to} in epoch milliseconds';
const A_LIMIT = 'a limit above 0 km/h, or null';
const MOST = 8_640_000_000_000_000;

describe('the whole text of an error', () => {
  test.each<[string, () => unknown]>([
    [`span-invalid from: expected whole epoch milliseconds, received 0.5`, () => METER.between(0.5, 1)],
    [
      `span-invalid to: expected whole epoch milliseconds, received "1"`,
      () => METER.between(0, '1' as never),
    ],
    [
      `span-invalid to: expected whole epoch milliseconds, received ${MOST + 2}`,
      () => METER.between(0, MOST + 2),
    ],
    [`span-invalid to: expected a time from 5 on, received 4`, () => METER.between(5, 4)],
    ['visits-type visits: expected a list, received an object', visits({})],
    [`visit-invalid visits[0]: expected ${A_VISIT}, received null`, visits([null])],
    [
      `visit-invalid visits[1]: expected ${A_VISIT}, received an object`,
      visits([VISIT, { ...VISIT, zoneId: 5 }]),
    ],
    [`visit-invalid visits[0]: expected ${A_VISIT}, received an object`, visits([{ ...VISIT, exit: -1 }])],
    [`visit-invalid visits[0]: expected ${A_VISIT}, received an object`, visits([{ ...VISIT, enter: 0.5 }])],
    [
      `visit-invalid visits[0]: expected ${A_VISIT}, received an object`,
      rides([{ ...VISIT, enterBounds: 0 }]),
    ],
    [
      `visit-invalid visits[0]: expected ${A_VISIT}, received an object`,
      rides([{ ...VISIT, exitBounds: null }]),
    ],
    ['spans-type items: expected a list, received null', sums(null)],
    [`span-invalid items[0]: expected ${A_SPAN}, received "x"`, sums(['x'])],
    [`span-invalid items[0]: expected ${A_SPAN}, received an object`, sums([{ zoneId: 1, from: 0, to: 1 }])],
    [
      `span-invalid items[0]: expected ${A_SPAN}, received an object`,
      sums([{ zoneId: null, from: 2, to: 1 }]),
    ],
    ['meter-invalid meter: expected a meter of meterTrack, received an object', sums([], {})],
    ['meter-invalid meter: expected a meter of meterTrack, received null', sums([], null)],
    ['option-value options.from: expected a list of ids, received "z"', rides([], { from: 'z' })],
    ['option-value options.to[1]: expected an id, received 5', rides([], { to: ['z', 5] })],
    ['option-type options.limitOf: expected a function, received 5', speeding({ limitOf: 5 })],
    [
      'option-value options.index: expected index and zoneLimits, or neither, received undefined',
      speeding({ zoneLimits: {} }),
    ],
    [
      'option-value options.zoneLimits: expected index and zoneLimits, or neither, received undefined',
      speeding({ index: INDEX }),
    ],
    [
      'option-type options.zoneLimits: expected an object of limits by zone id, or a function, received an array',
      speeding({ index: INDEX, zoneLimits: [] }),
    ],
    [`option-value options.limitKph: expected ${A_LIMIT}, received 0`, speeding({ limitKph: 0 })],
    [`option-value options.limitKph: expected ${A_LIMIT}, received NaN`, speeding({ limitKph: Number.NaN })],
    [`option-value options.limitOf(): expected ${A_LIMIT}, received "5"`, speeding({ limitOf: () => '5' })],
    [
      'option-value sources.limitOf: expected the one of the tracker that wrote the snapshot, received none',
      restored({ limitOf: () => 50 }, {}),
    ],
    [
      'option-value sources.limitOf: expected none, as of the tracker that wrote the snapshot, received one',
      restored({}, { limitOf: () => 50 }),
    ],
    [
      'option-value sources.index: expected the one of the tracker that wrote the snapshot, received none',
      restored({ index: INDEX, zoneLimits: {} }, { zoneLimits: {} }),
    ],
    [
      'option-value sources.zoneLimits: expected none, as of the tracker that wrote the snapshot, received one',
      restored({}, { zoneLimits: {} }),
    ],
    ['option-value options.meters: expected a distance in metres, received undefined', meetings({})],
    ['option-value options.meters: expected a distance in metres, received -1', meetings({ meters: -1 })],
    [
      'option-value options.meters: expected a distance in metres, received Infinity',
      meetings({ meters: Number.POSITIVE_INFINITY }),
    ],
    ['unit-id a: expected a text, received 5', watch(5, 'b')],
    ['unit-id b: expected a text, received undefined', watch('a', undefined)],
    [
      'route-type route: expected a route of prepareRoute, received an array',
      () => matchRoute(TRACK, [] as never, { widthMeters: 5 }),
    ],
    [
      'route-type route: expected a route of prepareRoute, received null',
      () => new RouteTracker(null as never, { widthMeters: 5 }),
    ],
    [
      'option-value options.widthMeters: expected a number above 0, up to 2000000, received 0',
      route({ widthMeters: 0 }),
    ],
    [
      'option-value options.backMeters: expected a number from 0 to Infinity, received -1',
      route({ widthMeters: 5, backMeters: -1 }),
    ],
    [
      'option-value options.from: expected a number from -8640000000000000 to 8640000000000000, received "0"',
      route({ widthMeters: 5, from: '0' }),
    ],
  ])('%s', (text, run) => {
    expect(errorText(run)).toBe(text);
  });
});
