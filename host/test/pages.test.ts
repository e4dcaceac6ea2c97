import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { seeded } from '../../test/volume.js';
import { type WireRow, write } from '../src/storage/rows.js';
import { readTexts, readTextsOf } from '../src/storage/rowTexts.js';
import type { Storage } from '../src/storage/storage.js';
import { type Caller, type Given, onBothDatabases, type TestHost } from './testHost.js';

/** Long answers over HTTP: lists by many ids, lists of thousands of rows, and lists whose rows change while they are read. */

interface Row {
  readonly id: string;
  readonly name: string;
}

/** Bytes of a text that PostgreSQL cannot compress much. */
const incompressible = (seed: number, words: number): string =>
  Array.from({ length: words }, (_, i) => Math.sin(seed + i).toString(36)).join(' ');

const zone = (name: string, words = 0): WireRow & Row =>
  ({
    id: randomUUID(),
    name,
    type: { key: 'circle', type: 'geozone_type', value: 'Circle' },
    geometry: [[30, 60]],
    width: 500,
    note: words === 0 ? '' : incompressible(name.length, words),
  }) as unknown as WireRow & Row;

function contract(given: () => Given): void {
  let storage: Storage;
  let hosted: TestHost;
  let url: string;
  beforeAll(async () => {
    ({ hosted } = given());
    ({ storage } = given().database);
    url = await hosted.host.app.listen({ host: '127.0.0.1', port: 0 });
  });

  const insert = (companyId: string, rows: readonly WireRow[]): Promise<void> =>
    write(storage, companyId, (writer) => writer.insert('geozones', rows));
  const get = async (caller: Caller, path: string): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(`${url}/api_v1${path}`, { headers: caller.headers });
    return { status: answer.status, body: await answer.json() };
  };

  test('hundreds of ids are answered whole and in their order, each once and without unknown ones', async () => {
    const reader = await hosted.as(await hosted.company(), 'READER');
    const other = await hosted.as(await hosted.company(), 'READER');
    // Every twentieth zone has 400 kB.
    const rows = Array.from({ length: 400 }, (_, i) => zone(`Zone ${i}`, i % 20 === 7 ? 20_000 : 0));
    const foreign = zone('Foreign');
    await insert(reader.companyId, rows);
    await insert(other.companyId, [foreign]);
    const random = seeded(20_261_128);
    const wanted = rows
      .map((row) => ({ row, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ row }) => row);
    const ids = wanted.map(({ id }) => id);
    const sent = ids.flatMap((id, i) => (i % 50 === 0 ? [id, 'unknown', ids[i % 7]!, foreign.id] : [id]));
    expect(sent.join(',').length).toBeGreaterThan(14_000);
    const { status, body } = await get(reader, `/geozones?ids=${sent.join(',')}`);
    // A doubled id has its first place.
    const first = [...new Set(sent)].filter((id) => ids.includes(id));
    expect([status, (body as Row[]).map(({ id }) => id)]).toEqual([200, first]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const row of body as Row[]) expect(row).toEqual(byId.get(row.id));
    expect(await get(reader, `/geozones?ids=${foreign.id},${foreign.id}`)).toMatchObject({ status: 404 });
    expect(await get(reader, `/geozones?ids=${foreign.id},unknown`)).toEqual({ status: 200, body: [] });
  });

  test('an address that is too long is 431 with a message, and the connection’s next one is answered', async () => {
    const reader = await hosted.as(await hosted.company(), 'READER');
    const ids = Array.from({ length: 500 }, () => randomUUID()).join(',');
    expect(await get(reader, `/geozones?ids=${ids}`)).toEqual({
      status: 431,
      body: { code: 431, message: 'expected a shorter address and headers', field: '' },
    });
    expect(await get(reader, '/geozones')).toEqual({ status: 200, body: [] });
  });

  test('a list of thousands of rows has each once, in order, as the pages of the filter have', async () => {
    const reader = await hosted.as(await hosted.company(), 'READER');
    const rows = Array.from({ length: 6000 }, (_, i) => zone(`Stop ${i}`));
    await insert(reader.companyId, rows);
    const { status, body } = await get(reader, '/geozones');
    expect(status).toBe(200);
    expect((body as Row[]).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    const found: string[] = [];
    for (let from = 0; ; from += 1700) {
      const page = await reader.send('POST', '/geozones/filter', { from, count: 1700, sortField: 'created' });
      const { max, list } = page.body as { max: number; list: Row[] };
      expect(max).toBe(6000);
      if (list.length === 0) break;
      found.push(...list.map(({ id }) => id));
    }
    expect(found.toSorted()).toEqual(rows.map(({ id }) => id).sort());
  });

  test('rows that change between two pages of a list are old or new; all others are whole, once and in order', async () => {
    const random = seeded(28);
    const pick = (most: number): number => Math.floor(random() * most);
    let changedWhileRead = 0;
    for (let run = 0; run < 6; run++) {
      const companyId = await hosted.company();
      const rows = Array.from({ length: 120 }, (_, i) => zone(`Zone ${i}`, i % 6 === 1 ? 4000 : 0));
      await insert(companyId, rows);
      const ids = rows.map(({ id }) => id);
      /** The states of each row since the list was asked for; `null` once it is deleted. */
      const states = new Map(rows.map((row) => [row.id, [row] as (Row | null)[]]));
      const isByIds = run % 2 === 1;
      const pages = isByIds
        ? readTextsOf(storage.db, 'geozones', companyId, ids, null)
        : readTexts(storage.db, 'geozones', companyId, 'live', null);
      const read: Row[] = [];
      for await (const page of pages) {
        read.push(...(JSON.parse(`[${page}]`) as Row[]));
        await write(storage, companyId, async (writer) => {
          await writer.insert('geozones', [zone(`New ${read.length}`)]);
          for (let i = 0; i < 12; i++) {
            const id = ids[pick(ids.length)]!;
            const own = states.get(id)!;
            const last = own.at(-1);
            if (last == null) continue;
            const isDeleted = pick(4) === 0;
            const next = isDeleted
              ? { ...last, is_delete: true }
              : { ...zone(`Moved ${pick(1000)}`, pick(3) * 3000), id };
            await writer.update('geozones', next as unknown as WireRow);
            own.push(...(isDeleted ? [next, null] : [next]));
            changedWhileRead++;
          }
        });
      }
      const place = new Map(ids.map((id, i) => [id, i]));
      const places = read.flatMap(({ id }) => place.get(id) ?? []);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(new Set(places).size).toBe(places.length);
      for (const row of read) {
        const own = states.get(row.id);
        // A new row may only follow all others.
        if (own !== undefined) expect(own).toContainEqual(row);
        else expect(isByIds).toBe(false);
      }
      const missing = ids.filter((id) => !read.some((row) => row.id === id));
      for (const id of missing) expect([isByIds, states.get(id)!.at(-1)]).toEqual([false, null]);
    }
    expect(changedWhileRead).toBeGreaterThan(50);
  });
}

onBothDatabases(contract);
