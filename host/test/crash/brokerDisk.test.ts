import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NATS_SERVER, type Need, needs, POSTGRESQL } from '../../../test/needs.js';
import { addCompany } from '../addCompany.js';
import { adminHeaders } from './adminHeaders.js';
import { type Cluster, startCluster } from './cluster.js';

/** With the broker's disk full, requests are 503. They succeed after space is freed and the broker restarted. No acknowledged request is lost. */

const folder = mkdtempSync(join(tmpdir(), 'wayzone-broker-'));
const MOUNT: Need = {
  name: 'root and tmpfs',
  isThere: spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder]).status === 0,
};
const BALLAST = join(folder, 'ballast');

needs(MOUNT, POSTGRESQL, NATS_SERVER).describe(
  'a full disk of the broker (needs root, PostgreSQL, nats-server)',
  () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster({
        workers: 1,
        apis: 1,
        brokerFolder: join(folder, 'nats'),
        environment: { PARTITIONS: '1', LOG_MEGABYTES: '16', LOG_KEEP_SECONDS: '86400', TICK_SECONDS: '0' },
        prepare: ({ storage }) => addCompany(storage, 'c', { units: [{ id: 'van' }] }),
      });
    });
    afterAll(async () => {
      await cluster?.close();
      if (MOUNT.isThere) execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    });

    test('a request that the log cannot accept is answered 503; accepted requests are kept', async () => {
      const headers = { ...(await adminHeaders('c')), 'content-type': 'application/json' };
      let next = Date.now() - 3_600_000;
      const taken: number[] = [];
      const post = async (): Promise<number> => {
        const fixes = Array.from({ length: 500 }, (_, i) => ({
          unit_id: 'van',
          time: next + i * 2,
          lon: 30,
          lat: 60,
        }));
        next += 1000;
        const answer = await fetch(`${cluster.apis[0]!.url}/api_v1/positions`, {
          method: 'POST',
          headers,
          body: JSON.stringify(fixes),
        });
        const body = (await answer.json()) as { code?: number; taken?: number };
        if (answer.status === 200) taken.push(...fixes.map(({ time }) => time));
        else expect([answer.status, body]).toMatchObject([503, { code: 503, field: '' }]);
        return answer.status;
      };
      // The worker creates the stream.
      while ((await post()) !== 200) await sleep(50);
      await post();
      try {
        for (;;) writeFileSync(BALLAST, Buffer.alloc(4096), { flag: 'a' });
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      }
      while ((await post()) === 200);
      expect(await post()).toBe(503);

      rmSync(BALLAST);
      await cluster.broker.kill();
      while ((await post()) !== 200) await sleep(50);
      expect(await post()).toBe(200);
      const stored = async (): Promise<Set<number>> => {
        const { rows } = await sql<{ time: string }>`select time from fixes`.execute(
          cluster.database.storage.db,
        );
        return new Set(rows.map(({ time }) => Number(time)));
      };
      while (!(await stored()).has(taken.at(-1)!)) await sleep(50);
      const all = await stored();
      expect(taken.filter((time) => !all.has(time))).toEqual([]);
      expect(taken.length).toBeGreaterThan(1500);
    });
  },
);
