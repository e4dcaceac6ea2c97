import type { KyselyPlugin } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { type WireRow, write } from '../src/storage/rows.js';
import { type Caller, NOW, ownPostgres, type TestHost, testHost } from './testHost.js';

/** A company that has spent what it may have waiting, over HTTP: the refusal, its neighbours, and what comes after. */

const LONG_REQUESTS = 150;

// The embedded database has one connection, which a list that is held up would keep from the others.
needs(POSTGRESQL).describe('a full queue (needs PostgreSQL)', () => {
  let hosted: TestHost;
  let url: string;
  let [busy, other]: Caller[] = [];
  let open = (): void => {};
  beforeAll(async () => {
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const held = new Set<object>();
    /** The lists of the busy company are read when the test says so. */
    const gate: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        const text = JSON.stringify(node);
        const isBusy = busy !== undefined && text.includes(busy.companyId);
        if (isBusy && text.includes('ordinal as place')) held.add(queryId);
        return node;
      },
      async transformResult({ queryId, result }) {
        if (held.has(queryId)) await opened;
        return result;
      },
    };
    const database = await ownPostgres();
    const { storage } = database;
    hosted = await testHost({ ...storage, db: storage.db.withPlugin(gate) });
    url = await hosted.host.app.listen({ host: '127.0.0.1', port: 0 });
    busy = await hosted.as(await hosted.company(), 'ADMIN');
    other = await hosted.as(await hosted.company(), 'ADMIN');
    const rows = Array.from(
      { length: 1500 },
      (_, i) =>
        ({
          id: `${i}`,
          name: `Stop ${i}`,
          type: { key: 'circle' },
          geometry: [[30, 60]],
          width: 50,
        }) as unknown as WireRow,
    );
    await write(storage, busy.companyId, (writer) => writer.insert('geozones', rows));
    return async () => {
      await hosted.close();
      database.remove();
    };
  });

  const get = async (caller: Caller, path: string): Promise<Response> =>
    fetch(`${url}/api_v1${path}`, { headers: caller.headers });

  test('what does not fit is 429 with Retry-After at once; others are answered, and so is the company afterwards', async () => {
    const asked = Array.from({ length: LONG_REQUESTS }, () => get(busy!, '/geozones'));
    const refused = await Promise.any(
      asked.map(async (one) => {
        const answer = await one;
        if (answer.status === 200) throw new Error('expected a refusal');
        return answer;
      }),
    );
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.clone().json()).toEqual({
      code: 429,
      message: expect.stringContaining('waiting long requests of a company') as string,
      field: '',
    });
    // The queue is still full: a neighbour's requests of all lanes, and short ones of the company, do not wait for it.
    for (const path of ['/geozones', '/tiles/3/4/2', '/units', `/fleet/day?from=${NOW - 1}&to=${NOW}`])
      expect([path, (await get(other!, path)).status]).toEqual([path, 200]);
    expect((await get(busy!, '/geozones?ids=1')).status).toBe(200);
    open();
    const answers = await Promise.all(asked);
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(50);
    for (const answer of answers)
      if (answer.status === 200) expect(await answer.json()).toHaveLength(1500);
      else expect(answer.headers.get('retry-after')).toBe(refused.headers.get('retry-after'));
    expect((await get(busy!, '/geozones')).status).toBe(200);
  });
});
