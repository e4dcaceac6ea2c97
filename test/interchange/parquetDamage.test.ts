import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readParquet } from '../../src/interchange/index.js';
import { seeded, volume } from '../volume.js';
import { type DuckFiles, openDuck } from './duckFiles.js';

// The decoder is bounded by bytes and rows: damaged files end with coded issues. A decoder that loops would end this test by its timeout.
let duck: DuckFiles;
beforeAll(async () => {
  duck = await openDuck();
});
afterAll(() => duck.close());

const TRACKS = `SELECT 'u' || (i % 3) AS unit, ('2026-01-01'::TIMESTAMP + INTERVAL (i) SECOND)::TIMESTAMPTZ AS time,
  i / 100 AS lat, i / 50 AS lon, CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS satellites FROM range(200) t(i)`;
const NESTED = `SELECT i AS id, [i, i + 1, NULL] AS l, {'a': i, 'b': [{'c': 'x' || i}]} AS s, MAP {'k': i} AS m, uuid() AS u,
  (i / 7)::DECIMAL(30, 10) AS d, from_hex('010100000000000000000000000000000000000000') AS geometry FROM range(100) t(i)`;

/** Six files: both versions of pages, every codec but one, nested columns. */
const FILES: readonly (readonly [query: string, how: string])[] = [
  [TRACKS, 'COMPRESSION snappy, PARQUET_VERSION V1'],
  [TRACKS, 'COMPRESSION zstd, PARQUET_VERSION V2'],
  [TRACKS, 'COMPRESSION gzip, PARQUET_VERSION V2'],
  [TRACKS, 'COMPRESSION brotli, PARQUET_VERSION V1'],
  [NESTED, 'COMPRESSION lz4_raw, PARQUET_VERSION V2'],
  [NESTED, 'COMPRESSION uncompressed, PARQUET_VERSION V1'],
];
const KNOWN =
  /^(?:parquet-|wkb-|geometry-|geojson-|csv-columns|coord-|lat-|lon-|time-|unit-|number-|crs-|limit-|duplicate-id|altitude-|measure-|axis-|id-type|ring-|line-|value-unknown|edge-)/;

test.each(FILES)('bytes changed at random: %s, %s', async (query, how) => {
  const file = await duck.file(query, how);
  const whole = await readParquet(file);
  expect(whole.value.zones.length + whole.value.tracks.length).toBeGreaterThan(0);
  const random = seeded(6);
  for (let i = 0; i < volume(300); i++) {
    const damaged = Uint8Array.from(file);
    const changes = 1 + Math.floor(random() * 3);
    for (let k = 0; k < changes; k++) {
      const at = Math.floor(random() * damaged.length);
      damaged[at] = random() < 0.5 ? Math.floor(random() * 256) : damaged[at]! ^ (1 << (random() * 8));
    }
    const { issues } = await readParquet(damaged);
    for (const { code } of issues) expect(code).toMatch(KNOWN);
  }
});

const shared = new URL('../../../shared/data/parquet/', import.meta.url);
test.skipIf(!existsSync(shared))('files that hung or failed without a code', async () => {
  for (const name of ['hang', 'unc1']) {
    const { issues } = await readParquet(readFileSync(new URL(`${name}.parquet`, shared)));
    expect(issues.map(({ code }) => code)).toEqual(['parquet-invalid']);
  }
});

test('counts beyond the bytes, and runs without numbers, are errors at once', async () => {
  const file = await duck.file('SELECT 1::DOUBLE AS lat, 2::DOUBLE AS lon, now() AS time FROM range(5000)');
  // Each position of the footer gets the largest bytes of a number.
  const footer =
    file.length - 8 - new DataView(file.buffer, file.byteOffset).getUint32(file.length - 8, true);
  for (let at = footer; at < file.length - 8; at++) {
    const damaged = Uint8Array.from(file);
    damaged.set([0xff, 0xff, 0xff, 0xff, 0x0f].slice(0, Math.min(5, file.length - 8 - at)), at);
    const { issues } = await readParquet(damaged);
    for (const { code } of issues) expect(code).toMatch(KNOWN);
  }
});
