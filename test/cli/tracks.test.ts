import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder, wayzone } from './wayzone.js';

const FIXTURES = new URL('../../fixtures/', import.meta.url).pathname;
const { folder, put: file } = testFolder('tracks');

/** Ten minutes at rest, ten minutes at 60 km/h, ten minutes at rest. */
function day(): string {
  const rows = Array.from({ length: 31 }, (_, i) => {
    const driven = Math.min(Math.max(i - 10, 0), 10);
    const isMoving = i > 10 && i < 20;
    const time = new Date(Date.UTC(2026, 0, 1, 8, i)).toISOString();
    return `u,${time},55.7,${(37.6 + 0.016 * driven).toFixed(4)},${isMoving ? 60 : 0}`;
  });
  return `unit,time,lat,lon,speed_kph\n${rows.join('\n')}\n`;
}

describe('wayzone visits', () => {
  const inputs = ['--zones', `${FIXTURES}city-zones.geojson`, '--tracks', `${FIXTURES}city-van.gpx`];

  test('prints the same rows in every format', async () => {
    const csv = await wayzone('visits', ...inputs);
    expect([csv.code, csv.err]).toEqual([0, '']);
    const json = JSON.parse((await wayzone('visits', ...inputs, '--format', 'json')).out) as Record<
      string,
      unknown
    >[];
    const lines = (await wayzone('visits', ...inputs, '--format', 'ndjson')).out.trim().split('\n');
    expect(json.length).toBeGreaterThan(3);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(json);
    expect(csv.out.trim().split('\r\n').length).toBe(json.length + 1);
    expect(csv.out).toMatch(/^unit_id,zone_id,zone_name,zone_type,enter_utc,exit_utc,/);
    for (const row of json) {
      expect(row['unit_id']).toBe(json[0]!['unit_id']);
      expect(['inside', 'crossed']).toContain(row['seen']);
    }
  });

  test('the options change which visits are found', async () => {
    const all = await wayzone('visits', ...inputs, '--format', 'ndjson');
    const long = await wayzone('visits', ...inputs, '--format', 'ndjson', '--min-inside', '600');
    const durations = long.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { duration_seconds: number | null }).duration_seconds);
    expect(long.out.length).toBeLessThan(all.out.length);
    for (const seconds of durations) if (seconds !== null) expect(seconds).toBeGreaterThanOrEqual(600);
  });

  test('an unreadable file gives exit code 1', async () => {
    const { code, err } = await wayzone('visits', ...inputs, join(folder, 'absent.gpx'));
    expect(code).toBe(1);
    expect(err).toContain('error file-unreadable: 1');
  });

  test.each(['absent.geojson', 'bad.geojson'])(
    'an unreadable zone file (%s) prints no visit and writes no file',
    async (name) => {
      const path = name === 'absent.geojson' ? join(folder, name) : file(name, '{"type":');
      const table = join(folder, 'refused.parquet');
      for (const more of [[], ['--format', 'json'], ['--out', table]]) {
        const { code, out, err } = await wayzone('visits', ...inputs, '--zones', path, ...more);
        expect([code, out]).toEqual([1, '']);
        expect(err).toMatch(/error (?:file-unreadable|json-syntax): 1/);
        expect(err).toContain('no visit is printed');
      }
      expect(existsSync(table)).toBe(false);
    },
  );
});

describe('wayzone movement', () => {
  test('finds a drive between two parkings', async () => {
    const { code, out, err } = await wayzone(
      'movement',
      file('day.csv', day()),
      '--jump',
      'speed',
      '--format',
      'json',
    );
    expect([code, err]).toEqual([0, '']);
    const rows = JSON.parse(out) as { kind: string; duration_seconds: number; max_speed_kph: number }[];
    expect(rows.map(({ kind }) => kind)).toEqual(['parking', 'trip', 'parking']);
    // Reported is 60 at most; on the average it was more.
    expect(rows[1]).toMatchObject({ kind: 'trip', duration_seconds: 600 });
    expect(rows[1]!.max_speed_kph).toBeCloseTo(60.36, 2);
  });

  test("uses the unit's settings and rejects invalid ones by name", async () => {
    const tracks = file('day.csv', day());
    const settings = file('unit.json', '[{"key": "tripdetector_minparktime", "value": "3000"}]');
    const { out } = await wayzone(
      'movement',
      tracks,
      '--settings',
      settings,
      '--jump',
      'speed',
      '--format',
      'json',
    );
    expect(out).not.toContain('parking');
    const wrong = file('wrong.json', '{"tripdetector_minparktime": "soon"}');
    const refused = await wayzone('movement', tracks, '--settings', wrong);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/^wayzone: /);
    const broken = await wayzone('movement', tracks, '--settings', file('broken.json', '{'));
    expect(broken.code).toBe(1);
  });
});

test.each([
  ['visits without zones', ['visits', '--tracks', 'a.gpx']],
  ['visits without tracks', ['visits', '--zones', 'a.geojson']],
  ['movement without tracks', ['movement']],
  ['an unknown format', ['movement', 'a.gpx', '--format', 'xml']],
  ['an unknown jump', ['movement', 'a.gpx', '--jump', 'high']],
])('%s: wrong use', async (_, argv) => {
  const { code, out, err } = await wayzone(...argv);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('wayzone --help');
});
