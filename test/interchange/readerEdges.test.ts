import { describe, expect, test } from 'vitest';
import type { ForeignData } from '../../src/core/fix.js';
import { fromCsv, fromGeoJson, fromKml, readGeoJson } from '../../src/interchange/index.js';
import { wkt } from '../wkt.js';

const textsOf = ({ issues }: ForeignData): string[] => issues.map(({ code, field }) => `${code} ${field}`);

const feature = (more: object = {}, properties: object | null = {}): object => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [1, 2] },
  ...more,
});
const collection = (...features: unknown[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features });

describe('GeoJSON: members around the features', () => {
  test.each([
    ['5', 'geojson-type '],
    ['null', 'geojson-type '],
    ['"Point"', 'geojson-type '],
    ['{"type":"Topology"}', 'geojson-type type'],
    ['{"type":"FeatureCollection"}', 'geojson-type features'],
    ['{"type":"FeatureCollection","features":{}}', 'geojson-type features'],
    ['{"type":"FeatureCollection","features":[5]}', 'geojson-type features[0].type'],
    ['{"type":"FeatureCollection","features":[{"type":"Point"}]}', 'geojson-type features[0].type'],
    ['{"type":"Feature","geometry":5}', 'geojson-type geometry'],
    ['{"type":"Point","coordinates":[1,2],"crs":5}', 'crs-unsupported crs'],
    ['{"type":"Point","coordinates":[1,2],"crs":{"type":"name"}}', 'crs-unsupported crs'],
    ['{"type":"Point","coordinates":[1,2],"crs":{"properties":{"name":7}}}', 'crs-unsupported crs'],
  ])('%s gives one error, as a whole file and in chunks', async (text, issue) => {
    const whole = fromGeoJson(text);
    expect(textsOf(whole)).toEqual([issue]);
    expect(whole.value.zones).toEqual([]);
    expect(await readGeoJson([Buffer.from(text)])).toEqual(whole);
  });

  test.each([
    ['a wrong type after the features', '{"features":[@],"type":"Topology"}', ['geojson-type type']],
    ['a missing type', '{"features":[@]}', ['geojson-type type']],
    [
      'a system after the features',
      '{"type":"FeatureCollection","features":[@],"crs":{"properties":{"name":"EPSG:32637"}}}',
      ['crs-unsupported crs'],
    ],
    [
      'a system without a name before the features',
      '{"type":"FeatureCollection","crs":{"properties":{}},"features":[@]}',
      ['crs-unsupported crs'],
    ],
  ])('in chunks: after %s no zone is returned', async (_, frame, issues) => {
    const text = frame.replace('@', JSON.stringify(feature()));
    const read = await readGeoJson(Array.from(text, (character) => Buffer.from(character)));
    expect(read.value.zones).toEqual([]);
    expect(textsOf(read)).toEqual(issues);
  });

  test.each([
    ['"features":[@],"features":[1]', 1],
    ['"features":[@],"features":null', 1],
    ['"features":[@],"features":[]', 1],
    ['"features":[@],"feat\\u0075res":[@,@]', 1],
    ['"feat\\u0075res":[@],"features":[@,@]', 2],
    ['"features":null,"features":[@,@]', 2],
    ['"features":{"features":[@]},"name":"features","features":[@,@]', 2],
  ])('of two members features one is read, and the other gives an issue: {%s}', async (members, count) => {
    const one = JSON.stringify({
      ...feature(),
      properties: { features: 'features', note: 'x'.repeat(4096) },
    });
    const text = `{"type":"FeatureCollection",${members.replaceAll('@', one)}}`;
    const read = await readGeoJson(Array.from(text, (character) => Buffer.from(character)));
    expect(read.value.zones.map(({ id }) => id)).toEqual(['zone-1', 'zone-2'].slice(0, count));
    expect(textsOf(read)).toEqual(['json-duplicate features']);
    for (const input of [text, Buffer.from(text)]) expect(fromGeoJson(input)).toEqual(read);
  });

  test('of repeated members of a feature or geometry the last counts, as a whole file and in chunks', async () => {
    const properties = `"properties":{"note":"${'x'.repeat(4096)}"},"properties":{"name":"b"}`;
    const geometry =
      '"geometry":null,"geometry":{"type":"Point","type":"LineString","coordinates":[1,2],"coordinates":[[3,4],[5,6]]}';
    const text = `{"type":"FeatureCollection","features":[{"id":"x","id":"y","type":"Feature",${properties},${geometry}}]}`;
    const read = await readGeoJson(Array.from(text, (character) => Buffer.from(character)));
    expect(read.value.zones).toEqual([
      {
        id: 'y',
        name: 'b',
        type: { key: 'line' },
        geometry: wkt('3 4, 5 6'),
      },
    ]);
    expect(read.issues).toEqual([]);
    for (const input of [text, Buffer.from(text)]) expect(fromGeoJson(input)).toEqual(read);
  });

  test('the option crs overrides the member, with a warning if they differ', () => {
    const named = (name: string): string =>
      JSON.stringify({ ...feature(), crs: { type: 'name', properties: { name } } });
    expect(textsOf(fromGeoJson(named('EPSG:32637'), { crs: 'EPSG:4326' } as never))).toEqual([
      'crs-overridden crs',
    ]);
    expect(textsOf(fromGeoJson(named('EPSG:4326'), { crs: 'EPSG:4326' } as never))).toEqual([]);
  });
});

