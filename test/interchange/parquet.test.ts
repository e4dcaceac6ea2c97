import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromCsv, readParquet, toParquet } from '../../src/interchange/index.js';
import { seeded } from '../volume.js';

let folder = '';
let duck: DuckDBConnection;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wayzone-parquet-'));
  duck = await (await DuckDBInstance.create(':memory:')).connect();
  await duck.run("SET TimeZone = 'UTC'");
});
afterAll(() => {
  duck.closeSync();
  rmSync(folder, { recursive: true, force: true });
});

/** The Parquet file that DuckDB writes for a query. */
async function fileOf(query: string, how: string = ''): Promise<Uint8Array> {
  const path = join(folder, `${Math.random()}.parquet`);
  await duck.run(`COPY (${query}) TO '${path}' (FORMAT parquet${how === '' ? '' : `, ${how}`})`);
  return readFileSync(path);
}

/** A CSV file of units, times and positions; some cells of the other columns are empty. */
function csvOf(rows: number): string {
  const random = seeded(4);
  const some = (text: string): string => (random() < 0.7 ? text : '');
  const lines = Array.from({ length: rows }, (_, i) => {
    const time = new Date(1_772_438_400_123 + i * 1000).toISOString();
    return `u${Math.floor(random() * 5)},${time},${random() * 90},${random() * 360 - 180},${some(String(random() * 90))},${some('true')}`;
  });
  return `unit,time,lat,lon,speed_kph,ignition\n${lines.join('\n')}\n`;
}

