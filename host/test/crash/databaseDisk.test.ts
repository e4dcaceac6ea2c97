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
    expect(worker.stderr.slice(logged.length)).not.toContain('The worker continues.');
    disk.empty();
    await untilAllStored();
    expect(worker.stderr.slice(logged.length)).toContain('The worker continues.');
    await given.compare();
  },
);
