import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kml as togeojson } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  fromGeoJson,
  fromKml,
  readParquet,
  toFeatureCollection,
  toGeoParquet,
  toKml,
  toParquet,
  toZoneCsv,
} from '../../src/interchange/index.js';
import { needs, OGR2OGR, XMLLINT } from '../needs.js';
import { wkt } from '../wkt.js';
import { type DuckFiles, openDuck } from './duckFiles.js';

// What programs that receive our files see: names, texts, colours, times. docs/formats.md has the same matrix.
let duck: DuckFiles;
beforeAll(async () => {
  duck = await openDuck();
});
afterAll(() => duck.close());

const FOREIGN = fromKml(
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Style id="s"><LineStyle><color>ff0000ff</color><width>4</width></LineStyle>
   <PolyStyle><color>7f00ff00</color></PolyStyle><BalloonStyle><text>Ask $[name]</text></BalloonStyle></Style>
   <Placemark id="p"><name>Yard</name><visibility>0</visibility><description>Gate &lt;b&gt;3&lt;/b&gt;</description>
   <TimeSpan><begin>2026-01-01</begin><end>2026-02-01</end></TimeSpan><styleUrl>#s</styleUrl>
   <ExtendedData><Data name="floor"><value>5</value></Data></ExtendedData><Polygon><outerBoundaryIs><LinearRing>
   <coordinates>37,55 38,55 38,56 37,55</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>`,
).value.zones;
const ZONES = [
  ...FOREIGN,
  {
    id: '17',
    name: 'Склад',
    type: { key: 'circle' },
    geometry: [[37.6, 55.7]],
    width: 50,
    color: { key: '#F56C6C' },
    properties: { floor: 7, open: true },
  },
  {
    id: 'l',
    name: 'Road',
    type: { key: 'line' },
    geometry: wkt('37 55, 37.1 55'),
    width: 30,
  },
] as never;
const TRACK = {
  name: 'Van',
  unitId: 'v',
  fixes: [
    { time: Date.UTC(2026, 2, 2, 8), lon: 37, lat: 55 },
    { time: Date.UTC(2026, 2, 2, 8, 1), lon: 37.01, lat: 55 },
  ],
};

function put(name: string, content: string | Uint8Array): string {
  const path = join(duck.folder, name);
  writeFileSync(path, content);
  return path;
}

interface Feature {
  readonly id?: unknown;
  readonly geometry: { readonly type: string } | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The features that GDAL reads. */
function gdal(path: string, ...argv: string[]): Feature[] {
  const text = execFileSync('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', path, ...argv], { encoding: 'utf8' });
  return (JSON.parse(text) as { features: Feature[] }).features;
}

describe('KML', () => {
  const kml = toKml({ zones: ZONES, tracks: [TRACK] });

  needs(XMLLINT).test('needs xmllint: well-formed', () => {
    expect(() => execFileSync('xmllint', ['--noout', put('a.kml', kml)])).not.toThrow();
  });

  needs(OGR2OGR).test('needs ogr2ogr: GDAL sees names, descriptions, data, times and styles', () => {
    const path = put('b.kml', toKml(ZONES));
    const features = gdal(path);
    expect(features.map(({ properties }) => properties['Name'])).toEqual(['Yard', 'Склад', 'Road']);
    expect(features[0]!.properties).toMatchObject({
      description: 'Gate <b>3</b>',
      floor: '5',
      visibility: 0,
    });
    for (const { properties } of features)
      expect(Object.keys(properties).filter((key) => /wayzone|^wz|record/i.test(key))).toEqual([]);
    expect(String(features[0]!.properties['begin'])).toContain('2026');
    const styles = execFileSync('ogrinfo', ['-al', path], { encoding: 'utf8' });
    expect(styles).toContain('PEN(c:#FF0000FF,w:4.000000px);BRUSH(fc:#00FF007F)');
  });

  test('togeojson sees simplestyle, times, data and wayzone’s fields, which come back whole', () => {
    const seen = togeojson(new DOMParser().parseFromString(kml, 'text/xml') as never);
    const [yard, depot, road, van] = seen.features as unknown as Feature[];
    expect(yard!.properties).toMatchObject({
      name: 'Yard',
      stroke: '#ff0000',
      'stroke-width': 4,
      fill: '#00ff00',
      floor: '5',
      timespan: { begin: '2026-01-01', end: '2026-02-01' },
    });
    expect(depot!.properties).toMatchObject({ name: 'Склад', stroke: '#f56c6c', floor: '7', open: 'true' });
    expect(road!.geometry!.type).toBe('GeometryCollection');
    expect((van!.properties['coordinateProperties'] as { times: string[] }).times).toEqual([
      '2026-03-02T08:00:00.000Z',
      '2026-03-02T08:01:00.000Z',
    ]);
    expect(Object.keys(yard!.properties)).toContain('wayzone.id');
    const { value } = fromGeoJson({ ...seen, features: seen.features.slice(0, 3) });
    expect(value.zones).toEqual(ZONES);
  });

  test('KML to KML keeps every element, and has no style that no zone uses', () => {
    const again = toKml(fromKml(kml).value);
    expect(fromKml(again).value.zones).toEqual(ZONES);
    for (const part of [
      '<width>4</width>',
      '<color>7f00ff00</color>',
      '<begin>2026-01-01</begin>',
      'Ask $[name]',
    ]) {
      expect(again).toContain(part);
    }
    const used = new Set([...again.matchAll(/<styleUrl>#([^<]*)</g)].map(([, id]) => id));
    for (const [, id] of again.matchAll(/<Style id="([^"]*)"/g)) expect(used).toContain(id);
  });

  test('each fact of a foreign Placemark is in the file again, as its element', () => {
    const again = toKml(fromKml(toKml(FOREIGN)).value);
    const seen = new DOMParser().parseFromString(again, 'text/xml');
    const text = (name: string): string[] =>
      Array.from(seen.getElementsByTagName(name), ({ textContent }) => textContent ?? '');
    expect(text('description')).toEqual(['Gate <b>3</b>']);
    expect(text('visibility')).toEqual(['0']);
    expect(text('begin')).toEqual(['2026-01-01']);
    expect(text('end')).toEqual(['2026-02-01']);
    expect(text('value')[0]).toBe('5');
    expect(text('width')).toEqual(['4']);
    // The icon has the zone's colour too, for points.
    expect(text('color')).toEqual(['ff0000ff', 'ff0000ff', '7f00ff00']);
    expect(text('text')).toEqual(['Ask $[name]']);
    expect(text('record')).toHaveLength(1);
    expect(again.indexOf('<record ')).toBeGreaterThan(again.indexOf('<Data '));
    expect(fromKml(again).value.zones).toEqual(FOREIGN);
  });

  test('files with the fields as Data, as they were written before, are read the same', () => {
    const before = kml.replaceAll(/<record [^>]*>|<\/record>/g, '');
    expect(fromKml(before).value.zones).toEqual(ZONES);
    expect(fromKml(before).value.tracks).toEqual(fromKml(kml).value.tracks);
  });

  test('markup that could run is shown as text', () => {
    const zone = { id: 'a', name: 'x', type: { key: 'point' }, geometry: [[1, 2]] };
    for (const description of [
      '<script>alert(1)</script>',
      '<b onclick="x()">',
      '<a href="javascript:x">',
      '<img src=x onerror=y>',
    ]) {
      const text = toKml([{ ...zone, properties: { description } }] as never);
      expect(text).toContain('<description>&amp;lt;');
    }
  });
});

describe('GeoJSON', () => {
  const text = JSON.stringify(toFeatureCollection(ZONES, { all: true }));

  test('JSON.parse sees ids, names and attributes; one member is wayzone’s', () => {
    const { features } = JSON.parse(text) as { features: Feature[] };
    expect(features.map(({ id }) => id)).toEqual(['p', 17, 'l']);
    expect(features[1]!.properties).toMatchObject({ name: 'Склад', floor: 7, open: true });
    expect(Object.keys(features[2]!.properties)).toEqual(['name', 'wayzone']);
    expect(fromGeoJson(text).value.zones).toEqual(ZONES);
  });

  needs(OGR2OGR).test('needs ogr2ogr: GDAL sees the attributes as fields', () => {
    const features = gdal(put('c.geojson', text));
    expect(features[1]!.properties).toMatchObject({ name: 'Склад', open: true });
    expect(String(features[1]!.properties['floor'])).toBe('7');
  });
});

needs(OGR2OGR).test('needs ogr2ogr: CSV has the attributes as columns', () => {
  const [yard, depot] = gdal(put('d.csv', toZoneCsv(ZONES)), '-oo', 'KEEP_GEOM_COLUMNS=NO');
  expect(yard!.properties).toMatchObject({ name: 'Yard', floor: '5' });
  expect(depot!.properties).toMatchObject({ name: 'Склад', floor: '7', open: 'true', width: '50' });
  expect(yard!.geometry).not.toBeNull();
});

describe('Parquet', () => {
  test('DuckDB sees typed columns, geometries and boxes; readParquet gives the same zones', async () => {
    const bytes = await toGeoParquet(ZONES);
    const path = put('e.parquet', bytes);
    const types = await duck.rows(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${path}')`);
    expect(Object.fromEntries(types as [string, string][])).toMatchObject({
      id: 'VARCHAR',
      width: 'DOUBLE',
      open: 'BOOLEAN',
      wayzone: 'JSON',
      bbox: 'STRUCT(xmin DOUBLE, ymin DOUBLE, xmax DOUBLE, ymax DOUBLE)',
    });
    expect(await duck.rows(`SELECT name, bbox.xmin FROM '${path}' WHERE type = 'polygon'`)).toEqual([
      ['Yard', 37],
    ]);
    const [[geo]] = (await duck.rows(
      `SELECT decode(value) FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'geo'`,
    )) as [[string]];
    expect(JSON.parse(geo)).toMatchObject({ version: '1.1.0', primary_column: 'geometry' });
    expect((await readParquet(bytes)).value.zones).toEqual(ZONES);
  });

  test('times are instants in every time zone of the session', async () => {
    const time = Date.UTC(2026, 2, 2, 8);
    const path = put('f.parquet', await toParquet({ moment: 'time', visits: 'integer' }, [[time, 3]]));
    for (const zone of ['UTC', 'Europe/Moscow', 'America/New_York']) {
      await duck.duck.run(`SET TimeZone = '${zone}'`);
      expect(
        await duck.rows(`SELECT epoch_ms(moment)::DOUBLE, typeof(moment), typeof(visits) FROM '${path}'`),
      ).toEqual([[time, 'TIMESTAMP WITH TIME ZONE', 'BIGINT']]);
    }
    await duck.duck.run("SET TimeZone = 'UTC'");
    expect(readFileSync(path).subarray(0, 4).toString()).toBe('PAR1');
  });
});
