import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs, POSTGRESQL } from '../../../test/needs.js';
import { fixDays } from '../../src/storage/fixDays.js';
import { liveStream } from '../../src/stream/liveStream.js';
import { addCompany } from '../addCompany.js';
import { adminHeaders } from './adminHeaders.js';
import { type Cluster, startCluster } from './cluster.js';
import { fixAt } from './fleet.js';

/** A read-only database, and a database that ends all sessions: each is reported as documented. */

needs(POSTGRESQL).describe('bad days (needs PostgreSQL)', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({
      workers: 1,
      apis: 1,
      environment: { METRICS_PORT: '0' },
      prepare: ({ storage }) => addCompany(storage, 'c'),
    });
  });
  afterAll(() => cluster?.close());

  /** Number of messages that were handled. */
  const handled = async (): Promise<number> => {
    const { rows } = await sql<{ n: string }>`
      select coalesce(sum(position), 0) as n from cell_positions`.execute(cluster.database.storage.db);
    return Number(rows[0]!.n);
  };
  const waiting = async (): Promise<number> => {
    const { rows } = await sql<{ n: string }>`
      select coalesce(sum(head - position), 0) as n from cells join cell_positions using (cell)`.execute(
      cluster.database.storage.db,
    );
    return Number(rows[0]!.n);
  };
  const publish = async (unit: number, count: number): Promise<void> => {
    const { storage } = cluster.database;
    const sender = liveStream({ storage, days: fixDays(storage), worker: null, now: null });
    const now = Date.now();
    await sender.push(
      'c',
      Array.from({ length: count }, (_, i) => ({ unitId: `u${unit}`, fix: fixAt(unit, now - i * 10) })),
    );
    await sender.close();
  };
  /** The setting applies to new sessions, so existing ones are ended. */
  const setReadOnly = (value: 'on' | 'off'): Promise<void> =>
    cluster.database.storage.db.connection().execute(async (one) => {
      await sql`set default_transaction_read_only = off`.execute(one);
      await sql`alter database postgres set default_transaction_read_only = ${sql.raw(value)}`.execute(one);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and datname = 'postgres'`.execute(one);
    });

  test('while PostgreSQL is read-only the worker pauses with 25006 and writes nothing, and continues where it stopped', async () => {
    await publish(1, 10);
    while ((await waiting()) > 0) await sleep(20);
    const { db } = cluster.database.storage;
    const worker = cluster.workers[0]!;
    const isPaused = async (): Promise<boolean> =>
      /^wayzone_worker_paused 1$/m.test(await (await fetch(`${worker.url}/metrics`)).text());
    const rollbacks = async (): Promise<number> => {
      const { rows } = await sql<{ n: string }>`select xact_rollback as n from pg_stat_database
        where datname = 'postgres'`.execute(db);
      return Number(rows[0]!.n);
    };
    const { length } = worker.stderr;
    // A message waits when the database becomes read-only.
    const stopped = worker.pause(2000);
    await publish(2, 10);
    await setReadOnly('on');
    await stopped;
    const before = await handled();
    while (!worker.stderr.slice(length).includes('The worker pauses: 25006: ')) await sleep(20);
    expect(await isPaused()).toBe(true);
    const yard = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };
    const answer = await fetch(`${cluster.apis[0]!.url}/api_v1/geozones`, {
      method: 'POST',
      headers: { ...(await adminHeaders('c')), 'content-type': 'application/json' },
      body: JSON.stringify(yard),
    });
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 503 }]);
    // Several attempts are made, and each is rolled back.
    const from = await rollbacks();
    while ((await rollbacks()) < from + 5) await sleep(50);
    expect([await handled(), await isPaused()]).toEqual([before, true]);
    const output = worker.stderr.slice(length);
    await setReadOnly('off');
    while ((await waiting().catch(() => 1)) > 0) await sleep(20);
    expect(await handled()).toBeGreaterThan(before);
    while (await isPaused()) await sleep(20);
    expect(worker.stderr.slice(length + output.length)).toMatch(/^The worker continues\.$/m);
  });
});
