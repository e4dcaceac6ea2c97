import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { seeded } from '../../test/volume.js';
import { computeProcesses } from '../src/jobs/compute.js';
import { computing } from './computing.js';
import { errorOfAsync } from './errorOfAsync.js';
import { type Caller, type Given, NOW, onBothDatabases } from './testHost.js';

/** A company whose requests need more memory than a computation may have, beside five companies whose answers stay right. */

const many = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
}

/** A company with zones, routes, a unit with fixes, and the requests that it sends. */
async function neighbour({ hosted: api }: Given, seed: number): Promise<{ caller: Caller; asked: Asked[] }> {
  const random = seeded(seed);
  const caller = await api.as(await api.company(), 'ADMIN');
  const post = async (url: string, body: object): Promise<{ id: string }> => {
    const answer = await caller.send('POST', url, body);
    expect([url, answer.status], JSON.stringify(answer.body)).toEqual([url, 200]);
    return answer.body;
  };
  const at = (): [number, number] => [30 + random() / 5, 60 + random() / 5];
  const zones: { id: string }[] = [];
  for (const i of many(12, (k) => k)) {
    const kind = ['circle', 'line', 'polygon'][i % 3]!;
    const [lon, lat] = at();
    const ring = many(7, (k) => [lon + 0.02 * Math.cos(k), lat + 0.01 * Math.sin(k)]);
    const geometry = kind === 'circle' ? [[lon, lat]] : kind === 'line' ? many(6, at) : ring;
    zones.push(await post('/geozones', { name: `Zone ${i}`, type: { key: kind }, geometry, width: 300 }));
  }
  const point = (): object => ({ name: 'P', type: { key: 'circle' }, geometry: [at()], width: 200 });
  const route = await post('/routes', { name: 'Round', points: many(5, point) });
  const unit = await post('/units', { name: 'Van' });
  const fixes = many(400, (i) => ({
    time: NOW - (400 - i) * 20_000,
    lon: 30.1 + 0.08 * Math.sin(i / 30),
    lat: 60.1 + 0.08 * Math.cos(i / 47),
  }));
  await post(
    '/positions',
    fixes.map((fix) => ({ unit_id: unit.id, ...fix })),
  );
  const trip = await post('/trips', {
    name: 'Tour',
    passage_order_type: { key: 'strict' },
    dates: ['2026-03-02'],
    unit: { id: unit.id },
    points: many(3, point),
  });
  const span = `from=${NOW - 86_400_000}&to=${NOW}`;
  return {
    caller,
    asked: [
      { method: 'GET', url: '/tiles/8/149/73' },
      { method: 'GET', url: `/tiles/11/${Math.floor(((30.1 + 180) / 360) * 2048)}/593` },
      { method: 'POST', url: '/tracks/ledger', body: { fixes } },
      { method: 'POST', url: '/tracks/speeding', body: { fixes, limitKph: 20 } },
      { method: 'POST', url: `/routes/${route.id}/match`, body: { fixes, width: 500 } },
      { method: 'POST', url: '/geozones/line_to_polygon', body: { width: 40, geometry: many(9, at) } },
      { method: 'POST', url: '/routes/filter', body: { sortField: 'name' } },
      { method: 'POST', url: '/trips/filter', body: {} },
      { method: 'GET', url: `/trips/${trip.id}/report?date=2026-03-02` },
      ...['track', 'visits', 'movement'].map((path) => ({
        method: 'GET',
        url: `/units/${unit.id}/${path}?${span}`,
      })),
      { method: 'GET', url: `/geozones/${zones[0]!.id}/visits` },
      { method: 'POST', url: '/geozones/filter', body: { sortField: 'name' } },
      { method: 'POST', url: '/geozonesgroup/filter', body: {} },
      ...['geojson', 'gpx', 'csv', 'kml'].map((format) => ({
        method: 'POST',
        url: `/geozones/export_kml?format=${format}`,
        body: {},
      })),
    ],
  };
}

/** A company whose routes have 60 MB of empty lists: a process that reads them all needs 800 MB. */
async function attacker({ hosted: api, database }: Given): Promise<{ caller: Caller; asked: Asked[] }> {
  const caller = await api.as(await api.company(), 'ADMIN');
  const { companyId } = caller;
  const point = { name: 'P', type: { key: 'circle' }, geometry: [[30, 60]], width: 200 };
  expect((await caller.send('POST', '/routes', { name: 'R', points: [point] })).status).toBe(200);
  const heavy = JSON.stringify({ note: many(1_000_000, () => []) });
  await sql`
    insert into routes (id, company_id, created, name, is_delete, version, row)
    select 'heavy' || i || id, company_id, created, name, is_delete, version, row || ${heavy}::jsonb
    from routes, generate_series(1, 20) i where company_id = ${companyId}`.execute(database.storage.db);
  return {
    caller,
    asked: [
      { method: 'POST', url: '/routes/filter', body: {} },
      { method: 'POST', url: '/routes/filter', body: { sortField: 'name' } },
      { method: 'POST', url: '/geozones/line_to_polygon', body: { width: 2000, geometry: spiral(20_000) } },
    ],
  };
}

const spiral = (count: number): number[][] =>
  many(count, (i) => [30 + (i / 1e5) * Math.cos(i), 60 + (i / 1e5) * Math.sin(i)]);

/** Waits for something that comes within seconds, or until the test's own limit. */
async function until<T>(find: () => T | null): Promise<T> {
  for (;;) {
    const found = find();
    if (found !== null) return found;
    await sleep(50);
  }
}

