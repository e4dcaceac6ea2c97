import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measureZone } from '../../src/index.js';
import { fromGeoJson, loadCrs, type ParquetOptions, readParquet } from '../../src/interchange/index.js';
import { volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { type DuckFiles, openDuck } from './duckFiles.js';
import { type Json, PLAIN, type WkbForm, wkbOf } from './wkbOf.js';

let duck: DuckFiles;
beforeAll(async () => {
  duck = await openDuck();
});
afterAll(() => duck.close());

const SQUARE: Json = {
  type: 'Polygon',
  coordinates: [wkt('37 55, 38 55, 38 56, 37 56, 37 55')],
};

/** A file with a row for each geometry in hexadecimal WKB; `column`: GeoParquet's metadata of the column, null for a file without. */
async function geoFile(
  wkb: readonly (string | null)[],
  column: object | null = {},
  more: string = '',
): Promise<Uint8Array> {
  const rows = wkb.map((hex, i) => `(${i}, ${hex === null ? 'NULL' : `'${hex}'`})`).join(', ');
  const geo = {
    version: '1.1.0',
    primary_column: 'geometry',
    columns: { geometry: { encoding: 'WKB', geometry_types: [], ...column } },
  };
  return duck.file(
    `SELECT 'z' || n AS id ${more}, from_hex(hex)::BLOB AS geometry FROM (VALUES ${rows}) t(n, hex) ORDER BY n`,
    column === null ? '' : `KV_METADATA {geo: '${JSON.stringify(geo)}'}`,
  );
}

const coordinate = fc.double({ min: -80, max: 80, noNaN: true }).map((value) => value + 0);
const position = fc.tuple(coordinate, coordinate).map((pair) => [...pair]);
const line = fc.array(position, { minLength: 2, maxLength: 5 });
const ring = fc
  .tuple(position, fc.double({ min: 0.1, max: 5, noNaN: true }))
  .map(([[x = 0, y = 0], size]) => [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y],
  ]);
const simple = fc.oneof(
  position.map((coordinates): Json => ({ type: 'Point', coordinates })),
  line.map((coordinates): Json => ({ type: 'LineString', coordinates })),
  ring.map((own): Json => ({ type: 'Polygon', coordinates: [own] })),
  fc
    .array(position, { minLength: 1, maxLength: 3 })
    .map((coordinates): Json => ({ type: 'MultiPoint', coordinates })),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((coordinates): Json => ({ type: 'MultiLineString', coordinates })),
  fc
    .array(ring, { minLength: 1, maxLength: 3 })
    .map((rings): Json => ({ type: 'MultiPolygon', coordinates: rings.map((own) => [own]) })),
);
const geometry = fc.oneof(
  simple,
  fc
    .array(simple, { minLength: 1, maxLength: 3 })
    .map((geometries): Json => ({ type: 'GeometryCollection', geometries })),
);
const form: fc.Arbitrary<WkbForm> = fc.record(
  {
    little: fc.boolean(),
    flavour: fc.constantFrom('iso', 'ewkb'),
    z: fc.boolean(),
    m: fc.boolean(),
    srid: fc.constant(4326),
  },
  { requiredKeys: ['little', 'flavour', 'z', 'm'] },
);

test('WKB in every dialect gives the zones of the same GeoJSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(geometry, form), { minLength: 1, maxLength: 8 }), async (rows) => {
      const forms = rows.map(([own, { srid, ...rest }]) =>
        wkbOf(own, rest.flavour === 'ewkb' && srid !== undefined ? { ...rest, srid } : rest).toString('hex'),
      );
      const features = rows.map(([own], i) => ({
        type: 'Feature',
        properties: { id: `z${i}` },
        geometry: own,
      }));
      const wanted = fromGeoJson({ type: 'FeatureCollection', features } as never);
      const { value, issues } = await readParquet(await geoFile(forms), { as: 'zones' });
      expect(value).toEqual(wanted.value);
      const expected = new Set(wanted.issues.map(({ code }) => code));
      if (rows.some(([, own]) => own.z)) expected.add('altitude-dropped');
      if (rows.some(([, own]) => own.m)) expected.add('measure-dropped');
      expect(new Set(issues.map(({ code }) => code))).toEqual(expected);
    }),
    { seed: 7, numRuns: volume(400) },
  );
});

