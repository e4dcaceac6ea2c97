import { expect, test } from 'vitest';
import type { Geozone, Pair } from '../../src/core/wire.js';
import {
  fromCsv,
  fromGeoJson,
  fromKml,
  toFeatureCollection,
  toKml,
  toZoneCsv,
} from '../../src/interchange/index.js';
import { wkt } from '../wkt.js';

const CORNERS: readonly Pair[] = wkt('37.12345678901234 55.1, 37.2 55.10000000000001, 37.3 55.2, 37.1 55.25');
const first = CORNERS[0]!;
const turned = [...CORNERS].reverse();

const FORMS: readonly (readonly [name: string, ring: readonly Pair[], word: string | null])[] = [
  ['closed, counterclockwise', [...CORNERS, first], null],
  ['open', CORNERS, 'open'],
  ['clockwise', [...turned, turned[0]!], 'reversed'],
  ['open and clockwise', turned, 'open reversed'],
];

function zone(geometry: readonly Pair[], more: Partial<Geozone> = {}): Geozone {
  return { id: 'a', name: 'A', type: { key: 'polygon' }, geometry, ...more };
}

test.each(FORMS)(
  'a ring that is %s is read back unchanged, and its numbers are written once',
  (_, ring, word) => {
    for (const axisOrder of ['lonlat', 'latlon'] as const) {
      const stored = zone(axisOrder === 'lonlat' ? ring : ring.map(([lon, lat]) => [lat, lon] as const));
      const options = { axisOrder };
      const kml = toKml([stored], options);
      const geojson = JSON.stringify(toFeatureCollection([stored], { all: true, ...options }));
      expect(fromKml(kml, options).value.zones).toEqual([stored]);
      expect(fromGeoJson(geojson, options).value.zones).toEqual([stored]);
      for (const text of [kml, geojson]) {
        expect(text.split('37.3').length - 1).toBe(1);
        if (word === null) expect(text).not.toContain('wayzone.geometry');
        else expect(text.replaceAll('&quot;', '"')).toContain(`"${word}"`);
      }
      const csv = toZoneCsv([stored], options);
      expect(fromCsv(csv, options).value.zones).toEqual([stored]);
    }
  },
);

test('a polygon whose holes and parts are all open is read back unchanged', () => {
  const hole: readonly Pair[] = wkt('37.2 55.15, 37.22 55.15, 37.21 55.16');
  const stored = zone(CORNERS, { parts: [[CORNERS, [...hole].reverse()]] });
  const kml = toKml([stored]);
  expect(fromKml(kml).value.zones).toEqual([stored]);
  const geojson = JSON.stringify(toFeatureCollection([stored], { all: true }));
  expect(fromGeoJson(geojson).value.zones).toEqual([stored]);
});

test('a ring that was edited in the file keeps the form of the stored ring', () => {
  const collection = toFeatureCollection([zone(CORNERS)], { all: true });
  const moved = CORNERS.map(([lon, lat]): Pair => [lon + 1, lat]);
  const feature = {
    ...collection.features[0]!,
    geometry: { type: 'Polygon', coordinates: [[...moved, moved[0]]] },
  };
  const { zones } = fromGeoJson(JSON.stringify({ ...collection, features: [feature] })).value;
  expect(zones[0]!.geometry).toEqual(moved);
});

test('an unknown word changes nothing', () => {
  const feature = {
    type: 'Feature',
    id: 'a',
    geometry: { type: 'Polygon', coordinates: [[...CORNERS, first]] },
    properties: { name: 'A', type: { key: 'polygon' }, geometry: 'constructor' },
  };
  expect(fromGeoJson(JSON.stringify(feature)).value.zones[0]!.geometry).toEqual([...CORNERS, first]);
});