describe('files written by DuckDB', () => {
  test.each(['snappy', 'gzip', 'zstd', 'lz4_raw', 'brotli', 'uncompressed'])(
    '%s, in several row groups',
    async (codec) => {
      const csv = csvOf(5000);
      const path = join(folder, 'rows.csv');
      writeFileSync(path, csv);
      const types =
        "{'unit':'VARCHAR','time':'TIMESTAMPTZ','lat':'DOUBLE','lon':'DOUBLE','speed_kph':'DOUBLE','ignition':'BOOLEAN'}";
      const file = await fileOf(
        `SELECT *, 'other' AS note FROM read_csv('${path}', header=true, columns=${types})`,
        `COMPRESSION ${codec}, ROW_GROUP_SIZE 2048`,
      );
      const { value, issues } = await readParquet(file);
      const wanted = fromCsv(csv);
      expect(issues).toMatchObject([{ code: 'csv-columns', severity: 'warning' }]);
      expect(value.tracks).toEqual(wanted.value.tracks);
    },
  );

  test.each([
    ['TIMESTAMP_S', 1_772_438_400_000],
    ['TIMESTAMP_MS', 1_772_438_400_123],
    ['TIMESTAMP', 1_772_438_400_123],
    ['TIMESTAMP_NS', 1_772_438_400_123],
  ])('times of type %s have no zone and follow the rule of CSV', async (type, time) => {
    const file = await fileOf(
      `SELECT 'a' AS unit, '2026-03-02 08:00:00.123456'::${type} AS time, 1.0 AS lat, 2::DOUBLE AS lon`,
    );
    const asText = fromCsv('unit,time,lat,lon\na,2026-03-02T08:00:00,1,2\n');
    const { value, issues } = await readParquet(file);
    expect(value.tracks).toEqual(asText.value.tracks);
    expect(issues).toMatchObject([{ code: 'time-zone-missing', severity: 'error', field: 'timeZone' }]);
    expect(asText.issues).toMatchObject([{ code: 'time-zone-missing' }]);
    const zone = await readParquet(file, { table: { timeZone: 'Asia/Tokyo' } });
    expect(zone.value.tracks[0]!.fixes[0]!.time).toBe(time - 9 * 3_600_000);
    expect(zone.issues).toEqual([]);
    const local = await readParquet(file, { timeZoneOffsetMinutes: 60 });
    expect(local.value.tracks[0]!.fixes[0]!.time).toBe(time - 3_600_000);
    expect(local.issues).toEqual([]);
  });

  test('times with a zone are instants, whatever the offset for texts without a zone', async () => {
    const file = await fileOf(
      "SELECT 'a' AS unit, '2026-03-02 08:00:00.123456'::TIMESTAMPTZ AS time, 1.0 AS lat, 2::DOUBLE AS lon",
    );
    for (const options of [{}, { timeZoneOffsetMinutes: 60 }]) {
      const { value } = await readParquet(file, options);
      expect(value.tracks[0]!.fixes[0]!.time).toBe(1_772_438_400_123);
    }
  });

  test('fractions of times before 1970 are cut as in texts', async () => {
    const file = await fileOf(
      "SELECT '1960-01-01 00:00:00.000999'::TIMESTAMPTZ AS time, 1.5 AS lat, 2.5 AS lon",
    );
    expect((await readParquet(file)).value.tracks[0]!.fixes[0]!.time).toBe(Date.UTC(1960, 0, 1));
  });

  test('epoch times as INT64 by option, decimals, floats and integers, units as numbers', async () => {
    const query =
      'SELECT 7::BIGINT AS unit, 1772438400::BIGINT AS time, 55.5::DECIMAL(9,6) AS lat, 37.5::FLOAT AS lon, 12::INTEGER AS satellites';
    const { value, issues } = await readParquet(await fileOf(query), { timeFormat: 'epoch-seconds' });
    expect(issues).toEqual([]);
    expect(value.tracks).toEqual([
      { name: '7', unitId: '7', fixes: [{ time: 1_772_438_400_000, lon: 37.5, lat: 55.5, satellites: 12 }] },
    ]);
  });

  test.each([
    ['1772438400::BIGINT', 'epoch seconds (10 digits)', 0],
    ['1772438400.25::DOUBLE', 'epoch seconds (10 digits)', 250],
    ['1772438400123::BIGINT', 'epoch milliseconds (13 digits)', 123],
    ['1772438400123999::BIGINT', 'epoch microseconds (16 digits)', 123],
    ['1772438400123999999::BIGINT', 'epoch nanoseconds (19 digits)', 123],
  ])('numbers without a type are assumed to be epochs: %s', async (value, words, milliseconds) => {
    const query = `SELECT 'a' AS unit, ${value} AS time, 1.0 AS lat, 2.0 AS lon`;
    const read = await readParquet(await fileOf(query));
    expect(read.value.tracks[0]!.fixes[0]!.time).toBe(1_772_438_400_000 + milliseconds);
    expect(read.issues).toMatchObject([{ code: 'table-assumed', message: `assumed: "time" are ${words}` }]);
  });

  test('numbers beyond the unit of most rows are errors of their rows, also in later row groups', async () => {
    const few =
      "SELECT 'a' AS unit, unnest([12, 1772438400, 1772438400123])::BIGINT AS time, 1.0 AS lat, 2.0 AS lon";
    const unread = await readParquet(await fileOf(few));
    expect(unread.value.tracks).toEqual([]);
    expect(unread.issues.map(({ code, line }) => [code, line])).toEqual(
      [1, 2, 3].map((line) => ['time-invalid', line]),
    );
    const many =
      "SELECT 'a' AS unit, CASE WHEN i % 1500 = 7 THEN 0 ELSE 1772438400 + i END::BIGINT AS time, 1.0 AS lat, 2.0 AS lon FROM range(5000) t(i)";
    const { value, issues } = await readParquet(await fileOf(many, 'ROW_GROUP_SIZE 2048'));
    expect(value.tracks[0]!.fixes).toHaveLength(4996);
    expect(value.tracks[0]!.fixes.every(({ time }) => time >= 1_772_438_400_000)).toBe(true);
    expect(issues.map(({ code, line }) => [code, line])).toEqual([
      ['table-assumed', undefined],
      ...[8, 1508, 3008, 4508].map((line) => ['time-invalid', line]),
    ]);
  });

  test('the newest row first: the hour that comes twice is read from its later one', async () => {
    const query = `SELECT 'a' AS unit, unnest(['2026-10-25 03:10:00', '2026-10-25 02:30:00', '2026-10-25 02:45:00',
      '2026-10-25 01:50:00'])::TIMESTAMP AS time, 1.0 AS lat, 2.0 AS lon`;
    const { value } = await readParquet(await fileOf(query), { table: { timeZone: 'Europe/Berlin' } });
    expect(value.tracks[0]!.fixes.map(({ time }) => new Date(time).toISOString().slice(11, 16))).toEqual([
      '02:10',
      '01:30',
      '00:45',
      '23:50',
    ]);
    const unknown = readParquet(await fileOf(query), { table: { timeZone: 'Europe/Berlim' } });
    await expect(unknown).rejects.toMatchObject({ code: 'tz-unknown' });
  });

  test.each([
    ['TIMESTAMP', 'times'],
    ['VARCHAR', 'texts'],
  ])('a zone with rules: %s are resolved by the order of the rows', async (type) => {
    const query = `SELECT unit, time::${type} AS time, 1.0 AS lat, 2.0 AS lon FROM (VALUES
      ('a', '2026-10-25 02:30:00'), ('b', '2026-10-25 02:30:00'), ('a', '2026-10-25 02:10:00'),
      ('a', '2026-03-29 02:30:00'), ('b', '2026-10-25 03:00:00')) t(unit, time)`;
    const { value, issues } = await readParquet(await fileOf(query), {
      table: { timeZone: 'Europe/Berlin' },
    });
    expect(value.tracks.map(({ fixes }) => fixes.map(({ time }) => new Date(time).toISOString()))).toEqual([
      ['2026-10-25T00:30:00.000Z', '2026-10-25T01:10:00.000Z'],
      ['2026-10-25T00:30:00.000Z', '2026-10-25T02:00:00.000Z'],
    ]);
    expect(issues).toMatchObject([
      { code: 'time-invalid', line: 4, message: expect.stringContaining('Europe/Berlin') as string },
      { code: 'table-assumed', message: expect.stringContaining('3 times come twice') as string },
    ]);
  });

  test('an invalid row gives an issue with the number of the row; other rows are read', async () => {
    const file = await fileOf(
      "SELECT * FROM (VALUES ('a', 1.0, 2.0), (NULL, 1.0, 2.0), ('a', 91.0, 2.0), ('a', NULL, 2.0), ('a', 'NaN'::DOUBLE, 1.0), ('a', 3.0, 4.0)) t(unit, lat, lon), (SELECT '2026-01-01'::TIMESTAMPTZ AS time)",
    );
    const { value, issues } = await readParquet(file);
    expect(issues.map(({ code, line }) => [code, line])).toEqual([
      ['unit-missing', 2],
      ['lat-range', 3],
      ['coord-type', 4],
      ['coord-type', 5],
    ]);
    expect(value.tracks[0]!.fixes.map(({ lat }) => lat)).toEqual([1, 3]);
  });

  test('columns are found by name or option; a needed nested column is an issue', async () => {
    const file = await fileOf(
      "SELECT 'a' AS who, '2026-01-01'::TIMESTAMPTZ AS time, 1.0 AS lat, [2.0] AS lon, {'x': 1} AS more",
    );
    expect((await readParquet(file)).issues.map(({ code }) => code)).toContain('parquet-unsupported');
    const own = await readParquet(
      await fileOf(
        "SELECT 'a' AS who, '2026-01-01'::TIMESTAMPTZ AS time, 1.0 AS lat, 2.0 AS lon, {'x': 1} AS more",
      ),
      {
        columns: { unit: 'who' },
      },
    );
    expect(own.value.tracks[0]!.unitId).toBe('a');
    expect((await readParquet(await fileOf('SELECT 1 AS a'))).issues[0]).toMatchObject({
      code: 'csv-columns',
    });
  });
});

