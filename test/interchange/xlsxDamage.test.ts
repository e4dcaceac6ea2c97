import { readFileSync } from 'node:fs';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { WayzoneError } from '../../src/core/errors.js';
import { describeTable, fromCsv } from '../../src/interchange/index.js';
import { toXlsx } from '../../src/interchange/xlsx/toXlsx.js';
import { needs, sharedData } from '../needs.js';
import { LONG, seeded, volume } from '../volume.js';

/** Workbooks with flipped bytes and cut ends: coded errors only, and no fix that the file did not have. */

const ROWS = Array.from({ length: 60 }, (_, i) => [
  `van-${i % 3}`,
  Date.UTC(2026, 0, 15, 5, i),
  44 + i / 1000,
  56 + i / 1000,
  i,
]);
const OWN = toXlsx(
  { unit_id: 'text', time_utc: 'time', lon: 'number', lat: 'number', speed_kph: 'number' },
  ROWS,
);
const SHARED = sharedData('dialects');

/** The fixes as text. A coded error gives none. Throws every other error. */
function fixesOf(bytes: Uint8Array): string[] {
  try {
    describeTable(bytes);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    expect(error.code).toMatch(/^[a-z]+(?:-[a-z0-9]+)+$/);
  }
  const { value, issues } = fromCsv(bytes, { table: { timeZone: 'UTC' }, limits: { maxBytes: 5_000_000 } });
  for (const { code, message } of issues) expect([code, message.length > 0]).toEqual([code, true]);
  return value.tracks.flatMap(({ unitId, fixes }) => fixes.map((fix) => JSON.stringify([unitId, fix])));
}

/** One to four changes: a byte, a run of bytes, a cut, a part twice. */
function damaged(bytes: Uint8Array, random: () => number): Uint8Array {
  let own = Uint8Array.from(bytes);
  const at = (): number => Math.floor(random() * own.length);
  for (let k = 1 + Math.floor(random() * 4); k > 0; k--) {
    const kind = random();
    if (kind < 0.6) own[at()] = Math.floor(random() * 256);
    else if (kind < 0.75) own.fill(Math.floor(random() * 256), at(), at());
    else if (kind < 0.9) own = own.slice(0, 1 + at());
    else {
      const [a, b] = [at(), at()];
      own = Uint8Array.from([...own.subarray(0, Math.max(a, b)), ...own.subarray(Math.min(a, b))]);
    }
  }
  return own;
}

function attack(bytes: Uint8Array, seed: number, runs: number): void {
  const random = seeded(seed);
  const whole = new Set(fixesOf(bytes));
  expect(whole.size).toBeGreaterThan(0);
  for (let i = 0; i < runs; i++) {
    const own = damaged(bytes, random);
    let found: string[];
    try {
      found = fixesOf(own);
    } catch (error) {
      throw new Error(`run ${i} of seed ${seed}: ${String(error)}`, { cause: error });
    }
    // A checksum of each part finds what its own reader would not: no fix is invented.
    expect(found.filter((fix) => !whole.has(fix))).toEqual([]);
  }
}

test('damaged workbooks of ours give coded errors', () => {
  expect(fixesOf(OWN)).toHaveLength(60);
  attack(OWN, 1, volume(6000));
});

needs(SHARED).test.each(['ru-xlsx.xlsx', 'traccar-route.xlsx'])(
  'damaged copies of %s give coded errors',
  (name) => {
    attack(readFileSync(new URL(`../../../shared/data/dialects/${name}`, import.meta.url)), 2, volume(6000));
  },
);

test('workbooks whose parts are damaged and packed again give coded errors', () => {
  const random = seeded(3);
  const parts = unzipSync(OWN);
  const names = Object.keys(parts);
  for (let i = 0; i < volume(3000); i++) {
    const name = random() < 0.7 ? 'xl/worksheets/sheet1.xml' : names[Math.floor(random() * names.length)]!;
    const own = { ...parts, [name]: damaged(parts[name]!, random) };
    // Places and numbers of other sizes: far rows, far columns, long numbers.
    if (random() < 0.3) {
      const text = strFromU8(own[name]!, true);
      const wild = ['1048577', '99999999999', '-1', 'XFE9', 'A0', '1e309', ''][Math.floor(random() * 7)]!;
      own[name] = strToU8(text.replace(/r="[A-Z]?\d+"/, `r="${wild}"`), true);
    }
    let found: string[];
    try {
      found = fixesOf(zipSync(own, { level: 0 }));
    } catch (error) {
      throw new Error(`run ${i}: ${String(error)}`, { cause: error });
    }
    expect(found.length).toBeLessThanOrEqual(2 * ROWS.length);
  }
});

