import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromCsv } from '../../src/interchange/index.js';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'wayzone-geofencing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LINES = fromCsv(readFileSync(join(ROOT, 'fixtures/city-day.csv')), { speedUnit: 'kph' })
  .value.tracks.flatMap(({ unitId, fixes }) => fixes.map((fix) => ({ unitId, fix })))
  .sort((a, b) => a.fix.time - b.fix.time)
  .map((line) => JSON.stringify(line));

// Compiled once, as tsx takes longer to load than the program to run; inside the project, so that `wayzone` is found.
const PROGRAM = join(ROOT, 'out/examples/geofencing.mjs');
let whole: readonly string[];
beforeAll(async () => {
  const { code } = await transform(readFileSync(join(ROOT, 'examples/geofencing.ts'), 'utf8'), {
    loader: 'ts',
  });
  mkdirSync(join(ROOT, 'out/examples'), { recursive: true });
  writeFileSync(PROGRAM, code);
  whole = run('whole.json', LINES);
});

const wordsOf = (state: string): string[] => [
  PROGRAM,
  join(ROOT, 'fixtures/city-zones.geojson'),
  join(folder, state),
];

function run(state: string, lines: readonly string[]): string[] {
  return execFileSync(process.execPath, wordsOf(state), {
    cwd: ROOT,
    encoding: 'utf8',
    input: lines.join('\n'),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
    .split('\n')
    .filter((line) => line !== '');
}

test('a restart does not change the events', () => {
  expect(whole.length).toBeGreaterThan(100);
  const half = LINES.length >> 1;
  expect([...run('parts.json', LINES.slice(0, half)), ...run('parts.json', LINES.slice(half))]).toEqual(
    whole,
  );
  expect(readFileSync(join(folder, 'parts.json'), 'utf8')).toBe(
    readFileSync(join(folder, 'whole.json'), 'utf8'),
  );
  // Temporary files of the states are removed.
  expect(readdirSync(folder).filter((name) => !name.endsWith('.json'))).toEqual([]);
});

test('rejected fixes have a reason, invalid lines keep the state, and a time message ends visits of units without fixes', () => {
  const first = JSON.parse(LINES[0]!) as { unitId: string; fix: { time: number } };
  const { unitId, fix } = first;
  const again = { ...fix, time: fix.time + 1000 };
  const last = Math.max(...LINES.map((line) => (JSON.parse(line) as typeof first).fix.time));
  const lines = [
    ...LINES,
    '{"unitId": "',
    '{"unit": 1}',
    JSON.stringify({ unitId, fix: { ...again, lat: 95 } }),
    JSON.stringify({ unitId, fix: again }),
    JSON.stringify({ now: last + 24 * 3_600_000 }),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, wordsOf('bad.json'), {
    cwd: ROOT,
    encoding: 'utf8',
    input: lines.join('\n'),
  });
  expect(status).toBe(1);
  expect(stderr).toContain(`line ${LINES.length + 1} cannot be read: `);
  expect(stderr).toContain(`line ${LINES.length + 2} cannot be read: expected {unitId, fix} or {now}`);
  expect(stderr).toContain(`${unitId} at ${again.time}: fix rejected: invalid`);
  expect(stderr).toContain(`${unitId} at ${again.time}: fix rejected: late`);
  // The time message emits the events that the fixes alone leave pending.
  const events = stdout.split('\n').filter((line) => line !== '');
  expect(events.slice(0, whole.length)).toEqual(whole);
  expect(events.length).toBeGreaterThan(whole.length);
  expect(JSON.parse(readFileSync(join(folder, 'bad.json'), 'utf8'))).toMatchObject({});
});
