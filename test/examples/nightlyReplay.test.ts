import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZoneIndex } from '../../src/index.js';
import { fromCsv, fromGeoJson } from '../../src/interchange/index.js';
import { detectTrips, findVisits, readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripReport } from '../../src/trips/index.js';

const ROOT = resolve(import.meta.dirname, '../..');
const fixture = (name: string): string => join(ROOT, 'fixtures', name);
const folder = mkdtempSync(join(tmpdir(), 'wayzone-nightly-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { tracks } = fromCsv(readFileSync(fixture('city-day.csv')), { speedUnit: 'kph' }).value;
const TRIPS = JSON.parse(readFileSync(fixture('city-trips.json'), 'utf8'));

function night(archive: string, out: string): { readonly status: number | null; readonly stderr: string } {
  const flags = {
    archive,
    zones: fixture('city-zones.geojson'),
    trips: fixture('city-trips.json'),
    'time-zone': 'Europe/Moscow',
    out: join(folder, out),
  };
  const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  const args = ['--import', 'tsx', join(ROOT, 'examples/nightlyReplay.ts'), ...words];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  return { status, stderr };
}

const FILES = ['visits.csv', 'movement.ndjson', 'reports.ndjson', 'units.ndjson', 'refused.ndjson'];
const text = (out: string, name: string): string => readFileSync(join(folder, out, name), 'utf8');
const rows = <Row>(out: string, name: string): Row[] =>
  text(out, name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

let first: ReturnType<typeof night>;
beforeAll(() => {
  first = night(fixture('city-day.csv'), 'csv');
});

test('a replay of one file gives the results of the single functions', () => {
  expect(first).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(join(folder, 'csv')).sort()).toEqual([...FILES].sort());
  const index = new ZoneIndex(fromGeoJson(readFileSync(fixture('city-zones.geojson'))).value.zones);
  const units = tracks.map(({ unitId, fixes }) => ({ unitId, track: readTrack(fixes) }));
  const visits = units.flatMap(({ track }) =>
    findVisits(track, index, { exitBufferMeters: 20, minInsideSeconds: 30 }),
  );
  expect(visits.length).toBeGreaterThan(50);
  expect(text('csv', 'visits.csv').trim().split('\r\n').length).toBe(1 + visits.length);
  const moved = units.map(({ track }) => detectTrips(track));
  expect(rows<{ kind: string }>('csv', 'movement.ndjson').filter(({ kind }) => kind === 'trips').length).toBe(
    moved.reduce((sum, { trips }) => sum + trips.length, 0),
  );
  const reports = rows<TripReport>('csv', 'reports.ndjson');
  const tour = TRIPS.find(({ name }: { name: string }) => name === 'Morning tour');
  const { track } = units.find(({ unitId }) => unitId === tour.unit.id)!;
  expect(reports.find(({ tripId }) => tripId === tour.id)).toEqual(
    evaluateTrip(tour, '2026-03-02', track, { timeZone: 'Europe/Moscow' }),
  );
});

test('a folder with one file per unit gives the same results, also as NDJSON', () => {
  const [csv, ndjson] = [join(folder, 'each-csv'), join(folder, 'each-ndjson')];
  for (const path of [csv, ndjson]) mkdirSync(path);
  const [header, ...lines] = readFileSync(fixture('city-day.csv'), 'utf8').trim().split(/\r?\n/);
  for (const { unitId, fixes } of tracks) {
    const own = lines.filter((line) => line.startsWith(`${unitId},`));
    writeFileSync(join(csv, `${unitId}.csv`), [header, ...own].join('\n'));
    const text = fixes.map((fix) => JSON.stringify({ fix })).join('\n');
    writeFileSync(join(ndjson, `${unitId}.ndjson`), text);
  }
  for (const [path, out] of [
    [csv, 'from-csv'],
    [ndjson, 'from-ndjson'],
  ] as const) {
    expect(night(path, out)).toEqual({ status: 0, stderr: '' });
    for (const name of FILES)
      expect(text(out, name).split(/\r?\n/).sort()).toEqual(text('csv', name).split(/\r?\n/).sort());
  }
});

test('unreadable rows are listed and set the exit code, and the others are evaluated', () => {
  const { status, stderr } = night(fixture('broken-rows.csv'), 'broken');
  expect(status).toBe(1);
  const refused = rows<{ file: string; line: number; code: string }>('broken', 'refused.ndjson');
  expect(refused.length).toBe(3);
  for (const { line, code } of refused) expect(stderr).toContain(`broken-rows.csv:${line}: ${code}`);
  expect(rows('broken', 'units.ndjson').length).toBeGreaterThan(0);

  const fix = { time: Date.UTC(2026, 2, 2), lon: 44, lat: 56.3 };
  const lines = [JSON.stringify({ unitId: 'van', fix }), '{"unitId": "van"}', '{', 'null'];
  writeFileSync(join(folder, 'broken.ndjson'), lines.join('\n'));
  expect(night(join(folder, 'broken.ndjson'), 'broken').status).toBe(1);
  expect(rows<{ line: number }>('broken', 'refused.ndjson').map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(rows('broken', 'units.ndjson')[0]).toMatchObject({ unitId: 'van', fixes: { read: 1 }, errors: [] });
});

test('a failed replay keeps the files of the previous one', () => {
  const before = FILES.map((name) => text('csv', name));
  const { status } = night(join(folder, 'nowhere'), 'csv');
  expect(status).not.toBe(0);
  expect(FILES.map((name) => text('csv', name))).toEqual(before);
  expect(readdirSync(join(folder, 'csv')).sort()).toEqual([...FILES].sort());
});
