import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.js';
import type { Geozone } from '../../src/core/wire.js';
import { geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import {
  fromCsv,
  fromGeoJson,
  fromGpx,
  fromKml,
  fromKmz,
  readGeoJson,
  toFeatureCollection,
  toGpx,
  toKml,
  toKmz,
} from '../../src/interchange/index.js';
import { wkt } from '../wkt.js';
import { testFolder, wayzone } from './wayzone.js';

const { at, put } = testFolder('convert');
const read = (file: string): string => readFileSync(at(file), 'utf8');
const FIXTURES = new URL('../../fixtures/', import.meta.url).pathname;

const POINT: Geozone = { id: 'p', name: 'Ёлка', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
const CIRCLE: Geozone = { ...POINT, id: 'c', type: { key: 'circle' }, width: 50, color: { key: '#F56C6C' } };
const LINE: Geozone = {
  id: 'l',
  name: 'L',
  type: { key: 'line' },
  geometry: wkt('37 55, 37.01 55'),
  width: 30,
};
const SQUARE: Geozone = {
  id: 's',
  name: 'S',
  type: { key: 'polygon' },
  geometry: wkt('37 55, 38 55, 38 56, 37 55'),
};
const ZONES = [POINT, CIRCLE, LINE, SQUARE];
const GROUPS = [{ id: 'g', name: 'G', geozones: [{ id: 'l' }, { id: 'p' }] }];
const geojson = (zones: readonly Geozone[]): string =>
  JSON.stringify(toFeatureCollection(zones, { all: true }));
const gpx = toGpx({
  zones: [POINT],
  routes: [{ id: 'r', name: 'R', points: [{ name: 'S', type: { key: 'point' }, geometry: [[1, 2]] }] }],
  tracks: [
    {
      name: 'T',
      unitId: 'T',
      fixes: [
        { time: 0, lon: 1, lat: 2, speedKph: 36 },
        { time: 1000, lon: 1.001, lat: 2 },
      ],
    },
  ],
});

describe('between formats with zones', () => {
  test('every field survives kml, kmz, csv and geojson in turn; groups survive KML and KMZ', async () => {
    const start = put('start.kml', toKml(ZONES, { groups: GROUPS }));
    for (const [from, to] of [
      [start, at('a.kmz')],
      [at('a.kmz'), at('b.kml')],
      [at('b.kml'), at('c.csv')],
      [at('c.csv'), at('d.geojson')],
      [at('d.geojson'), at('e.kml')],
    ] as const) {
      const { code, out } = await wayzone('convert', from, to);
      expect([code, out.startsWith('4 zones')]).toEqual([0, true]);
    }
    const sorted = (zones: readonly Geozone[]): Geozone[] =>
      [...zones].sort((x, y) => (x.id < y.id ? -1 : 1));
    expect(fromKmz(readFileSync(at('a.kmz'))).value.groups).toEqual(GROUPS);
    expect(fromKml(read('b.kml')).value.groups).toEqual(GROUPS);
    for (const data of [fromCsv(read('c.csv')), fromGeoJson(read('d.geojson')), fromKml(read('e.kml'))]) {
      expect(data.issues).toEqual([]);
      expect(sorted(data.value.zones)).toEqual(sorted(ZONES));
    }
  });

  test('routes survive KML and KMZ and become their points in GeoJSON and lines in CSV', async () => {
    const routes = fromGpx(gpx).value.routes;
    await wayzone('convert', put('r.kml', toKml([SQUARE], { routes })), at('r.kmz'));
    await wayzone('convert', at('r.kmz'), at('r2.kml'));
    expect(fromKml(read('r2.kml')).value).toMatchObject({ zones: [SQUARE], routes });
    expect((await wayzone('convert', at('r2.kml'), at('r.geojson'))).out).toContain('1 zones, 1 routes');
    expect(fromGeoJson(read('r.geojson')).value.zones[1]).toMatchObject({ route: { name: 'R' } });
    const { err } = await wayzone('convert', at('r2.kml'), at('r.csv'));
    expect(err).toContain('warning route-as-line: 1');
    expect(fromCsv(read('r.csv')).value.zones.map(({ name }) => name)).toEqual(['S', 'R']);
  });

  test('the other commands read KMZ too', async () => {
    const file = put('measured.kmz', toKmz([SQUARE]));
    expect((await wayzone('measure', file)).out).toMatch(/^s +S +polygon/m);
  });

  test('groups that the output cannot contain give a warning', async () => {
    const { code, err } = await wayzone(
      'convert',
      put('g.kml', toKml(ZONES, { groups: GROUPS })),
      at('g.csv'),
    );
    expect(code).toBe(0);
    expect(err).toContain('warning groups-left-out: 1');
  });

  test('a zone that cannot be written is reported and left out', async () => {
    const bad = { ...SQUARE, id: 'bad', type: { key: 'circle' as const }, geometry: [[1, 2]] as const };
    const features = JSON.parse(geojson([POINT, SQUARE])) as { features: object[] };
    const { type, geometry, ...fields } = bad;
    features.features.push({
      type: 'Feature',
      id: 'bad',
      geometry: { type: 'Point', coordinates: geometry[0] },
      properties: { ...fields, type },
    });
    const { code, err, out } = await wayzone(
      'convert',
      put('bad.geojson', JSON.stringify(features)),
      at('bad.kml'),
    );
    expect([code, out.startsWith('2 zones')]).toEqual([1, true]);
    expect(err).toMatch(/zone "bad" width: .*; left out/);
    expect(fromKml(read('bad.kml')).value.zones).toEqual([POINT, SQUARE]);
  });
});

describe('GPX and tables of fixes', () => {
  test('each zone that GPX cannot contain is an error, left-out fields are counted, and --issues lists all', async () => {
    const many = Array.from({ length: 150 }, (_, i) => ({ ...SQUARE, id: `s${i}` }));
    const { code, err, out } = await wayzone(
      'convert',
      put('many.geojson', geojson([POINT, CIRCLE, ...many])),
      at('many.gpx'),
      '--issues',
      at('issues.csv'),
    );
    expect(code).toBe(1);
    expect(out).toContain('2 zones; written to');
    expect(err).toContain('error gpx-zone: 150');
    expect(err).toContain('id (2), width (1), color (1)');
    const rows = read('issues.csv').trim().split('\r\n');
    expect(rows).toHaveLength(152);
    expect(rows[0]).toBe('file,line,field,severity,code,message');
    expect(rows.filter((row) => row.includes('"zone ""s149"" type.key",error,gpx-zone'))).toHaveLength(1);
    expect(fromGpx(read('many.gpx')).value.zones.map(({ name }) => name)).toEqual(['Ёлка', 'Ёлка']);
  });

  test('GPX to GPX and to KML keeps routes and tracks; tracks without times are lines in KML, with a warning', async () => {
    const file = put('all.gpx', gpx);
    const same = await wayzone('convert', file, at('again.gpx'));
    expect(same.code).toBe(0);
    expect(fromGpx(read('again.gpx')).value.tracks).toEqual(fromGpx(gpx).value.tracks);
    expect(fromGpx(read('again.gpx')).value.routes).toEqual(fromGpx(gpx).value.routes);
    expect((await wayzone('convert', file, at('tracks.kml'))).code).toBe(0);
    const { value } = fromKml(read('tracks.kml'));
    expect(value.zones.map(({ type }) => type.key)).toEqual(['point']);
    expect(value.routes.map(({ points }) => points.length)).toEqual([1]);
    expect(value.tracks[0]!.fixes.map(({ time }) => time)).toEqual(
      fromGpx(gpx).value.tracks[0]!.fixes.map(({ time }) => time),
    );
    const timeless = put('timeless.gpx', gpx.replace(/<time>[^<]*<\/time>/g, ''));
    const lines = await wayzone('convert', timeless, at('lines.kml'));
    expect(lines.code).toBe(0);
    expect(lines.err).toContain('warning track-as-line: 1');
    expect(fromKml(read('lines.kml')).value.zones.map(({ type }) => type.key)).toEqual([
      'point',
      'point',
      'line',
    ]);
  });

  test('tracks become a table of fixes in CSV, or lines if there are zones too', async () => {
    const fixes =
      'unit,time,lat,lon,speed_kph\nu,2026-01-01T00:00:00Z,55,37,50\nu,2026-01-01T00:00:01Z,55,38,\n';
    const packed = put('t.csv.gz', gzipSync(fixes));
    expect((await wayzone('convert', packed, at('t.gpx'))).code).toBe(0);
    expect((await wayzone('convert', at('t.gpx'), at('t2.csv'))).code).toBe(0);
    const wanted = fromCsv(fixes).value.tracks[0]!.fixes;
    expect(fromCsv(read('t2.csv')).value.tracks[0]!.fixes).toEqual(wanted);
    const mixed = await wayzone('convert', put('mixed.gpx', gpx), at('mixed.csv'));
    expect(mixed.err).toContain('warning track-as-line: 1');
    expect(mixed.err).toContain('warning route-as-line: 1');
    expect(fromCsv(read('mixed.csv')).value.zones.map(({ id, type }) => [id, type.key])).toEqual([
      ['mixed-1', 'point'],
      ['track-1', 'line'],
      ['route-1', 'point'],
    ]);
    const one = await wayzone('convert', put('u.csv', fixes), at('u.kml'));
    expect(one.err).toContain('kml lacks these fields of fixes: speedKph (1)');
    expect(fromKml(read('u.kml')).value.tracks).toMatchObject([
      { name: 'u', fixes: [{ lon: 37 }, { lon: 38 }] },
    ]);
  });
});

describe('coordinate systems', () => {
  test('--to-crs and --crs convert there and back, and the file names its system', async () => {
    const start = put('wgs.geojson', geojson([SQUARE]));
    await wayzone('convert', start, at('utm.geojson'), '--to-crs', 'EPSG:32637');
    expect(read('utm.geojson')).toContain('urn:ogc:def:crs:EPSG::32637');
    const named = await readGeoJson([readFileSync(at('utm.geojson'))]);
    expect(named.issues).toEqual([]);
    await wayzone('convert', at('utm.geojson'), at('utm.csv'), '--to-crs', 'EPSG:28407');
    const back = await wayzone('convert', at('utm.csv'), at('back.kml'), '--crs', 'EPSG:28407');
    expect([back.code, back.err]).toEqual([0, '']);
    for (const [i, [lon, lat]] of fromKml(read('back.kml')).value.zones[0]!.geometry.entries()) {
      expect(geodesicDistance(lon, lat, ...SQUARE.geometry[i]!)).toBeLessThan(2e-3);
    }
    const withoutCrs = await wayzone('convert', at('utm.csv'), at('withoutCrs.kml'));
    expect([withoutCrs.code, existsSync(at('withoutCrs.kml'))]).toEqual([1, false]);
    expect(withoutCrs.err).toContain('crs-unsupported');
  });
});

describe('unusual and failing input', () => {
  test('Formats 54: names in the input never become names of files', async () => {
    const names = ['../../a', 'con', 'x'.repeat(300), 'a\nb', '/etc/passwd'];
    const zones = names.map((name, i) => ({ ...POINT, id: `${name}${i}`, name, icon: { key: name } }));
    // From here, `../../a` is still within the test's folder.
    mkdirSync(at('up/down'), { recursive: true });
    const kml = put('names.kml', toKml(zones));
    const files = (): string[] => readdirSync(at(''), { recursive: true, encoding: 'utf8' });
    const before = files();
    const out = at('up/down/names.kmz');
    expect((await wayzone('convert', kml, out)).code).toBe(0);
    const written = Object.keys(unzipSync(readFileSync(out)));
    expect(written).toEqual(['doc.kml', 'icons/hospital.png', 'icons/school.png']);
    const made = files().filter((name) => !before.includes(name));
    expect(made).toEqual([join('up', 'down', 'names.kmz')]);
    expect(fromKmz(readFileSync(out)).value.zones).toEqual(zones);
  });

  test('an unreadable file gives exit code 1 and keeps the old output', async () => {
    const kept = put('kept.kml', 'kept');
    for (const [name, content, code] of [
      ['torn.geojson', '{"type":', 'json-syntax'],
      ['dtd.kml', '<!DOCTYPE kml><kml/>', 'xml-dtd-forbidden'],
      ['torn.csv.gz', gzipSync(gpx).subarray(0, 30), 'gzip-invalid'],
      ['torn.kmz', 'PK', 'kmz-corrupt'],
    ] as const) {
      const { code: exit, err, out } = await wayzone('convert', put(name, content), kept, '--force');
      expect([exit, out]).toEqual([1, '']);
      expect(err).toContain(code);
      expect(readFileSync(kept, 'utf8')).toBe('kept');
    }
    const absent = await wayzone('convert', at('absent.kml'), kept, '--force');
    expect([absent.code, absent.err.includes('file-unreadable')]).toEqual([1, true]);
    const folder = await wayzone('convert', dirname(kept), kept, '--from', 'kml', '--force');
    expect([folder.code, folder.err.includes('file-unreadable')]).toEqual([1, true]);
    expect(readFileSync(kept, 'utf8')).toBe('kept');
    expect(readdirSync(dirname(kept)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('progress is drawn only on a terminal, and never on standard output', async () => {
    const input = put('progress.kml', toKml(ZONES));
    const screen = new PassThrough() as PassThrough & { isTTY?: boolean };
    let drawn = '';
    screen.on('data', (chunk: Buffer) => {
      drawn += chunk.toString();
    });
    let out = '';
    const stdout = { write: (text: string) => (out += text) };
    const argv = ['convert', input, at('progress.geojson'), '--force'];
    expect(await run(argv, { stdout, stderr: screen })).toBe(0);
    expect(drawn).toBe('');
    screen.isTTY = true;
    expect(await run(argv, { stdout, stderr: screen })).toBe(0);
    expect(drawn).toContain('progress.kml');
    expect(drawn).toContain('0 %');
    const written = '4 zones; written to .*progress.geojson \\(\\d+ bytes\\)\n';
    expect(out).toMatch(new RegExp(`^${written}${written}$`));
  });

  test('a file can be converted onto itself', async () => {
    const file = put('self.kml', toKml(ZONES));
    expect((await wayzone('convert', file, file, '--force')).code).toBe(0);
    expect(fromKml(readFileSync(file)).value.zones).toEqual(ZONES);
  });

  test('an output that cannot be written gives exit code 1', async () => {
    const { code, err } = await wayzone('convert', put('w.kml', toKml(ZONES)), at('no/such/folder/x.kml'));
    expect([code, err.includes('wayzone:')]).toEqual([1, true]);
  });

  test('unreadable rows give exit code 1, and the others are converted', async () => {
    const { code, out } = await wayzone(
      'convert',
      `${FIXTURES}broken-rows.csv`,
      at('rows.gpx'),
      '--speed-unit',
      'kph',
    );
    expect([code, out.startsWith('1 tracks, 12 fixes')]).toEqual([1, true]);
  });

  test.each([
    ['an input of unknown extension', ['a.shp', 'b.kml']],
    ['an output of unknown extension', ['a.kml', 'b']],
    ['a gzipped KMZ', ['a.kml', 'b.kmz.gz']],
    ['a gzipped Parquet file', ['a.kml', 'b.parquet.gz']],
    ['an unknown format', ['a.kml', 'b.kml', '--to', 'shp']],
    ['another coordinate system for KML', ['a.csv', 'b.kml', '--to-crs', 'EPSG:32637']],
    ['another coordinate system for GPX', ['a.csv', 'b.gpx', '--to-crs', 'EPSG:32637']],
    ['an unknown coordinate system', ['a.csv', 'b.csv', '--to-crs', 'EPSG:1']],
    ['an unknown coordinate system of the input', ['a.csv', 'b.csv', '--crs', 'nonsense']],
    ['one file', ['a.csv']],
  ])('%s gives exit code 2', async (_, argv) => {
    const { code, out, err } = await wayzone('convert', ...argv);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('wayzone --help');
  });

  test('--from and --to override the extensions', async () => {
    const { code } = await wayzone(
      'convert',
      put('zones.txt', geojson(ZONES)),
      at('out.xml'),
      '--from',
      'geojson',
      '--to',
      'kml',
    );
    expect(code).toBe(0);
    expect(fromKml(read('out.xml')).value.zones).toEqual(ZONES);
  });
});

test('--excel writes fixes and zones for spreadsheet programs, which are read back', async () => {
  const fixes = put(
    'for excel.csv',
    'unit,time,lat,lon,speed_kph\nv1,2026-07-02T08:00:00Z,55.7,37.6,4.5\nv1,2026-07-02T08:01:00.250Z,55.7001,37.6,5\n',
  );
  const argv = ['--excel', '--locale', 'de', '--time-zone', 'Europe/Berlin'];
  expect((await wayzone('convert', fixes, at('excel.csv'), ...argv)).code).toBe(0);
  expect(read('excel.csv').split('\r\n').slice(0, 3)).toEqual([
    '\uFEFFunit;time_utc;time_local;lat;lon;speed_kph;course;altitude_meters;accuracy_meters;satellites;valid;ignition;mileage_meters;mileage_delta_meters',
    'v1;2026-07-02 08:00:00;2026-07-02 10:00:00;55,7;37,6;4,5;;;;;;;;',
    'v1;2026-07-02 08:01:00,250;2026-07-02 10:01:00,250;55,7001;37,6;5;;;;;;;;',
  ]);
  expect(fromCsv(readFileSync(at('excel.csv'))).value.tracks).toEqual(
    fromCsv(readFileSync(fixes)).value.tracks,
  );
  const zones = put(
    'for excel.geojson',
    JSON.stringify(toFeatureCollection([{ ...CIRCLE, width: 50.5 }], { all: true })),
  );
  expect((await wayzone('convert', zones, at('excel zones.csv'), ...argv)).code).toBe(0);
  expect(read('excel zones.csv')).toMatch(/^\uFEFFid;name;type;width;.*\r\nc;Ёлка;circle;50,5;/);
  expect(fromCsv(readFileSync(at('excel zones.csv'))).value.zones).toEqual([{ ...CIRCLE, width: 50.5 }]);
  expect((await wayzone('convert', fixes, at('excel.kml'), '--excel')).code).toBe(2);
});