test('a workbook that is cut at any byte gives a coded error', () => {
  for (let end = 0; end < OWN.length; end += 7) expect(fixesOf(OWN.slice(0, end))).toEqual([]);
});

/** A workbook with shared texts, as spreadsheet programs write it. `cell` changes the number of a shared text. */
function sharedBook(
  rows: readonly (readonly string[])[],
  cell: (index: number) => string = String,
): Uint8Array {
  const texts = [...new Set(rows.flat().filter((text) => Number.isNaN(Number(text))))];
  const xml = (body: string): Uint8Array => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${body}`);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const cellOf = (text: string, row: number, column: number): string => {
    const place = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
    const index = texts.indexOf(text);
    return index < 0 ? `<c ${place}><v>${text}</v></c>` : `<c ${place} t="s"><v>${cell(index)}</v></c>`;
  };
  const lines = rows.map(
    (row, i) => `<row r="${i + 1}">${row.map((text, k) => cellOf(text, i, k)).join('')}</row>`,
  );
  return zipSync({
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/sharedStrings.xml': xml(
      `<sst xmlns="${main}">${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ),
    'xl/worksheets/sheet1.xml': xml(
      `<worksheet xmlns="${main}"><sheetData>${lines.join('')}</sheetData></worksheet>`,
    ),
  });
}

const SHARED_ROWS = [
  ['unit', 'time', 'lat', 'lon', 'speed_kph'],
  ...Array.from({ length: 40 }, (_, i) => [
    `van-${i % 3}`,
    new Date(Date.UTC(2026, 0, 15, 5, i)).toISOString(),
    String(56 + i / 1000),
    String(44 + i / 1000),
    String(i),
  ]),
];

test('a cell that names no shared text is a coded error, never an empty or another cell', () => {
  const whole = fixesOf(sharedBook(SHARED_ROWS));
  expect(whole).toHaveLength(40);
  const random = seeded(4);
  const wrong = ['99999', '-1', '1.5', '1e9', 'x', 'NaN', '0x1', '999999999999999999999'];
  for (let run = 0; run < volume(400); run++) {
    const at = Math.floor(random() * 80);
    const text = wrong[Math.floor(random() * wrong.length)]!;
    let k = 0;
    const book = sharedBook(SHARED_ROWS, (index) => (k++ === at ? text : String(index)));
    const { value, issues } = fromCsv(book);
    expect([text, value.tracks.length, issues.map(({ code }) => code)]).toEqual([text, 0, ['xlsx-corrupt']]);
  }
});

test('a sheet that inflates far beyond its bytes, and one of too many rows, end with a coded error', () => {
  const parts = unzipSync(sharedBook(SHARED_ROWS));
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!);
  const codesOf = (rows: string, count: number, maxBytes: number): string[] => {
    const body = sheet.replace('</sheetData>', `${rows.repeat(count)}</sheetData>`);
    const bytes = zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(body) });
    const { value, issues } = fromCsv(bytes, { limits: { maxBytes } });
    expect(value.tracks).toEqual([]);
    return issues.map(({ code }) => code);
  };
  // 26 MB of nothing deflate to some kB.
  expect(codesOf(' '.repeat(1_000_000), 26, 1e9)).toEqual(['limit-inflated']);
  expect(codesOf(' '.repeat(1_000_000), 6, 5_000_000)).toEqual(['limit-inflated']);
  if (LONG) expect(codesOf('<row><c><v>1</v></c></row>', 1_048_577, 1e9)[0]).toMatch(/^limit-/);
  // As many rows that say nothing are no cells.
  expect(codesOf('<row/>', 200_000, 5_000)).toEqual(['limit-inflated']);
});
