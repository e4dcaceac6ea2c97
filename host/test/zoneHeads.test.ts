import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { postgresStorage } from '../src/storage/postgresStorage.js';
import { migrate, type Storage } from '../src/storage/storage.js';
import { type Caller, type Given, onBothDatabases, ownPostgres } from './testHost.js';
import { undoCells } from './undoCells.js';

/** The heads of geozones, which the database computes at each write, and the migration that adds them to existing rows. */

interface Stored {
  readonly head: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** The twin: the head of a row. */
function headOf(row: Stored['row']): readonly unknown[] {
  const keyOf = (name: string): unknown => Object(row[name])['key'] ?? null;
  return [
    ...['id', 'name', 'created', 'is_delete', 'companies'].map((name) => row[name] ?? null),
    ...['icon', 'color', 'type'].map(keyOf),
  ];
}

async function readAll({ db }: Storage): Promise<readonly Stored[]> {
  return (await sql<Stored>`select head, row from geozones order by ordinal`.execute(db)).rows;
}

async function expectTwins(storage: Storage): Promise<number> {
  const rows = await readAll(storage);
  expect(rows.map(({ head }) => JSON.parse(head) as unknown)).toEqual(rows.map(({ row }) => headOf(row)));
  return rows.length;
}

/** Rows as no operation writes them: of any JSON. */
const ODD: readonly Readonly<Record<string, unknown>>[] = [
  { name: null, icon: null, color: 'red', type: ['circle'], companies: null, is_delete: 0 },
  { name: 'a"b\\\n\u2028𠮷', icon: { key: null }, color: { key: '' }, type: { key: '"' }, is_delete: 'true' },
  { created: 5, companies: [{ id: 'x"]' }], icon: { key: { key: 1 } } },
  {},
];

async function insertOdd({ db }: Storage, companyId: string): Promise<void> {
  for (const [i, row] of ODD.entries())
    await sql`insert into geozones (id, company_id, name, created, version, row)
      values (${`odd ${i}`}, ${companyId}, '', now(), 0, ${JSON.stringify({ ...row, id: `odd ${i}` })}::jsonb)`.execute(
      db,
    );
}

/** The database as before the migration, and before those after it. */
const undoHeads = async ({ db }: Storage): Promise<void> => {
  await undoCells({ db });
  for (const statement of [
    'alter table geozones drop column head',
    'drop table received',
    'alter table partitions drop column stamp, drop column stamp_position',
    'drop index units_key',
    'drop table used_links',
    'alter table units drop column owns_key, add constraint units_device_key_key unique (device_key)',
    `delete from kysely_migration where name >= '006_heads'`,
  ])
    await sql.raw(statement).execute(db);
};

function contract(given: () => Given): void {
  let storage: Storage;
  let [admin, other]: readonly Caller[] = [];
  beforeAll(async () => {
    const { hosted } = given();
    storage = hosted.host.storage;
    admin = await hosted.as(await hosted.company(), 'SUPERVISOR');
    other = await hosted.as(await hosted.company(), 'SUPERVISOR');
  });

  test('follow every kind of write', async () => {
    const zone = { name: 'Zone', type: { key: 'circle' }, geometry: [[30, 50]], width: 200 };
    const created = await admin!.send('POST', '/geozones', { ...zone, icon: { key: 'garage' } });
    const { id } = created.body as { id: string };
    await expectTwins(storage);
    const shared = { ...zone, name: 'Зона', companies: [{ id: other!.companyId }] };
    expect((await admin!.send('PUT', `/geozones/${id}`, shared)).status).toBe(200);
    expect(await expectTwins(storage)).toBe(2);
    const filtered = await other!.send('POST', '/geozones/filter', {});
    expect(filtered.body).toMatchObject({ max: 1, list: [{ name: 'Зона' }] });
    const form = new FormData();
    form.append('file', new File(['name,lat,lon,radius_m\na,50,30,100\nb,51,30,100'], 'zones.csv'));
    expect((await admin!.send('POST', '/geozones/import', form)).status).toBe(200);
    expect((await admin!.send('DELETE', `/geozones/${id}`)).status).toBe(200);
    expect(await expectTwins(storage)).toBe(4);
    expect((await other!.send('POST', '/geozones/filter', {})).body).toMatchObject({ max: 0 });
  });

  test('are added to the rows of an existing table', async () => {
    await insertOdd(storage, admin!.companyId);
    const before = await readAll(storage);
    await expectTwins(storage);
    await undoHeads(storage);
    await migrate(storage.db);
    expect(await readAll(storage)).toEqual(before);
  });
}

onBothDatabases(contract);

needs(POSTGRESQL).test('a migration may take longer than an answer (needs PostgreSQL)', async () => {
  const database = await ownPostgres();
  const holder = new pg.Client({ connectionString: database.url! });
  try {
    await undoHeads(database.storage);
    await holder.connect();
    await holder.query('begin; lock table geozones in access exclusive mode');
    const opening = postgresStorage(database.url!, { answerMs: 1 });
    const isWaiting = async (): Promise<boolean> =>
      (await holder.query(`select from pg_locks where not granted`)).rowCount !== 0;
    while (!(await isWaiting())) await sleep(10);
    await holder.query('commit');
    await (await opening).close();
  } finally {
    await holder.end();
    await database.storage.close();
    database.remove();
  }
});