describe('GeoJSON: ids, names and properties', () => {
  test('an id is text or a number; any other value is skipped with a warning', () => {
    const read = fromGeoJson(
      collection(
        feature({ id: 7 }),
        feature({ id: null }, { id: 'own' }),
        feature({ id: true }, { id: 8 }),
        feature({ id: 'outer' }, { code: 'inner', id: 'third' }),
        feature({ id: 'plain' }, { code: [] }),
      ),
      { idProperty: 'code' },
    );
    expect(read.value.zones.map(({ id }) => id)).toEqual(['7', 'own', '8', 'inner', 'plain']);
    expect(textsOf(read)).toEqual(['id-type features[2].id', 'id-type features[4].properties.code']);
  });

  test('a name is text, or a number if the option nameProperty names the property', () => {
    const rows = [feature({}, { title: 'T', name: 4 }), feature({}, { name: 'N' }), feature({}, null)];
    const names = (options: object): string[] =>
      fromGeoJson(collection(...rows), options).value.zones.map(({ name }) => name);
    expect(names({})).toEqual(['T', 'N', '']);
    expect(names({ nameProperty: 'name' })).toEqual(['4', 'N', '']);
    expect(names({ nameProperty: 'title' })).toEqual(['T', '', '']);
  });

  test('a mapped property becomes the field; a feature without the property is not changed', () => {
    const fields = { fieldProperties: { width: 'radius' } };
    const [with_, without] = fromGeoJson(
      collection(
        feature({}, { type: 'circle', radius: 30, width: 5 }),
        feature({}, { type: 'circle', width: 5 }),
      ),
      fields,
    ).value.zones;
    expect(with_).toMatchObject({ type: { key: 'circle' }, width: 30 });
    expect(without).toMatchObject({ type: { key: 'circle' }, width: 5 });
  });

  test('if the wire type does not fit the geometry, the geometry is read, with a warning', () => {
    const line = { type: 'LineString', coordinates: [[1, 2], [3, 4]] }; // biome-ignore format: two pairs
    const read = fromGeoJson(collection(feature({ geometry: line }, { type: { key: 'circle' }, width: 5 })));
    expect(read.value.zones[0]!.type.key).toBe('line');
    expect(textsOf(read)).toEqual(['type-mismatch features[0].properties.type']);
  });
});

const kml = (inner: string): string =>
  `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Placemark><name>P</name>${inner}</Placemark></kml>`;
const ring = (text: string): string => `<LinearRing><coordinates>${text}</coordinates></LinearRing>`;
const SQUARE = ring('0,0 1,0 1,1 0,0');

