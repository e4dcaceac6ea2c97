/** Values that stand for an unknown one are left out of the field, counted and said, by every way in. */

import { expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { fromCsv, fromGeoJson, fromGpx, readParquet } from '../../src/interchange/index.js';
import { toFixParquet } from '../../src/interchange/parquet/toGeoParquet.js';

const T0 = Date.UTC(2026, 2, 2, 8);
/** A drive at 40 km/h east along 50° N, a fix a minute. */
function drive(fields: readonly Partial<Fix>[]): Fix[] {
  return fields.map((own, i) => ({ time: T0 + i * 60_000, lon: 10 + i * 0.0093, lat: 50, ...own }));
}

function csv(column: string, cells: readonly (number | string)[]): string {
  const rows = drive(cells.map(() => ({}))).map(
    ({ time, lon, lat }, i) => `van,${new Date(time).toISOString()},${lat},${lon},${cells[i]}`,
  );
  return [`unit,time,lat,lon,${column}`, ...rows].join('\n');
}

test.each([
  ['speed_kmh', [40, 65535, 40], 'speedKph'],
  ['speed_kmh', [40, 255, 40], 'speedKph'],
  ['speed_kmh', [40, 655.35, 40], 'speedKph'],
  ['speed_knots', [20, 255, 20], 'speedKph'],
  ['speed_knots', [20, 102.3, 20], 'speedKph'],
  ['speed_mph', [25, 255, 25], 'speedKph'],
  ['altitude_m', [120, -32768, 121], 'altitudeMeters'],
  ['altitude_m', [120, 65535, 121], 'altitudeMeters'],
  ['altitude_m', [120, -9999, 121], 'altitudeMeters'],
  ['course', [90, 65535, 90], 'courseDegrees'],
  ['course', [90, 511, 90], 'courseDegrees'],
  ['satellites', [9, 255, 9], 'satellites'],
  ['odometer_m', [1000, 4294967295, 2000], 'mileageMeters'],
] as const)('%s %j', (column, cells, name) => {
  const { value, issues } = fromCsv(csv(column, cells));
  const read = value.tracks[0]!.fixes.map((fix) => fix[name]);
  expect(read.map((own) => own !== undefined)).toEqual([true, false, true]);
  expect(issues).toMatchObject([{ code: 'value-unknown', severity: 'warning', field: name }]);
  expect(issues[0]?.message).toContain('left out of 1 fix');
});

test.each([
  ['an aircraft', 'speed_knots', [480, 490, 495], 0.15],
  ['a fast train at 255 km/h', 'speed_kmh', [250, 255, 250], 0.0594],
])('%s keeps its speeds', (_, column, speeds, step) => {
  const rows = speeds.map(
    (speed, i) => `u,${new Date(T0 + i * 60_000).toISOString()},50,${10 + i * step},${speed}`,
  );
  const { value, issues } = fromCsv([`unit,time,lat,lon,${column}`, ...rows].join('\n'));
  expect(value.tracks[0]!.fixes.every(({ speedKph }) => speedKph !== undefined)).toBe(true);
  expect(issues).toEqual([]);
});

test('a lone fix keeps a speed of 255, which nothing contradicts', () => {
  const { value } = fromCsv(csv('speed_kmh', [255]));
  expect(value.tracks[0]?.fixes[0]?.speedKph).toBe(255);
});

const SPEEDS = [{ speedKph: 40 }, { speedKph: 65535 }, { speedKph: 40 }];

test('callers that take fixes one by one or in columns get them without such values', () => {
  const speeds: (number | undefined)[] = [];
  const { issues } = fromCsv(csv('speed_kmh', [40, 65535, 40]), {
    onFix: (_, fix) => speeds.push(fix.speedKph),
  });
  expect([speeds, issues.length]).toEqual([[40, undefined, 40], 1]);
});

test('GPX, GeoJSON and Parquet', async () => {
  const points = drive(SPEEDS);
  const trkpts = points.map(
    ({ time, lon, lat, speedKph }) =>
      `<trkpt lat="${lat}" lon="${lon}"><time>${new Date(time).toISOString()}</time><speed>${speedKph! / 3.6}</speed></trkpt>`,
  );
  const gpx = fromGpx(
    `<gpx version="1.1"><trk><name>v</name><trkseg>${trkpts.join('')}</trkseg></trk></gpx>`,
  );
  const geojson = fromGeoJson({
    type: 'Feature',
    properties: {
      name: 'v',
      coordinateProperties: { times: points.map(({ time }) => time), speedKph: [40, 65535, 40] },
    },
    geometry: { type: 'LineString', coordinates: points.map(({ lon, lat }) => [lon, lat]) },
  });
  const parquet = await readParquet(await toFixParquet([{ name: 'v', unitId: 'v', fixes: points }]));
  for (const { value, issues } of [gpx, geojson, parquet]) {
    expect(value.tracks[0]!.fixes.map(({ speedKph }) => speedKph === undefined)).toEqual([
      false,
      true,
      false,
    ]);
    expect(issues.map(({ code }) => code)).toEqual(['value-unknown']);
  }
});

test('a course of -1 is that of a phone that does not know it', () => {
  const text = 'unit,time,lat,lon,course\nv,2026-03-02T08:00:00Z,50,10,-1\nv,2026-03-02T08:01:00Z,50,10,-2\n';
  const data = fromCsv(text);
  expect(data.value.tracks[0]?.fixes.map(({ courseDegrees }) => courseDegrees)).toEqual([undefined, -2]);
  expect(data.issues).toMatchObject([{ code: 'value-unknown', field: 'courseDegrees' }]);
});
