import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { fromCsv } from '../../src/interchange/index.js';
import { testFolder, wayzone } from './wayzone.js';

/** The form of rows: for spreadsheet programs, with local times, and read back by our own commands. */

const { at, put } = testFolder('rows');
const FIXTURES = new URL('../../fixtures/', import.meta.url).pathname;
const zones = `${FIXTURES}city-zones.geojson`;
const day = [`${FIXTURES}city-day.csv`, '--speed-unit', 'kph'];
const both = ['--zones', zones, '--tracks', ...day];
const MOSCOW = ['--time-zone', 'Europe/Moscow'];
const RU = ['--excel', '--locale', 'ru'];

/** Each command that writes CSV. */
const COMMANDS: readonly (readonly string[])[] = [
  ['visits', ...both],
  ['visits', ...both, '--measure'],
  ['visits', ...both, '--hours', `${FIXTURES}city-hours.json`],
  ['mileage', ...both, '--by', 'day'],
  ['rides', ...both],
  ['speeding', '--tracks', ...day, '--limit', '30'],
  ['meetings', '--tracks', ...day, '--meters', '5000'],
  ['movement', ...day],
  ['trips', '--trips', `${FIXTURES}city-trips.json`, '--tracks', ...day],
  ['trips', '--trips', `${FIXTURES}city-trips.json`, '--tracks', ...day, '--rows', 'runs'],
  ['locate', zones, '--positions', ...day],
];

const cellsOf = (text: string, mark: string): string[][] =>
  text
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(mark));

/** The wall time in Moscow (UTC+3 in 2026) of a time. */
const inMoscow = (utc: string): string => new Date(Date.parse(utc) + 3 * 3_600_000).toISOString();

describe('rows of every command', () => {
  test.each(COMMANDS)('%s', async (...argv) => {
    const plain = await wayzone(...argv, ...MOSCOW);
    const excel = await wayzone(...argv, ...MOSCOW, ...RU);
    expect([plain.code, excel.code]).toEqual([0, 0]);
    expect(excel.out.startsWith('\uFEFF')).toBe(true);
    const [head, ...rows] = cellsOf(plain.out, ',');
    const [ruHead, ...ruRows] = cellsOf(excel.out, ';');
    expect(ruHead).toEqual(head);
    expect(ruRows).toHaveLength(rows.length);
    expect(rows.length).toBeGreaterThan(0);
    for (const [i, name] of head!.entries()) {
      if (name.endsWith('_utc')) expect(head![i + 1]).toBe(name.replace('_utc', '_local'));
      for (const [k, row] of rows.entries()) {
        const cell = row[i]!;
        const ru = ruRows[k]![i]!;
        if (cell === '' || row.length > head!.length) continue;
        if (name.endsWith('_utc')) {
          const local = inMoscow(cell);
          expect(row[i + 1]).toBe(local.replace('Z', '+03:00'));
          const wall = local.slice(0, -1).replace('T', ' ').replace('.000', '').replace('.', ',');
          expect(ruRows[k]![i + 1]).toBe(wall);
        } else if (/^-?\d+\.\d+$/.test(cell)) expect(ru).toBe(cell.replace('.', ','));
        const decimals = /\.(\d+)$/.exec(cell)?.[1]?.length ?? 0;
        if (/(?:^|_)(?:lon|lat)$/.test(name)) expect(decimals).toBeLessThanOrEqual(7);
        if (name.endsWith('_meters')) expect(decimals).toBeLessThanOrEqual(1);
      }
    }
  });

  test.each(COMMANDS)('as a workbook: %s', async (...argv) => {
    const csv = await wayzone(...argv, ...MOSCOW);
    const out = at('rows.xlsx');
    expect(await wayzone(...argv, ...MOSCOW, '--out', out)).toMatchObject({ code: 0, out: '' });
    const sheet = strFromU8(unzipSync(readFileSync(out))['xl/worksheets/sheet1.xml']!);
    const head = sheet.slice(0, sheet.indexOf('</row>'));
    const names = [...head.matchAll(/<t [^>]*>([^<]*)</g)].map((match) => match[1]!);
    expect(names).toEqual(cellsOf(csv.out, ',')[0]);
    // Dates have the style 2 and whole or broken days of spreadsheets, numbers no style.
    for (const [i, name] of names.entries()) {
      const letter = i < 26 ? String.fromCharCode(65 + i) : `A${String.fromCharCode(39 + i)}`;
      const cells = [...sheet.matchAll(new RegExp(`<c r="${letter}\\d+"([^>]*)><v>([^<]*)</v>`, 'g'))];
      const isTime = /_(?:utc|local)$/.test(name);
      for (const [, style, value] of cells) {
        expect(style!.includes('s="2"')).toBe(isTime);
        if (isTime) expect(Math.abs(Number(value) - 46_083)).toBeLessThan(3);
      }
    }
    const text = at('rows.csv');
    expect(await wayzone(...argv, ...MOSCOW, '--out', text)).toMatchObject({ code: 0, out: '' });
    expect(readFileSync(text, 'utf8')).toBe(csv.out);
  });

  test('the locale decides the marks', async () => {
    const argv = ['movement', ...day, '--excel', '--locale'];
    expect((await wayzone(...argv, 'en-US')).out).toMatch(/^\uFEFFunit_id,kind,from_utc,to_utc,/);
    expect((await wayzone(...argv, 'de')).out).toMatch(/^\uFEFFunit_id;kind;from_utc;to_utc;/);
    expect((await wayzone(...argv, 'de')).out).toContain('2026-03-02 ');
    expect((await wayzone(...argv, 'no such tag')).code).toBe(2);
    const json = await wayzone('movement', ...day, '--excel', '--format', 'json');
    expect(json).toMatchObject({ code: 1, out: '' });
    expect(json.err).toContain('(option-value, --excel)');
    expect((await wayzone('movement', ...day, '--excel', '--out', at('x.xlsx'))).err).toContain('--excel');
    expect((await wayzone('movement', ...day, '--time-zone', 'Mars')).err).toContain('tz-unknown');
    const measured = await wayzone('measure', zones, '--excel', '--locale', 'fr');
    expect(measured.out).toMatch(/^\uFEFFid;name;type;area_m2;perimeter_meters;length_meters\r\n/);
  });

  test('the hour that comes twice has two offsets', async () => {
    const file = put(
      'autumn.csv',
      'unit,time,lat,lon\na,2026-10-25T00:30:00Z,52.5,13.4\na,2026-10-25T01:30:00Z,52.5,13.4\n',
    );
    const { out } = await wayzone('locate', zones, '--positions', file, '--time-zone', 'Europe/Berlin');
    expect(cellsOf(out, ',').map((row) => row[2])).toEqual([
      'time_local',
      '2026-10-25T02:30:00.000+02:00',
      '2026-10-25T02:30:00.000+01:00',
    ]);
  });

  test('long decimals are rounded in CSV and kept in JSON', async () => {
    const file = put('long.csv', 'unit,time,lat,lon\na,2026-10-25T00:30:00Z,52.123456789,-13.98765432101\n');
    const argv = ['locate', zones, '--positions', file];
    const row = 'a,2026-10-25T00:30:00.000Z,-13.9876543,52.1234568,';
    expect((await wayzone(...argv)).out).toContain(row);
    expect((await wayzone(...argv, ...MOSCOW)).out).toContain('+03:00,-13.9876543,52.1234568,');
    expect((await wayzone(...argv, '--format', 'ndjson')).out).toContain('-13.98765432101');
  });
});