describe('KML: invalid geometries', () => {
  test.each([
    ['two positions in a Point', '<Point><coordinates>1,2 3,4</coordinates></Point>', ['kml-coordinates']],
    ['no position in a Point', '<Point><coordinates/></Point>', ['kml-coordinates']],
    [
      'two outer boundaries',
      `<Polygon><outerBoundaryIs>${SQUARE}</outerBoundaryIs><outerBoundaryIs>${SQUARE}</outerBoundaryIs></Polygon>`,
      ['kml-polygon'],
    ],
    ['no outer boundary', `<Polygon><innerBoundaryIs>${SQUARE}</innerBoundaryIs></Polygon>`, ['kml-polygon']],
    [
      'an invalid hole makes its polygon invalid',
      `<Polygon><outerBoundaryIs>${SQUARE}</outerBoundaryIs><innerBoundaryIs>${ring('0,x')}</innerBoundaryIs></Polygon>`,
      ['kml-coordinates'],
    ],
    [
      'a ring of two corners',
      `<Polygon><outerBoundaryIs>${ring('0,0 1,0 0,0')}</outerBoundaryIs></Polygon>`,
      ['ring-too-short'],
    ],
    [
      'a polygon of two corners beside a point',
      `<MultiGeometry><Polygon><outerBoundaryIs>${ring('0,0 1,0 0,0')}</outerBoundaryIs></Polygon><Point><coordinates>1,2</coordinates></Point></MultiGeometry>`,
      ['ring-too-short'],
    ],
  ])('%s', (name, geometry, codes) => {
    const { value, issues } = fromKml(kml(geometry));
    expect(issues.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(codes);
    expect(value.zones.map(({ type }) => type.key)).toEqual(name.endsWith('point') ? ['point'] : []);
  });

  test('a Model is not read, with a warning', () => {
    const { value, issues } = fromKml(kml('<Model><Location/></Model>'));
    expect(value.zones).toEqual([]);
    expect(issues[0]).toMatchObject({ code: 'kml-unsupported', severity: 'warning' });
  });

  test('Data without a name is left out with a warning; an address is kept, an empty phone number is not', () => {
    const more =
      '<ExtendedData><Data><value>1</value></Data></ExtendedData><address>Main St</address><phoneNumber></phoneNumber>';
    const { value, issues } = fromKml(kml(`${more}<Point><coordinates>1,2</coordinates></Point>`));
    expect(issues.map(({ code }) => code)).toEqual(['kml-data']);
    const text = JSON.stringify(value.zones[0]);
    expect(text).toContain('Main St');
    expect(text).not.toContain('phoneNumber');
  });
});

describe('KML: tracks', () => {
  const track = (inner: string): ForeignData => fromKml(kml(`<gx:Track>${inner}</gx:Track>`));
  const when = (time: string): string => `<when>${time}</when>`;
  const coord = (text: string): string => `<gx:coord>${text}</gx:coord>`;

  test('angles are left out if their number differs from that of positions', () => {
    const { value, issues } = track(
      when('2026-01-01T00:00:00Z') +
        coord('1 2 3') +
        '<gx:angles>90 0 0</gx:angles><gx:angles>91 0 0</gx:angles>',
    );
    expect(value.tracks[0]!.fixes).toEqual([
      { time: Date.UTC(2026, 0, 1), lon: 1, lat: 2, altitudeMeters: 3 },
    ]);
    expect(issues.map(({ code }) => code)).toEqual(['kml-track-mismatch']);
  });

  test('a fix with an invalid position or time is left out by itself', () => {
    const { value, issues } = track(
      when('2026-01-01T00:00:00Z') +
        when('yesterday') +
        when('2026-01-01T00:00:02Z') +
        when('2026-12-31T23:59:60Z') +
        coord('1 north') +
        coord('1 2') +
        coord('1 95') +
        coord('3 4'),
    );
    expect(value.tracks[0]!.fixes).toEqual([{ time: Date.UTC(2027, 0, 1) - 1, lon: 3, lat: 4 }]);
    expect(issues.map(({ code, field }) => `${code} ${field.split('.').slice(-2).join('.')}`)).toEqual([
      'kml-coordinates Track[0].coord',
      'time-invalid Track[1].when',
      'lat-range Track[2].coord',
      'leap-second Track[3].when',
    ]);
  });

  test('a track without times and without valid positions gives no zone', () => {
    const { value, issues } = track(coord('x y') + coord(''));
    expect([value.zones, value.tracks]).toEqual([[], []]);
    expect(issues.map(({ code }) => code).slice(0, 3)).toEqual([
      'kml-track-mismatch',
      'kml-coordinates',
      'kml-coordinates',
    ]);
  });

  test('an empty track has no fixes', () => {
    expect(track('').value.tracks.flatMap(({ fixes }) => fixes)).toEqual([]);
  });
});

describe('CSV of fixes: values of cells', () => {
  const fixes = (header: string, row: string, options: object = {}): ForeignData =>
    fromCsv(`time,lat,lon,${header}\n2026-01-01T00:00:00Z,2,1,${row}\n`, options);

  test.each([
    ['valid', 'A', { valid: true }],
    ['valid', 'v', { valid: false }],
    ['ignition', 'ON', { ignition: true }],
    ['ignition', 'no', { ignition: false }],
    ['ignition', '', {}],
    ['satellites', ' ', {}],
    ['satellites', '7', { satellites: 7 }],
    ['odometer_m', '123456.5', { mileageMeters: 123456.5 }],
    ['Mileage (meters)', '7', { mileageMeters: 7 }],
    ['mileageDeltaMeters', '0', { mileageDeltaMeters: 0 }],
  ])('%s %j', (column, text, fields) => {
    const { value, issues } = fixes(column, text);
    expect(issues).toEqual([]);
    expect(value.tracks[0]!.fixes).toEqual([{ time: Date.UTC(2026, 0, 1), lon: 1, lat: 2, ...fields }]);
  });

  test.each([
    ['valid', 'perhaps'],
    ['satellites', 'many'],
  ])('%s %j is left out with a warning', (column, text) => {
    const { value, issues } = fixes(column, text);
    expect(issues).toMatchObject([{ code: 'number-invalid', severity: 'warning', field: column, line: 2 }]);
    expect(value.tracks[0]!.fixes).toEqual([{ time: Date.UTC(2026, 0, 1), lon: 1, lat: 2 }]);
  });

  test.each([
    ['epoch-seconds', '1767225600.5', Date.UTC(2026, 0, 1) + 500],
    ['epoch-milliseconds', '1767225600500.9', Date.UTC(2026, 0, 1) + 500],
    ['epoch-milliseconds', '8.64e15', 8.64e15],
    ['epoch-milliseconds', '8.65e15', null],
    ['epoch-seconds', 'noon', null],
  ])('times as %s: %s', (timeFormat, text, time) => {
    const { value, issues } = fromCsv(`time,lat,lon\n${text},2,1\n`, { timeFormat } as never);
    expect(value.tracks.flatMap((track) => track.fixes.map((fix) => fix.time))).toEqual(
      time === null ? [] : [time],
    );
    expect(issues.map(({ code }) => code)).toEqual(time === null ? ['time-invalid'] : []);
  });

  test('a leap second is read as the millisecond before it, with a warning; a time without a zone needs an option', () => {
    const leap = fromCsv('time,lat,lon\n2026-12-31T23:59:60Z,2,1\n');
    expect(leap.value.tracks[0]!.fixes[0]!.time).toBe(Date.UTC(2027, 0, 1) - 1);
    expect(leap.issues.map(({ code }) => code)).toEqual(['leap-second']);
    const zoneless = fromCsv('time,lat,lon\n2026-12-31T23:59:59,2,1\n');
    expect(zoneless.issues).toMatchObject([{ code: 'time-zone-missing', severity: 'error' }]);
    expect(zoneless.value.tracks).toEqual([]);
  });

  test('two columns for one quantity are an error, and other columns are read; two columns of times end the reading', () => {
    const twice = fromCsv('time,lat,lon,sats,satellites\n2026-01-01T00:00:00Z,2,1,3,4\n');
    expect(twice.issues).toMatchObject([{ code: 'csv-columns', field: 'satellites', line: 1 }]);
    expect(twice.value.tracks[0]!.fixes).toEqual([{ time: Date.UTC(2026, 0, 1), lon: 1, lat: 2 }]);
    const times = fromCsv('time,timestamp,lat,lon\n1,2,2,1\n', { columns: { satellites: 'none' } });
    expect(times.issues.map(({ code, field }) => `${code} ${field}`)).toEqual([
      'csv-columns time',
      'csv-columns satellites',
    ]);
    expect(times.value.tracks).toEqual([]);
  });
});