test('a computation ends with its host, also after kill -9, and finishes after the signals of a terminal', async () => {
  const module = new URL('../src/jobs/compute.ts', import.meta.url).href;
  const program = `
    const { computeProcesses } = await import(${JSON.stringify(module)});
    async function* rows() { yield JSON.stringify({ id: 'a', name: 'ab'.repeat(8e6) }); }
    const query = { conditions: [{ field: 'name', value: 'ba'.repeat(4e6) + 'c' }] };
    const input = { kind: 'routes', query, language: 'en', timeZone: 'UTC' };
    const compute = computeProcesses({ budgetMs: 3_600_000 });
    const short = await compute.run('a', 'filter', { ...input, query: {} }, { pages: { rows } });
    console.log(short.length);
    while (true) await compute.run('a', 'filter', input, { pages: { rows } });`;
  const host = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [first] = (await once(host.stdout!, 'data')) as [Buffer];
  expect(Number(String(first))).toBeGreaterThan(1000);
  const [id] = computing(host.pid!);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(id!, signal);
  await sleep(1000);
  expect(computing(host.pid!)).toEqual([id]);
  host.kill('SIGKILL');
  await until(() => (existsSync(`/proc/${id}`) ? null : true));
});

test('a computation that outgrows its memory is refused, is told of, and leaves the next one a process', async () => {
  const ends: unknown[] = [];
  const compute = computeProcesses({ heapMegabytes: 64, onEnd: (end) => ends.push(end) });
  const filter = (companyId: string, count: number): Promise<string> => {
    const rows = async function* (): AsyncGenerator<string> {
      for (let i = 0; i < count; i++) yield `{"id":"${i}","name":"R","x":[${'[],'.repeat(1e6)}[]]}`;
    };
    const input = { kind: 'routes', query: {}, language: 'en', timeZone: 'UTC' } as const;
    return compute.run(companyId, 'filter', input, { pages: { rows } });
  };
  const refused = { code: 'limit-memory', status: 422, message: expect.stringContaining('64 MB') };
  const [long, short] = await Promise.all([errorOfAsync(filter('a', 4)), filter('b', 0)]);
  expect([long, JSON.parse(short)]).toMatchObject([refused, { max: 0 }]);
  expect(JSON.parse(await filter('a', 0))).toMatchObject({ max: 0 });
  expect(ends).toEqual([{ companyId: 'a', name: 'filter', reason: 'memory' }]);
  compute.close();
});

function contract(given: () => Given): void {
  let neighbours: { caller: Caller; asked: Asked[] }[];
  let hostile: { caller: Caller; asked: Asked[] };
  beforeAll(async () => {
    neighbours = [];
    for (const seed of [1, 2, 3, 4, 5]) neighbours.push(await neighbour(given(), seed));
    hostile = await attacker(given());
  });

  test('every answer of the others is the one without it', async () => {
    const ask = async ({ caller }: { caller: Caller }, { method, url, body }: Asked): Promise<string> => {
      const { status, body: answer } = await caller.send(method, url, body);
      return `${status} ${typeof answer === 'string' ? answer : JSON.stringify(answer)}`;
    };
    const expected = new Map<Asked, string>();
    for (const one of neighbours)
      for (const asked of one.asked) {
        const answer = await ask(one, asked);
        expect(answer.slice(0, 4), `${asked.url} ${answer.slice(0, 300)}`).toBe('200 ');
        expected.set(asked, answer);
      }
    const codes = new Map<string, number>();
    let isOver = false;
    const attack = async (): Promise<void> => {
      for (let i = 0; !isOver; i++) {
        const answer = await ask(hostile, hostile.asked[i % hostile.asked.length]!);
        const code = / in 512 MB| at most 10 s/.exec(answer)?.[0] ?? answer.slice(0, 3);
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    };
    // As the kernel does when the machine has no memory left.
    const random = seeded(39);
    const kill = async (): Promise<void> => {
      // Paced by answers and not by the clock: on a busy machine one computation would lose its process three times.
      for (let next = 0; !isOver; await sleep(50)) {
        if (times.length < next) continue;
        next = times.length + 20;
        const ids = computing(process.pid);
        const id = ids[Math.floor(random() * ids.length)];
        if (id !== undefined) process.kill(id, 'SIGKILL');
      }
    };
    const times: number[] = [];
    const attacks = Promise.all([attack(), attack(), attack(), kill()]);
    const loop = monitorEventLoopDelay({ resolution: 5 });
    loop.enable();
    // Until the attack has been refused, by memory or time, and each of the others has asked so often.
    const isAttacked = (): boolean => [...codes.keys()].some((code) => code.startsWith(' '));
    const answers = Promise.all(
      neighbours.map(async (one, k) => {
        const pick = seeded(100 + k);
        for (let i = 0; i < 30 || !isAttacked(); i++) {
          const asked = one.asked[Math.floor(pick() * one.asked.length)]!;
          const begun = performance.now();
          expect([asked.url, await ask(one, asked)]).toEqual([asked.url, expected.get(asked)]);
          times.push(performance.now() - begun);
        }
      }),
    );
    await answers.finally(() => {
      isOver = true;
    });
    await attacks;
    times.sort((a, b) => a - b);
    const figures = [times.length, times[times.length >> 1], times[Math.floor(times.length * 0.99)]];
    process.stderr.write(
      `${JSON.stringify([figures, loop.max / 1e6, loop.percentile(99) / 1e6, ...codes])}\n`,
    );
  });
}

onBothDatabases(contract);
