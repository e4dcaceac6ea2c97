import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostJobs, type Jobs } from '../src/jobs/jobs.js';
import type { UnitFix } from '../src/live/fixes.js';
import { type WireRow, write } from '../src/storage/rows.js';
import type { Storage } from '../src/storage/storage.js';
import type { LiveStream } from '../src/stream/liveStream.js';
import { embedded } from './testHost.js';
import { testStream } from './testStream.js';

/** A worker gives companies turns. One that waits, say for its first zones, does not delay the others. */

const START = Date.UTC(2026, 2, 2, 6);

let storage: Storage;
let threads: Jobs;
let live: LiveStream;
/** Lets the processes run the waiting jobs. */
let open = (): void => {};
/** Resolves when a job waits. */
let asked: Promise<void>;
/** Number of jobs so far. */
let jobs = 0;
beforeAll(async () => {
  ({ storage } = await embedded());
  threads = hostJobs();
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let ask = (): void => {};
  asked = new Promise((resolve) => {
    ask = resolve;
  });
  const gated: Jobs = {
    ...threads,
    async *run(...given) {
      jobs++;
      ask();
      await gate;
      return yield* threads.run(...given);
    },
  };
  live = testStream({ storage, now: () => START + 600_000, zones: { jobs: gated, baseOf: () => null } });
});
afterAll(async () => {
  open();
  await live?.close();
  threads?.close();
  await storage?.close();
});

const zone = (id: string, lon: number): WireRow =>
  ({ id, name: id, type: { key: 'circle' }, geometry: [[lon, 60]], width: 500 }) as WireRow;
const insert = (companyId: string, rows: readonly WireRow[]): Promise<number> =>
  write(storage, companyId, async (writer) => {
    await writer.insert('geozones', rows);
    return writer.version;
  });
const fixOf = (unitId: string, second: number, lon: number): UnitFix => ({
  unitId,
  fix: { time: START + second * 1000, lon, lat: 60 },
});
const stay = (unitId: string, second: number): UnitFix => fixOf(unitId, second, 30);
/** Positions before and in the zone at 30° E. */
const entry = (unitId: string): UnitFix[] => [fixOf(unitId, 0, 29.97), stay(unitId, 60), stay(unitId, 120)];
const eventsOf = async (): Promise<unknown[]> => {
  const rows = await storage.db
    .selectFrom('events')
    .select(['unit_id', 'event'])
    .orderBy('company_id')
    .orderBy('cell')
    .orderBy('seq')
    .orderBy('ordinal')
    .execute();
  return rows.flatMap(({ unit_id: unitId, event }) =>
    event['zoneId'] === undefined ? [] : [[unitId, event['type'], event['zoneId']]],
  );
};

test('while the first zones of a company are read, its messages wait in order, and the others continue', async () => {
  for (const id of ['large', 'small'])
    await storage.db
      .insertInto('companies')
      .values({ id, name: id, time_zone: 'UTC', zones_version: 1, properties: '{}' })
      .execute();
  await insert('large', [
    zone('port', 30),
    ...Array.from({ length: 1200 }, (_, i) => zone(`far-${i}`, 40 + i / 100)),
  ]);
  await insert('small', [zone('shed', 30)]);
  let isFree = true;
  const first = live.push('large', [...entry('large-0'), ...entry('large-1')]);
  await asked;
  // The second message of the company.
  const behind = live.push('large', entry('large-2')).then(() => expect(isFree).toBe(true));
  isFree = false;
  await live.push('small', entry('small-0'));
  expect(await eventsOf()).toEqual([['small-0', 'enter', 'shed']]);

  // Newer zones are used between two turns of their own company.
  for (let i = 0; i < 3; i++) await live.push('small', [stay('small-0', 200 + 60 * i)]);
  const version = await insert('small', [zone('quay', 30.03)]);
  await live.push(
    'small',
    [400, 500, 600].map((second) => fixOf('small-0', second, 30.03)),
    version,
  );
  const own = [
    ['small-0', 'enter', 'shed'],
    ['small-0', 'exit', 'shed'],
    ['small-0', 'enter', 'quay'],
  ];
  expect(await eventsOf()).toEqual(own);
  isFree = true;
  open();
  await Promise.all([first, behind]);
  expect(await eventsOf()).toEqual([
    ['large-0', 'enter', 'port'],
    ['large-1', 'enter', 'port'],
    ['large-2', 'enter', 'port'],
    ...own,
  ]);
  expect(jobs).toBe(1);
});
