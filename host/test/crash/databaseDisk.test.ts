import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { testFullDisk } from './testFullDisk.js';

/**
 * The disk of PostgreSQL is full. Requests are answered 503, the worker pauses and reports it, and handles all messages after space is freed.
 */

testFullDisk(
  { name: 'PostgreSQL', size: '160m', folder: 'databaseFolder' },
  'tables cannot grow: the worker pauses, writes nothing in part, and resumes',
  async (given, disk) => {
    const { post, isPaused, written, rollbacks, untilAllStored, untilStoredOrPaused } = given;
    const worker = given.cluster.workers[0]!;
    while ((await post()) !== 200) await sleep(50);
    await untilAllStored();

    /** Where the worker's log reports the pause. */
    let reported = 0;
    const hasContinued = (): boolean => worker.stderr.includes('The worker continues.', reported);
    /** Whether the worker stays paused for so many attempts. */
    const staysPausedFor = async (attempts: number): Promise<boolean> => {
      const from = await rollbacks();
      while ((await rollbacks()) < from + attempts) {
        if (!(await isPaused())) return false;
        await sleep(50);
      }
      return !hasContinued();
    };
    /** Whether the worker stays paused on a full disk, also when another request comes in. */
    const staysPaused = async (): Promise<boolean> => {
      do {
        disk.empty();
        // Messages that the worker has not handled yet.
        const stopped = worker.pause(5000);
        for (let i = 0; i < 3; i++) while ((await post()) !== 200) await sleep(50);
        disk.fill();
        await stopped;
        // They may still fit into existing pages.
      } while (!(await untilStoredOrPaused()));
      // Searched in the whole log, because the worker may have paused again before this round began.
      reported = worker.stderr.lastIndexOf('The worker pauses: 53100: ');
      expect(reported).not.toBe(-1);
      if (!(await staysPausedFor(5))) return false;
      const state = await written();
      expect(await post()).toBe(503);
      const now = await written();
      if (!(await staysPausedFor(1))) return false;
      expect(now).toEqual(state);
      return true;
    };
    // PostgreSQL may free space by itself, as when it removes a file of its caches. Then the worker rightly continues.
    let rounds = 1;
    while (!(await staysPaused())) {
      while (!hasContinued()) await sleep(20);
      expect(++rounds).toBeLessThan(10);
    }
    disk.empty();
    await untilAllStored();
    expect(hasContinued()).toBe(true);
    await given.compare();
  },
);
