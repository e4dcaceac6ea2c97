import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KyselyPlugin, sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZoneIndex } from 'wayzone';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { computeProcesses } from '../src/jobs/compute.js';
import type { HeadCells } from '../src/jobs/zoneFile.js';
import { postgresStorage } from '../src/storage/postgresStorage.js';
import { type WireRow, write } from '../src/storage/rows.js';
import { readHeadTexts, readTexts, readTextsAt, readTextsOf } from '../src/storage/rowTexts.js';
import { notify, type Storage } from '../src/storage/storage.js';
import type { Tables } from '../src/storage/tables.js';
import { type ZoneCache, zoneCache } from '../src/zones/zoneCache.js';
import { givenHeads } from '../src/zones/zoneHeads.js';
import { type Given, onADatabase, ownPostgres, type TestHost, testHost } from './testHost.js';

/** Zones in memory follow the database, with notifications, without them, and after dropped connections. */

const AT: [number, number] = [30, 60];

function zone(name: string, at: [number, number] = AT): WireRow {
  return {
    id: randomUUID(),
    name,
    type: { key: 'circle' },
    geometry: [at],
    width: 500,
  } as WireRow;
}

const insert = (storage: Storage, companyId: string, rows: readonly WireRow[]): Promise<number> =>
  write(storage, companyId, async (writer) => {
    await writer.insert('geozones', rows);
    return writer.version;
  });

const compute = computeProcesses();
afterAll(() => compute.close());
const ALL = { query: {}, language: 'en', timeZone: 'UTC' };

/** The number of a company's zones in the index and in the lists. */
async function seen(zones: ZoneCache, companyId: string): Promise<readonly [number, number]> {
  const { index } = await zones.zonesOf(companyId);
  const heads = givenHeads(await zones.headsOf(companyId));
  const { max } = JSON.parse(await compute.run(companyId, 'zoneList', ALL, heads)) as { max: number };
  return [index.at(AT).length, max];
}

