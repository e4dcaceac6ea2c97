import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, Migrator } from 'kysely';
import { expect, test } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { embeddedStorage } from '../src/storage/embeddedStorage.js';
import { MIGRATIONS } from '../src/storage/migrations.js';
import { postgresStorage } from '../src/storage/postgresStorage.js';
import type { Storage } from '../src/storage/storage.js';
import { emptyDatabase, NOW, ownPostgres, testHost } from './testHost.js';

/** The schema goes six migrations back and to the latest again while no process uses the database. */

const BACK = 6;
const ZONE = { name: 'Stop', type: { key: 'circle' }, geometry: [[30, 60]], width: 200 };
const FIXES = 60;

/** `open` opens the same database each time. */
async function keepsRows(open: () => Promise<Storage>): Promise<void> {
  let hosted = await testHost(await open());
  const companyId = await hosted.company();
  let admin = await hosted.as(companyId, 'ADMIN');
  expect((await admin.send('POST', '/geozones', ZONE)).status).toBe(200);
  const unit = { name: 'Van', device_key: 'van' };
  const { id } = (await admin.send('POST', '/units', unit)).body as { id: string };
  /** Drives to and fro through the zone. */
  const drive = (from: number): object[] =>
    Array.from({ length: FIXES }, (_, i) => ({
      unit_id: id,
      time: NOW - 3_600_000 + (from + i) * 20_000,
      lon: 30 + Math.abs((i % 24) - 12) / 400 - 0.005,
      lat: 60,
    }));
  const send = async (from: number): Promise<void> =>
    expect((await admin.send('POST', '/positions', drive(from))).body).toMatchObject({ taken: FIXES });
  await send(0);
  await hosted.close();

  const storage = await open();
  const contents = async (): Promise<unknown[]> => [
    await storage.db.selectFrom('fixes').selectAll().orderBy('time').orderBy('unit_id').execute(),
    await storage.db
      .selectFrom('events')
      .select(['company_id', 'unit_id', 'time', 'event'])
      .orderBy('partition')
      .orderBy('seq')
      .orderBy('ordinal')
      .execute(),
  ];
  const before = await contents();
  expect((before as unknown[][]).map((rows) => rows.length > 5)).toEqual([true, true]);
  const migrator = new Migrator({
    db: storage.db as Kysely<unknown>,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
  });
  for (let step = 0; step < BACK; step++) expect((await migrator.migrateDown()).error).toBeUndefined();
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  expect(await contents()).toEqual(before);
  await storage.close();

  // Units continue.
  hosted = await testHost(await open());
  admin = await hosted.as(companyId, 'ADMIN');
  await send(FIXES);
  const { body } = await admin.send('GET', `/units/${id}/track?from=0&to=${NOW}`);
  expect((body as { points: unknown[] }).points).toHaveLength(2 * FIXES);
  await hosted.close();
}

test('the migrations down and up again keep the rows of the embedded database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-migrate-'));
  let copy: Blob | undefined = await emptyDatabase();
  try {
    await keepsRows(async () => {
      const storage = await embeddedStorage(folder, copy);
      copy = undefined;
      return storage;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

needs(POSTGRESQL).test('… and those of PostgreSQL (needs PostgreSQL)', async () => {
  const database = await ownPostgres();
  try {
    await keepsRows(() => postgresStorage(database.url!));
  } finally {
    await database.storage.close();
    database.remove();
  }
});
