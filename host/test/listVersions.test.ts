import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilterQuery, filterGeozones } from 'wayzone/listing';
import { LONG, seeded } from '../../test/volume.js';
import { computeProcesses } from '../src/jobs/compute.js';
import { type WireRow, write } from '../src/storage/rows.js';
import { readZonesOf } from '../src/storage/rowTexts.js';
import type { Storage } from '../src/storage/storage.js';
import { prunableZones, pruneZones } from '../src/stream/pruneZones.js';
import { zoneCache } from '../src/zones/zoneCache.js';
import { givenHeads } from '../src/zones/zoneHeads.js';
import { errorOfAsync } from './errorOfAsync.js';
import { type Given, onADatabase, type TestHost } from './testHost.js';

/** A list is that of one moment: its ids, their order, the count and the rows, whatever is written meanwhile. */

type Zone = WireRow & { readonly is_delete: boolean };
type Rows = ReadonlyMap<string, Zone>;

const ASKED = { language: 'en', timeZone: 'UTC' };
const QUERIES: readonly FilterQuery[] = [
  { sortField: 'name' },
  { sortField: 'name', sortDesc: true, conditions: [{ field: 'name', value: 'o' }] },
  { sortField: 'name', conditions: [{ field: 'is_delete', value: 'all' }] },
  { count: 5, from: 3 },
];
const NAMES = ['Depot', 'Shop', 'Yard', 'Zone', 'Port'];

function contract(given: () => Given): void {
  const compute = computeProcesses();
  afterAll(() => compute.close());
  let storage: Storage;
  let hosted: TestHost;
  beforeAll(() => {
    ({ hosted } = given());
    ({ storage } = given().database);
  });

  const random = seeded(39);
  const some = (most: number): number => Math.floor(random() * most);
  const zone = (id: string): Zone =>
    ({
      id,
      name: `${NAMES[some(NAMES.length)]} ${some(20)}`,
      type: { key: 'circle', type: 'geozone_type', value: 'Circle' },
      geometry: [[30, 60]],
      width: 500,
      is_delete: random() < 0.25,
    }) as unknown as Zone;
  const expected = (rows: Rows, query: FilterQuery): { max: number; list: readonly unknown[] } =>
    filterGeozones([...rows.values()], query, ASKED);

  /** Writes a company, and keeps its rows at each version. */
  async function written(): Promise<{
    companyId: string;
    rowsAt: Map<number, Rows>;
    /** Adds and changes some zones under the next version, which it returns. */
    readonly change: (added: number, changed: number) => Promise<number>;
  }> {
    const companyId = await hosted.company();
    const rowsAt = new Map<number, Rows>([[0, new Map()]]);
    const change = (added: number, changed: number): Promise<number> =>
      write(storage, companyId, async (writer) => {
        const rows = new Map(rowsAt.get(writer.version - 1));
        const fresh = Array.from({ length: added }, () => zone(randomUUID()));
        await writer.insert('geozones', fresh);
        for (const row of fresh) rows.set(row.id, row);
        for (let i = 0; i < changed; i++) {
          const row = zone([...rows.keys()][some(rows.size)]!);
          await writer.update('geozones', row);
          rows.set(row.id, row);
        }
        rowsAt.set(writer.version, rows);
        return writer.version;
      });
    return { companyId, rowsAt, change };
  }

  test('its rows are those of the version of its ids, until that version is deleted', async () => {
    for (let round = 0; round < (LONG ? 80 : 2); round++) {
      const zones = await zoneCache(storage);
      const { companyId, rowsAt, change } = await written();
      await change(30, 0);
      // Rows that ended at this version or before are deleted.
      let pruned = 0;
      for (let i = 0; i < 12; i++) {
        const held = await zones.headsOf(companyId);
        const [heads, version] = [givenHeads(held), held.version];
        const query = QUERIES[some(QUERIES.length)]!;
        // So many that the zones are read anew, now and then.
        const isMany = i === 4;
        const last = await change(isMany ? 1100 : some(3), some(6));
        if (random() < 0.7) await zones.reach(companyId, last);
        const text = await compute.run(companyId, 'zoneList', { query, ...ASKED }, heads);
        const { max, ids } = JSON.parse(text) as { max: number; ids: string[] };
        if (random() < 0.3) {
          await pruneZones(storage, await prunableZones(storage));
          pruned = last;
        }
        const read = async (): Promise<unknown[]> => {
          let list: unknown[] = [];
          for await (const page of readZonesOf(storage.db, companyId, ids, version, null))
            list = list.concat(JSON.parse(`[${page}]`));
          return list;
        };
        const wanted = expected(rowsAt.get(version)!, query);
        const isGone = (row: unknown): boolean => {
          const { id } = row as Zone;
          let next = version + 1;
          while (next <= pruned && rowsAt.get(next)!.get(id) === rowsAt.get(version)!.get(id)) next++;
          return next <= pruned;
        };
        if (wanted.list.some(isGone))
          expect(await errorOfAsync(read())).toMatchObject({ code: 'zones-pruned', status: 503 });
        else expect({ max, list: await read() }).toEqual(wanted);
      }
      await zones.close();
    }
  });

  test('while others write, each answer is the list at a version of its time', async () => {
    const { companyId, rowsAt, change } = await written();
    const reader = await hosted.as(companyId, 'READER');
    let stored = await change(40, 0);
    await reader.send('POST', '/geozones/filter', {});
    let isDone = false;
    let asked = 0;
    const reading = async (k: number): Promise<void> => {
      for (; !isDone; asked++) {
        const query = QUERIES[(asked + k) % QUERIES.length]!;
        const { status, body } = await reader.send('POST', '/geozones/filter', query);
        expect(status).toBe(200);
        const versions = [...rowsAt.values()].reverse();
        const isOne = versions.some((rows) => isDeepStrictEqual(expected(rows, query), body));
        if (!isOne) expect(body).toEqual(expected(versions[0]!, query));
      }
    };
    const writing = async (): Promise<void> => {
      for (let i = 0; i < (LONG ? 2000 : 60); i++) {
        stored = await change(i % 50 === 0 ? 1 : 0, 1 + some(3));
        for (const version of rowsAt.keys()) if (version < stored - 1000) rowsAt.delete(version);
      }
      isDone = true;
    };
    await Promise.all([writing(), reading(0), reading(1), reading(2)]);
    expect(asked).toBeGreaterThan(0);
  });
}

onADatabase(contract);
