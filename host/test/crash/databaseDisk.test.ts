import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { testFullDisk } from './testFullDisk.js';

/**
 * The disk of PostgreSQL is full. Requests are answered 503, the worker pauses and reports it, and everything in the log is in the tables after space
 * is freed.
 */

testFullDisk(
  { name: 'PostgreSQL', size: '160m', folder: 'databaseFolder' },
  'tables cannot grow: the worker pauses, writes nothing in part, and resumes',
  async (given, disk) => {
    const { post, publish, isPaused, written, epoch, untilAllStored, untilStoredOrPaused } = given;
    const worker = given.cluster.workers[0]!;
    while ((await post()) !== 200) await sleep(50);
    await untilAllStored();

    /** Where the worker's log reports the pause. */
    let reported = 0;
    const hasContinued = (): boolean => worker.stderr.includes('The worker continues.', reported);
    /** Whether the worker stays paused while it takes its cell over so many times. */
    const staysPausedFor = async (takeovers: number): Promise<boolean> => {
      const from = await epoch();
      while ((await epoch()) < from + takeovers) {
        if (!(await isPaused())) return false;
        await sleep(50);
      }
      return !hasContinued();
    };
    /** Whether the worker stays paused on a full disk, also when another message comes in. */
    const staysPaused = async (): Promise<boolean> => {
      disk.fill();
      // One or two messages may still fit into existing pages.
      do await publish();
      while (!(await untilStoredOrPaused()));
      // Searched in the whole log, because the worker may have paused again before this round began.
      reported = worker.stderr.lastIndexOf('The worker pauses: 53100: ');
      expect(reported).not.toBe(-1);
      const state = await written();
      if (!(await staysPausedFor(5))) return false;
      await publish();
      expect([200, 503]).toContain(await post());
      const now = await written();
      // If the worker has just written, it reports that it continues instead of another takeover.
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
