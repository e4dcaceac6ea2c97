import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fromGeoJson } from '../../src/interchange/index.js';
import { needs, sharedData } from '../needs.js';
import { wkt } from '../wkt.js';
import { dataPath } from './realData.js';

const SQUARE = wkt('0 0, 1 0, 1 1, 0 1, 0 0');
const HOLE = wkt('0.2 0.2, 0.2 0.4, 0.4 0.4, 0.2 0.2');
const SMALL = wkt('5 5, 5.1 5, 5.1 5.1, 5 5');

function read(
  geometry: unknown,
  properties: unknown = {},
  more: object = {},
): ReturnType<typeof fromGeoJson> {
  return fromGeoJson(JSON.stringify({ type: 'Feature', geometry, properties, ...more }));
}

function codes(text: string | Uint8Array): string[] {
  return fromGeoJson(text).issues.map((issue) => issue.code);
}

describe('shapes', () => {
  test('a Polygon is a polygon zone with the ring of the file', () => {
    const { value, issues } = read({ type: 'Polygon', coordinates: [SQUARE] }, { name: 'Depot' });
    expect(value.zones).toEqual([
      { id: 'zone-1', name: 'Depot', type: { key: 'polygon' }, geometry: SQUARE },
    ]);
    expect(issues).toEqual([]);
  });

  test('with holes or several parts a zone has parts, and geometry is the largest outer ring', () => {
    const coordinates = [[SMALL], [SQUARE, HOLE]];
    const [zone] = read({ type: 'MultiPolygon', coordinates }).value.zones;
    expect(zone).toMatchObject({ geometry: SQUARE, parts: coordinates });
    const [holed] = read({ type: 'Polygon', coordinates: [SQUARE, HOLE] }).value.zones;
    expect(holed).toMatchObject({ geometry: SQUARE, parts: [[SQUARE, HOLE]] });
    const [single] = read({ type: 'MultiPolygon', coordinates: [[SQUARE]] }).value.zones;
    expect(single).not.toHaveProperty('parts');
  });

  test('the largest part is the one with the largest true area, also across the antimeridian and near a pole', () => {
    const polar = wkt('0 80, 3 80, 3 83, 0 83, 0 80');
    const dateLine = wkt('179 0, -179 0, -179 1, 179 1, 179 0');
    const [zone] = read({ type: 'MultiPolygon', coordinates: [[polar], [SQUARE], [dateLine]] }).value.zones;
    expect(zone?.geometry).toEqual(dateLine);
  });

  test('a Point is a point, or a circle by its type or radius; a LineString is a line', () => {
    const point = { type: 'Point', coordinates: [3, 4] };
    expect(read(point).value.zones[0]).toEqual({
      id: 'zone-1',
      name: '',
      type: { key: 'point' },
      geometry: [[3, 4]],
    });
    expect(read(point, { type: 'circle', width: '500' }).value.zones[0]).toMatchObject({
      type: { key: 'circle' },
      width: 500,
    });
    expect(read(point, { radius: 50 }).value.zones[0]).toMatchObject({ type: { key: 'circle' }, width: 50 });
    const line = { type: 'LineString', coordinates: SMALL };
    expect(read(line, { width: 30 }).value.zones[0]).toMatchObject({ type: { key: 'line' }, width: 30 });
  });

  test('several geometries of one feature are zones in a group with its name', () => {
    const collection = {
      type: 'GeometryCollection',
      geometries: [
        { type: 'Point', coordinates: [1, 2] },
        { type: 'MultiLineString', coordinates: [SMALL, SQUARE] },
      ],
    };
    const { value } = read(collection, { name: 'Yard' }, { id: 7 });
    expect(value.zones.map(({ id, name, type }) => [id, name, type.key])).toEqual([
      ['7~1', 'Yard', 'point'],
      ['7~2', 'Yard', 'line'],
      ['7~3', 'Yard', 'line'],
    ]);
    expect(value.groups).toEqual([
      { id: '7', name: 'Yard', geozones: [{ id: '7~1' }, { id: '7~2' }, { id: '7~3' }] },
    ]);
  });

  test('the pairs have the order of the option axisOrder', () => {
    const text = JSON.stringify({ type: 'Point', coordinates: [30, 60] });
    expect(fromGeoJson(text, { axisOrder: 'latlon' }).value.zones[0]?.geometry).toEqual([[60, 30]]);
  });
});

