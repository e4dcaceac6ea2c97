/** Files that others reported: each gives what the tables of `../shared/data/reported` say. Movement of their tracks is tested with movement. */

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { readInput } from '../../src/cli/io/readInput.js';
import { streamInput } from '../../src/cli/io/streamInput.js';
import { run } from '../../src/cli/run.js';
import type { ForeignData } from '../../src/core/fix.js';
import type { Geozone } from '../../src/core/wire.js';
import { measureZone, ZoneIndex } from '../../src/index.js';
import { fromGpx, loadCrs, toFeatureCollection, toGpx, toKml } from '../../src/interchange/index.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, predictByRoute } from '../../src/trips/index.js';
import { needs } from '../needs.js';
import { dataPath, hasData } from './realData.js';

const { test } = needs({
  name: '../shared/data/reported',
  isThere: hasData('reported/geo/README.md') && hasData('reported/fleet/README.md'),
});

const READING = { axisOrder: 'lonlat', columns: {} } as const;
const quiet = { write: () => true };

async function read(name: string, options: object = {}): Promise<ForeignData> {
  return await streamInput(dataPath(`reported/${name}`), { ...READING, ...options }, quiet);
}

const codes = ({ issues }: ForeignData): string[] => [...new Set(issues.map(({ code }) => String(code)))];
const names = ({ value }: ForeignData): string[] => value.zones.map(({ name }) => name);
const places = ({ value }: ForeignData): (readonly [number, number])[] =>
  value.zones.map(({ geometry }) => geometry[0]!);

function near(data: ForeignData, wanted: readonly (readonly [number, number])[], meters: number): void {
  const found = places(data);
  expect(found).toHaveLength(wanted.length);
  for (const [i, [lon, lat]] of wanted.entries()) {
    const [x, y] = found[i]!;
    const east = (x - lon) * 111_320 * Math.cos((lat * Math.PI) / 180);
    expect(Math.hypot(east, (y - lat) * 111_320)).toBeLessThan(meters);
  }
}

test.each([
  [
    'crs-swiss-2056.parquet',
    [
      [8.225, 46.815],
      [6.866, 46.417],
      [9.584, 47.213],
    ],
    2,
  ],
  [
    'crs-malaya-3168.parquet',
    [
      [102.095, 3.965],
      [100.592, 2.863],
      [103.598, 5.067],
    ],
    2,
  ],
  [
    'crs-paris-27572.parquet',
    [
      [1.68, 46.735],
      [-2.25, 44.973],
      [5.61, 48.497],
    ],
    5,
  ],
  [
    'crs-dhdn-4314.parquet',
    [
      [9.85, 51.18],
      [7.456, 49.616],
      [12.244, 52.744],
    ],
    5,
  ],
  [
    'crs-axis-lo19.geojson',
    [
      [18.995, -31.63],
      [18.392, -32.93],
      [19.598, -30.33],
    ],
    2,
  ],
  [
    'crs-polar-3413.geojson',
    [
      [0, 75],
      [-108, 69],
      [108, 81],
    ],
    2,
  ],
  [
    'crs-datum-rd.geojson',
    [
      [5.21, 52.225],
      [4.004, 51.635],
      [6.416, 52.815],
    ],
    5,
  ],
  [
    'crs-datum-hk80.geojson',
    [
      [114.135, 22.355],
      [113.91, 22.265],
      [114.36, 22.445],
    ],
    5,
  ],
] as const)('%s is read in its system', async (name, wanted, meters) => {
  const text = dataPath(`reported/geo/${name.replace(/\.geojson$/, '.crs.txt')}`);
  const given = name.endsWith('.geojson') ? { crs: await loadCrs(readFileSync(text, 'utf8').trim()) } : {};
  near(await read(`geo/${name}`, given), wanted, meters);
});

test.each(['seam-rfc7946.geojson', 'seam-depot.geojson'])('%s is one polygon', async (name) => {
  const { value, issues } = await read(`geo/${name}`);
  expect(issues).toEqual([]);
  const streams = { stdout: quiet, stderr: quiet };
  expect(await run(['validate', dataPath(`reported/geo/${name}`)], streams)).toBe(0);
  const perimeter = name === 'seam-rfc7946.geojson' ? 5_364_428 : 2 * 4_266 + 2 * 2_213;
  const [zone] = value.zones;
  expect(Math.abs(measureZone(zone!).perimeter! / perimeter - 1)).toBeLessThan(0.01);
});

test('empty members of geometries are no parts', async () => {
  const part = await read('geo/empty-part.geojson');
  expect(names(part)).toEqual(['Yard', 'Gate']);
  expect(() => new ZoneIndex([...part.value.zones])).not.toThrow();
  const all = await read('geo/empty-all.geojson');
  expect([names(all), codes(all)]).toEqual([['Gate'], ['geometry-missing']]);
  const text = await read('geo/wkt-empty-member.csv');
  expect(text.value.zones.map(({ type }) => type.key)).toEqual(['polygon', 'point', 'point']);
});

