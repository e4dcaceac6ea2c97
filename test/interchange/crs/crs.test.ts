import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Geozone } from '../../../src/core/wire.js';
import { geodesicDistance } from '../../../src/geodesy/distanceMeters.js';
import { measureZone } from '../../../src/index.js';
import {
  type Crs,
  fromCsv,
  fromGeoJson,
  fromGpx,
  fromKml,
  loadCrs,
  readCsv,
  readGeoJson,
  readGpx,
  readKml,
  toFeatureCollection,
  toKml,
  toKmz,
  writeFeatureCollection,
  writeKml,
} from '../../../src/interchange/index.js';
import { CS2CS, needs } from '../../needs.js';

const bytes = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];

/** Moscow in UTM zone 37, computed by PROJ. */
const EAST = 413_381.0;
const NORTH = 6_179_594.0;

function near([lon, lat]: readonly [number, number]): void {
  expect(geodesicDistance(lon, lat, 37.617_66, 55.754_9)).toBeLessThan(200);
}

const FILES: Readonly<Record<string, string>> = {
  kml: `<kml><Placemark><Point><coordinates>${EAST},${NORTH}</coordinates></Point></Placemark></kml>`,
  gpx: `<gpx><wpt lat="${NORTH}" lon="${EAST}"/></gpx>`,
  geojson: `{"type":"Point","coordinates":[${EAST},${NORTH}]}`,
  csv: `id,wkt\na,POINT(${EAST} ${NORTH})`,
};
const WHOLE = { kml: fromKml, gpx: fromGpx, geojson: fromGeoJson, csv: fromCsv } as const;
const STREAM = { kml: readKml, gpx: readGpx, geojson: readGeoJson, csv: readCsv } as const;

describe('the option crs', () => {
  test.each(['kml', 'gpx', 'geojson', 'csv'] as const)(
    'of %s files converts the coordinates to WGS84',
    async (kind) => {
      const text = FILES[kind]!;
      const crs = await loadCrs('EPSG:32637');
      const whole = WHOLE[kind](text, { crs });
      expect(whole.issues).toEqual([]);
      near(whole.value.zones[0]!.geometry[0]!);
      expect(await STREAM[kind](bytes(text), { crs: 'EPSG:32637' })).toEqual(whole);
      expect(await STREAM[kind](bytes(text), { crs })).toEqual(whole);
      expect(() => WHOLE[kind](text, { crs: 'EPSG:32637' })).toThrow(
        expect.objectContaining({ code: 'crs-not-loaded' }),
      );
      expect(() => WHOLE[kind](text, { crs: 5 as unknown as string })).toThrow(
        expect.objectContaining({ code: 'option-value' }),
      );
      await expect(STREAM[kind](bytes(text), { crs: 'EPSG:99999' })).rejects.toMatchObject({
        code: 'crs-unsupported',
      });
      expect(WHOLE[kind](text, {}).issues.length).toBeGreaterThan(0);
      expect(WHOLE[kind](text, { crs: 'EPSG:4326' })).toEqual(WHOLE[kind](text, {}));
    },
  );

  test('fixes of CSV are converted too; a position outside the domain is crs-range', async () => {
    const crs = await loadCrs('EPSG:32637');
    const { value } = fromCsv(`time,lat,lon\n2026-01-01T00:00:00Z,${NORTH},${EAST}`, { crs });
    near([value.tracks[0]!.fixes[0]!.lon, value.tracks[0]!.fixes[0]!.lat]);
    const nowhere: Crs = { name: 'nowhere', toWgs84: () => [Number.NaN, 0], fromWgs84: () => [0, 0] };
    expect(fromGeoJson(FILES['geojson']!, { crs: nowhere }).issues).toMatchObject([{ code: 'crs-range' }]);
  });
});