const pointAt = (x: number, y: number, more: Partial<WkbForm> = {}): string =>
  wkbOf({ type: 'Point', coordinates: [x, y] }, { ...PLAIN, ...more }).toString('hex');

test('bad, empty, missing and curved geometries are one issue of their row each; other rows are read', async () => {
  const square = wkbOf(SQUARE).toString('hex');
  const curve = `01${'08000000'}${'00000000'}`;
  const rows = [square, 'ffff', null, pointAt(NaN, NaN), curve, `${square}00`, square.slice(0, -2), square];
  const { value, issues } = await readParquet(await geoFile(rows));
  expect(value.zones.map(({ id }) => id)).toEqual(['z0', 'z7']);
  expect(issues.map(({ code, field, line: own }) => [code, field, own])).toEqual([
    ['wkb-invalid', 'features[1].geometry', 2],
    ['geometry-missing', 'features[2].geometry', undefined],
    ['geometry-missing', 'features[3].geometry', undefined],
    ['geometry-unsupported', 'features[4].geometry', 5],
    ['wkb-invalid', 'features[5].geometry', 6],
    ['wkb-invalid', 'features[6].geometry', 7],
  ]);
  const deep = `01070000000100000${'0'}`.repeat(80) + square;
  expect((await readParquet(await geoFile([deep]))).issues).toMatchObject([{ code: 'limit-depth' }]);
});

describe('coordinate systems', () => {
  const east = wkbOf({
    type: 'Polygon',
    coordinates: [wkt('500000 6200000, 500080 6200000, 500080 6200020, 500000 6200020, 500000 6200000')],
  }).toString('hex');
  const utm = { type: 'ProjectedCRS', name: 'WGS 84 / UTM zone 37N', id: { authority: 'EPSG', code: 32637 } };

  async function areaOf(column: object, options?: ParquetOptions, hex = east): Promise<number> {
    const { value, issues } = await readParquet(await geoFile([hex], column), options);
    expect(issues).toEqual([]);
    return measureZone(value.zones[0] as never).area;
  }

  test('PROJJSON, EWKB and the option are converted to WGS84', async () => {
    // The scale of the projection is 0.9996 on the central meridian.
    const wanted = 1600 / 0.9996 ** 2;
    expect(await areaOf({ crs: utm })).toBeCloseTo(wanted, 2);
    expect(await areaOf({}, { crs: 'EPSG:32637' })).toBeCloseTo(wanted, 2);
    const crs = await loadCrs('EPSG:32637');
    const [lon, lat] = crs.toWgs84(500_080, 6_200_020);
    const ewkb = pointAt(500_080, 6_200_020, { flavour: 'ewkb', srid: 32_637 });
    const { value } = await readParquet(await geoFile([ewkb, pointAt(lon, lat)]));
    expect(value.zones[0]!.geometry).toEqual(value.zones[1]!.geometry);
  });

  test('a system that is unknown is an error; the option overrides it', async () => {
    for (const column of [
      { crs: null },
      { crs: { type: 'ProjectedCRS', name: 'Mine', conversion: { name: 'odd', method: { name: 'odd' } } } },
      { crs: { ...utm, id: { authority: 'EPSG', code: 1 } } },
    ]) {
      const { value, issues } = await readParquet(await geoFile([east], column));
      expect([value.zones, issues.map(({ code }) => code)]).toEqual([[], ['crs-unsupported']]);
    }
    expect(await areaOf({ crs: null }, { crs: 'EPSG:32637' })).toBeGreaterThan(1590);
    const overridden = await readParquet(await geoFile([pointAt(1, 2)], { crs: utm }), { crs: 'EPSG:4326' });
    expect(overridden.issues).toMatchObject([{ code: 'crs-overridden' }]);
    expect(overridden.value.zones[0]!.geometry).toEqual([[1, 2]]);
  });

  test('an SRID that the file contradicts, or that is unknown, is an issue of the row', async () => {
    const ewkb = (srid: number): string => pointAt(1, 2, { flavour: 'ewkb', srid });
    const own = await readParquet(
      await geoFile([ewkb(4326), ewkb(32_637), ewkb(999_999), ewkb(0)], { crs: utm }),
    );
    expect(own.issues.map(({ code, line: row }) => [code, row])).toEqual([
      ['crs-unsupported', 1],
      ['crs-unsupported', 3],
    ]);
    expect(own.value.zones).toHaveLength(2);
  });
});

