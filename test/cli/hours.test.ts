import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder, wayzone } from './wayzone.js';

const { folder, put: file } = testFolder('hours');

/** Monday 2026-03-02: in the yard from 06:00 to 19:00 UTC with a fix every ten minutes, then away; back from 21:00 to the end at 23:00. */
const track = (): string => {
  const rows: string[] = [];
  for (let minute = 0; minute < 24 * 60; minute += 10) {
    const isInside = (minute >= 360 && minute <= 1140) || (minute >= 1260 && minute <= 1380);
    if (minute <= 1380) {
      rows.push(
        `u,${new Date(Date.UTC(2026, 2, 2, 0, minute)).toISOString()},55.7,${isInside ? 37.6 : 37.7},0`,
      );
    }
  }
  return file('day.csv', `unit,time,lat,lon,speed_kph\n${rows.join('\n')}\n`);
};
const ZONES = JSON.stringify({
  type: 'Feature',
  id: 'yard',
  properties: { name: 'Yard' },
  geometry: { type: 'Polygon', coordinates: [[[37.59, 55.69], [37.61, 55.69], [37.61, 55.71], [37.59, 55.71], [37.59, 55.69]]] }, // biome-ignore format: a ring
});
const args = (hours: string, ...more: string[]): string[] => {
  const files = ['--zones', file('yard.geojson', ZONES), '--tracks', track(), '--max-crossed', '0'];
  return ['visits', ...files, '--hours', file('hours.json', hours), '--time-zone', 'Europe/Berlin', ...more];
};
type Row = Readonly<Record<string, string | number | boolean | null>>;
const rowsOf = async (hours: string, ...more: string[]): Promise<Row[]> => {
  const { code, out, err } = await wayzone(...args(hours, ...more), '--format', 'json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Row[];
};
const WEEKLY = '{"weekly": [{"days": [1], "from": "08:00", "to": "17:00"}]}';

describe('wayzone visits --hours', () => {
  test('cuts visits where their zone opens and closes', async () => {
    const rows = await rowsOf(WEEKLY);
    expect(rows.map(({ visit, open }) => [visit, open])).toEqual([
      [1, false],
      [1, true],
      [1, false],
      [2, false],
    ]);
    expect(rows[1]).toMatchObject({
      from_utc: '2026-03-02T07:00:00.000Z',
      to_utc: '2026-03-02T16:00:00.000Z',
      duration_seconds: 32_400,
    });
    expect(rows[0]!['from_utc']).toBe(rows[0]!['enter_utc']);
    expect(rows[2]!['to_utc']).toBe(rows[2]!['exit_utc']);
    // The open visit ends with the track.
    expect(rows[3]).toMatchObject({ exit_utc: null, end: 'open', to_utc: '2026-03-02T23:00:00.000Z' });
    const whole = await rowsOf('{}');
    expect(whole.map(({ open }) => open)).toEqual([true, true]);
    const seconds = (list: readonly Row[]): number =>
      list.reduce((s, row) => s + Number(row['duration_seconds']), 0);
    expect(seconds(rows)).toBe(seconds(whole));
  });

  test('takes hours by zone, as objects and as texts, and the holidays', async () => {
    const byZone = await rowsOf(`{"yard": ${WEEKLY}, "elsewhere": null}`);
    expect(byZone).toEqual(await rowsOf(WEEKLY));
    expect(await rowsOf('{"yard": "Mo 08:00-17:00"}')).toEqual(byZone);
    expect(await rowsOf('"Mo 08:00-17:00"')).toEqual(byZone);
    expect((await rowsOf('{"elsewhere": "off"}')).map(({ open }) => open)).toEqual([true, true]);
    const holidays = file('holidays.json', '[{"year": 2026, "days": ["03.02"]}]');
    const closed = await rowsOf('{"yard": "Mo 08:00-17:00; PH off"}', '--holidays', holidays);
    expect(closed.map(({ open }) => open)).toEqual([false, false]);
  });

  test('measures the parts, which add up to their visit', async () => {
    const parts = await rowsOf(WEEKLY, '--measure');
    const [visit] = await rowsOf('{}', '--measure');
    for (const name of ['parked_seconds', 'moving_seconds', 'distance_meters', 'unmeasured_seconds']) {
      const sum = parts.slice(0, 3).reduce((total, row) => total + Number(row[name]), 0);
      expect(sum).toBeCloseTo(Number(visit![name]), 6);
    }
    expect(Number(visit!['parked_seconds'])).toBeGreaterThan(0);
  });

  test('writes CSV and Parquet', async () => {
    const { out } = await wayzone(...args(WEEKLY));
    expect(out.split('\r\n')[0]).toBe(
      'unit_id,zone_id,zone_name,zone_type,visit,enter_utc,enter_local,exit_utc,exit_local,seen,end,from_utc,from_local,to_utc,to_local,duration_seconds,open',
    );
    expect(out.split('\r\n')[2]).toMatch(/,32400,true$/);
    const path = join(folder, 'parts.parquet');
    expect((await wayzone(...args(WEEKLY, '--out', path))).code).toBe(0);
    expect(readFileSync(path).subarray(0, 4).toString()).toBe('PAR1');
  });

  test.each([
    ['{"weekly": [{"days": [8], "from": "08:00", "to": "17:00"}]}', 'hours-invalid', 'weekly[0].days[0]'],
    ['{"yard": {"weekly": 5}}', 'hours-invalid', 'zone "yard" weekly'],
    ['{"yard": "sunrise-sunset"}', 'hours-invalid', 'zone "yard" rules[0]'],
    ['[]', 'hours-invalid', 'hours'],
    ['null', 'hours-invalid', 'hours'],
    ['{"yard": 5}', 'hours-invalid', 'zone "yard" hours'],
    ['{', 'json-syntax', 'hours.json'],
  ])('refuses %s', async (hours, code, field) => {
    const { code: status, out, err } = await wayzone(...args(hours));
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain(code);
    expect(err).toContain(field);
  });

  test('needs the flags together', async () => {
    const bare = args('{}').slice(0, 7);
    expect((await wayzone(...args('{}').slice(0, -2))).err).toContain('--time-zone');
    expect((await wayzone(...bare, '--holidays', 'absent.json')).err).toContain('--hours');
    expect((await wayzone(...bare, '--time-zone', 'UTC')).code).toBe(0);
    expect((await wayzone(...args('{}').slice(0, -1), 'Mars')).err).toContain('tz-unknown');
  });
});
