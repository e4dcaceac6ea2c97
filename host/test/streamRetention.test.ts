import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostJobs, type Jobs } from '../src/jobs/jobs.js';
import type { UnitFix } from '../src/live/fixes.js';
import { type WireRow, write } from '../src/storage/rows.js';
import type { Storage } from '../src/storage/storage.js';
import type { LiveStream } from '../src/stream/liveStream.js';
import { forgetRecords, prunableZones, pruneZones } from '../src/stream/pruneZones.js';
import { zoneSource } from '../src/stream/zoneSource.js';
import { addCompany } from './addCompany.js';
import { embedded } from './testHost.js';
import { testStream } from './testStream.js';
import { withTransactions } from './withTransactions.js';

/** Zones of earlier versions are deleted when no restart needs them. No worker continues with deleted zones. */

const START = Date.UTC(2026, 2, 2, 6);
const HOUR_MS = 3_600_000;

let storage: Storage;
let jobs: Jobs;
beforeAll(async () => {
  ({ storage } = await embedded());
  jobs = hostJobs();
});
afterAll(async () => {
  jobs.close();
  await storage.close();
});

const zoneAt = (id: string, lon: number): WireRow =>
  ({ id, name: id, type: { key: 'circle' }, geometry: [[lon, 60]], width: 500 }) as WireRow;
/** A company with one zone at 30° E. */
async function company(id: string): Promise<string> {
  await addCompany(storage, id, { zones: [zoneAt(id, 30)] });
  return id;
}
const move = (id: string, lon: number): Promise<number> =>
  write(storage, id, async (writer) => {
    await writer.update('geozones', zoneAt(id, lon));
    return writer.version;
  });
const prune = async (): Promise<number> => pruneZones(storage, await prunableZones(storage));
const count = async (table: 'geozones_history' | 'cell_zones', id: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)} where company_id = ${id}`.execute(storage.db);
  return rows[0]!.n;
};
/** The versions in the records of a company. */
const recorded = async (id: string): Promise<string[]> => {
  const { rows } = await sql<{ version: string }>`
    select version from cell_zones where company_id = ${id} order by version`.execute(storage.db);
  return rows.map(({ version }) => version);
};
interface Opened extends LiveStream {
  readonly failures: string[];
}
async function open(own: Storage = storage): Promise<Opened> {
  const failures: string[] = [];
  const live = testStream(
    {
      storage: own,
      now: () => START + HOUR_MS,
      zones: { jobs, baseOf: () => null },
      rotationMs: 1000,
      onPaused: (failure) => void (failure !== null && failures.push(failure.code)),
    },
    storage,
  );
  return { ...live, failures };
}
const fix = (unitId: string, second: number, lon = 30): UnitFix => ({
  unitId,
  fix: { time: START + second * 1000, lon, lat: 60 },
});

test('edits leave few rows of earlier zones; rows that the log needs are kept', async () => {
  const id = await company('edited');
  const quiet = await company('quiet');
  let live = await open();
  for (let i = 0; i < 8; i++) await live.push(id, [fix('van', i)], await move(id, 30 + i / 1000));
  for (let i = 0; i < 8; i++) await move(quiet, 30 + i / 1000);
  await live.close();
  await prune();
  // Nobody has units in the other company. What records name can be read.
  expect(await count('geozones_history', quiet)).toBe(0);
  for (const version of await recorded(id))
    expect((await zoneSource(storage, jobs).at(id, Number(version))).index.size).toBe(1);

  live = await open();
  let edits = 8;
  let most = 0;
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 6; i++, edits++)
      await live.push(id, [fix('van', edits)], await move(id, 30 + edits / 1000));
    while ((await count('cell_zones', id)) > 1) await sleep(20);
    await prune();
    most = Math.max(most, await count('geozones_history', id));
  }
  expect(most).toBe(0);
  // A restart finds what it needs.
  await live.close();
  live = await open();
  await live.push(id, [fix('van', edits)]);
  expect(live.failures).toEqual([]);
  // Edits without messages leave no record of an earlier version either.
  for (let i = 1; i <= 2; i++) {
    const version = await move(id, 40 + i);
    while ((await recorded(id)).join() !== String(version)) await sleep(20);
  }
  await prune();
  expect(await count('geozones_history', id)).toBe(0);
  await live.close();
});

test('records are deleted up to the last one before the first message in the log', async () => {
  const values = [
    { company_id: 'a', seq: 3, version: 0 },
    { company_id: 'a', seq: 7, version: 1 },
    { company_id: 'b', seq: 7, version: 2 },
    { company_id: 'a', seq: 7, version: 3 },
    { company_id: 'a', seq: 12, version: 4 },
  ].map((value) => ({ ...value, cell: 7 }));
  await storage.db.insertInto('cell_zones').values(values).execute();
  const left = async (): Promise<unknown[]> => {
    const rows = await sql<{ one: string }>`
      select company_id || seq || '.' || version as one from cell_zones where cell = 7 order by 1`.execute(
      storage.db,
    );
    return rows.rows.map(({ one }) => one);
  };
  // Message 7 was evaluated with the record of 3. The last record of 7 applies after it.
  await forgetRecords(storage, 7, 7);
  expect(await left()).toEqual(['a12.4', 'a3.0', 'a7.1', 'a7.3', 'b7.2']);
  await forgetRecords(storage, 7, 8);
  expect(await left()).toEqual(['a12.4', 'a7.3', 'b7.2']);
  await forgetRecords(storage, 7, 100);
  expect(await left()).toEqual(['a12.4', 'b7.2']);
});

test('loading deleted zones fails, and so does loading the changes up to them', async () => {
  const id = await company('gone');
  const source = zoneSource(storage, jobs);
  const first = (await source.current(id))!.version;
  const last = await move(id, 40);
  await prune();
  const pruned = { code: 'zones-pruned', message: expect.stringContaining(`expected version ${last}`) };
  await expect(zoneSource(storage, jobs).at(id, first)).rejects.toMatchObject(pruned);
  expect((await zoneSource(storage, jobs).at(id, last)).index.at([40, 60])).toEqual([id]);
  // A worker with an earlier version in memory can still switch to the newest.
  (await source.changes(id))!.apply();
  expect((await source.current(id))!.index.at([40, 60])).toEqual([id]);
});

test('a checkpoint that would record deleted zones fails, and its cell restarts with the newest', async () => {
  const id = await company('unrecorded');
  let isHeld = true;
  let reached = (): void => {};
  const atCheckpoint = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const live = await open(
    withTransactions(storage, async (execute, work) => {
      if (isHeld) {
        reached();
        await gate;
      }
      return execute(work);
    }),
  );
  const pushed = live.push(id, [fix('truck', 0, 40), fix('truck', 60, 40), fix('truck', 120, 40)]);
  await atCheckpoint;
  // The worker has opened the first version, which is not recorded yet.
  await move(id, 40);
  expect(await prune()).toBe(1);
  isHeld = false;
  release();
  await pushed;
  expect(new Set(live.failures)).toEqual(new Set(['zones-pruned']));
  const { rows } = await sql<{ event: { type: string; zoneId: string } }>`
    select event from events where unit_id = 'truck' order by seq, ordinal`.execute(storage.db);
  expect(rows.map(({ event }) => [event.type, event.zoneId])).toEqual([['enter', id]]);
  await live.close();
});
