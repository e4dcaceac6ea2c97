import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NATS_SERVER, needs, POSTGRESQL } from '../../../test/needs.js';
import { smallDisk } from './smallDisk.js';
import { type VanCluster, vanCluster } from './vanCluster.js';

/**
 * The disk of PostgreSQL's log of changes (`pg_wal`) is full: the server panics, and restarts or stays down. The worker pauses and says so,
 * and goes on where it was when the server is back.
 */

const disk = smallDisk('64m');

needs(disk.need, POSTGRESQL, NATS_SERVER).describe(
  'a full disk of pg_wal (needs root, PostgreSQL, nats-server)',
  () => {
    let given: VanCluster;
    beforeAll(async () => {
      given = await vanCluster({ walFolder: disk.folder });
    });
    afterAll(async () => {
      disk.empty();
      await given?.cluster.close();
      disk.remove();
    });

    test('the server panics: the worker pauses, and all that the log took is stored once when there is room', async () => {
      const { post, untilAllStored, untilStoredOrPaused } = given;
      const { database, workers } = given.cluster;
      const worker = workers[0]!;
      while ((await post()) !== 200) await sleep(50);
      await untilAllStored();
      const before = worker.said;
      const hasPanicked = (): boolean => /^.*PANIC: .*No space left on device/m.test(database.serverLog());
      // The segments that are there take some messages, and each restart of the server leaves room for more.
      let wasPaused = false;
      while (!wasPaused || !hasPanicked()) {
        disk.fill();
        // Without its database the host answers 503.
        expect([200, 503]).toContain(await post());
        wasPaused = (await untilStoredOrPaused()) || wasPaused;
      }

      disk.empty();
      const isBack = async (): Promise<boolean> =>
        given.written().then(
          () => true,
          () => false,
        );
      while (!(await isBack())) {
        try {
          database.start();
        } catch {
          // It restarts by itself.
        }
      }
      while ((await post()) !== 200) await sleep(50);
      await untilAllStored();
      expect(worker.said.slice(before.length)).toMatch(/^The worker pauses: .*The worker goes on\.\n$/s);
      await given.compare();
    });
  },
);
