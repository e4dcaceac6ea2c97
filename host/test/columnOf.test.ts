import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { columnOf } from '../src/storage/columnOf.js';
import { type Given, onBothDatabases } from './testHost.js';

function columns(given: () => Given): void {
  test('values come to the database as they are, null and an empty text as NULL', async () => {
    const { db } = given().database.storage;
    const texts = [
      '{"a":"line\\nend \\\\n","b":"\\"quoted\\", {1,2}"}',
      null,
      JSON.stringify({ name: "Склад 'Юг' 🚚", tab: '\t', control: '\u0001', end: '\u2028' }),
      'NULL',
      '',
      '[1,2]',
    ];
    const times = [1_772_438_400_000, null, -5, 0, Number.MAX_SAFE_INTEGER, 7];
    const lons = [37.617_298_123_456_78, -180, null, 1e-7, -0, 123456.5];
    const flags = [true, false, null, true, true, false];
    const { rows } = await sql<{
      text: string | null;
      time: string | null;
      lon: number | null;
      flag: boolean | null;
    }>`
      select * from unnest(${columnOf(texts)}::text[], ${columnOf(times)}::bigint[], ${columnOf(lons)}::float8[],
        ${columnOf(flags)}::boolean[]) as g(text, time, lon, flag)`.execute(db);
    expect(rows.map(({ text }) => text)).toEqual(texts.map((text) => (text === '' ? null : text)));
    expect(rows.map(({ time }) => (time === null ? null : Number(time)))).toEqual(times);
    expect(rows.map(({ lon }) => lon)).toEqual(lons.map((lon) => (lon === 0 ? 0 : lon)));
    expect(rows.map(({ flag }) => flag)).toEqual(flags);
  });

  test('one value, and one NULL beside it', async () => {
    const { db } = given().database.storage;
    const { rows } =
      await sql`select * from unnest(${['van']}::text[], ${columnOf([null])}::text[]) as g(id, text)`.execute(
        db,
      );
    expect(rows).toEqual([{ id: 'van', text: null }]);
  });
}

onBothDatabases(columns);
