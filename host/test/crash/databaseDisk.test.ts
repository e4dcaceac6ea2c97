import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { testFullDisk } from './testFullDisk.js';

/**
 * The disk of PostgreSQL is full. The worker pauses and reports it, the log still accepts requests, and all of them
 * are in the tables after space is freed.
 */

testFullDisk(
  { name: 'PostgreSQL', size: '160m', folder: 'databaseFolder' },
  'tables cannot grow: the worker pauses, writes nothing in part, and resumes',
  async (given, disk) => {
    const { post, isPaused, written, epoch, untilAllStored, untilStoredOrPaused } = given;
    const worker = given.cluster.workers[0]!;
    while ((await post()) !== 200) await sleep(50);
    await untilAllStored();

    let logged: string;
    /** Whether the worker stays paused while it takes its partition over five times, and another message comes in. */
    const staysPaused = async (): Promise<boolean> => {
      const before = worker.stderr;
      disk.fill();
      // One or two messages may still fit into existing pages.
      do expect(await post()).toBe(200);
      while (!(await untilStoredOrPaused()));
      const [state, from] = [await written(), await epoch()];
      logged = worker.stderr;
      expect(logged.slice(before.length)).toContain('The worker pauses: 53100: ');
      while ((await epoch()) < from + 5) {
        if (!(await isPaused())) return false;
        await sleep(50);
      }
      expect(await post()).toBe(200);
      const now = await written();
      if (worker.stderr.slice(logged.length).includes('The worker continues.')) return false;
      expect(now).toEqual(state);
      return true;
    };
    // PostgreSQL may free space by itself, as when it removes a file of its caches. Then the worker rightly continues.
    let rounds = 1;
    while (!(await staysPaused())) {
      while (!worker.stderr.slice(logged!.length).includes('The worker continues.')) await sleep(20);
      expect(++rounds).toBeLessThan(10);
    }
    disk.empty();
    await untilAllStored();
    expect(worker.stderr.slice(logged!.length)).toContain('The worker continues.');
    await given.compare();
  },
);