describe('ids and properties', () => {
  test('a repeated id gets a suffix, with a warning', () => {
    const feature = { type: 'Feature', id: 56, geometry: { type: 'Point', coordinates: [0, 0] } };
    const { value, issues } = fromGeoJson(
      JSON.stringify({ type: 'FeatureCollection', features: [feature, feature, { ...feature, id: '56~2' }] }),
    );
    expect(value.zones.map((zone) => zone.id)).toEqual(['56', '56~2', '56~2~2']);
    expect(issues.map(({ code, severity, field }) => [code, severity, field])).toEqual([
      ['duplicate-id', 'warning', 'features[1].id'],
      ['duplicate-id', 'warning', 'features[2].id'],
    ]);
  });

  test('wire fields among the properties are mapped; others are kept, also with the name of a wire field', () => {
    const point = { type: 'Point', coordinates: [0, 0] };
    const { zones } = read(point, {
      id: 'a',
      color: '#1BB934',
      icon: 'school',
      is_show_on_map: true,
      x: [1],
    }).value;
    expect(zones[0]).toEqual({
      id: 'a',
      name: '',
      type: { key: 'point' },
      geometry: [[0, 0]],
      color: { key: '#1BB934' },
      icon: { key: 'school' },
      is_show_on_map: true,
      properties: { x: [1] },
    });
    expect(read(point, { color: 'red', width: 'wide', type: 'shop' }).value.zones[0]).toMatchObject({
      properties: { color: 'red', width: 'wide', type: 'shop' },
    });
  });

  test('keys like __proto__ are kept as properties', () => {
    const text =
      '{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"__proto__":{"polluted":1},"constructor":{"prototype":2}}}';
    const [zone] = fromGeoJson(text).value.zones;
    const kept = (zone as unknown as { properties: object }).properties;
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"polluted":1},"constructor":{"prototype":2}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('an id that is neither text nor number is a warning', () => {
    const { value, issues } = read({ type: 'Point', coordinates: [0, 0] }, {}, { id: {} });
    expect(value.zones[0]?.id).toBe('zone-1');
    expect(issues[0]).toMatchObject({ code: 'id-type', severity: 'warning', field: 'id' });
  });
});

describe('hostile input', () => {
  test.each([
    ['{"type":"Point","coordinates":[0,0],}', 36],
    ['{"type":"Point","coordinates":[NaN,0]}', 31],
    ['', 0],
    ['{"a":"b', 7],
    ['{"a":"\\x"}', 6],
    ['[1] 2', 4],
    ['{"a" 1}', 5],
    ['[01]', 2],
  ])('%s is a json-syntax issue with the offset', (text, offset) => {
    const [issue] = fromGeoJson(text).issues;
    expect(issue).toMatchObject({ code: 'json-syntax', severity: 'error', field: `offset ${offset}` });
  });

  test.each([
    ['lat-range', { type: 'Point', coordinates: [0, 90.0000001] }, 'geometry.coordinates'],
    ['lon-range', { type: 'Point', coordinates: [541, 0] }, 'geometry.coordinates'],
    ['coord-type', { type: 'Point', coordinates: ['1', 0] }, 'geometry.coordinates[0]'],
    ['geojson-nesting', { type: 'Point', coordinates: [[1, 0]] }, 'geometry.coordinates'],
    ['geojson-nesting', { type: 'Polygon', coordinates: SQUARE }, 'geometry.coordinates[0][0]'],
    ['geojson-nesting', { type: 'LineString', coordinates: [SQUARE] }, 'geometry.coordinates[0][0]'],
    ['geojson-type', { type: 'Circle', coordinates: [0, 0] }, 'geometry.type'],
    [
      'ring-too-short',
      {
        type: 'Polygon',
        coordinates: [wkt('0 0, 1 1, 0 0')],
      },
      'geometry.coordinates[0][0]',
    ],
    ['line-too-short', { type: 'LineString', coordinates: [[0, 0]] }, 'geometry.coordinates'],
  ])('%s is an error issue and the feature is left out', (code, geometry, field) => {
    const { value, issues } = read(geometry);
    expect(value.zones).toEqual([]);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ code, severity: 'error', field });
  });

  test('a coordinate of 1e999 is coord-not-finite', () => {
    expect(codes('{"type":"Point","coordinates":[1e999,0]}')).toEqual(['coord-not-finite']);
  });

  test('a missing geometry and empty coordinates are warnings', () => {
    expect(read(null).issues).toMatchObject([{ code: 'geometry-missing', severity: 'warning' }]);
    expect(read({ type: 'Polygon', coordinates: [] }).issues[0]?.code).toBe('geometry-missing');
  });

  test('a byte order mark and UTF-16 are accepted; invalid bytes are an issue', () => {
    const text = '{"type":"Point","coordinates":[0,0]}';
    expect(codes(`\uFEFF${text}`)).toEqual([]);
    expect(codes(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual([]);
    expect(
      codes(
        Buffer.concat([
          Buffer.from('{"type":"Feature","properties":{"name":"'),
          Buffer.from([0xff]),
          Buffer.from('"},"geometry":null}'),
        ]),
      ),
    ).toEqual(['geometry-missing', 'encoding']);
  });

  test('with a member crs other than CRS84 or EPSG:4326 nothing is read', () => {
    const crs = (name: string): string =>
      JSON.stringify({ type: 'Point', coordinates: [0, 0], crs: { type: 'name', properties: { name } } });
    expect(codes(crs('EPSG:3857'))).toEqual(['crs-unsupported']);
    expect(fromGeoJson(crs('EPSG:3857')).value.zones).toEqual([]);
    expect(codes(crs('urn:ogc:def:crs:OGC:1.3:CRS84'))).toEqual([]);
  });

  test('depth is limited before parsing', () => {
    expect(codes(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toEqual(['limit-depth']);
    const nested = `${'{"type":"GeometryCollection","geometries":['.repeat(100)}${']}'.repeat(100)}`;
    expect(codes(nested)).toEqual(['limit-depth']);
  });

  test('a third number is left out with one warning for the file', () => {
    const { value, issues } = read({
      type: 'LineString',
      coordinates: [
        [0, 0, 5],
        [1, 1, 6],
      ],
    });
    expect(value.zones[0]?.geometry).toEqual(wkt('0 0, 1 1'));
    expect(issues).toMatchObject([{ code: 'altitude-dropped', severity: 'warning' }]);
  });

  test('anything but text, bytes or an object throws input-type', () => {
    expect(() => fromGeoJson(7 as never)).toThrow(expect.objectContaining({ code: 'input-type' }));
    expect(() => fromGeoJson(null as never)).toThrow(expect.objectContaining({ code: 'input-type' }));
  });
});

const NYC = 'zones/nyc-taxi/taxi_zones.geojson';
describe('the New York taxi zones (needs ../shared/data)', () => {
  needs(sharedData(NYC)).test('263 features are 263 zones, with and without their repeated ids', () => {
    const bytes = readFileSync(dataPath(NYC));
    const auto = fromGeoJson(bytes);
    expect(auto.issues).toEqual([]);
    expect(auto.value.zones).toHaveLength(263);
    expect(auto.value.zones.filter((zone) => zone.parts !== undefined)).toHaveLength(23);
    expect(auto.value.zones[0]?.name).toBe('Newark Airport');
    const byId = fromGeoJson(bytes, { idProperty: 'LocationID' });
    expect(new Set(byId.value.zones.map((zone) => zone.id)).size).toBe(263);
    expect(byId.issues.map((issue) => issue.code)).toEqual(['duplicate-id', 'duplicate-id', 'duplicate-id']);
  });
});