test('archives are read', async () => {
  for (const name of ['kmz-zip64-local.kmz', 'kmz-macosx-first.kmz'])
    expect(names(await read(`geo/${name}`))).toEqual(['D1']);
});

test('one segment of one point stays writable', () => {
  const bytes = readFileSync(dataPath('reported/geo/onepoint.gpx'));
  const { value } = fromGpx(bytes, { as: 'lines' });
  for (const write of [toKml, toGpx, toFeatureCollection])
    expect(() => write([...value.zones] as never)).not.toThrow();
});

test('points with times are a track', async () => {
  const { value } = await read('fleet/k12a-points-with-times.geojson');
  expect(value.tracks.map(({ unitId, fixes }) => [unitId, fixes.length])).toEqual([['ph', 3]]);
});

test('rows of JSON are the zones that the same rows of CSV are', async () => {
  const wanted = await read('fleet/k8-same-as-csv.csv');
  for (const name of ['k8a-geofences-rest.json', 'k8b-geofences.ndjson']) {
    const shapes = (zones: readonly Geozone[]): unknown[] =>
      zones.map(({ name: own, type, geometry, width }) => [own, type.key, geometry, width]);
    expect(shapes((await read(`fleet/${name}`)).value.zones)).toEqual(shapes(wanted.value.zones));
    const whole = await readInput(dataPath(`reported/fleet/${name}`), READING);
    expect(shapes(whole.value.zones)).toEqual(shapes(wanted.value.zones));
  }
});

test('Geolife’s PLT', async () => {
  const { value } = await read('fleet/k9a-geolife.plt');
  const [track] = value.tracks;
  expect(track?.fixes).toHaveLength(5);
  expect(track?.fixes[0]?.time).toBe(Date.UTC(2008, 9, 24, 2, 9, 36));
});

test.each(['k4a-year-2041.csv', 'k4b-boot-2000.csv', 'k4c-rollover-2006.csv'])(
  'the one row of %s whose clock is wrong is left out and counted',
  async (name) => {
    const { value } = await read(`fleet/${name}`);
    const fixes = value.tracks[0]!.fixes;
    const wanted = readTrack(fixes.filter(({ time }) => new Date(time).getUTCFullYear() === 2026));
    const track = readTrack(fixes);
    expect([track.length, track.rejected]).toEqual([fixes.length - 1, { 'time-implausible': 1 }]);
    expect([...track.time]).toEqual([...wanted.time]);
    expect(track.issues).toMatchObject([{ code: 'time-implausible', field: 'fix.time' }]);
  },
);