describe('the old member crs of GeoJSON', () => {
  const collection = (name: string, more = ''): string =>
    `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"${name}"}},"features":[{"type":"Feature","properties":{},"geometry":${FILES['geojson']}}]${more}}`;

  test.each(['urn:ogc:def:crs:EPSG::32637', 'EPSG:32637', 'http://www.opengis.net/def/crs/EPSG/0/32637'])(
    '%s is loaded by readGeoJson; fromGeoJson, which cannot load, rejects it by name',
    async (name) => {
      for (const size of [1, 1000]) {
        const all = new TextEncoder().encode(collection(name));
        const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
          all.subarray(i * size, (i + 1) * size),
        );
        const { value, issues } = await readGeoJson(pieces);
        expect(issues).toEqual([]);
        near(value.zones[0]!.geometry[0]!);
      }
      const refused = fromGeoJson(collection(name));
      expect(refused).toMatchObject({ value: { zones: [] }, issues: [{ code: 'crs-unsupported' }] });
      expect(refused.issues[0]?.message).toContain('EPSG:32637');
      near(fromGeoJson(collection(name), { crs: await loadCrs(name) }).value.zones[0]!.geometry[0]!);
    },
  );

  test('with an unknown system, or one after the features, no zone is read', async () => {
    expect(await readGeoJson(bytes(collection('EPSG:99999')))).toMatchObject({
      value: { zones: [] },
      issues: [{ code: 'crs-unsupported' }],
    });
    const behind =
      '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}],"crs":{"properties":{"name":"EPSG:32637"}}}';
    expect(await readGeoJson(bytes(behind))).toMatchObject({
      value: { zones: [] },
      issues: [{ code: 'crs-unsupported' }],
    });
  });

  test('the option overrides the member, with a warning', async () => {
    const crs = await loadCrs('EPSG:32637');
    const { value, issues } = fromGeoJson(collection('EPSG:3857'), { crs });
    near(value.zones[0]!.geometry[0]!);
    expect(issues).toMatchObject([{ code: 'crs-overridden', severity: 'warning' }]);
  });
});

describe('writers in another system', () => {
  const zone: Geozone = {
    id: 'a',
    name: 'A',
    type: { key: 'polygon' },
    geometry: [
      [37, 55],
      [38, 55],
      [38, 56],
      [37, 55],
    ],
  };

  test.each(['EPSG:32637', 'EPSG:3857', 'EPSG:28407', '+proj=utm +zone=37 +ellps=krass'])(
    'GeoJSON in %s has its name and is read back within a millimetre, with the same area',
    async (name) => {
      const crs = await loadCrs(name);
      const collection = toFeatureCollection([zone], { all: true, crs });
      const [corner] = (collection.features[0]!.geometry.coordinates as (readonly number[])[][])[0]!;
      expect(corner).toEqual([...crs.fromWgs84(37, 55)]);
      let text = '';
      const sink = (chunk: string): void => {
        text += chunk;
      };
      await writeFeatureCollection([zone], sink, { all: true, crs: name });
      expect(JSON.parse(text)).toEqual(collection);
      const { value, issues } = await readGeoJson(bytes(text));
      expect(issues.map(({ code }) => code)).toEqual(name.includes('+ellps=krass') ? ['crs-datum'] : []);
      value.zones[0]!.geometry.forEach(([lon, lat], i) => {
        const [x, y] = zone.geometry[i]!;
        expect(geodesicDistance(lon, lat, x, y)).toBeLessThan(1e-3);
      });
      const { area } = measureZone(value.zones[0]!);
      expect(Math.abs(area! / measureZone(zone).area! - 1)).toBeLessThan(1e-8);
    },
  );

  test('WGS84 under any name changes nothing; `digits` and `bbox` are errors with another system', async () => {
    const plain = toFeatureCollection([zone], { all: true });
    expect(toFeatureCollection([zone], { all: true, crs: 'CRS84' })).toEqual(plain);
    expect(toFeatureCollection([zone], { all: true, crs: await loadCrs('EPSG:4326') })).toEqual(plain);
    const crs = await loadCrs('EPSG:32637');
    for (const [option, more] of [
      ['bbox', { bbox: true }],
      ['digits', { digits: 5 }],
    ] as const) {
      expect(() => toFeatureCollection([zone], { crs, ...more })).toThrow(
        expect.objectContaining({ code: 'option-value', field: option }),
      );
    }
    expect(() => toFeatureCollection([zone], { crs: 'EPSG:32637' })).toThrow(
      expect.objectContaining({ code: 'crs-not-loaded' }),
    );
    const nowhere: Crs = { ...crs, fromWgs84: () => [Number.NaN, 0] };
    expect(() => toFeatureCollection([zone], { all: true, crs: nowhere })).toThrow(
      expect.objectContaining({ code: 'crs-range', field: 'zones[0].geometry' }),
    );
  });

  test('KML and KMZ are always WGS84: another system is an error, not ignored', async () => {
    const crs = await loadCrs('EPSG:32637');
    for (const option of [crs, 'EPSG:32637']) {
      const refused = expect.objectContaining({ code: 'crs-unsupported', field: 'crs' }) as unknown;
      expect(() => toKml([zone], { crs: option })).toThrow(refused as Error);
      expect(() => toKmz([zone], { crs: option })).toThrow(refused as Error);
      await expect(writeKml([zone], () => undefined, { crs: option })).rejects.toMatchObject({
        code: 'crs-unsupported',
      });
    }
    expect(toKml([zone], { crs: 'EPSG:4326' })).toBe(toKml([zone]));
  });
});