test('the primary column counts; boxes of the covering and other geometries are no properties', async () => {
  const geo = {
    version: '1.1.0',
    primary_column: 'shape',
    columns: {
      middle: { encoding: 'WKB', geometry_types: ['Point'] },
      shape: {
        encoding: 'WKB',
        geometry_types: ['Polygon'],
        edges: 'spherical',
        covering: {
          bbox: {
            xmin: ['bbox', 'xmin'],
            ymin: ['bbox', 'ymin'],
            xmax: ['bbox', 'xmax'],
            ymax: ['bbox', 'ymax'],
          },
        },
      },
    },
  };
  const bytes = await duck.file(
    `SELECT from_hex('${pointAt(1, 1)}') AS middle, from_hex('${wkbOf(SQUARE).toString('hex')}') AS shape,
     {'xmin': 37, 'ymin': 55, 'xmax': 38, 'ymax': 56} AS bbox, 5 AS floor`,
    `KV_METADATA {geo: '${JSON.stringify(geo)}'}`,
  );
  const { value, issues } = await readParquet(bytes);
  expect(value.zones).toMatchObject([{ type: { key: 'polygon' }, properties: { floor: 5 } }]);
  expect(value.zones[0]).toHaveProperty('properties', { floor: 5 });
  expect(issues.map(({ code }) => code)).toEqual(['edges-straight']);
});

test.each([
  ['point', 'Point', "{'x': 1.5, 'y': 2.5}"],
  ['linestring', 'LineString', "[{'x': 1, 'y': 2}, {'x': 3, 'y': 4.5}]"],
  ['polygon', 'Polygon', "[[{'x': 1, 'y': 2}, {'x': 3, 'y': 2}, {'x': 3, 'y': 4}, {'x': 1, 'y': 2}]]"],
  ['multipoint', 'MultiPoint', "[{'x': 1, 'y': 2}, {'x': 3, 'y': 4}]"],
  ['multilinestring', 'MultiLineString', "[[{'x': 1, 'y': 2}, {'x': 3, 'y': 4}]]"],
  [
    'multipolygon',
    'MultiPolygon',
    "[[[{'x': 1, 'y': 2}, {'x': 3, 'y': 2}, {'x': 3, 'y': 4}, {'x': 1, 'y': 2}]]]",
  ],
])('native encoding %s', async (encoding, type, literal) => {
  const geo = {
    version: '1.1.0',
    primary_column: 'geometry',
    columns: { geometry: { encoding, geometry_types: [] } },
  };
  const bytes = await duck.file(
    `SELECT 'a' AS id, ${literal} AS geometry UNION ALL SELECT 'b', NULL`,
    `KV_METADATA {geo: '${JSON.stringify(geo)}'}`,
  );
  const coordinates = JSON.parse(
    literal
      .replaceAll('{', '[')
      .replaceAll('}', ']')
      .replaceAll(/'[xy]': /g, ''),
  ) as unknown;
  const features = [{ type: 'Feature', properties: { id: 'a' }, geometry: { type, coordinates } }];
  const { value, issues } = await readParquet(bytes);
  expect(value).toEqual(fromGeoJson({ type: 'FeatureCollection', features } as never).value);
  expect(issues.map(({ code }) => code)).toEqual(['geometry-missing']);
});

