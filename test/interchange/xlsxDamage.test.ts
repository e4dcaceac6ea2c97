import { readFileSync } from 'node:fs';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { WayzoneError } from '../../src/core/errors.js';
import { describeTable, fromCsv } from '../../src/interchange/index.js';
import { toXlsx } from '../../src/interchange/xlsx/toXlsx.js';
import { needs, sharedData } from '../needs.js';
import { seeded, volume } from '../volume.js';

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
