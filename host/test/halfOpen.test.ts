import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { fixDays } from '../src/storage/fixDays.js';
import { postgresStorage } from '../src/storage/postgresStorage.js';
import { liveStream, startWorker } from '../src/stream/liveStream.js';
import { addCompany } from './addCompany.js';
import { type SilentProxy, silentProxy } from './silentProxy.js';
import { type Database, ownPostgres } from './testHost.js';

/** Connections that stay open and fall silent: every call has a time limit, and other workers take the cells. */

needs(POSTGRESQL).describe('a silent connection to the database (needs PostgreSQL)', () => {
  const base = mkdtempSync(join(tmpdir(), 'wayzone-half-'));
  chmodSync(base, 0o777);
  let database: Database;
  let proxy: SilentProxy;
  let address: string;
  beforeAll(async () => {
    database = await ownPostgres(base);
    const folder = new URL(database.url!).searchParams.get('host')!;
    proxy = await silentProxy(join(folder, '.s.PGSQL.5432'));
    address = `postgres://wayzone@127.0.0.1:${proxy.port}/postgres`;
  });
  afterAll(async () => {
    proxy?.close();
    await database?.storage.close();
    database?.remove();
    rmSync(base, { recursive: true, force: true });
  });

  test('costs one time limit, however many connections fell silent', async () => {
    const storage = await postgresStorage(address, { answerMs: 5000 });
    const ask = (): Promise<unknown> => sql`select pg_sleep(0.05)`.execute(storage.db);
    await Promise.all(Array.from({ length: 10 }, ask));
    proxy.silence();
    await expect(ask()).rejects.toThrow('Query read timeout');
    await ask();
    await storage.close();
  });

  test('is found while a slow statement is waited for', async () => {
    const storage = await postgresStorage(address);
    const slow = sql`select pg_sleep(5)`.execute(database.storage.db);
    const slowHere = sql`select pg_sleep(5)`.execute(storage.db);
    await Promise.all(Array.from({ length: 3 }, () => sql`select pg_sleep(0.05)`.execute(storage.db)));
    await Promise.all([slow, slowHere]);
    proxy.silence();
    // Far below the limit for an answer, a minute.
    await expect(sql`select 1`.execute(storage.db)).rejects.toThrow('Query read timeout');
    await sql`select 1`.execute(storage.db);
    await storage.close();
  });

  test('a worker whose connection is silent leaves its cells to another one', async () => {
    const { storage } = database;
    await addCompany(storage, 'c', { units: Array.from({ length: 20 }, (_, i) => ({ id: `van-${i}` })) });
    const own = await postgresStorage(address, { answerMs: 5000 });
    const common = {
      latenessSeconds: 30,
      rotationMs: 60_000,
      tickMs: 0,
      now: null,
      onCommitted: () => {},
      onPaused: () => {},
    };
    const stuck = startWorker({ ...common, storage: { ...own, url: storage.url } });
    const sender = liveStream({ storage, days: fixDays(storage), worker: null, now: null });
    const push = async (second: number): Promise<void> => {
      const time = Date.now() - 60_000 + second * 1000;
      for (let i = 0; i < 20; i++)
        await sender.push('c', [{ unitId: `van-${i}`, fix: { time, lon: 30, lat: 60 } }]);
    };
    const isDone = async (): Promise<boolean> => {
      const { rows } = await sql<{ left: number }>`
        select count(*)::int as left from cells c join cell_positions p on p.cell = c.cell
        where c.head > p.position`.execute(storage.db);
      return rows[0]!.left === 0;
    };
    await push(0);
    while (!(await isDone())) await sleep(20);
    expect(stuck.running().length).toBeGreaterThan(0);
    const other = startWorker({ ...common, storage });
    proxy.silence({ later: true });
    await push(1);
    while (!(await isDone())) await sleep(50);
    expect(other.running().length).toBeGreaterThan(0);
    proxy.close();
    await sender.close();
    await other.close();
    await stuck.close();
    await own.close();
  });
});
