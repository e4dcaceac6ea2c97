import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZoneIndex } from 'wayzone';
import { hostJobs, type Jobs } from '../src/jobs/jobs.js';
import type { UnitFix } from '../src/live/fixes.js';
import { type WireRow, write } from '../src/storage/rows.js';
import type { Storage } from '../src/storage/storage.js';
import type { LiveStream } from '../src/stream/liveStream.js';
import { zoneSource } from '../src/stream/zoneSource.js';
import { zoneCache } from '../src/zones/zoneCache.js';
import { addCompany } from './addCompany.js';
import { eventsInOrder } from './eventsInOrder.js';
import { embedded } from './testHost.js';
import { testStream } from './testStream.js';

/** The zones of a worker are read in a thread, shared with the process, and always of the recorded version. */

const START = Date.UTC(2026, 2, 2, 6);
const MANY = 1200;

let storage: Storage;
let jobs: Jobs;
/** Names of the jobs that ran. */
const ran: string[] = [];
beforeAll(async () => {
  ({ storage } = await embedded());
  const processes = hostJobs();
  jobs = {
    ...processes,
    run(companyId, name, options, input) {
      ran.push(name);
      return processes.run(companyId, name, options, input);
    },
  };
});
afterAll(async () => {
  jobs.close();
  await storage.close();
});

const company = async (id: string): Promise<string> => {
  await addCompany(storage, id);
  return id;
};
const zone = (id: string, lon: number): WireRow =>
  ({ id, name: id, type: { key: 'circle' }, geometry: [[lon, 60]], width: 500 }) as WireRow;
const zones = (prefix: string, from: number): WireRow[] =>
  Array.from({ length: MANY }, (_, i) => zone(`${prefix}${i}`, from + i / 100));
const insert = (companyId: string, rows: readonly WireRow[]): Promise<number> =>
  write(storage, companyId, async (writer) => {
    await writer.insert('geozones', rows);
    return writer.version;
  });
const update = (companyId: string, rows: readonly WireRow[]): Promise<number> =>
  write(storage, companyId, async (writer) => {
    for (const row of rows) await writer.update('geozones', row);
    return writer.version;
  });

test('many zones are indexed in a thread; few changes edit the index, many replace it', async () => {
  const id = await company('threads');
  const first = await insert(id, zones('threads', 10));
  const source = zoneSource(storage, jobs);
  ran.length = 0;
  const { version, index } = (await source.current(id))!;
  expect([version, index.size, ran]).toEqual([first, MANY, ['index']]);
  expect(index.ids()).toEqual(zones('threads', 10).map((row) => row.id));

  const moved = await update(id, [zone('threads0', 40), { ...zone('threads1', 40), is_delete: true }]);
  (await source.changes(id))!.apply();
  expect([ran.length, (await source.current(id))!.index === index]).toEqual([1, true]);
  await insert(id, zones('more', 50));
  const changes = (await source.changes(id))!;
  expect([index.size, ran.length]).toEqual([MANY - 1, 2]);
  changes.apply();
  const last = (await source.current(id))!.index;
  expect([last === index, last.size, await source.changes(id)]).toEqual([false, 2 * MANY - 1, null]);

  // Earlier versions, in the order of insertion.
  const before = zones('threads', 10);
  for (const [at, rows] of [
    [first, before],
    [moved, [zone('threads0', 40), ...before.slice(2)]],
  ] as const) {
    const { index: then } = await zoneSource(storage, jobs).at(id, at);
    const expected = new ZoneIndex(rows as never);
    expect([then.ids(), then.at([40, 60]), then.at([10.5, 60])]).toEqual([
      expected.ids(),
      expected.at([40, 60]),
      expected.at([10.5, 60]),
    ]);
  }
});