/** Well-known binary of a polygon, little-endian. */
function polygonWkb(ring: readonly (readonly [number, number])[]): string {
  const bytes = Buffer.alloc(13 + 16 * ring.length);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(3, 1);
  bytes.writeUInt32LE(1, 5);
  bytes.writeUInt32LE(ring.length, 9);
  for (const [i, [x, y]] of ring.entries()) {
    bytes.writeDoubleLE(x, 13 + 16 * i);
    bytes.writeDoubleLE(y, 21 + 16 * i);
  }
  return bytes.toString('hex');
}

test('GeoParquet: zones of well-known binary, the other columns as properties', async () => {
  const ring = [
    [37, 55],
    [38, 55],
    [38, 56],
    [37, 55],
  ] as const;
  const geo = JSON.stringify({
    version: '1.0.0',
    primary_column: 'geometry',
    columns: { geometry: { encoding: 'WKB', geometry_types: ['Polygon'] } },
  });
  const file = await fileOf(
    `SELECT 'z1' AS id, 'Depot' AS name, 9007199254740993::BIGINT AS big, '2026-01-01'::TIMESTAMP AS made, from_hex('${polygonWkb(ring)}') AS geometry`,
    `KV_METADATA {geo: '${geo}'}`,
  );
  const { value, issues } = await readParquet(file);
  expect(issues).toEqual([]);
  expect(value.zones).toMatchObject([
    {
      id: 'z1',
      name: 'Depot',
      type: { key: 'polygon' },
      geometry: ring,
      properties: { big: '9007199254740993', made: '2026-01-01T00:00:00.000' },
    },
  ]);
});

