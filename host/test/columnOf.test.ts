import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { columnOf } from '../src/storage/entryColumns.js';
import { PREPARED } from '../src/storage/prepared.js';
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

  test('a marked statement is parsed once for a connection, and its result follows its parameters and the table', async () => {
    const { db, url } = given().database.storage;
    await db.connection().execute(async (one) => {
      await sql`create temporary table kept (id text primary key)`.execute(one);
      const add = (ids: readonly string[]) =>
        sql<{
          id: string;
        }>`${PREPARED} insert into kept select * from unnest(${ids}::text[]) returning id`.execute(one);
      for (let i = 0; i < 8; i++)
        expect((await add([`a${i}`, `b${i}`])).rows).toEqual([{ id: `a${i}` }, { id: `b${i}` }]);
      // A statement that fails can be used again, also after the table has changed.
      await expect(add(['a1'])).rejects.toThrow('duplicate');
      await sql`alter table kept add column time bigint`.execute(one);
      expect((await add(['c'])).rows).toEqual([{ id: 'c' }]);
      await sql`select 1 from kept where id = ${'c'}`.execute(one);
      const { rows } = await sql<{ statement: string }>`
        select statement from pg_prepared_statements where statement like '%kept%'`.execute(one);
      if (url !== null)
        expect(rows.map(({ statement }) => statement.slice(0, 21))).toEqual(['/* prepared */ insert']);
      await sql`drop table kept`.execute(one);
    });
  });
}

onBothDatabases(columns);
