import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.js';
import type { Summary } from '../../src/report/index.js';
import type { PageData } from '../../src/report/pageData.js';
import { DRIVE, timed, trip } from '../trips/journeys.js';
import { testFolder } from './wayzone.js';

const { folder, put: file } = testFolder('report-trips');
let inputs: string[] = [];
beforeAll(() => {
  const rows = DRIVE.map(({ time, lon, lat }) => `unit,${new Date(time).toISOString()},${lat},${lon}`);
  const zone = { type: 'Point', coordinates: [0.1, 0] };
  const properties = { name: 'B', type: 'circle', width: 500 };
  inputs = [
    '--tracks',
    file('day.csv', `unit,time,lat,lon\n${rows.join('\n')}\n`),
    '--zones',
    file('zones.geojson', JSON.stringify({ type: 'Feature', id: 'b', properties, geometry: zone })),
  ];
});

async function report(
  ...argv: string[]
): Promise<{ code: number; err: string; out: string; summary: Summary | null; data: PageData | null }> {
  const target = mkdtempSync(join(folder, 'out-'));
  let [out, err] = ['', ''];
  const code = await run(['report', ...inputs, '--out', target, ...argv], {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  if (!readdirSync(target).includes('summary.json')) return { code, err, out, summary: null, data: null };
  const summary = JSON.parse(readFileSync(join(target, 'summary.json'), 'utf8')) as Summary;
  const page = readFileSync(join(target, 'index.html'), 'utf8');
  const data = JSON.parse(/id="data">([\s\S]*?)<\/script>/.exec(page)![1]!) as PageData;
  expect(readdirSync(target).includes('trips.csv')).toBe(summary.trips.count > 0);
  return { code, err, out, summary, data };
}

describe('wayzone report with trips', () => {
  const trips = (...list: object[]): string[] => [
    '--trips',
    file('trips.json', JSON.stringify(list)),
    '--time-zone',
    'UTC',
  ];

  test('evaluates and shows every run', async () => {
    const dates = ['2026-03-02', '2026-03-03'];
    const { code, summary, data, out } = await report(...trips(timed(trip('ABC', { dates })), trip('CA')));
    expect(code).toBe(0);
    expect(summary!.trips.count).toBe(3);
    expect(data!.trips.map(({ date, status }) => [date, status])).toEqual([
      ['2026-03-02', 'finished'],
      ['2026-03-03', 'no_data'],
      // Nothing was received before the first fix of the night, so C could have been visited then.
      ['2026-03-02', 'finished'],
    ]);
    expect(data!.tripShapes.length).toBe(2);
    expect(out).toContain('Trips   3 runs');
    const [day] = (await report(...trips(trip('ABC', { dates })), '--date', '2026-03-02')).data!.trips;
    expect(day!.date).toBe('2026-03-02');
  });

  test('gives the same trips.csv as `wayzone trips`, also with flags', async () => {
    const fixtures = new URL('../../fixtures/', import.meta.url).pathname;
    const tracks = ['city-day.csv', 'city-night.csv', 'city-van.gpx'].map((name) => fixtures + name);
    for (const flags of [[], ['--now', '2026-03-02T12:50Z', '--finish-on', 'departure']]) {
      const target = mkdtempSync(join(folder, 'city-'));
      let rows = '';
      const io = { stdout: { write: (text: string) => (rows += text) }, stderr: { write: () => true } };
      expect(await run(['report', '--out', target, ...flags], io)).toBe(0);
      rows = '';
      const own = ['--trips', `${fixtures}city-trips.json`, '--tracks', ...tracks, '--speed-unit', 'kph'];
      expect(await run(['trips', ...own, '--time-zone', 'Europe/Moscow', ...flags], io)).toBe(0);
      const lines = (text: string): string[] => text.split('\r\n').sort();
      expect(lines(rows).length).toBeGreaterThan(30);
      expect(lines(readFileSync(join(target, 'trips.csv'), 'utf8'))).toEqual(lines(rows));
    }
  });

  test('an unknown time zone is an error, with and without trips', async () => {
    const { code, err, summary } = await report('--time-zone', 'Mars/Olympus');
    expect([code, summary]).toEqual([1, null]);
    expect(err).toContain('Mars/Olympus');
  });

  test('a trip that cannot be evaluated is an issue, and the others are shown', async () => {
    const bad = { ...trip('AB'), passage_order_type: { key: 'any' } };
    const { code, summary, data } = await report(...trips(bad, 7 as never, trip('AB')));
    expect(code).toBe(1);
    expect(data!.trips.length).toBe(1);
    expect(summary!.issues.byCode).toEqual({ 'error dictionary-key': 1, 'error trip-type': 1 });
  });

  test('the gradation and settings files change colours and parkings', async () => {
    const gradation = file(
      'grades.json',
      JSON.stringify({
        styles: [
          { max: 30, hex_color: '#010203' },
          { max: null, hex_color: '#040506' },
        ],
      }),
    );
    const settings = file('unit.json', '{"tripdetector_minparktime": "600000"}');
    const plain = await report('--jump', 'speed');
    const own = await report('--jump', 'speed', '--gradation', gradation, '--settings', settings);
    expect(own.data!.gradation.map(({ color }) => color)).toEqual(['#010203', '#040506']);
    expect(plain.summary!.movement.parkings).toBeGreaterThan(0);
    expect(own.summary!.movement.parkings).toBe(0);
  });

  test.each([
    [2, 'time-zone is missing', ['--trips', 'x.json']],
    [1, 'IANA', ['--trips', 'x.json', '--time-zone', 'Mars']],
    [1, 'a date', ['--trips', 'x.json', '--time-zone', 'UTC', '--date', '2026-02-30']],
    [1, '/nowhere.json: no such file', ['--gradation', '/nowhere.json']],
    [1, 'styles', ['--gradation', 'GRADES']],
  ])('exit code %i: %s', async (code, text, argv) => {
    const good = file('x.json', JSON.stringify([trip('AB')]));
    const bad = file('bad-grades.json', '{}');
    const given = argv.map((word) => (word === 'x.json' ? good : word === 'GRADES' ? bad : word));
    const answer = await report(...given);
    expect(answer.code).toBe(code);
    expect(answer.err).toContain(text);
    expect(answer.summary).toBeNull();
  });
});
