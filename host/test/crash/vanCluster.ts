/** A cluster with one unit, for tests in which PostgreSQL cannot write. The unit enters and leaves a zone in each request. */

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { describeEvents } from 'wayzone/operator';
import { encodeFixes } from '../../src/stream/message.js';
import { natsLog } from '../../src/stream/natsLog.js';
import { partOf } from '../../src/stream/partOf.js';
import { eventsInOrder } from '../eventsInOrder.js';
import { adminHeaders } from './adminHeaders.js';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.js';
import { endStream } from './endStream.js';
import { differenceOf, fromLog, storedEvents, storedFixes } from './oracle.js';

const PARTITIONS = 2;
const LATENESS_SECONDS = 1;
const LOG_MEGABYTES = 16;
const ENVIRONMENT = {
  PARTITIONS: String(PARTITIONS),
  LATENESS_SECONDS: String(LATENESS_SECONDS),
  LOG_MEGABYTES: String(LOG_MEGABYTES),
  // All messages are kept for the comparison.
  LOG_KEEP_SECONDS: '86400',
  METRICS_PORT: '0',
};
/** Fixes per request: more than fit on one page of a table. */
const FIXES = 2000;
/** The way from the yard to the other place, or back: 5.6 km. */
const DRIVE_MS = 120_000;
const DAY_MS = 86_400_000;
const YARD = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };

export interface VanCluster {
  readonly cluster: Cluster;
  /** Sends fixes and resolves to the status. After any status other than 200 the next call sends the same fixes again. 200 means that the database and the log have them. */
  readonly post: () => Promise<number>;
  /** Writes such fixes to the log alone, as what waits in it when the database fails. */
  readonly publish: () => Promise<void>;
  /** Whether the worker's metrics report a pause. */
  readonly isPaused: () => Promise<boolean>;
  /** Rows of fixes and events, and the position of the unit's cell. */
  readonly written: () => Promise<object>;
  /** Number of takeovers of the unit's cell. */
  readonly epoch: () => Promise<number>;
  /** Waits until everything in the log is stored and the worker is not paused. */
  readonly untilAllStored: () => Promise<void>;
  /** Waits until everything in the log is stored or the worker is paused. Resolves to whether it is paused. */
  readonly untilStoredOrPaused: () => Promise<boolean>;
  /** Ends the workers and compares the tables with what one process computes from the log. */
  readonly compare: () => Promise<void>;
}

export async function vanCluster(
  folders: Pick<ClusterOptions, 'databaseFolder' | 'walFolder'> = {},
): Promise<VanCluster> {
  const cluster = await startCluster({
    workers: 1,
    apis: 1,
    ...folders,
    environment: ENVIRONMENT,
    async prepare({ storage: { db } }) {
      await db
        .insertInto('companies')
        .values({ id: 'c', name: 'c', time_zone: 'UTC', zones_version: 1, properties: '{}' })
        .execute();
      await db
        .insertInto('geozones')
        .values({
          id: 'yard',
          company_id: 'c',
          name: 'Yard',
          is_delete: false,
          created: new Date(),
          version: 1,
          row: JSON.stringify({ id: 'yard', ...YARD }),
        })
        .execute();
      await db
        .insertInto('units')
        .values({ id: 'van', company_id: 'c', name: 'Van', device_key: 'van', settings: '{}' })
        .execute();
    },
  });
  const { storage } = cluster.database;
  const headers = { ...(await adminHeaders('c')), 'content-type': 'application/json' };
  // Long before the clock, because fixes from the future are rejected and there are many requests.
  let next = Date.now() - DAY_MS;
  const taken: number[] = [];
  const isPaused = async (): Promise<boolean> =>
    /^wayzone_worker_paused 1$/m.test(await (await fetch(`${cluster.workers[0]!.url}/metrics`)).text());
  const isStored = async (): Promise<boolean> => {
    const { rows } = await sql`select from fixes where time = ${taken.at(-1)}`.execute(storage.db);
    return rows.length > 0;
  };

  const nextFixes = (): { time: number; lon: number; lat: number }[] =>
    Array.from({ length: FIXES }, (_, i) => ({
      time: next + i * 100 + (i < FIXES / 2 ? 0 : DRIVE_MS),
      lon: i < FIXES / 2 ? 30 : 29.9,
      lat: 60,
    }));
  const take = (fixes: readonly { readonly time: number }[]): void => {
    taken.push(...fixes.map(({ time }) => time));
    next += FIXES * 100 + 2 * DRIVE_MS;
  };

  return {
    cluster,
    isPaused,
    async publish() {
      const fixes = nextFixes();
      const log = await natsLog(cluster.natsUrl, { maxBytes: LOG_MEGABYTES * 2 ** 20 });
      const payload = encodeFixes(
        'c',
        fixes.map((fix) => ({ unitId: 'van', fix })),
      );
      await log.publish([{ cell: partOf('van', PARTITIONS), payload }]);
      await log.close();
      take(fixes);
    },
    async post() {
      const fixes = nextFixes();
      const answer = await fetch(`${cluster.apis[0]!.url}/api_v1/positions`, {
        method: 'POST',
        headers,
        body: JSON.stringify(fixes.map((fix) => ({ unit_id: 'van', ...fix }))),
      });
      await answer.body?.cancel();
      if (answer.status === 200) take(fixes);
      return answer.status;
    },
    async written() {
      const { rows } = await sql<object>`select (select count(*) from fixes) as fixes,
        (select count(*) from events) as events,
        (select position from cells where cell = ${partOf('van', PARTITIONS)}) as position`.execute(
        storage.db,
      );
      return rows[0]!;
    },
    async epoch() {
      const { epoch } = await storage.db
        .selectFrom('cells')
        .select('epoch')
        .where('cell', '=', partOf('van', PARTITIONS))
        .executeTakeFirstOrThrow();
      return Number(epoch);
    },
    async untilAllStored() {
      while (!(await isStored().catch(() => false))) await sleep(50);
      while (await isPaused()) await sleep(50);
    },
    async untilStoredOrPaused() {
      for (;;) {
        if (await isPaused()) return true;
        if (await isStored().catch(() => false)) return false;
        await sleep(20);
      }
    },
    async compare() {
      await endStream(cluster, LATENESS_SECONDS);
      const log = await natsLog(cluster.natsUrl, { maxBytes: LOG_MEGABYTES * 2 ** 20 });
      const oracle = await fromLog(storage, log, PARTITIONS, LATENESS_SECONDS);
      await log.close();
      const nothing = { lost: 0, doubled: 0, changed: 0, examples: [] };
      expect(differenceOf(oracle.fixes, await storedFixes(storage))).toEqual(nothing);
      expect(differenceOf(oracle.events, await storedEvents(storage))).toEqual(nothing);
      expect(oracle.fixes.size).toBe(taken.length);
      // One visit per request. It has one event, a revision, if the log takes a request's second message first.
      expect(describeEvents('visits', await eventsInOrder(storage))).toHaveLength(taken.length / FIXES);
      const { rows } = await sql`select seq from set_aside`.execute(storage.db);
      expect(rows).toEqual([]);
    },
  };
}
