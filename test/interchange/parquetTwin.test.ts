import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readParquet } from '../../src/interchange/index.js';
import { ParquetFile } from '../../src/interchange/parquet/parquetFile.js';
import { type DuckFiles, openDuck } from './duckFiles.js';

// Independent readers: DuckDB, which wrote the files, and hyparquet.
let duck: DuckFiles;
beforeAll(async () => {
  duck = await openDuck();
  await duck.duck.run('SELECT setseed(0.5)');
});
afterAll(() => duck.close());

/** All columns of a file, row by row. */
async function rowsOf(bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  const file = await ParquetFile.open(bytes);
  const rows: Record<string, unknown>[] = [];
  for (const [group, count] of file.groups.entries()) {
    const values = await file.read(group, file.names);
    for (let i = 0; i < count; i++) {
      rows.push(Object.fromEntries(file.names.map((name) => [name, values.get(name)![i] ?? null])));
    }
  }
  return rows;
}

const MAYBE = (value: string): string => `CASE WHEN random() < 0.3 THEN NULL ELSE ${value} END`;
const FLAT = `SELECT i AS id, ${MAYBE('(random() * 1e6)::INTEGER')} AS i32, ${MAYBE('(random() * 1e15)::BIGINT')} AS i64,
  ${MAYBE('random()')} AS f64, ${MAYBE('random()::FLOAT')} AS f32, ${MAYBE('random() < 0.5')} AS flag,
  ${MAYBE('repeat(md5(i::VARCHAR), 1 + i % 3)')} AS text, ${MAYBE("'name ' || (i % 9)")} AS word, i // 1000 AS run,
  ${MAYBE('(random() * 200)::UTINYINT')} AS small, 'x' AS same FROM range(6000) t(i)`;
const NESTED = `SELECT i AS id, ${MAYBE('range(i % 5)')} AS list, ${MAYBE('[[i], [], NULL, [NULL, i + 1]]')} AS lists,
  ${MAYBE("{'a': i, 'b': [{'c': 'x' || i, 'd': NULL::INTEGER}, NULL], 'e': {'f': i % 2 = 0}}")} AS struct,
  ${MAYBE("MAP {'k' || i: i, 'two': NULL}")} AS map FROM range(3000) t(i)`;

describe.each(['V1', 'V2'])('pages of version %s', (version) => {
  test.each(['snappy', 'gzip', 'zstd', 'lz4_raw', 'brotli', 'uncompressed'])(
    'flat columns, %s',
    async (codec) => {
      const bytes = await duck.file(
        FLAT,
        `COMPRESSION ${codec}, PARQUET_VERSION ${version}, ROW_GROUP_SIZE 2048`,
      );
      const rows = await rowsOf(bytes);
      const theirs = await parquetReadObjects({ file: bytes.slice().buffer, compressors });
      expect(rows).toEqual(theirs.map((row) => plain(row)));
    },
  );

  test('lists, structures and maps', async () => {
    const bytes = await duck.file(NESTED, `PARQUET_VERSION ${version}, ROW_GROUP_SIZE 2048`);
    const theirs = await parquetReadObjects({ file: bytes.slice().buffer, compressors });
    expect(await rowsOf(bytes)).toEqual(theirs.map((row) => plain(row)));
  });
});

/** Values of hyparquet with safe bigints as numbers. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

test('exact values: decimals, whole numbers, UUIDs, times of day, JSON, intervals, half floats', async () => {
  const bytes = await duck.file(`SELECT '12345678901234567890.1234567890'::DECIMAL(38, 10) AS long,
    '0.1'::DECIMAL(18, 6) AS tenth, '-0.001'::DECIMAL(9, 3) AS small, '1e3'::DECIMAL(9, 2) AS thousand, '0.3'::DECIMAL(4, 1) AS third,
    9007199254740993::BIGINT AS big, 18446744073709551615::UBIGINT AS unsigned, 4294967295::UINTEGER AS uint, 0::DECIMAL(9, 2) AS zero,
    '123e4567-e89b-12d3-a456-426614174000'::UUID AS uuid, '08:15:30.25'::TIME AS day, INTERVAL '1 month 2 days 3.5 seconds' AS span,
    '{"a": 9007199254740993, "b": [1.5]}'::JSON AS json, '2026-03-02'::DATE AS date, '2026-03-02 08:00:00'::TIMESTAMP AS local,
    '2026-03-02 08:00:00+00'::TIMESTAMPTZ AS instant, 'NaN'::DOUBLE AS nan, [1::DOUBLE, 'NaN'::DOUBLE, 'Infinity'::DOUBLE] AS odd,
    from_hex('ff00') AS bytes, [9007199254740993] AS nested, {'d': '0.10'::DECIMAL(4, 2), 'u': NULL::INTEGER} AS struct,
    from_hex('0101000000000000000000f03f0000000000000040') AS geometry`);
  const { value } = await readParquet(bytes);
  expect(value.zones[0]).toHaveProperty('properties', {
    long: '12345678901234567890.123456789',
    tenth: 0.1,
    small: -0.001,
    thousand: 1000,
    third: 0.3,
    big: '9007199254740993',
    unsigned: '18446744073709551615',
    uint: 4_294_967_295,
    zero: 0,
    uuid: '123e4567-e89b-12d3-a456-426614174000',
    day: '08:15:30.25',
    span: 'P1M2DT3.5S',
    json: { a: '9007199254740993', b: [1.5] },
    date: '2026-03-02',
    local: '2026-03-02T08:00:00.000',
    instant: '2026-03-02T08:00:00.000Z',
    odd: [1, null, 'Infinity'],
    bytes: 'ff00',
    nested: ['9007199254740993'],
    struct: { d: 0.1, u: null },
  });
});

test('random decimals are the number only if its digits are the same', async () => {
  const bytes =
    await duck.file(`SELECT i AS id, (random() * 1e9)::DECIMAL(18, 8) AS a, ((random() - 0.5) * 1e20)::DECIMAL(38, 12) AS b,
    (random() / 1e6)::DECIMAL(30, 28) AS c FROM range(500) t(i)`);
  const texts = await duck.rows(
    `SELECT a::VARCHAR, b::VARCHAR, c::VARCHAR FROM '${duck.folder}/${duck.last()}' ORDER BY id`,
  );
  const rows = await rowsOf(bytes);
  for (const [i, { a, b, c }] of rows.entries()) {
    for (const [k, value] of [a, b, c].entries()) {
      const digits = String(texts[i]![k]).replace(/\.?0+$/, '');
      const own = typeof value === 'number' ? fixed(value) : String(value);
      expect(own).toBe(digits);
    }
  }
});

const DIGITS = 40;

/** The shortest digits of a number without an exponent. */
function fixed(value: number): string {
  return /e/.test(String(value)) ? value.toFixed(DIGITS).replace(/0+$/, '').slice(0, 60) : String(value);
}