describe('our own rows are read back', () => {
  test.each([
    ['plain.csv', []],
    ['local.csv', MOSCOW],
    ['ru.csv', [...MOSCOW, ...RU]],
    ['us.csv', ['--excel', '--locale', 'en-US']],
    ['rows.xlsx', []],
    ['local.xlsx', MOSCOW],
  ])('places of locate: %s', async (name, flags) => {
    const out = at(`places-${name}`);
    await wayzone('locate', zones, '--positions', ...day, ...flags, '--out', out);
    const expected = await wayzone(
      'visits',
      '--zones',
      zones,
      '--tracks',
      `${FIXTURES}city-day.csv`,
      '--speed-unit',
      'kph',
    );
    const read = await wayzone('visits', '--zones', zones, '--tracks', out);
    expect(read.code).toBe(0);
    // A position in two zones has two rows; visits count its fix once.
    expect(read.out).toBe(expected.out);
    expect(read.err).not.toContain('missing cells');
    expect((await wayzone('inspect', out)).code).toBe(0);
  });

  test.each(['ru', 'en-US'])('fixes with fractions of a second keep them: %s', async (locale) => {
    const file = put(
      'ms.csv',
      'unit,time,lat,lon\na,2026-10-25T00:30:00.250Z,52.1,13.9\na,2026-10-25T00:30:01Z,52.1,13.9\n',
    );
    const out = at(`ms-${locale}.csv`);
    await wayzone('locate', zones, '--positions', file, '--excel', '--locale', locale, '--out', out);
    const { value } = fromCsv(readFileSync(out), { table: {} });
    expect(value.tracks[0]!.fixes.map(({ time }) => new Date(time).toISOString())).toEqual([
      '2026-10-25T00:30:00.250Z',
      '2026-10-25T00:30:01.000Z',
    ]);
  });
});
