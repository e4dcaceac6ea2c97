import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NATS_SERVER, needs, POSTGRESQL } from '../../../test/needs.js';
import { smallDisk } from './smallDisk.js';
import { type VanCluster, vanCluster } from './vanCluster.js';

/**
 * The disk of PostgreSQL is full. The worker pauses and reports it, the log still accepts requests, and all of them
 * are in the tables after space is freed.
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

    test('tables cannot grow: the worker pauses, writes nothing in part, and resumes', async () => {
      const { post, isPaused, written, epoch, untilAllStored, untilStoredOrPaused } = given;
      const worker = given.cluster.workers[0]!;
      while ((await post()) !== 200) await sleep(50);
      await untilAllStored();
      const before = worker.stderr;
      disk.fill();
      // One or two messages may still fit into existing pages.
      do expect(await post()).toBe(200);
      while (!(await untilStoredOrPaused()));
      expect(worker.stderr.slice(before.length)).toContain('The worker pauses: 53100: ');
      const [state, from, logged] = [await written(), await epoch(), worker.stderr];
      while ((await epoch()) < from + 5) {
        expect(await isPaused()).toBe(true);
        await sleep(50);
      }
      expect(await post()).toBe(200);
      expect(await written()).toEqual(state);
      expect(worker.stderr.slice(logged.length)).not.toContain('The worker goes on.');
      disk.empty();
      await untilAllStored();
      expect(worker.stderr.slice(logged.length)).toContain('The worker goes on.');
      await given.compare();
    });
  },
);