test.each(['k10a-ignition-1.0.csv', 'k10b-acc-on.csv', 'k10d-encendido.csv'])('%s', async (name) => {
  const { value } = await read(`fleet/${name}`);
  expect(value.tracks[0]?.fixes.map(({ ignition }) => ignition)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test.each([
  ['k1a-speed-zero-always.csv', { speedKph: 0 }],
  ['k1b-speed-zero-from-minute-20.csv', { speedKph: 0 }],
  ['k1c-speed-zero-two-of-three.csv', { speedKph: 0 }],
  ['k1f-ignition-wire-off.csv', { speedKph: 0, ignition: false }],
  ['k2a-noise-5s-3m.csv', {}],
  ['k2b-noise-15s-8m.csv', {}],
  ['k2d-noise-30s-10m.csv', {}],
  ['k3a-last-fix-moving.csv', { speedKph: 45 }],
  ['k3b-first-fix-moving.csv', { speedKph: 45 }],
  ['k3d-no-speeds.csv', {}],
  ['k5a-odometer-stuck.csv', { speedKph: 0, mileageMeters: 1_000_000 }],
  ['k5b-odometer-stuck-half.csv', { speedKph: 0, mileageMeters: 1_000_000 }],
  ['k5c-odometer-whole-miles-5s.csv', { speedKph: 0, mileageMeters: 999_402.6 }],
  ['k6a-night-spikes.csv', { speedKph: 0 }],
  ['k6c-night-spikes-no-speed.csv', {}],
])('%s: each row is a fix with what it reports', async (name, first) => {
  const data = await read(`fleet/${name}`);
  expect(data.issues).toEqual([]);
  const [header, ...rows] = readFileSync(dataPath(`reported/fleet/${name}`), 'utf8')
    .trim()
    .split('\n');
  const [{ unitId, fixes } = { unitId: '', fixes: [] }] = data.value.tracks;
  expect([data.value.tracks.length, unitId, fixes.length]).toEqual([1, 'van', rows.length]);
  const { time, lon, lat, ...rest } = fixes[0]!;
  expect(rest).toEqual(first);
  expect([header, rows[0]!.split(',').slice(1, 4)]).toEqual([
    expect.stringMatching(/^unit,time,lat,lon/),
    [new Date(time).toISOString().replace('.000', ''), lat.toFixed(7), lon.toFixed(7)],
  ]);
  // Zeros that contradict the positions are values of the file: the detector weighs them.
  const speeds = (column: number): number => rows.filter((row) => Number(row.split(',')[column]) > 0).length;
  if (header!.includes('speed_kmh'))
    expect(fixes.filter(({ speedKph }) => speedKph! > 0)).toHaveLength(speeds(4));
  expect(readTrack(fixes).length).toBe(rows.length);
});

test('nothing is foretold before now (k7a)', () => {
  const meters = 111_320 * Math.cos((50 * Math.PI) / 180);
  const start = Date.UTC(2024, 2, 1, 8);
  const point = (name: string, x: number, time: string) => ({
    name,
    type: { key: 'circle' as const },
    geometry: [[10 + x / meters, 50] as const],
    width: 150,
    arrival: { time, deviation_minutes: 5 },
  });
  const points = [point('A', 0, '08:00'), point('B', 20_000, '08:20'), point('C', 40_000, '08:40')];
  const trip = {
    id: 't',
    name: 't',
    unit: { id: 'u' },
    passage_order_type: { key: 'strict' as const },
    dates: ['2024-03-01'],
    points,
  };
  const leg = (a: number, b: number) => ({
    durationSeconds: 1200,
    geometry: [[10 + a / meters, 50] as const, [10 + b / meters, 50] as const],
  });
  const predict = predictByRoute([leg(0, 20_000), leg(20_000, 40_000)]);
  const fixes = Array.from({ length: 31 }, (_, i) => ({
    time: start + (30 * i - 300) * 1000,
    lon: 10 + (Math.max(0, 30 * i - 300) * 16.67) / meters,
    lat: 50,
  }));
  for (const minutes of [5, 20, 60]) {
    const now = start + (10 + minutes) * 60_000;
    const report = evaluateTrip(trip, '2024-03-01', readTrack(fixes), { timeZone: 'UTC', predict, now });
    for (const { status, predictedArrival } of report.points)
      if (status === 'pending') expect(predictedArrival ?? now).toBeGreaterThanOrEqual(now);
  }
});

test('of two times that of the tracker is read', async () => {
  const { value } = await read('fleet/k11a-dt-server.csv', { table: { timeZone: 'UTC' } });
  expect(value.tracks[0]?.fixes[0]?.time).toBe(Date.UTC(2026, 2, 2, 8));
});

test.each([
  ['encoding-ru-cut.csv', 'Склад на Ленина 0'],
  ['encoding-de-cut.csv', 'Großlager München 0'],
])('one cut letter of %s is one broken letter', async (name, first) => {
  const data = await read(`geo/${name}`);
  expect(names(data)).toHaveLength(41);
  expect(names(data)[0]).toBe(first);
  expect(names(data).filter((own) => own.includes('\ufffd'))).toHaveLength(1);
  const text = readFileSync(dataPath(`reported/geo/${name}`), 'utf8');
  const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length;
  expect(data.issues).toMatchObject([{ code: 'encoding', severity: 'warning', line }]);
});

test.each([
  ['bare-amp.kml', ['R & D yard', 'Depot', 'Shop & yard'], 'xml-bad-char-ref', 3],
  ['nan-property.geojson', ['', '', ''], 'json-value', 1],
  ['crs-null.geojson', ['a'], 'crs-unsupported', undefined],
  ['silent-lowercase.kml', ['a'], 'element-case', 1],
] as const)('%s is read, and its damage is said', async (name, wanted, code, line) => {
  const data = await read(`geo/${name}`);
  expect(names(data)).toEqual(wanted);
  expect(data.issues.map((issue) => issue.severity)).not.toContain('error');
  expect(data.issues.find((issue) => issue.code === code)?.line).toBe(line);
});

test('elements in the wrong place', async () => {
  const track = await read('geo/silent-trkseg.gpx');
  expect([track.value.tracks[0]?.fixes.length, codes(track)]).toEqual([
    2,
    ['element-misplaced', 'table-assumed'],
  ]);
  const route = await read('geo/silent-rte-trkpt.gpx');
  expect([route.value.routes[0]?.points.length, codes(route)]).toEqual([2, ['element-misplaced']]);
});

test('positions alone, spaces after commas, a time too many, the road of a route, a box round the world', async () => {
  expect((await read('geo/latlon.csv')).value.zones).toHaveLength(2);
  expect((await read('geo/latlon-ele.csv')).value.zones).toHaveLength(2);
  expect((await read('geo/space-after-comma.kml')).value.zones[0]?.geometry).toHaveLength(5);
  const track = await read('geo/track-count.kml');
  expect([track.value.tracks[0]?.fixes.length, codes(track)]).toEqual([2, ['kml-track-mismatch']]);
  const road = await read('geo/garmin-rpt.gpx', { gpxAs: 'lines' });
  expect(road.value.zones[0]?.geometry).toHaveLength(4);
  expect(codes(await read('geo/wide-box.geojson'))).toEqual(['edge-short-way']);
});