describe('loadCrs', () => {
  test('fromWgs84 and toWgs84 are inverse', async () => {
    for (const code of [3857, 3395, 4284, 4200, 7683, 28407, 20007, 20907, 32637, 32760, 32601]) {
      const crs = await loadCrs(`EPSG:${code}`);
      const lon = code === 32760 ? 177 : code === 32601 ? -177 : 38;
      const lat = code === 32760 ? -40 : 55;
      const [x, y] = crs.fromWgs84(lon, lat);
      const [lon2, lat2] = crs.toWgs84(x, y);
      // The inverse of a datum shift is accurate to a fraction of a millimetre.
      expect(geodesicDistance(lon, lat, lon2, lat2)).toBeLessThan(1e-3);
    }
  });

  test('a proj string is accepted; unknown names and definitions are errors', async () => {
    const crs = await loadCrs('+proj=tmerc +lat_0=0 +lon_0=39 +k=1 +x_0=0 +y_0=0 +ellps=WGS84');
    expect(crs.fromWgs84(39, 0)).toEqual([0, 0]);
    for (const name of ['EPSG:1', 'EPSG:28401', 'nonsense', '+proj=nonsense', '', 5 as unknown as string]) {
      await expect(loadCrs(name)).rejects.toMatchObject({ code: 'crs-unsupported' });
    }
  });

  needs(CS2CS).test('coordinates agree with PROJ within a millimetre (needs cs2cs)', async () => {
    const pulkovo = '+ellps=krass +towgs84=23.57,-140.95,-79.8,0,0.35,0.79,-0.22';
    const systems: [code: number, definition: string, lon: number, lat: number][] = [
      [32637, '+proj=utm +zone=37 +datum=WGS84', 38.5, 55.7],
      [32760, '+proj=utm +zone=60 +south +datum=WGS84', 176, -41],
      [3857, '+proj=webmerc +datum=WGS84', 38.5, 55.7],
      [28407, `+proj=tmerc +lon_0=39 +x_0=7500000 ${pulkovo}`, 40.5, 55.7],
      [28432, `+proj=tmerc +lon_0=-171 +x_0=32500000 ${pulkovo}`, -170, 66],
      [20907, '+proj=tmerc +lon_0=39 +x_0=7500000 +a=6378136.5 +rf=298.2564151 +towgs84=0,0,0', 37.5, 60],
    ];
    for (const [code, definition, lon, lat] of systems) {
      const crs = await loadCrs(`EPSG:${code}`);
      const args = ['-f', '%.6f', '+proj=longlat', '+datum=WGS84', '+to', ...definition.split(' ')];
      const out = execFileSync('cs2cs', args, { input: `${lon} ${lat} 0\n` }).toString();
      const wanted = out.trim().split(/\s+/).map(Number);
      const [x, y] = crs.fromWgs84(lon, lat);
      expect(Math.hypot(x - wanted[0]!, y - wanted[1]!), `${code}: ${out}`).toBeLessThan(1e-3);
    }
  });
});