describe('points with times are tracks', () => {
  const rows = Array.from({ length: 4 }, (_, i) => pointAt(37 + i / 100, 55));
  const times = (name: string): string =>
    `, 'van' AS unit, ('2026-03-02'::TIMESTAMP + INTERVAL (n) MINUTE)::TIMESTAMPTZ AS ${name}`;

  test.each(['time', 't', 'timestamp', 'recorded_at'])('the column %s', async (name) => {
    const { value, issues } = await readParquet(await geoFile(rows, {}, times(name)));
    expect(value.zones).toEqual([]);
    expect(value.tracks).toMatchObject([{ unitId: 'van' }]);
    expect(value.tracks[0]!.fixes[2]).toEqual({ time: Date.UTC(2026, 2, 2, 0, 2), lon: 37.02, lat: 55 });
    expect(issues.map(({ code }) => code)).toEqual(['csv-columns']);
  });

  test('polygons with times, and points whose times have another name, are zones unless `as` says fixes', async () => {
    const places = await geoFile(rows, {}, times('opened'));
    expect((await readParquet(places)).value.zones).toHaveLength(4);
    const chosen = await readParquet(places, { as: 'fixes' });
    expect(chosen.value.tracks[0]!.fixes).toHaveLength(4);
    const polygons = await geoFile([wkbOf(SQUARE).toString('hex')], {}, times('time'));
    expect((await readParquet(polygons)).value.zones).toHaveLength(1);
  });

  test('in another system, with bad rows', async () => {
    const crs = await loadCrs('EPSG:32637');
    const [x, y] = crs.fromWgs84(39.5, 55);
    const column = { crs: { type: 'ProjectedCRS', id: { authority: 'EPSG', code: 32_637 } } };
    const bad = [pointAt(x, y), null, 'ff', pointAt(Infinity, 1), pointAt(x, y)];
    const { value, issues } = await readParquet(await geoFile(bad, column, times('time')));
    expect(value.tracks[0]!.fixes).toHaveLength(2);
    expect(value.tracks[0]!.fixes[0]!.lon).toBeCloseTo(39.5, 9);
    expect(
      issues.filter(({ code }) => code !== 'csv-columns').map(({ code, line: row }) => [code, row]),
    ).toEqual([
      ['geometry-missing', 2],
      ['wkb-invalid', 3],
      ['crs-range', 4],
    ]);
  });
});

const shared = new URL('../../../shared/data/parquet/', import.meta.url);
describe.skipIf(!existsSync(shared))('files of pyarrow and GeoPandas', () => {
  const read = async (name: string) => readParquet(readFileSync(new URL(`${name}.parquet`, shared)));

  test.each([
    ['crs_3857_near0', 1, []],
    ['crs_utm', 1, []],
    ['two_geoms', 1, []],
    ['ewkb', 1, []],
    ['gpd3d', 2, ['altitude-dropped']],
    ['badwkb', 2, ['wkb-invalid']],
    ['native_polygon', 1, []],
  ])('%s', async (name, zones, codes) => {
    const { value, issues } = await read(name);
    expect([value.zones.length, issues.map(({ code }) => code)]).toEqual([zones, codes]);
    for (const { type } of value.zones) expect(type.key).toBe('polygon');
    const { area } = measureZone(value.zones[0] as never);
    if (name === 'crs_3857_near0') expect(area).toBeCloseTo(80 * 80 * 0.9933, -1.5);
    if (name === 'crs_utm') expect(area).toBeLessThan(1700);
  });

  test.each(['track_geo', 'track_geo_ll'])('%s', async (name) => {
    const { value, issues } = await read(name);
    expect(issues).toEqual([]);
    expect(value.tracks).toMatchObject([{ unitId: 'u' }]);
    expect(value.tracks[0]!.fixes).toHaveLength(3);
  });
});
