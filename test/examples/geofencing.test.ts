import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fromCsv } from '../../src/interchange/index.js';

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'wayzone-geofencing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LINES = fromCsv(readFileSync(join(ROOT, 'fixtures/city-day.csv')), { speedUnit: 'kph' })
  .value.tracks.flatMap(({ unitId, fixes }) => fixes.map((fix) => ({ unitId, fix })))
  .sort((a, b) => a.fix.time - b.fix.time)
  .map((line) => JSON.stringify(line));

function run(state: string, lines: readonly string[]): string[] {
  return execFileSync(
    process.execPath,
    [
      '--import',
      'tsx',
      join(ROOT, 'examples/geofencing.ts'),
      join(ROOT, 'fixtures/city-zones.geojson'),
      join(folder, state),
    ],
    { cwd: ROOT, encoding: 'utf8', input: lines.join('\n'), stdio: ['pipe', 'pipe', 'ignore'] },
  )
    .split('\n')
    .filter((line) => line !== '');
}

test('the loop gives the same events with a restart in between as without', () => {
  const whole = run('whole.json', LINES);
  expect(whole.length).toBeGreaterThan(100);
  const half = LINES.length >> 1;
  expect([...run('parts.json', LINES.slice(0, half)), ...run('parts.json', LINES.slice(half))]).toEqual(
    whole,
  );
  expect(readFileSync(join(folder, 'parts.json'), 'utf8')).toBe(
    readFileSync(join(folder, 'whole.json'), 'utf8'),
  );
  expect(readdirSync(folder).sort()).toEqual(['parts.json', 'whole.json']);
});