/** Calls `onTexts` for each page of rows read for an index. */
function counter(onTexts: () => void): KyselyPlugin {
  return {
    transformQuery({ node }) {
      const query = JSON.stringify(node);
      if (query.includes('string_agg') && query.includes('polygon_geometry')) onTexts();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

function contract(given: () => Given): void {
  let storage: Storage;
  let hosted: TestHost;
  beforeAll(() => {
    ({ hosted } = given());
    ({ storage } = given().database);
  });

  test('few changes edit the index, many replace it; lists follow both', async () => {
    const companyId = await hosted.company();
    const zones = await zoneCache(storage);
    const first = zone('a');
    await insert(storage, companyId, [first]);
    const { index } = await zones.zonesOf(companyId);
    await zones.reach(companyId, await insert(storage, companyId, [zone('b'), zone('c')]));
    expect(await seen(zones, companyId)).toEqual([3, 3]);
    const deleted = { ...first, is_delete: true };
    const version = await write(storage, companyId, async (writer) => {
      await writer.update('geozones', deleted);
      return writer.version;
    });
    await zones.reach(companyId, version);
    expect(await seen(zones, companyId)).toEqual([2, 2]);
    expect((await zones.zonesOf(companyId)).index).toBe(index);
    const many = Array.from({ length: 1200 }, (_, i) => zone(`z${i}`, [i / 100, 10]));
    await zones.reach(companyId, await insert(storage, companyId, many));
    expect(await seen(zones, companyId)).toEqual([2, 1202]);
    expect((await zones.zonesOf(companyId)).index).not.toBe(index);
    await zones.close();
  });

  test('the pages of a long import are read without reading its other pages, whatever the statistics', async () => {
    const owner = await hosted.as(await hosted.company(), 'ADMIN');
    await insert(
      storage,
      await hosted.company(),
      Array.from({ length: 3000 }, () => zone('a')),
    );
    // PostgreSQL plans by its statistics, which it renews when it likes: these are of the other companies.
    await sql`analyze geozones`.execute(storage.db);
    const rows = Array.from({ length: 6000 }, (_, i) => `Stop ${i},circle,${30 + i / 1000},60,50`);
    const form = new FormData();
    form.append('file', new File([['name,type,lon,lat,radius_m', ...rows].join('\n')], 'stops.csv'));
    expect(await owner.send('POST', '/geozones/import', form)).toMatchObject({ body: { stored: 6000 } });
    const touchedIn = async (trx: Transaction<Tables>): Promise<number> => {
      const { rows: stats } = await sql<{ touched: string }>`
        select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as touched
        from pg_stat_xact_user_tables where relname = 'geozones'`.execute(trx);
      return Number(stats[0]!.touched);
    };
    const read = (): Promise<readonly [number, number]> =>
      storage.db.transaction().execute(async (trx) => {
        // PostgreSQL may count earlier transactions too.
        const before = await touchedIn(trx);
        let count = 0;
        for await (const _ of readTextsAt(trx, owner.companyId, 1)) count++;
        return [count, (await touchedIn(trx)) - before];
      });
    for (const isFresh of [false, true]) {
      if (isFresh) await sql`analyze geozones`.execute(storage.db);
      const [pages, touched] = await read();
      expect(pages).toBeGreaterThan(5);
      expect(touched).toBeGreaterThanOrEqual(6000);
      // One pass for the ends of the pages, and one for the rows; with each page reading all rows, one more for each page.
      expect(touched).toBeLessThan(6000 * (1 + pages / 2));
    }
  });

  test('a page has few large rows or many small ones, each row once and in order', async () => {
    const companyId = await hosted.company();
    const rows = Array.from({ length: 400 }, (_, i) => ({
      ...zone(`Zone ${i}`),
      note:
        i % 10 === 3 ? Array.from({ length: 20_000 }, (__, k) => Math.sin(i + k).toString(36)).join(' ') : '',
    }));
    await insert(storage, companyId, rows);
    const ids = rows.map(({ id }) => id).reverse();
    ids.splice(100, 0, 'unknown');
    for (const [pages, expected] of [
      [readTexts(storage.db, 'geozones', companyId, 'all', null), rows],
      [readTextsOf(storage.db, 'geozones', companyId, ids, null), rows.toReversed()],
      [readTextsAt(storage.db, companyId, 1), rows],
    ] as const) {
      const texts: string[] = [];
      for await (const page of pages) texts.push(page);
      const read = texts.flatMap((text) => JSON.parse(`[${text}]`) as object[]);
      expect(read.map((row) => row as unknown)).toEqual(expected);
      expect(texts.length).toBeGreaterThan(10);
      // A row of 400,000 characters begins before the end of a page.
      for (const text of texts) expect(text.length).toBeLessThan(1_500_000);
    }
  });

  test('heads of companies whose rows alternate come in pages of many, each once and in order', async () => {
    const companies = [await hosted.company(), await hosted.company()];
    const ids: string[][] = [[], []];
    for (let round = 0; round < 25; round++)
      for (const [i, companyId] of companies.entries()) {
        const rows = Array.from({ length: 100 + 90 * i }, (_, k) => zone(`${round} ${k}`));
        await insert(storage, companyId, rows);
        ids[i]!.push(...rows.map(({ id }) => id));
      }
    for (const [i, companyId] of companies.entries()) {
      const pages: string[] = [];
      for await (const texts of readHeadTexts(storage.db, companyId)) pages.push(texts);
      const heads = pages.map((texts) => JSON.parse(`[${texts}]`) as HeadCells[]);
      expect(heads.flat().map(([id]) => id)).toEqual(ids[i]);
      expect(pages.length).toBeLessThan(ids[i]!.length / 500);
      for (const page of heads) expect(page.length).toBeLessThanOrEqual(2000);
    }
  });

  test('after many small changes computations get a new base, and few rows to apply to it', async () => {
    const companyId = await hosted.company();
    const zones = await zoneCache(storage);
    try {
      await insert(storage, companyId, [zone('First')]);
      await zones.zonesOf(companyId);
      const old = zones.baseOf(companyId)!;
      const heads = await zones.headsOf(companyId);
      let version = 0;
      for (let i = 0; i < 4; i++) {
        version = await insert(
          storage,
          companyId,
          Array.from({ length: 300 }, (_, k) => zone(`${i} ${k}`)),
        );
        await zones.reach(companyId, version);
      }
      await until(async () => zones.baseOf(companyId)!.version > old.version);
      const base = zones.baseOf(companyId)!;
      expect(ZoneIndex.fromBuffer(base.index).size).toBe(1201);
      expect(base).toMatchObject({ version, upTo: version });
      await until(async () => (await zones.headsOf(companyId)).base !== heads.base);
      const anew = await zones.headsOf(companyId);
      expect([anew.version, anew.later.size]).toEqual([version, 0]);
      expect(zones.bytes()).toBe(base.index.byteLength + anew.base.byteLength);
      version = await insert(storage, companyId, [zone('Last')]);
      await zones.reach(companyId, version);
      expect(zones.baseOf(companyId)).toBe(base);
      expect(await seen(zones, companyId)).toEqual([1202, 1202]);
    } finally {
      await zones.close();
    }
  });

  test('beyond the memory limit the least recently used company is dropped, and read again on demand', async () => {
    const companies = await Promise.all(Array.from({ length: 3 }, () => hosted.company()));
    const zones = await zoneCache(storage, { maxBytes: 1 });
    for (const [i, companyId] of companies.entries())
      await insert(
        storage,
        companyId,
        Array.from({ length: i + 1 }, () => zone('a')),
      );
    for (const [i, companyId] of companies.entries()) {
      expect(await seen(zones, companyId)).toEqual([i + 1, i + 1]);
      expect(zones.size()).toBe(i + 1);
    }
    const rounds = [...companies, ...companies].map((companyId) => seen(zones, companyId));
    expect(await Promise.all(rounds)).toEqual([1, 2, 3, 1, 2, 3].map((count) => [count, count]));
    await zones.close();
  });

  test('of two companies above the limit the last one that was asked for stays', async () => {
    const [first, second] = [await hosted.company(), await hosted.company()];
    for (const companyId of [first, second]) await insert(storage, companyId, [zone('a')]);
    const zones = await zoneCache(storage, { maxBytes: 1 });
    try {
      for (const [asked, other] of [
        [first, second],
        [second, first],
        [first, second],
      ] as const) {
        await zones.zonesOf(asked);
        expect([zones.baseOf(asked) !== null, zones.baseOf(other)]).toEqual([true, null]);
      }
    } finally {
      await zones.close();
    }
  });

  test('a large company opens from the file of an earlier start, unless another database made it or it is damaged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-zones-'));
    const companyId = await hosted.company();
    const elsewhere = Array.from({ length: 2499 }, (_, i) => zone(`z${i}`, [i / 100, 10]));
    await insert(storage, companyId, [...elsewhere, zone('here')]);
    // Counts reads of the database.
    let texts = 0;
    const counted = { ...storage, db: storage.db.withPlugin(counter(() => texts++)) } as Storage;
    const opened = async (): Promise<readonly [readonly [number, number], boolean]> => {
      const zones = await zoneCache(counted, { folder });
      texts = 0;
      const found = await seen(zones, companyId);
      await zones.close();
      return [found, texts > 0];
    };
    expect(await opened()).toEqual([[1, 2500], true]);
    expect(await opened()).toEqual([[1, 2500], false]);
    await insert(storage, companyId, [zone('later')]);
    expect(await opened()).toEqual([[2, 2501], false]);
    const [file] = readdirSync(folder);
    const path = join(folder, file!);
    const bytes = readFileSync(path);
    bytes[bytes.length - 100_000]! ^= 1;
    writeFileSync(path, bytes);
    expect(await opened()).toEqual([[2, 2501], true]);
    await storage.db.deleteFrom('zone_snapshots').where('company_id', '=', companyId).execute();
    expect(await opened()).toEqual([[2, 2501], true]);
    rmSync(folder, { recursive: true });
  });

  test('a process without notifications compares the versions', async () => {
    const companyId = await hosted.company();
    const deaf = await zoneCache({ ...storage, listen: async () => {} });
    expect(await seen(deaf, companyId)).toEqual([0, 0]);
    await insert(storage, companyId, [zone('a')]);
    await until(async () => (await seen(deaf, companyId))[0] === 1);
    expect(await seen(deaf, companyId)).toEqual([1, 1]);
    await deaf.close();
  });

  test('versions have the order of commits, not of the starts of transactions', async () => {
    const companyId = await hosted.company();
    const zones = await zoneCache(storage);
    await zones.zonesOf(companyId);
    const order: string[] = [];
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slow = write(storage, companyId, async (writer) => {
      open();
      // The other write begins meanwhile. That it waits is not for a time: it needs the row that this one has locked.
      await sleep(50);
      await writer.insert('geozones', [zone('slow')]);
      order.push('slow');
      return writer.version;
    });
    await opened;
    const fast = insert(storage, companyId, [zone('fast')]).then((version) => {
      order.push('fast');
      return version;
    });
    const versions = await Promise.all([slow, fast]);
    expect([order, versions]).toEqual([
      ['slow', 'fast'],
      [1, 2],
    ]);
    await zones.reach(companyId, 2);
    expect(await seen(zones, companyId)).toEqual([2, 2]);
    await zones.close();
  });
}