describe('invalid files', () => {
  test('a file cut anywhere gives an issue', async () => {
    const file = await fileOf(
      "SELECT 'u' || (i % 3) AS unit, '2026-01-01'::TIMESTAMPTZ + INTERVAL (i) SECOND AS time, i / 100 AS lat, i / 50 AS lon FROM range(50) t(i)",
    );
    for (let cut = 0; cut < file.length; cut += 7) {
      const { issues } = await readParquet(file.subarray(0, cut));
      expect(issues.map(({ code }) => code)).toEqual(['parquet-invalid']);
    }
  });

  test('other files are issues; a value that is not a source is an error', async () => {
    for (const text of ['', 'unit,time,lat,lon\n', 'PAR1'.repeat(10)]) {
      expect((await readParquet(Buffer.from(text))).issues).toMatchObject([{ code: 'parquet-invalid' }]);
    }
    await expect(readParquet('x' as never)).rejects.toMatchObject({ code: 'input-type' });
    await expect(readParquet(new Uint8Array(), 1 as never)).rejects.toMatchObject({ code: 'option-type' });
  });

  test('only the needed parts of a source are read; errors of the source are thrown unchanged', async () => {
    const file = await fileOf(
      "SELECT '2026-01-01'::TIMESTAMPTZ AS time, random() AS lat, random() AS lon, repeat(md5(i::VARCHAR), 20) AS note FROM range(20000) t(i)",
    );
    let bytes = 0;
    const slice = (start: number, end: number = file.length): ArrayBuffer => {
      bytes += end - start;
      return Uint8Array.from(file.subarray(start, end)).buffer;
    };
    const { value } = await readParquet({ byteLength: file.length, slice });
    expect(value.tracks[0]!.fixes).toHaveLength(20_000);
    expect(bytes).toBeLessThan(file.length / 2 + 600_000);
    const gone = Object.assign(new Error('gone'), { errno: -5, code: 'EIO' });
    const failing = { byteLength: 100, slice: () => Promise.reject(gone) };
    await expect(readParquet(failing)).rejects.toBe(gone);
  });
});

describe('toParquet', () => {
  test('DuckDB and readParquet read the file', async () => {
    const time = Date.UTC(2026, 2, 2, 8, 0, 0, 123);
    const rows = Array.from({ length: 300_000 }, (_, i) => [
      `unit ${i % 7}`,
      time + i,
      55 + i / 1e6,
      i % 3 === 0 ? null : i,
      i % 2 === 0,
    ]);
    const bytes = await toParquet(
      { unit: 'text', time: 'time', lat: 'number', lon: 'number', ignition: 'boolean' },
      rows,
    );
    const path = join(folder, 'written.parquet');
    writeFileSync(path, bytes);
    const answer = await duck.runAndReadAll(
      `SELECT count(*)::INTEGER, count(lon)::INTEGER, epoch_ms(min(time))::DOUBLE, sum(lat)::DOUBLE, count(DISTINCT unit)::INTEGER, count_if(ignition)::INTEGER FROM '${path}'`,
    );
    const [[count, lons, first, sum, units, on] = []] = answer.getRows() as number[][];
    expect([count, lons, first, units, on]).toEqual([300_000, 200_000, time, 7, 150_000]);
    expect(sum).toBeCloseTo(
      rows.reduce((total, row) => total + (row[2] as number), 0),
      3,
    );
    const few = await toParquet({ unit: 'text', time: 'time', lat: 'number', lon: 'number' }, [
      ['ключ', time, -0.1, 179.9],
    ]);
    expect((await readParquet(few)).value.tracks).toEqual([
      { name: 'ключ', unitId: 'ключ', fixes: [{ time, lat: -0.1, lon: 179.9 }] },
    ]);
    expect(
      (await readParquet(await toParquet({ unit: 'text', time: 'time', lat: 'number', lon: 'number' }, [])))
        .value.tracks,
    ).toEqual([]);
  });

  test('invalid cells and columns are errors', async () => {
    await expect(toParquet({ a: 'number' }, [['x']])).rejects.toMatchObject({
      code: 'cell-type',
      field: 'rows[0][0]',
    });
    await expect(toParquet({ a: 'time' }, [[0], [8.64e15 + 2]])).rejects.toMatchObject({
      code: 'cell-type',
      field: 'rows[1][0]',
    });
    await expect(toParquet({ a: 'date' as never }, [])).rejects.toMatchObject({
      code: 'option-value',
      field: 'columns.a',
    });
    await expect(toParquet(null as never, [])).rejects.toMatchObject({ code: 'option-type' });
    await expect(toParquet({ a: 'number' }, 5 as never)).rejects.toMatchObject({ code: 'source-type' });
  });
});
