/** A cluster with one unit, for tests in which PostgreSQL cannot write. The unit enters and leaves a zone in each request. */

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import { describeEvents } from 'wayzone/operator';
import { findVisits, readTrack } from 'wayzone/tracks';
import { eventsInOrder } from '../eventsInOrder.js';
import { adminHeaders } from './adminHeaders.js';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.js';
import { endStream } from './endStream.js';

const LATENESS_SECONDS = 1;
const ENVIRONMENT = {
  LATENESS_SECONDS: String(LATENESS_SECONDS),
  METRICS_PORT: '0',
};
/** Fixes per request: more than fit on one page of a table. */
const FIXES = 2000;
/** The way from the yard to the other place, or back: 5.6 km. */
const DRIVE_MS = 120_000;
const DAY_MS = 86_400_000;
const YARD = {
  id: 'yard',
  name: 'Yard',
  type: { key: 'circle' as const },
  geometry: [[30, 60]] as [number, number][],
  width: 500,
};

export interface VanCluster {
  readonly cluster: Cluster;
  /** Sends fixes and resolves to the status. After any status other than 200 the next call sends the same fixes again. */
  readonly post: () => Promise<number>;
  /** Whether the worker's metrics report a pause. */
  readonly isPaused: () => Promise<boolean>;
  /** Rows of fixes and events, and the position of the unit's cell. */
  readonly written: () => Promise<object>;
  /** Number of transactions that were rolled back so far. */
  readonly rollbacks: () => Promise<number>;
  /** Waits until every message is handled and the worker is not paused. */
  readonly untilAllStored: () => Promise<void>;
  /** Waits until every message is handled or the worker is paused. Resolves to whether it is paused. */
  readonly untilStoredOrPaused: () => Promise<boolean>;
  /** Ends the workers and compares the tables with the batch over the fixes that were taken. */
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
          row: JSON.stringify(YARD),
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
  const taken: Fix[] = [];
  const isPaused = async (): Promise<boolean> =>
    /^wayzone_worker_paused 1$/m.test(await (await fetch(`${cluster.workers[0]!.url}/metrics`)).text());
  const isStored = async (): Promise<boolean> => {
    const { rows } =
      await sql`select from cells c join cell_positions p on p.cell = c.cell where c.head > p.position`.execute(
        storage.db,
      );
    return rows.length === 0;
  };

  const nextFixes = (): Fix[] =>
    Array.from({ length: FIXES }, (_, i) => ({
      time: next + i * 100 + (i < FIXES / 2 ? 0 : DRIVE_MS),
      lon: i < FIXES / 2 ? 30 : 29.9,
      lat: 60,
    }));
  const take = (fixes: readonly Fix[]): void => {
    taken.push(...fixes);
    next += FIXES * 100 + 2 * DRIVE_MS;
  };

  return {
    cluster,
    isPaused,
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
        (select sum(position) from cell_positions) as position`.execute(storage.db);
      return rows[0]!;
    },
    async rollbacks() {
      const { rows } = await sql<{ n: string }>`select xact_rollback as n from pg_stat_database
        where datname = 'postgres'`.execute(storage.db);
      return Number(rows[0]!.n);
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
      const { rows: stored } = await sql<{ n: string }>`select count(*) as n from fixes`.execute(storage.db);
      expect(Number(stored[0]!.n)).toBe(taken.length);
      const visits = findVisits(readTrack(taken), new ZoneIndex([YARD]));
      const textOf = ({ enter, exit }: { enter: number; exit: number | null }): string => `${enter} ${exit}`;
      const emitted = describeEvents('visits', await eventsInOrder(storage));
      expect(emitted.map(textOf)).toEqual(visits.map(textOf));
      expect(visits).toHaveLength(taken.length / FIXES);
      const { rows } = await sql`select seq from set_aside`.execute(storage.db);
      expect(rows).toEqual([]);
    },
  };
}
