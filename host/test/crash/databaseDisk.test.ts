import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NATS_SERVER, type Need, needs, POSTGRESQL } from '../../../test/needs.js';
import { natsLog } from '../../src/stream/natsLog.js';
import { partitionOf } from '../../src/stream/partitionOf.js';
import { addCompany } from '../addCompany.js';
import { adminHeaders } from './adminHeaders.js';
import { type Cluster, startCluster } from './cluster.js';
import { endStream } from './endStream.js';
import { differenceOf, fromLog, storedEvents, storedFixes } from './oracle.js';

/**
 * The disk of PostgreSQL is full: the worker pauses and says so, the log takes requests, and all of them
 * are in the tables when there is room.
 */

const folder = mkdtempSync(join(tmpdir(), 'wayzone-full-'));
const MOUNT: Need = {
  name: 'root and tmpfs',
  isThere: spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', folder]).status === 0,
};
const BALLAST = join(folder, 'ballast');
const PARTITIONS = 2;
const LATENESS_SECONDS = 1;
const LOG_MEGABYTES = 16;
const ENVIRONMENT = {
  PARTITIONS: String(PARTITIONS),
  LATENESS_SECONDS: String(LATENESS_SECONDS),
  LOG_MEGABYTES: String(LOG_MEGABYTES),
  // All messages stay, to be compared.
  LOG_KEEP_SECONDS: '86400',
  METRICS_PORT: '0',
};
/** Fixes of a request: more than a page of a table holds. */
const FIXES = 2000;
const YARD = { id: 'yard', name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };

function fillDisk(): void {
  for (const size of [1 << 20, 4096])
    try {
      for (;;) writeFileSync(BALLAST, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
}

needs(MOUNT, POSTGRESQL, NATS_SERVER).describe(
  'a full disk of PostgreSQL (needs root, PostgreSQL, nats-server)',
  () => {
    let cluster: Cluster;
    let headers: Record<string, string>;
    let next = Date.now() - 3_600_000;
    const taken: number[] = [];
    beforeAll(async () => {
      cluster = await startCluster({
        workers: 1,
        apis: 1,
        databaseFolder: folder,
        environment: ENVIRONMENT,
        prepare: ({ storage }) => addCompany(storage, 'c', { zones: [YARD], units: [{ id: 'van' }] }),
      });
      headers = { ...(await adminHeaders('c')), 'content-type': 'application/json' };
    });
    afterAll(async () => {
      rmSync(BALLAST, { force: true });
      try {
        await cluster?.close();
      } finally {
        if (MOUNT.isThere) execFileSync('umount', ['-l', folder]);
        rmSync(folder, { recursive: true, force: true });
      }
    });

    const db = () => cluster.database.storage.db;
    /** Enters the yard and leaves it. 200 means that the log has the fixes. */
    const post = async (): Promise<number> => {
      const fixes = Array.from({ length: FIXES }, (_, i) => ({
        unit_id: 'van',
        time: next + i * 100,
        lon: i < FIXES / 2 ? 30 : 29.9,
        lat: 60,
      }));
      next += FIXES * 100;
      const answer = await fetch(`${cluster.apis[0]!.url}/api_v1/positions`, {
        method: 'POST',
        headers,
        body: JSON.stringify(fixes),
      });
      await answer.body?.cancel();
      if (answer.status === 200) taken.push(...fixes.map(({ time }) => time));
      return answer.status;
    };
    const worker = () => cluster.workers[0]!;
    const isPaused = async (): Promise<boolean> =>
      /^wayzone_worker_paused 1$/m.test(await (await fetch(`${worker().url}/metrics`)).text());
    /** Rows of fixes and events, and how far the van's partition is. */
    const written = async (): Promise<object> => {
      const { rows } = await sql<object>`select (select count(*) from fixes) as fixes,
        (select count(*) from events) as events,
        (select position from partitions where partition = ${partitionOf('van', PARTITIONS)}) as position`.execute(
        db(),
      );
      return rows[0]!;
    };
    const tries = async (): Promise<number> => {
      const row = await db()
        .selectFrom('partitions')
        .select('epoch')
        .where('partition', '=', partitionOf('van', PARTITIONS))
        .executeTakeFirstOrThrow();
      return Number(row.epoch);
    };
    const untilAllStored = async (): Promise<void> => {
      const isStored = async (): Promise<boolean> => {
        const { rows } = await sql`select from fixes where time = ${taken.at(-1)}`.execute(db());
        return rows.length > 0;
      };
      while (!(await isStored().catch(() => false))) await sleep(50);
      while (await isPaused()) await sleep(50);
    };
    const compare = async (): Promise<void> => {
      await endStream(cluster, LATENESS_SECONDS);
      const { storage } = cluster.database;
      const log = await natsLog(cluster.natsUrl, { maxBytes: LOG_MEGABYTES * 2 ** 20 });
      const oracle = await fromLog(storage, log, PARTITIONS, LATENESS_SECONDS);
      await log.close();
      const nothing = { lost: 0, doubled: 0, changed: 0, examples: [] };
      expect(differenceOf(oracle.fixes, await storedFixes(storage))).toEqual(nothing);
      expect(differenceOf(oracle.events, await storedEvents(storage))).toEqual(nothing);
      expect(oracle.fixes.size).toBe(taken.length);
      expect(oracle.events.size).toBeGreaterThanOrEqual(2 * Math.floor(taken.length / FIXES));
      const { rows } = await sql`select seq from set_aside`.execute(storage.db);
      expect(rows).toEqual([]);
    };

    test('tables do not grow: the worker pauses, writes nothing half, and goes on', async () => {
      while ((await post()) !== 200) await sleep(50);
      await untilAllStored();
      const before = worker().said;
      fillDisk();
      // A message or two may find room in pages that are there.
      do expect(await post()).toBe(200);
      while (!(await isPaused()));
      expect(worker().said.slice(before.length)).toContain('The worker pauses: 53100: ');
      const [state, from, said] = [await written(), await tries(), worker().said];
      while ((await tries()) < from + 5) {
        expect(await isPaused()).toBe(true);
        await sleep(50);
      }
      expect(await post()).toBe(200);
      expect(await written()).toEqual(state);
      expect(worker().said.slice(said.length)).not.toContain('The worker goes on.');
      rmSync(BALLAST);
      await untilAllStored();
      expect(worker().said.slice(said.length)).toContain('The worker goes on.');
      await compare();
    });
  },
);
