import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NATS_SERVER, needs, POSTGRESQL } from '../../../test/needs.js';
import { smallDisk } from './smallDisk.js';
import { type VanCluster, vanCluster } from './vanCluster.js';

/**
 * The disk of PostgreSQL is full: the worker pauses and says so, the log takes requests, and all of them
 * are in the tables when there is room.
 */

const disk = smallDisk('160m');

needs(disk.need, POSTGRESQL, NATS_SERVER).describe(
  'a full disk of PostgreSQL (needs root, PostgreSQL, nats-server)',
  () => {
    let given: VanCluster;
    beforeAll(async () => {
      given = await vanCluster({ databaseFolder: disk.folder });
    });
    afterAll(async () => {
      disk.empty();
      await given?.cluster.close();
      disk.remove();
    });

    test('tables do not grow: the worker pauses, writes nothing half, and goes on', async () => {
      const { post, isPaused, written, epoch, untilAllStored, untilStoredOrPaused } = given;
      const worker = given.cluster.workers[0]!;
      while ((await post()) !== 200) await sleep(50);
      await untilAllStored();
      const before = worker.said;
      disk.fill();
      // A message or two may find room in pages that are there.
      do expect(await post()).toBe(200);
      while (!(await untilStoredOrPaused()));
      expect(worker.said.slice(before.length)).toContain('The worker pauses: 53100: ');
      const [state, from, said] = [await written(), await epoch(), worker.said];
      while ((await epoch()) < from + 5) {
        expect(await isPaused()).toBe(true);
        await sleep(50);
      }
      expect(await post()).toBe(200);
      expect(await written()).toEqual(state);
      expect(worker.said.slice(said.length)).not.toContain('The worker goes on.');
      disk.empty();
      await untilAllStored();
      expect(worker.said.slice(said.length)).toContain('The worker goes on.');
      await given.compare();
    });
  },
);
