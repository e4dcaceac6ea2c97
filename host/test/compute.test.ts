import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { type Geozone, ZoneIndex } from 'wayzone';
import { zoneTile } from 'wayzone/tiles';
import { wkt } from '../../test/wkt.js';
import { type Compute, computeProcesses } from '../src/jobs/compute.js';
import { endlessWork } from './endlessWork.js';
import { errorOfAsync } from './errorOfAsync.js';
import { ownClock, passTime } from './ownClock.js';

/** Computations of requests: reuse of threads, budgets, and turns between companies. */

const opened: Compute[] = [];
const open = (options: Parameters<typeof computeProcesses>[0]): Compute => {
  const compute = computeProcesses(options);
  opened.push(compute);
  return compute;
};
afterAll(() => {
  for (const compute of opened) compute.close();
});
afterEach(() => void vi.useRealTimers());

const LINE = {
  width: 50,
  geometry: wkt('30 60, 30.1 60'),
} as const;
const LIST = { kind: 'routes', query: {}, language: 'en', timeZone: 'UTC' } as const;
const list = (compute: Compute, companyId: string, rows: () => AsyncGenerator<string>): Promise<string> =>
  compute.run(companyId, 'filter', LIST, { pages: { rows } });

async function* names(): AsyncGenerator<string> {
  for (let i = 0; i < 3; i++) yield `{"id":"r${i}","name":"Route ${i}"}`;
}
async function* never(): AsyncGenerator<string> {
  await new Promise(() => {});
  yield '';
}

const isCorridor = (text: string): boolean => 'polygon_geometry' in JSON.parse(text);

test('a process serves one computation after another, and passes coded errors on', async () => {
  const compute = open({});
  for (let i = 0; i < 5; i++) expect(isCorridor(await compute.run('a', 'lineToPolygon', LINE))).toBe(true);
  const wrong = { ...LINE, width: -1 };
  expect(await errorOfAsync(compute.run('a', 'lineToPolygon', wrong))).toMatchObject({ code: 'width-range' });
  expect(isCorridor(await compute.run('a', 'lineToPolygon', LINE))).toBe(true);
});

test('a computation beyond its time is ended', async () => {
  const ends: unknown[] = [];
  ownClock();
  const compute = open({ most: 2, budgetMs: 300, onEnd: (end) => ends.push(end) });
  const { input, begun } = endlessWork('compute');
  const refused = errorOfAsync(list(compute, 'a', input));
  await begun;
  await passTime(299);
  expect(ends).toEqual([]);
  await passTime(2000);
  expect(await refused).toMatchObject({ code: 'limit-time', status: 422 });
  expect(ends).toEqual([{ companyId: 'a', name: 'filter', reason: 'time' }]);
});

test('one company never occupies all processes, and its queue is bounded', async () => {
  const compute = open({ most: 2, mostOfCompany: 1, mostWaiting: 2 });
  let ended = 0;
  const hostile = [1, 2, 3, 4].map(() =>
    errorOfAsync(list(compute, 'a', never)).finally(() => {
      ended++;
    }),
  );
  expect(JSON.parse(await list(compute, 'b', names))).toMatchObject({ max: 3 });
  expect(await hostile[3]).toMatchObject({ code: 'limit-queue', status: 429 });
  expect(ended).toBe(1);
  compute.close();
  for (const one of await Promise.all(hostile)) expect(one).toMatchObject({ code: expect.any(String) });
});

test('a process keeps an index for later computations, and forgets the oldest ones', async () => {
  const tile = { z: 0, x: 0, y: 0 };
  const zone = (i: number): Geozone & { id: string } => ({
    id: `z${i}`,
    name: `Zone ${i}`,
    type: { key: 'circle' },
    geometry: [[30, 60]],
    width: 500,
  });
  const indexes = Array.from({ length: 12 }, (_, i) => new Uint8Array(new ZoneIndex([zone(i)]).toBuffer()));
  // Room for three or four.
  const compute = open({ most: 1, mostOfCompany: 1, mostIndexes: 3.5 * indexes[0]!.length });
  const tileOf = async (companyId: string, index: Uint8Array, changes: string): Promise<string> => {
    const pages = {
      async *changes() {
        yield changes;
      },
    };
    const text = await compute.run(companyId, 'tile', { tile, options: {} }, { buffer: index, pages });
    return Buffer.from(JSON.parse(text) as string, 'base64').toString('latin1');
  };
  for (const i of [0, 1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 11]) {
    const changed = JSON.stringify(zone(90 + i));
    const expected = new ZoneIndex([zone(i), zone(90 + i)]);
    expect([i, await tileOf(`c${i % 9}`, indexes[i]!, changed)]).toEqual([
      i,
      Buffer.from(zoneTile(expected, tile)).toString('latin1'),
    ]);
  }
});

test('a fix more than a day after the time of the host is of a wrong clock', async () => {
  const now = Date.UTC(2026, 2, 2);
  const compute = open({ now: () => now });
  async function* fixes(): AsyncGenerator<string> {
    yield [0, 1, 2, 26].map((hour) => JSON.stringify([now + hour * 3_600_000, 10, 50, null, null])).join(',');
  }
  const text = await compute.run('a', 'track', { gradation: null }, { pages: { fixes } });
  expect(JSON.parse(text)).toMatchObject({ points: { length: 3 }, rejected: { 'time-implausible': 1 } });
  const body = JSON.stringify({
    fixes: [0, 1, 2, 26].map((hour) => ({ time: now + hour * 3_600_000, lon: 10 + hour / 10, lat: 50 })),
    width: 50,
  });
  const route = {
    id: 'r',
    name: 'R',
    points: [{ type: { key: 'line' }, name: 'L', width: 50, geometry: wkt('10 50, 10.2 50') }],
  };
  const match = JSON.parse(await compute.run('a', 'match', { body, route }));
  expect(match.along).toHaveLength(3);
});