test('zones in memory are shared if their version is the same or earlier; edits are private to each reader', async () => {
  const id = await company('shared');
  const first = await insert(id, zones('shared', 10));
  const cache = await zoneCache(storage);
  const { index: cached } = await cache.zonesOf(id);
  ran.length = 0;
  const source = zoneSource(storage, jobs, cache.baseOf);
  const { index } = await source.at(id, first);
  expect([index.ids(), ran]).toEqual([cached.ids(), []]);
  await cache.reach(id, await insert(id, [zone('later', 40)]));
  expect([cached.at([40, 60]), index.at([40, 60])]).toEqual([['later'], []]);
  const later = (await zoneSource(storage, jobs, cache.baseOf).current(id))!;
  expect([later.index.at([40, 60]), ran]).toEqual([['later'], []]);

  // Memory that may contain later writes than the version is not used.
  const upTo = later.version;
  const foreign = new Uint8Array(new ZoneIndex([zone('foreign', 40)] as never).toBuffer());
  const tooNew = zoneSource(storage, jobs, () => ({
    index: foreign,
    version: first,
    upTo,
  }));
  expect((await tooNew.at(id, first)).index.ids()).toEqual(index.ids());
  expect(ran).toEqual(['index']);
  await cache.close();
});

async function openLive(threads: Jobs = jobs): Promise<LiveStream> {
  return testStream({ storage, now: () => START + 600_000, zones: { jobs: threads, baseOf: () => null } });
}
const fixOf = (unitId: string, second: number, lon: number): UnitFix => ({
  unitId,
  fix: { time: START + second * 1000, lon, lat: 60 },
});
const eventsOf = async (companyId: string): Promise<unknown[]> =>
  (await eventsInOrder(storage, { company_id: companyId })).map((event) => [
    event.type,
    'zoneId' in event ? event.zoneId : undefined,
  ]);

test('while the zones of a large import are read, units of all companies continue with the former zones', async () => {
  const id = await company('importing');
  const other = await company('bystander');
  await insert(id, [zone('gate', 30)]);
  await insert(other, [zone('shed', 30)]);
  // Open at first: the stream may have to read the zones of companies of other tests when it starts.
  let gate = Promise.resolve();
  const gated: Jobs = {
    ...jobs,
    async *run(...given) {
      await gate;
      return yield* jobs.run(...given);
    },
  };
  const live = await openLive(gated);
  await live.push(id, [fixOf('own', 0, 29.97)]);
  await live.push(other, [fixOf('foreign', 0, 29.97)]);
  let open = (): void => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const version = await insert(id, [zone('quay', 30.03), ...zones('gated', 50)]);
  const behind = live.push(id, [fixOf('own', 300, 30.03), fixOf('own', 400, 30.03)], version);
  await live.push(other, [fixOf('foreign', 60, 30), fixOf('foreign', 120, 30)]);
  await live.push(id, [fixOf('own', 60, 30), fixOf('own', 120, 30)]);
  expect([await eventsOf(other), await eventsOf(id)]).toEqual([[['enter', 'shed']], [['enter', 'gate']]]);
  open();
  await behind;
  await live.push(id, [fixOf('own', 500, 30.03)]);
  expect(await eventsOf(id)).toEqual([
    ['enter', 'gate'],
    ['exit', 'gate'],
    ['enter', 'quay'],
  ]);
  await live.close();
});

test('units switch to the zones of a large import, and a restart emits no event twice', async () => {
  const id = await company('import');
  await insert(id, [zone('yard', 30)]);
  const at = (second: number, lon: number): UnitFix => fixOf('van', second, lon);
  let live = await openLive();
  await live.push(id, [at(0, 29.97), at(60, 30), at(120, 30)]);
  const version = await insert(id, [zone('port', 30.03), ...zones('far', 50)]);
  await live.push(id, [at(180, 30), at(240, 30.03), at(300, 30.03)], version);
  await live.close();
  live = await openLive();
  await live.push(id, [at(360, 30.06), at(420, 30.06), at(480, 30.06)]);
  await live.close();
  expect(await eventsOf(id)).toEqual([
    ['enter', 'yard'],
    ['exit', 'yard'],
    ['enter', 'port'],
    ['exit', 'port'],
  ]);
});
