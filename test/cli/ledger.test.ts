import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wkt } from '../wkt.js';
import { testFolder, wayzone } from './wayzone.js';

const { folder, put: file } = testFolder('ledger');

/** Two sites 10 km apart on a road to the north, and a village between them. */
const zones = (): string => {
  const site = (id: string, lat: number): object => ({
    type: 'Feature',
    id,
    properties: { name: `Site ${id}` },
    geometry: { type: 'Polygon', coordinates: [[[37.59, lat - 0.005], [37.61, lat - 0.005], [37.61, lat + 0.005], [37.59, lat + 0.005], [37.59, lat - 0.005]]] }, // biome-ignore format: a ring
  });
  return file(
    'sites.geojson',
    JSON.stringify({
      type: 'FeatureCollection',
      features: [site('a', 55.7), site('b', 55.8), site('v', 55.75)],
    }),
  );
};

/** Rests an hour at a until 22:00 UTC, drives at 72 km/h to b, and rests there over midnight. */
const track = (): string => {
  const rows: string[] = [];
  const start = Date.UTC(2026, 2, 2, 21, 0);
  const at = (seconds: number, lat: number, kph: number): void => {
    rows.push(`u,${new Date(start + seconds * 1000).toISOString()},${lat},37.6,${kph}`);
  };
  for (let s = 0; s <= 3600; s += 600) at(s, 55.7, 0);
  for (let s = 20; s < 556; s += 20) at(3600 + s, 55.7 + (0.1 * s) / 556, 72);
  for (let s = 4156; s <= 4156 + 7200; s += 600) at(s, 55.8, 0);
  return file('night.csv', `unit,time,lat,lon,speed_kph\n${rows.join('\n')}\n`);
};

const rowsOf = async (...args: string[]): Promise<Record<string, number | string | null>[]> => {
  const { code, out, err } = await wayzone(...args, '--format', 'json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Record<string, number | string | null>[];
};

describe('wayzone visits --measure', () => {
  test('adds what the unit did in each visit', async () => {
    const args = ['visits', '--zones', zones(), '--tracks', track(), '--measure'];
    const rows = await rowsOf(...args);
    expect(rows.map(({ zone_id: id }) => id)).toEqual(['a', 'v', 'b']);
    expect(rows[0]!['parked_seconds']).toBe(3600);
    expect(rows[1]!['distance_meters']).toBeCloseTo(1113.6, 0);
    // Not below the mean: the positions are 72.09 km/h apart.
    expect(rows[1]!['max_speed_kph']).toBeCloseTo(72.09, 2);
    expect(rows[1]).toMatchObject({ seconds_since_last: null, unmeasured_seconds: 0 });
    const doubled = file('unit.json', '{"advanced_mileagecoeff": "2"}');
    const twice = await rowsOf(...args, '--settings', doubled);
    expect(twice[1]!['distance_meters']).toBeCloseTo(2 * Number(rows[1]!['distance_meters']), 6);
    const plain = await rowsOf(...args.slice(0, -1));
    expect(Object.keys(plain[0]!)).not.toContain('moving_seconds');
    const { out } = await wayzone(...args);
    expect(out.split('\r\n')[0]).toMatch(/,fix_count,moving_seconds,.*,seconds_since_last$/);
  });
});

describe('wayzone mileage', () => {
  test('gives rows by zone and local day that add up', async () => {
    const args = ['mileage', '--zones', zones(), '--tracks', track()];
    const all = await rowsOf(...args);
    expect(all.map(({ zone_id: id, count }) => [id, count])).toEqual([
      ['a', 1],
      [null, 2],
      ['v', 1],
      ['b', 1],
    ]);
    const meters = all.reduce((sum, row) => sum + Number(row['distance_meters']), 0);
    expect(meters).toBeGreaterThan(11_000);
    expect(meters).toBeLessThan(11_300);
    const days = await rowsOf(...args, '--by', 'day', '--time-zone', 'Europe/Moscow');
    expect(new Set(days.map(({ period }) => period))).toEqual(new Set(['2026-03-03']));
    const utc = await rowsOf(...args, '--by', 'day');
    expect(utc.at(-1)).toMatchObject({ zone_id: 'b', zone_name: 'Site b', period: '2026-03-03', count: 0 });
    expect(utc.reduce((sum, row) => sum + Number(row['duration_seconds']), 0)).toBe(11_356);
    const out = join(folder, 'mileage.parquet');
    expect((await wayzone(...args, '--out', out)).code).toBe(0);
    expect(existsSync(out)).toBe(true);
    const { code, err } = await wayzone(...args, '--time-zone', 'Mars');
    expect([code, err]).toEqual([1, expect.stringContaining('tz-unknown')]);
  });

  test('prints nothing if a file of zones cannot be read', async () => {
    for (const command of ['mileage', 'rides', 'speeding']) {
      const { code, out, err } = await wayzone(
        command,
        '--zones',
        join(folder, 'absent.geojson'),
        '--tracks',
        track(),
        ...(command === 'speeding' ? ['--limit', '90'] : []),
      );
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain('a file of zones could not be read');
    }
  });
});

describe('wayzone rides', () => {
  test('lists the rides between the chosen zones', async () => {
    const args = ['rides', '--zones', zones(), '--tracks', track()];
    expect((await rowsOf(...args)).map((row) => [row['from_zone_id'], row['to_zone_id']])).toEqual([
      ['a', 'v'],
      ['v', 'b'],
    ]);
    const [ride, ...rest] = await rowsOf(...args, '--min-stay', '600');
    expect(rest).toEqual([]);
    expect(ride).toMatchObject({ from_zone_name: 'Site a', to_zone_name: 'Site b', parked_seconds: 0 });
    expect(ride!['distance_meters']).toBeCloseTo(10_019, -2);
    expect(await rowsOf(...args, '--from', 'b', '--to', 'a')).toEqual([]);
  });
});

describe('wayzone speeding', () => {
  test('lists the parts of events by the limits of unit and zones', async () => {
    const limits = file('limits.json', '{"v": 50}');
    const args = ['speeding', '--zones', zones(), '--tracks', track(), '--zone-limits', limits];
    const [part, ...rest] = await rowsOf(...args, '--limit', '90', '--tolerance', '5', '--min-seconds', '10');
    expect(rest).toEqual([]);
    expect(part).toMatchObject({
      unit_id: 'u',
      event: 1,
      event_end: 'below',
      zone_id: 'v',
      zone_name: 'Site v',
      limit_kph: 50,
      max_speed_kph: 72,
      over_kph: 22,
    });
    expect(part!['distance_meters']).toBeCloseTo(1113.6, 0);
    expect(
      (await rowsOf(...args, '--limit', '60')).map(({ event, limit_kph: limit }) => [event, limit]),
    ).toEqual(wkt('1 60, 1 50, 1 60'));
    const settings = file('limit.json', '{"advanced_speedlimit": "60"}');
    expect(await rowsOf('speeding', '--tracks', track(), '--settings', settings)).toHaveLength(1);
    const silent = file('silent.json', '{"tripdetector_minparktime": 60}');
    for (const [without, exitCode] of [
      [[], 2],
      [['--settings', silent], 1],
    ] as const) {
      const { code, out, err } = await wayzone('speeding', '--tracks', track(), ...without);
      expect([code, out, err]).toEqual([exitCode, '', expect.stringContaining('--zone-limits')]);
    }
    const { code, err } = await wayzone('speeding', '--tracks', track(), '--limit', '0');
    expect([code, err]).toEqual([1, expect.stringContaining('option-value')]);
  });
});
