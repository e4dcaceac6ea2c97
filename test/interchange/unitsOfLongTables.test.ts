import { expect, test } from 'vitest';
import { fromCsv, readCsv } from '../../src/interchange/index.js';

/** Long plain tables without a unit column: those of one unit are read, those of several are asked about, however their rows are sorted. */

interface Row {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
}

const STEP = 5000;

/** A drive of a fix each five seconds at about 60 km/h. */
function drive(lat0: number, lon0: number, count: number, start = 0): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    time: Date.UTC(2026, 0, 1) + start + i * STEP,
    lat: lat0 + 0.0004 * Math.sin(i / 40) + 0.0007 * (i % 1000) * (Math.floor(i / 1000) % 2 === 0 ? 1 : 0),
    lon: lon0 + 0.0005 * i * 0.1,
  }));
}

const ROWS = 12_000;
/** One way there and back, without a jump. */
const ONE: readonly Row[] = Array.from({ length: ROWS }, (_, i) => ({
  time: Date.UTC(2026, 0, 1) + i * STEP,
  lat: 56 + 0.0007 * (i % 2000 < 1000 ? i % 1000 : 1000 - (i % 1000)),
  lon: 44 + 0.1 * Math.sin(i / 300),
}));
const A = drive(56, 44, ROWS / 2);
const B = drive(56.2, 44.3, ROWS / 2, 2500);
const FLEETS: Readonly<Record<string, readonly Row[]>> = {
  'one after the other': [...A, ...B],
  'in turns': A.flatMap((row, i) => [row, B[i]!]),
  'in blocks': Array.from({ length: 30 }, (_, k) => [
    ...A.slice(k * 200, k * 200 + 200),
    ...B.slice(k * 200, k * 200 + 200),
  ]).flat(),
  'newest first': [...[...A].reverse(), ...[...B].reverse()],
};

function textOf(rows: readonly Row[]): string {
  return `time,lat,lon\n${rows.map(({ time, lat, lon }) => `${new Date(time).toISOString()},${lat.toFixed(6)},${lon.toFixed(6)}`).join('\n')}\n`;
}

function* chunksOf(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  // Sources may reuse their buffers.
  const buffer = new Uint8Array(length);
  for (let at = 0; at < bytes.length; at += length) {
    const part = bytes.subarray(at, at + length);
    buffer.set(part);
    yield buffer.subarray(0, part.length);
  }
}

const LENGTHS = [7919, 40_000, 262_144];

test('the fixes of one unit are the same whole and in chunks, in either direction', async () => {
  for (const rows of [ONE, [...ONE].reverse()]) {
    const bytes = new TextEncoder().encode(textOf(rows));
    expect(bytes.length).toBeGreaterThan(400_000);
    const whole = fromCsv(bytes, { fileName: 'van.csv' });
    expect(whole.value.tracks.map(({ unitId, fixes }) => [unitId, fixes.length])).toEqual([['van', ROWS]]);
    expect(whole.value.tracks[0]!.fixes.map(({ time }) => time)).toEqual(rows.map(({ time }) => time));
    for (const length of LENGTHS)
      expect(await readCsv(chunksOf(bytes, length), { fileName: 'van.csv' })).toEqual(whole);
  }
});

test.each(Object.entries(FLEETS))('units %s are not read as one', async (_, rows) => {
  const bytes = new TextEncoder().encode(textOf(rows));
  const answers = [fromCsv(bytes, { fileName: 'van.csv' })];
  for (const length of LENGTHS) answers.push(await readCsv(chunksOf(bytes, length), { fileName: 'van.csv' }));
  for (const { value, issues } of answers) {
    expect(value.tracks).toEqual([]);
    expect(issues.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
      'unit-missing',
    ]);
  }
});

test('a broken row among those of one unit is an error of that row alone', () => {
  const lines = textOf(ONE).split('\n');
  lines[200] = 'yesterday,56,44';
  const { value, issues } = fromCsv(lines.join('\n'), { fileName: 'van.csv' });
  expect(value.tracks[0]!.fixes).toHaveLength(ROWS - 1);
  expect(issues.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'time-invalid', line: 201 },
  ]);
});
