import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NATS_SERVER, needs, POSTGRESQL } from '../../../test/needs.js';
import { encodeFixes } from '../../src/stream/message.js';
import { natsLog } from '../../src/stream/natsLog.js';
import { addCompany } from '../addCompany.js';
import { adminHeaders } from './adminHeaders.js';
import { type Cluster, MAIN, startCluster } from './cluster.js';
import { fixAt } from './fleet.js';
import { positionsOf } from './positionsOf.js';

const PARTITIONS = 2;
const UNREAD = PARTITIONS;

/** A read-only database, a cell without its stream, a full broker: each is reported as documented. */

needs(POSTGRESQL, NATS_SERVER).describe('bad days (needs PostgreSQL, nats-server)', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({
      workers: 1,
      apis: 1,
      environment: { PARTITIONS: String(PARTITIONS), LOG_MEGABYTES: '1', METRICS_PORT: '0' },
      prepare: ({ storage }) => addCompany(storage, 'c'),
    });
    // The worker creates the streams after it reported that it is ready.
    const log = await natsLog(cluster.natsUrl);
    while ((await log.state(0)) === null || (await log.state(1)) === null) await sleep(20);
    await log.close();
  });
  afterAll(() => cluster?.close());

  const fixes = async (): Promise<number> => {
    const { rows } = await sql<{ n: string }>`select count(*) as n from fixes`.execute(
      cluster.database.storage.db,
    );
    return Number(rows[0]!.n);
  };
  const publish = async (unit: number, count: number, cell = 0): Promise<void> => {
    const log = await natsLog(cluster.natsUrl);
    const now = Date.now();
    const own = Array.from({ length: count }, (_, i) => ({
      unitId: `u${unit}`,
      fix: fixAt(unit, now - i * 10),
    }));
    try {
      await log.publish([{ cell, payload: encodeFixes('c', own) }]);
    } finally {
      await log.close();
    }
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
    const stored = await fixes();
    await publish(1, 10);
    while ((await fixes()) < stored + 10) await sleep(20);
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
    await setReadOnly('on');
    await publish(2, 10);
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
    const before = await rollbacks();
    while ((await rollbacks()) < before + 5) await sleep(50);
    expect([await fixes(), await isPaused()]).toEqual([stored + 10, true]);
    const output = worker.stderr.slice(length);
    await setReadOnly('off');
    while ((await fixes().catch(() => 0)) < stored + 20) await sleep(20);
    expect(await fixes()).toBe(stored + 20);
    while (await isPaused()) await sleep(20);
    expect(worker.stderr.slice(length + output.length)).toMatch(/^The worker continues\.$/m);
  });

  test('a full stream accepts no more messages: the publication is rejected', async () => {
    // A stream that no worker reads, so that the other tests find room in theirs.
    const log = await natsLog(cluster.natsUrl, { maxBytes: 2 ** 20 });
    await log.create(UNREAD);
    await log.close();
    const fill = async (): Promise<void> => {
      for (;;) await publish(3, 5000, UNREAD);
    };
    await expect(fill()).rejects.toMatchObject({ statusCode: 503 });
  });

  test('a deleted stream is an alarm that /ready shows; the other cell continues, and the command ends the alarm', async () => {
    const connection = await connect({ servers: cluster.natsUrl });
    await (await jetstreamManager(connection)).streams.delete('FIXES_0');
    await connection.close();
    const health = async (): Promise<{ status: string; unread?: unknown }> =>
      (await (await fetch(`${cluster.apis[0]!.url}/ready`)).json()) as { status: string; unread?: unknown };
    while (
      (await health()).status !== 'degraded' ||
      !JSON.stringify(await health()).includes('stream-missing')
    )
      await sleep(50);
    expect(await health()).toEqual({
      status: 'degraded',
      database: 'ok',
      unread: [{ cell: 0, reason: 'stream-missing' }],
    });
    const position = async (cell: number): Promise<number> => (await positionsOf(cluster))[cell]!;
    const before = await position(1);
    while ((await position(1)) === before) await sleep(50);

    const [last, count] = [await position(0), await fixes()];
    const env = { ...process.env, DATABASE_URL: cluster.database.url!, NATS_URL: cluster.natsUrl };
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'go-on', '--cell', '0', '--json'], {
      env: { ...env, LOG_MEGABYTES: '1' },
    });
    expect(JSON.parse(stdout)).toMatchObject({ cell: 0, alarm: 'stream-missing' });
    await publish(4, 10);
    while ((await fixes()) < count + 10) await sleep(20);
    // The new stream begins at 1; the cell's sequences keep ascending.
    expect(await position(0)).toBeGreaterThan(last);
    while ((await health()).status !== 'ok') await sleep(50);
  });
});
