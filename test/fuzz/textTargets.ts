/** Targets for parsers of short texts. */

import { parseTime } from '../../src/interchange/common/parseTime.js';
import { parseWkt } from '../../src/interchange/csv/parseGeometryText.js';
import { decodePolyline } from '../../src/routing/engineAnswer.js';
import { parseRoutingPoints } from '../../src/routing/index.js';
import { decode, encode } from './mutate.js';
import { checkEqual, checkNumbers, Finding, mustNotThrow } from './oracle.js';
import type { Target } from './target.js';

/** The geometry written as WKT, with numbers as JavaScript writes them. */
function wktOf({ type, coordinates, geometries }: Readonly<Record<string, unknown>>): string {
  const word = String(type).toUpperCase();
  const list = (value: unknown): string => {
    if (!Array.isArray(value)) return '';
    return typeof value[0] === 'number'
      ? value.map((n) => (Object.is(n, -0) ? '-0' : n)).join(' ')
      : `(${value.map(list).join(',')})`;
  };
  if (type === 'GeometryCollection') {
    const inner = (geometries as Readonly<Record<string, unknown>>[]).map(wktOf);
    return inner.length === 0 ? `${word} EMPTY` : `${word}(${inner.join(',')})`;
  }
  if ((coordinates as unknown[]).length === 0) return `${word} EMPTY`;
  return type === 'Point' ? `${word}(${list(coordinates)})` : `${word}${list(coordinates)}`;
}

export const TEXT_TARGETS: readonly Target[] = [
  {
    name: 'wkt',
    format: 'text',
    seeds: () =>
      [
        'POINT(1 2)',
        'SRID=4326;POLYGON((0 0,1 0,1 1,0 0),(0.2 0.1,0.3 0.1,0.3 0.2,0.2 0.1))',
        'MULTIPOINT Z((1 2 3),(4 5 6))',
        'multipolygon(((0 0,1 0,1 1,0 0)),((2 2,3 2,3 3)))',
        'GEOMETRYCOLLECTION(POINT(1 2),LINESTRING ZM(1 2 3 4,5 6 7 8),GEOMETRYCOLLECTION EMPTY)',
      ].map(encode),
    run: (input) => {
      const { geometry, srid } = parseWkt(decode(input));
      checkNumbers([geometry, srid], 'wkt');
      const again = mustNotThrow('parseWkt of what it read', () => parseWkt(wktOf(geometry)));
      checkEqual(again.geometry, geometry, 'well-known text read, written and read');
    },
  },
  {
    name: 'time',
    format: 'text',
    seeds: () =>
      ['2026-03-02T08:00:00Z', '20260302T080000,123+0530', '2016-12-31T23:59:60Z', '2026-03-02t24:00-03'].map(
        encode,
      ),
    run: (input) => {
      const text = decode(input);
      for (const offset of [null, 0, 90]) {
        const parsed = parseTime(text, offset);
        if (parsed === null) continue;
        if (!Number.isSafeInteger(parsed.time))
          throw new Finding(`expected an integer time, received ${parsed.time}`);
        const year = new Date(parsed.time).getUTCFullYear();
        if (!(year >= 0 && year <= 10_000))
          throw new Finding(`expected a year from 0 to 10000, received ${year}`);
        if (year < 1 || year > 9999) continue;
        checkEqual(
          parseTime(new Date(parsed.time).toISOString())?.time,
          parsed.time,
          'a time written and read',
        );
      }
    },
  },
  {
    name: 'routing-points',
    format: 'text',
    seeds: () =>
      ['55.7,37.6;55.8,37.7', '-33.8%2C151.2%3B-33.9%2C151.3;', ' 0 , 180 ; -0 , -180 ; 90,0'].map(encode),
    run: (input) => {
      const positions = parseRoutingPoints(decode(input));
      checkNumbers(positions, 'points');
      const text = positions.map(([lon, lat]) => `${lat.toFixed(15)},${lon.toFixed(15)}`).join(';');
      checkEqual(
        mustNotThrow('parseRoutingPoints of what it read', () => parseRoutingPoints(text)).length,
        positions.length,
        'the numbers of points',
      );
      for (const [lon, lat] of positions) {
        if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90))
          throw new Finding(`invalid position ${lon},${lat}`);
      }
    },
  },
  {
    name: 'polyline',
    format: 'text',
    seeds: () => ['_p~iF~ps|U_ulLnnqC_mqNvxq`@', '', '??', '_qo]_%7Bso~_qo]'].map(encode),
    run: (input) => {
      for (const precision of [5, 6] as const) {
        const positions = decodePolyline(decode(input), precision);
        checkNumbers(positions, 'polyline');
        for (const [lon, lat] of positions ?? []) {
          if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90))
            throw new Finding(`invalid position ${lon},${lat}`);
        }
      }
    },
  },
];
