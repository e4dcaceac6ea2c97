import { describe, expect, test } from 'vitest';
import type { Trip } from '../../src/core/trip.js';
import type { ZoneOptions } from '../../src/core/wire.js';
import { tripZones } from '../../src/trips/index.js';
import { ZoneIndex } from '../../src/zones/zoneIndex.js';
import { errorOf } from '../errorOf.js';
import { wkt } from '../wkt.js';

const trip = (...points: unknown[]): Trip => ({ points }) as unknown as Trip;
const SQUARE = wkt('0 0, 1 0, 1 1, 0 1');
const point = (key: string, more: object): object => ({ name: key, type: { key }, ...more });

describe('tripZones', () => {
  test('a point keeps its parts, which define its zone', () => {
    const parts = [[SQUARE], [SQUARE.map(([x, y]) => [x! + 5, y!])]];
    const zones = tripZones(trip(point('polygon', { geometry: SQUARE, parts })));
    expect(zones[0]).toMatchObject({ parts });
    expect(new ZoneIndex(zones).at([5.5, 0.5])).toEqual(['0']);
  });

  test('one zone per point, with its index as id, in the order of the trip', () => {
    const zones = tripZones(
      trip(
        point('point', { geometry: [[37, 55]] }),
        point('circle', { geometry: [[38, 55]], width: 250, arrival: { time: '08:00' } }),
        point('polygon', { geometry: SQUARE }),
        point('line', { geometry: SQUARE, width: null }),
      ),
    );
    expect(zones).toEqual([
      { id: '0', name: 'point', type: { key: 'point' }, geometry: [[37, 55]], width: 100 },
      { id: '1', name: 'circle', type: { key: 'circle' }, geometry: [[38, 55]], width: 250 },
      { id: '2', name: 'polygon', type: { key: 'polygon' }, geometry: SQUARE },
      { id: '3', name: 'line', type: { key: 'line' }, geometry: SQUARE, width: 100 },
    ]);
  });

  test('`coordinates` replace a missing geometry; `geometry` takes precedence', () => {
    const zones = tripZones(
      trip(
        point('point', { coordinates: [[1, 2]] }),
        point('point', { coordinates: [[1, 2]], geometry: [[3, 4]] }),
        point('point', { coordinates: [[1, 2]], geometry: null }),
      ),
    );
    expect(zones.map(({ geometry }) => geometry)).toEqual([[[1, 2]], [[3, 4]], [[1, 2]]]);
  });

  test('defaultWidthMeters replaces the 100 m; a width of 0 is a width', () => {
    const zones = tripZones(
      trip(point('circle', { geometry: [[1, 2]] }), point('point', { geometry: [[1, 2]], width: 0 })),
      { defaultWidthMeters: 30 },
    );
    expect(zones.map(({ width }) => width)).toEqual([30, 0]);
  });

  test('an index accepts the rows with the same options', () => {
    const options: ZoneOptions = { axisOrder: 'latlon' };
    const zones = tripZones(
      trip(point('point', { geometry: [[55, 37]] }), point('circle', { geometry: [[56, 37]], width: 10 })),
      options,
    );
    const index = new ZoneIndex(zones, options);
    expect(index.at([37.001, 55])).toEqual(['0']);
    expect(index.at([37, 56])).toEqual(['1']);
    expect(index.at([37.001, 56])).toEqual([]);
  });

  test('a trip is not changed, frozen or not', () => {
    const frozen = Object.freeze(trip(Object.freeze(point('circle', { geometry: [[1, 2]] }))));
    expect(tripZones(frozen)[0]!.width).toBe(100);
    expect(frozen.points[0]).not.toHaveProperty('width');
  });

  const ok = point('point', { geometry: [[1, 2]] });
  const thrower = {
    get type(): never {
      throw new Error('no');
    },
  };
  test.each([
    ['no trip', null, {}, 'trip-type', 'trip'],
    ['no points', {}, {}, 'points-missing', 'points'],
    ['an empty list of points', trip(), {}, 'points-missing', 'points'],
    ['points that are not a list', { points: 'x' }, {}, 'points-missing', 'points'],
    ['a value that is not a point', trip(ok, null), {}, 'zone-type', 'points[1]'],
    ['a point without a type', trip(ok, { geometry: [[1, 2]] }), {}, 'zone-type', 'points[1].type.key'],
    ['a type that is unknown', trip(point('blob', { geometry: [] })), {}, 'zone-type', 'points[0].type.key'],
    ['a point without geometry', trip(ok, ok, point('point', {})), {}, 'coord-type', 'points[2].geometry'],
    [
      'a bad latitude',
      trip(ok, point('point', { geometry: [[1, 91]] })),
      {},
      'lat-range',
      'points[1].geometry[0][1]',
    ],
    [
      'one in coordinates',
      trip(point('point', { coordinates: [[1, 91]] })),
      {},
      'lat-range',
      'points[0].coordinates[0][1]',
    ],
    [
      'two pairs of a circle',
      trip(point('circle', { geometry: SQUARE })),
      {},
      'geometry-count',
      'points[0].geometry',
    ],
    [
      'a negative width',
      trip(point('circle', { coordinates: [[1, 2]], width: -1 })),
      {},
      'radius-range',
      'points[0].width',
    ],
    ['a getter that throws', trip(thrower), {}, 'input-unreadable', 'points[0]'],
    ['options that are not an object', trip(ok), null, 'option-type', 'options'],
    ['an unknown axis order', trip(ok), { axisOrder: 'xy' }, 'option-value', 'options.axisOrder'],
    [
      'a default width below 0',
      trip(ok),
      { defaultWidthMeters: -1 },
      'width-range',
      'options.defaultWidthMeters',
    ],
  ])('%s: rejected', (_, given, options, code, field) => {
    expect(errorOf(() => tripZones(given as Trip, options as ZoneOptions))).toMatchObject({ code, field });
  });
});
