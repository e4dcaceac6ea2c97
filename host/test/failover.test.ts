import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { databaseEpoch } from '../src/storage/databaseClock.js';
import type { CellWorker } from '../src/stream/cellWorker.js';
import { renewedWorker } from '../src/stream/renewedWorker.js';
import { type Database, ownPostgres, type TestHost, testHost } from './testHost.js';

/** A database is restored to an earlier state while the host runs: zones that are gone are not served, and new ones are. */

needs(POSTGRESQL).describe('a restored database (needs PostgreSQL)', () => {
  const base = mkdtempSync(join(tmpdir(), 'wayzone-failover-'));
  chmodSync(base, 0o777);
  let database: Database;
  let hosted: TestHost;
  beforeAll(async () => {
    database = await ownPostgres(base);
    hosted = await testHost(database.storage);
  });
  afterAll(async () => {
    await hosted?.close();
    database?.remove();
    rmSync(base, { recursive: true, force: true });
  });

  test('its zones replace those in memory, although their version is not greater', async () => {
    const admin = await hosted.as(await hosted.company(), 'ADMIN');
    const zoneAt = (lon: number): object => ({
      name: 'Z',
      type: { key: 'circle' },
      geometry: [[lon, 50]],
      width: 100,
    });
    const countAt = async (lon: number): Promise<number> =>
      ((await admin.send('GET', `/positions/${lon},50/geozones`)).body as unknown[]).length;
    await admin.send('POST', '/geozones', zoneAt(10));
    const folder = join(base, readdirSync(base).find((name) => name.startsWith('wayzone-host-'))!);
    const data = join(folder, 'data');
    database.stop();
    // `cp -a` keeps the owner.
    execFileSync('cp', ['-a', data, `${data}.copy`]);
    database.start();
    const posted = async (zone: object): Promise<void> => {
      while ((await admin.send('POST', '/geozones', zone)).status !== 200) await sleep(50);
    };
    await posted(zoneAt(20));
    await posted(zoneAt(30));
    expect([await countAt(10), await countAt(20), await countAt(30)]).toEqual([1, 1, 1]);

    database.stop();
    renameSync(data, `${data}.lost`);
    renameSync(`${data}.copy`, data);
    appendFileSync(join(data, 'postgresql.auto.conf'), "restore_command = '/bin/false'\n");
    writeFileSync(join(data, 'recovery.signal'), '');
    execFileSync('chown', ['--reference', data, join(data, 'recovery.signal')]);
    database.start();
    // Reaches version 2 again, with another zone.
    await posted(zoneAt(40));
    while ((await countAt(20)) > 0) await sleep(50);
    expect([await countAt(10), await countAt(20), await countAt(30), await countAt(40)]).toEqual([
      1, 0, 0, 1,
    ]);
  });

  test('a worker is replaced after the server has started again', async () => {
    const begun: string[] = [];
    const closed: string[] = [];
    const epochs = new Set<string>();
    const epochOf: typeof databaseEpoch = async (db) => {
      const epoch = await databaseEpoch(db);
      epochs.add(epoch);
      return epoch;
    };
    const begin = (): CellWorker => {
      const name = `worker ${begun.length}`;
      begun.push(name);
      return {
        committed: async () => {},
        reach: async () => {},
        wake: () => void closed.push(`wake ${name}`),
        owns: () => name === 'worker 1',
        running: () => [],
        close: async () => void closed.push(name),
      };
    };
    const worker = renewedWorker(database.storage, begin, epochOf);
    expect([begun, worker.owns(1)]).toEqual([['worker 0'], false]);
    while (epochs.size === 0) await sleep(50);
    database.stop();
    database.start();
    while (begun.length < 2) await sleep(50);
    expect([closed, worker.owns(1)]).toEqual([['worker 0'], true]);
    worker.wake();
    await worker.close();
    expect(closed).toEqual(['worker 0', 'wake worker 1', 'worker 1']);
    expect(begun).toHaveLength(2);
  });
});
