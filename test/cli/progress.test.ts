import { expect, test } from 'vitest';
import { wkt } from '../wkt.js';
import { testFolder, wayzone } from './wayzone.js';

const { put: file } = testFolder('progress');
const minute = (i: number): string => `2026-03-02T08:0${i}:00Z`;
const tracks = file(
  'two.csv',
  [
    'unit,time,lon,lat',
    ...[0, 1, 2, 3].map((i) => `bus,${minute(i)},${37.6 + 0.01 * i},55.7`),
    ...[0, 1, 2, 3].map((i) => `van,${minute(i)},37.61,55.7`),
  ].join('\n'),
);
const line = (coordinates: number[][]) => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'LineString', coordinates },
});
const route = file('route.geojson', JSON.stringify(line(wkt('37.6 55.7, 37.7 55.7'))));

test('progress prints the parts of the route by unit', async () => {
  const { code, out } = await wayzone(
    'progress',
    '--route',
    route,
    '--tracks',
    tracks,
    '--width',
    '60',
    '--format',
    'json',
  );
  expect(code).toBe(0);
  const rows = JSON.parse(out) as { unit_id: string; status: string; to_meters: number }[];
  expect(rows.map(({ unit_id, status, to_meters }) => [unit_id, status, Math.round(to_meters)])).toEqual([
    ['bus', 'covered', 1886],
    ['bus', 'ahead', 6288],
    ['van', 'missed', 629],
    ['van', 'ahead', 6288],
  ]);
});

test('progress needs a file with one line', async () => {
  const two = file(
    'two.geojson',
    JSON.stringify({
      type: 'FeatureCollection',
      features: [line(wkt('1 1, 2 2')), line(wkt('1 1, 2 3'))],
    }),
  );
  const { code, err } = await wayzone('progress', '--route', two, '--tracks', tracks, '--width', '60');
  expect([code === 0, err.includes('expected one line')]).toEqual([false, true]);
});

test('meetings prints when two units were near each other', async () => {
  const { code, out } = await wayzone('meetings', '--tracks', tracks, '--meters', '100');
  expect(code).toBe(0);
  expect(out.split('\n')[1]).toMatch(
    /^bus,van,2026-03-02T08:00:50\.\d+Z,2026-03-02T08:01:09\.\d+Z,19\.\d+,0,2026-03-02T08:01:00\.000Z,apart/,
  );
});