onADatabase(contract);

needs(POSTGRESQL).test(
  'connections that drop silently are replaced, and no request waits for them (needs PostgreSQL)',
  async () => {
    const database = await ownPostgres();
    const url = new URL(database.url!);
    const proxy = await silentProxy(`${url.searchParams.get('host')!}/.s.PGSQL.5432`);
    const options = { heartbeatMs: 100, answerMs: 5000 };
    const through = await postgresStorage(`postgres://wayzone@127.0.0.1:${proxy.port}/postgres`, options);
    const hosted = await testHost(through);
    const companyId = await hosted.company();
    const admin = await hosted.as(companyId, 'ADMIN');
    const inMemory = async (): Promise<number> =>
      ((await admin.send('GET', '/positions/30,60/geozones')).body as unknown[]).length;
    expect(await inMemory()).toBe(0);
    proxy.drop();
    // Every connection of the pool answers.
    const lost = await Promise.all(Array.from({ length: 20 }, () => admin.send('GET', '/trips')));
    expect(lost.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    expect(await inMemory()).toBe(0);
    await insert(database.storage, companyId, [zone('a')]);
    await until(async () => (await inMemory()) === 1);
    await until(async () => (await admin.send('GET', '/trips')).status === 200);
    // The process listens again on a new connection, so this notification arrives without a comparison of versions.
    let hints = 0;
    await through.listen('wayzone_live', () => hints++);
    await until(async () => {
      await notify(database.storage.db, 'wayzone_live', { companyId, version: 1 });
      return hints > 0;
    });
    await hosted.close();
    await database.storage.close();
    proxy.close();
    database.remove();
  },
);

interface SilentProxy {
  readonly port: number;
  /** Blocks all open connections in both directions. New connections work. */
  drop(): void;
  close(): void;
}

async function silentProxy(path: string): Promise<SilentProxy> {
  const open = new Set<readonly [Socket, Socket]>();
  const server: Server = createServer((near) => {
    const far = connect(path);
    const pair = [near, far] as const;
    open.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => {});
      from.on('close', () => {
        to.destroy();
        open.delete(pair);
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    drop() {
      for (const pair of open) for (const socket of pair) socket.removeAllListeners('data').resume();
    },
    close() {
      server.close();
      for (const pair of open) for (const socket of pair) socket.destroy();
    },
  };
}
