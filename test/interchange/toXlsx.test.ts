import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { toXlsx } from '../../src/interchange/xlsx/toXlsx.js';
import { needs, OGR2OGR } from '../needs.js';

const folder = mkdtempSync(join(tmpdir(), 'wayzone-xlsx-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COLUMNS = { unit: 'text', enter: 'time', lat: 'number', inside: 'boolean', count: 'integer' } as const;
const TIME = Date.UTC(2026, 2, 2, 8, 30, 15);
const ROWS = [
  ['Фургон <1> & "x"', TIME, 55.75, true, 3],
  ['=SUM(A1)\u0003', null, -0.5, false, null],
];

test('a sheet with typed cells, a frozen header and filters', () => {
  const files = unzipSync(toXlsx(COLUMNS, ROWS));
  expect(Object.keys(files)[0]).toBe('[Content_Types].xml');
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml']!);
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  expect(sheet).toContain('<autoFilter ref="A1:E3"/>');
  expect(sheet).toContain('<c r="D2" t="b"><v>1</v></c>');
  expect(sheet).not.toContain('<f>');
  const [, days] = /<c r="B2" s="2"><v>([^<]*)</.exec(sheet)!;
  expect(Math.round((Number(days) - 25_569) * 86_400_000)).toBe(TIME);
});

needs(OGR2OGR).test('needs ogr2ogr: GDAL reads texts, numbers and dates', () => {
  const path = join(folder, 'a.xlsx');
  writeFileSync(path, toXlsx(COLUMNS, ROWS));
  const text = execFileSync('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', path, 'rows'], { encoding: 'utf8' });
  const { features } = JSON.parse(text) as { features: { properties: Record<string, unknown> }[] };
  expect(features[0]!.properties).toMatchObject({ unit: 'Фургон <1> & "x"', lat: 55.75, count: 3 });
  expect(String(features[0]!.properties['enter'])).toMatch(/^2026[/-]03[/-]02.08:30:15/);
  expect(features[1]!.properties).toMatchObject({ unit: '=SUM(A1)\uFFFD', lat: -0.5 });
});

test('columns beyond Z, and too many rows', () => {
  const wide = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`c${i}`, 'number' as const]));
  const sheet = strFromU8(
    unzipSync(toXlsx(wide, [Array.from({ length: 30 }, (_, i) => i)]))['xl/worksheets/sheet1.xml']!,
  );
  expect(sheet).toContain('<c r="AD2"><v>29</v></c>');
  const row: unknown[] = [];
  const many = Array.from({ length: 1_048_576 }, () => row);
  expect(() => toXlsx({ a: 'number' }, many)).toThrow(expect.objectContaining({ code: 'limit-rows' }));
});
