import { kml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fromCsv,
  fromGeoJson,
  fromKml,
  readParquet,
  toFeatureCollection,
  toGeoParquet,
  toKml,
  toZoneCsv,
} from '../../src/interchange/index.js';
import { volume } from '../volume.js';

// Attributes of any name and kind, also names that formats use themselves, come back from every format.
const WORDS =
  'name Name ID id time lat lon unit speed wayzone wayzone.x type width fill stroke description begin end when address LineStyle.width LineStyle.color PolyStyle.color a.b floor Floor geometry bbox wkt color properties is_delete __proto__ a.displayName Snippet 0';
const key = fc.oneof(fc.constantFrom('', ...WORDS.split(' ')), fc.string({ maxLength: 5 }));
const texts = ['5', 'true', '=x', '#ff0000', '2026-01-01', 'ff00ff00', '<b>x</b>', '<script>', ' a '];
const value = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom(...texts),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.dictionary(fc.string({ maxLength: 3 }), fc.integer(), { maxKeys: 2 }),
);
const degrees = fc.double({ min: -80, max: 80, noNaN: true }).map((number) => number + 0);
const zone = fc
  .record(
    {
      id: fc.oneof(fc.string({ minLength: 1, maxLength: 4 }), fc.integer().map(String)),
      name: fc.string({ maxLength: 6 }),
      type: fc.record({ key: fc.constantFrom('point', 'circle', 'line', 'polygon') }),
      at: fc.tuple(degrees, degrees),
      properties: fc.dictionary(key, value, { maxKeys: 6 }),
      color: fc.record({ key: fc.constantFrom('#F56C6C', '#123456') }),
      is_show_on_map: fc.boolean(),
    },
    { requiredKeys: ['id', 'name', 'type', 'at'] },
  )
  .map(({ at: [x, y], ...rest }) => {
    const { key: kind } = rest.type;
    const geometry = [
      [x, y],
      ...(kind === 'polygon'
        ? [
            [x + 1, y],
            [x + 1, y + 1],
          ]
        : kind === 'line'
          ? [[x + 1, y]]
          : []),
    ];
    return { ...rest, geometry, ...(kind === 'circle' || kind === 'line' ? { width: 50 } : {}) };
  });
const zones = fc.uniqueArray(zone, { selector: ({ id }) => id, minLength: 1, maxLength: 4 });

test.each<[string, (list: never) => unknown]>([
  ['GeoJSON', (list) => fromGeoJson(JSON.stringify(toFeatureCollection(list, { all: true }))).value.zones],
  ['CSV', (list) => fromCsv(toZoneCsv(list)).value.zones],
  ['KML', (list) => fromKml(toKml(list)).value.zones],
  ['Parquet', async (list) => (await readParquet(await toGeoParquet(list), { as: 'zones' })).value.zones],
  [
    'KML by togeojson',
    (list) =>
      fromGeoJson(
        kml(new DOMParser({ onError: () => undefined }).parseFromString(toKml(list), 'text/xml') as never),
      ).value.zones,
  ],
])('%s', async (_, roundTrip) => {
  await fc.assert(
    fc.asyncProperty(zones, async (list) => {
      expect(await roundTrip(list as never)).toEqual(list);
    }),
    { seed: 5, numRuns: volume(1000) },
  );
});
