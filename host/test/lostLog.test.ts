import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { ZoneIndex } from 'wayzone';
import { NATS_SERVER, needs, POSTGRESQL } from '../../test/needs.js';
import { LONG } from '../../test/volume.js';
import type { UnitFix } from '../src/live/unitFix.js';
import { fixDays } from '../src/storage/fixDays.js';
import type { Storage } from '../src/storage/storage.js';
import { heldPartitions } from '../src/stream/heldPartitions.js';
import { type LiveStream, liveStream, startWorker } from '../src/stream/liveStream.js';
import type { Log } from '../src/stream/log.js';
import { lostMessages } from '../src/stream/lostMessages.js';
import { natsLog } from '../src/stream/natsLog.js';
import type { Held } from '../src/stream/partitionReader.js';
import { prepareStream } from '../src/stream/prepareStream.js';
import type { IdRange } from '../src/stream/receivedMessages.js';
import type { Worker } from '../src/stream/worker.js';
import { addCompany } from './addCompany.js';
import { brokerAt } from './crash/cluster.js';
import { differenceOf, itemsOf } from './crash/oracle.js';
import { memoryBroker } from './memoryBroker.js';
import { type Database, embedded, ownPostgres } from './testHost.js';

/** A broker restarts without its last messages: no fix that was answered 200 is lost, also of those after the restart. */

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 2, 6);
const YARD = { id: 'yard', name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };
const UNITS = Array.from({ length: 4 }, (_, i) => `van-${i}`);
const PARTITIONS = 2;

let database: Database | null = null;
let storage: Storage;
async function open(): Promise<void> {
  // PostgreSQL starts in a fraction of the time.
  database = POSTGRESQL.isThere ? await ownPostgres() : await embedded();
  ({ storage } = database);
  await addCompany(storage, 'still', { zones: [YARD], units: UNITS.map((id) => ({ id })) });
}
afterEach(async () => {
  await database?.storage.close();
  database?.remove();
  database = null;
});

/** A worker, and a process that sends minutes of the fleet: each unit is in the yard for four minutes of ten. */
async function fleetOn(log: Log) {
  await open();
  const settings = await prepareStream(storage, { log: 'nats', partitions: PARTITIONS, latenessSeconds: 30 });
  const sent = new Map<string, UnitFix['fix'][]>();
  const api: LiveStream = liveStream(storage, log, settings, null);
  const send = async (minute: number): Promise<void> => {
    const lon = minute % 10 > 2 && minute % 10 < 7 ? 30 : 29.97;
    for (const unitId of UNITS) {
      const fix = { time: START + minute * 60_000, lon, lat: 60 };
      const isTaken = (): Promise<boolean> =>
        api.push('still', [{ unitId, fix }]).then(
          () => true,
          () => false,
        );
      // As a client does after 503.
      while (!(await isTaken())) await sleep(20);
      sent.set(unitId, [...(sent.get(unitId) ?? []), fix]);
    }
  };
  const stored = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from fixes`.execute(storage.db);
    return rows[0]!.n;
  };
  return {
    work: (): Worker =>
      startWorker({
        storage,
        days: fixDays(storage),
        log,
        settings,
        commitMs: 0,
        rotationMs: 1e12,
        tickMs: 0,
        keepMs: 0,
        onCommitted: () => {},
        onPaused: () => {},
      }),
    async sendMinutes(from: number, to: number) {
      for (let minute = from; minute < to; minute++) await send(minute);
    },
    async untilStored(minutes: number) {
      while ((await stored()) < minutes * UNITS.length) await sleep(20);
    },
    /** The fixes and the visits are those of a batch over all fixes that were answered 200. */
    async compare() {
      const { visits } = await itemsOf(storage, new ZoneIndex([YARD]), sent);
      expect(visits.batch.size).toBeGreaterThan(UNITS.length);
      expect(differenceOf(visits.batch, visits.emitted)).toMatchObject({ lost: 0, doubled: 0, changed: 0 });
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from received union all
        select count(*)::int from partitions where alarm is not null`.execute(storage.db);
      expect(rows).toEqual([{ n: 0 }, { n: 0 }]);
    },
    close: () => api.close(),
  };
}

