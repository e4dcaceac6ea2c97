import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type CsvOptions, fromCsv } from '../../src/interchange/index.js';
import { needs, sharedData } from '../needs.js';
import { dataPath } from './realData.js';

const HEADER = 'Vehicle_ID,Timestamp,Latitude,Longitude';
const ROW = 'a,2020-01-01T00:00:00Z,1,2';

function codes(text: string, options: CsvOptions = {}): string[] {
  return fromCsv(text, options).issues.map((issue) => issue.code);
}

describe('fromCsv', () => {
  test('rows become one track per unit, in the order of the file', () => {
    const { value, issues } = fromCsv(
      `\uFEFF${HEADER},speed_kmh,ignition\r\n${ROW},36,1\r\nb${ROW.slice(1)},,\r\n${ROW},7.5,off\r\n`,
    );
    const place = { time: Date.UTC(2020, 0, 1), lon: 2, lat: 1 };
    expect(value.tracks).toEqual([
      {
        name: 'a',
        unitId: 'a',
        fixes: [
          { ...place, speedKph: 36, ignition: true },
          { ...place, speedKph: 7.5, ignition: false },
        ],
      },
      { name: 'b', unitId: 'b', fixes: [place] },
    ]);
    expect(issues).toEqual([]);
  });

  test('speeds need a unit in the header or by option; without one they are left out with an error', () => {
    const text = `${HEADER},speed\n${ROW},10`;
    expect(codes(text)).toEqual(['speed-unit']);
    expect(fromCsv(text).value.tracks[0]?.fixes[0]).not.toHaveProperty('speedKph');
    expect(fromCsv(text, { speedUnit: 'mps' }).value.tracks[0]?.fixes[0]?.speedKph).toBe(36);
    expect(fromCsv(`${HEADER},Speed (mph)\n${ROW},10`).value.tracks[0]?.fixes[0]?.speedKph).toBeCloseTo(
      16.09344,
      12,
    );
  });

  test('two columns for one quantity, or no required column, are errors; the caller can name one', () => {
    const text = `${HEADER},lat\n${ROW},5`;
    expect(codes(text)).toEqual(['csv-columns']);
    expect(fromCsv(text).value.tracks).toEqual([]);
    expect(fromCsv(text, { columns: { lat: 'lat' } }).value.tracks[0]?.fixes[0]?.lat).toBe(5);
    expect(codes('a,b\n1,2')).toEqual(['csv-columns', 'csv-columns', 'csv-columns']);
    expect(codes('')).toEqual(['csv-columns']);
  });

  test.each([
    ['time-invalid', 'a,2020-01-01 00:00:00,1,2'],
    ['lat-range', 'a,2020-01-01T00:00:00Z,91,2'],
    ['lon-range', 'a,2020-01-01T00:00:00Z,1,541'],
    ['coord-type', 'a,2020-01-01T00:00:00Z,,2'],
    ['unit-missing', ',2020-01-01T00:00:00Z,1,2'],
  ])('%s: the row is left out, with an issue that has its line', (code, row) => {
    const { value, issues } = fromCsv(`${HEADER}\n${ROW}\n${row}\n${ROW}\n`);
    expect(issues).toMatchObject([{ code, severity: 'error', line: 3 }]);
    expect(value.tracks[0]?.fixes).toHaveLength(2);
  });

  test('a thousand invalid rows give a hundred issues and one exact count', () => {
    const { issues } = fromCsv(`${HEADER}\n${'a,x,1,2\n'.repeat(1000)}`);
    expect(issues).toHaveLength(101);
    expect(issues.at(-1)).toMatchObject({
      code: 'time-invalid',
      message: expect.stringContaining('1000 in all'),
    });
  });

  test('epoch times and local times need an option; an unclosed quote is an issue', () => {
    expect(
      fromCsv(`${HEADER}\na,1577836800,1,2`, { timeFormat: 'epoch-seconds' }).value.tracks[0]?.fixes[0]?.time,
    ).toBe(Date.UTC(2020, 0, 1));
    expect(
      fromCsv(`${HEADER}\na,2020-01-01 03:00:00,1,2`, { timeZoneOffsetMinutes: 180 }).value.tracks[0]
        ?.fixes[0]?.time,
    ).toBe(Date.UTC(2020, 0, 1));
    const broken = fromCsv(`${HEADER}\n${ROW}\n"a,2020`);
    expect(broken.issues[0]?.code).toBe('csv-syntax');
    expect(broken.value.tracks[0]?.fixes).toHaveLength(1);
    expect(fromCsv(`${HEADER},speed_kph\n${ROW},fast`).issues[0]).toMatchObject({
      code: 'number-invalid',
      severity: 'warning',
      line: 2,
    });
  });

  const AUSTIN = 'tracks/austin-bus/2015-03-07.csv.gz';
  needs(sharedData(AUSTIN)).test('a day of the Austin buses (needs ../shared/data)', () => {
    const { value, issues } = fromCsv(gunzipSync(readFileSync(dataPath(AUSTIN))), { speedUnit: 'mph' });
    expect(issues).toMatchObject([{ code: 'csv-columns', severity: 'warning', line: 1 }]);
    expect(issues[0]!.message).toContain('"route_id", "trip_id", "trip_headsign"');
    expect(value.tracks).toHaveLength(158);
    expect(value.tracks.reduce((sum, track) => sum + track.fixes.length, 0)).toBe(44_564);
  });
});

test('messages repeat only the beginning of long texts of the file', () => {
  for (const header of [
    'x'.repeat(100_000),
    Array.from({ length: 5000 }, () => 'lat').join(','),
    `time,lat,lon,${'y'.repeat(100_000)}`,
    `"${'""'.repeat(100_000)}"`,
  ]) {
    const { issues } = fromCsv(`${header}\n1,2,3\n`);
    expect(issues.length).toBeGreaterThan(0);
    for (const { message } of issues) expect(message.length).toBeLessThanOrEqual(2001);
  }
});
