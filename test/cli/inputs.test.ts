/** Rules for input files and flags that all commands share. */

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fromCsv, toFeatureCollection, toKml, toKmz, toZoneCsv } from '../../src/interchange/index.js';
import { testFolder, wayzone } from './wayzone.js';

const { at, put } = testFolder('inputs');
const ZONES = [
  { id: 'a', name: 'A', type: { key: 'circle' as const }, geometry: [[1, 2] as const], width: 50 },
];
const DAY = 'time,lat,lon,speed_kph\n2026-03-02T08:00:00Z,2,1,0\n2026-03-02T08:30:00Z,2,1,0\n';

test.each([
  ['zones.kml', toKml(ZONES)],
  ['zones.kmz', toKmz(ZONES)],
  ['zones.geojson', JSON.stringify(toFeatureCollection(ZONES, { all: true }))],
  ['zones.csv', toZoneCsv(ZONES)],
])('every command that reads zones also reads gzipped %s', async (name, content) => {
  const files = [put(name, content), put(`${name}.gz`, gzipSync(content))];
  const [plain, packed] = await Promise.all(
    files.map((file) => wayzone('measure', file, '--format', 'json')),
  );
  expect(plain!.out).toContain('"area"');
  expect(packed).toEqual(plain);
});

test('zones without ids get ids from their file name in every format', async () => {
  const file = put('depots.csv', 'name,wkt\nA,POINT(1 2)\n');
  const { out } = await wayzone('measure', file, '--format', 'csv');
  expect(out.split('\r\n')[1]).toMatch(/^depots-1,A,point/);
  expect((await wayzone('convert', file, at('again.csv'))).code).toBe(0);
  expect(fromCsv(readFileSync(at('again.csv'))).value.zones).toMatchObject([{ id: 'depots-1' }]);
});

test('the name of a KML document is --title, by default that of the input', async () => {
  const file = put('titled.csv', toZoneCsv(ZONES));
  expect((await wayzone('convert', file, at('titled.kml'), '--title', 'Depots')).code).toBe(0);
  expect(readFileSync(at('titled.kml'), 'utf8')).toContain('<Document><name>Depots</name>');
  expect((await wayzone('convert', file, at('titled.kml'))).code).toBe(0);
  expect(readFileSync(at('titled.kml'), 'utf8')).toContain('<Document><name>titled.csv</name>');
});

test('a report with trips requires --tracks and does not use the example city instead', async () => {
  const trips = put('trips.json', '[]');
  const zones = put('report.csv', toZoneCsv(ZONES));
  const argv = ['report', '--out', at('report'), '--time-zone', 'UTC', '--trips', trips];
  const alone = await wayzone(...argv);
  expect([alone.code, alone.out]).toEqual([2, '']);
  expect(alone.err).toContain('--tracks is missing');
  expect((await wayzone(...argv, '--zones', zones)).err).toContain('--tracks is missing');
});

test('a settings file that is not JSON is reported with the position of the error', async () => {
  const tracks = put('day.csv', DAY);
  const broken = put('settings.json', '{\n"tripdetector_minparktime": }');
  const { code, err } = await wayzone('movement', tracks, '--settings', broken);
  expect(code).toBe(1);
  expect(err).toContain(`(json-syntax, ${broken})`);
  expect(err).toContain('line 2');
  const marked = put('marked.json', '\uFEFF{"tripdetector_minparktime": 60}');
  expect((await wayzone('movement', tracks, '--settings', marked)).code).toBe(0);
});

test('files that are not read say what makes a readable one of them', async () => {
  for (const [name, how] of [
    ['ride.tcx', 'GPSBabel makes a .gpx file of it'],
    ['depots.shp', 'ogr2ogr makes a .geojson file of it'],
    ['plan.xls', 'save it as .xlsx or .csv'],
  ] as const) {
    const file = put(name, 'x');
    expect((await wayzone('measure', file)).err).toContain(how);
    expect((await wayzone('convert', file, at('out.csv'))).err).toContain(how);
  }
  expect((await wayzone('measure', put('a.xyz', 'x'))).err).not.toContain('makes');
});