test('under a running worker, with others in place of the lost messages', async () => {
  const broker = memoryBroker(START + 6 * HOUR);
  const fleet = await fleetOn(broker.log);
  const worker = fleet.work();
  while (worker.running().length < PARTITIONS) await sleep(20);
  await fleet.sendMinutes(0, 14);
  await fleet.untilStored(14);
  broker.restart(() => 10);
  await fleet.sendMinutes(14, 30);
  await fleet.untilStored(30);
  await worker.close();
  await fleet.compare();
  await fleet.close();
});

test('before another worker takes over, whose states need the lost messages', async () => {
  const broker = memoryBroker(START + 6 * HOUR);
  const fleet = await fleetOn(broker.log);
  const worker = fleet.work();
  while (worker.running().length < PARTITIONS) await sleep(20);
  await fleet.sendMinutes(0, 14);
  await fleet.untilStored(14);
  const { rows } = await sql<object>`select * from partitions order by partition`.execute(storage.db);
  await worker.close();
  // As after a kill: no state was written since the first message.
  await sql`delete from unit_states`.execute(storage.db);
  await sql`update partitions set replay_from = 1, replay_clock = null`.execute(storage.db);
  expect(rows).toMatchObject([{ replay_from: '1' }, { replay_from: '1' }]);
  // Nobody reads what is sent now, and the broker loses a part of it as well.
  await fleet.sendMinutes(14, 20);
  broker.restart(() => 15);
  await fleet.sendMinutes(20, 30);
  const next = fleet.work();
  await fleet.untilStored(30);
  await next.close();
  await fleet.compare();
  await fleet.close();
});

test('a message counts as lost after three looks, once the partition has caught up', async () => {
  const partitions = heldPartitions();
  const at = { committed: 5, last: 9, ranges: new Map<number, IdRange>() };
  const published: (number | undefined)[] = [];
  partitions.held.set(0, {
    run: {
      get committed() {
        return at.committed;
      },
    },
    log: { state: async () => ({ created: '', first: 1, last: at.last }) },
  } as unknown as Held);
  const look = lostMessages({
    partitions,
    log: { publish: async () => [] },
    received: {
      ranges: async () => at.ranges,
      publish: async (_log, _partition, last) => published.push(last),
    },
  });
  const looks = async (first: number, last: number): Promise<number> => {
    at.ranges = new Map([[0, { first, last }]]);
    await look();
    return published.length;
  };
  // Others take their place.
  for (let i = 1; i < 9; i++) expect(await looks(i, i)).toBe(0);
  // It waits in the log.
  for (let i = 10; i < 15; i++) expect(await looks(9, i)).toBe(0);
  at.committed = 9;
  expect(await looks(9, 15)).toBe(1);
  expect(published).toEqual([10]);
  // It is in the log again.
  at.last = 10;
  expect([await looks(9, 15), await looks(9, 15), await looks(9, 15)]).toEqual([1, 1, 1]);
  at.ranges = new Map();
  await look();
  expect(await looks(20, 20)).toBe(1);
  expect(await looks(20, 20)).toBe(1);
  at.committed = 10;
  expect(await looks(20, 20)).toBe(2);
});

needs(NATS_SERVER).test('a broker after power cuts (needs nats-server)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-lost-'));
  const store = join(folder, 'nats');
  const broker = await brokerAt(store);
  const log = await natsLog(broker.url);
  try {
    const fleet = await fleetOn(log);
    const worker = fleet.work();
    while (worker.running().length < PARTITIONS) await sleep(20);
    /** Restarts the broker with its store of an earlier time. */
    const cutPower = (): Promise<void> =>
      broker.kill(() => {
        rmSync(store, { recursive: true });
        renameSync(`${store}.copy`, store);
      });
    for (const from of LONG ? [0, 40] : [0]) {
      await fleet.sendMinutes(from, from + 10);
      await fleet.untilStored(from + 10);
      cpSync(store, `${store}.copy`, { recursive: true });
      await fleet.sendMinutes(from + 10, from + 20);
      await fleet.untilStored(from + 20);
      // Not read by the worker.
      await cutPower();
      await fleet.sendMinutes(from + 20, from + 40);
      await fleet.untilStored(from + 40);
    }
    await worker.close();
    await fleet.compare();
    await fleet.close();
  } finally {
    await log.close();
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
