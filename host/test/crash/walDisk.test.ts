import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { testFullDisk } from './testFullDisk.js';

/**
 * The disk of PostgreSQL's write-ahead log (`pg_wal`) is full. The server panics, and restarts or stays down. The worker pauses and reports it,
 * and resumes at the same message when the server is back.
 */

testFullDisk(
  { name: 'pg_wal', size: '64m', folder: 'walFolder' },
  'the server panics: the worker pauses, and every message is handled once after space is freed',
  async (given, disk) => {
    const { post, untilAllStored, untilStoredOrPaused } = given;
    const { database, workers } = given.cluster;
    const worker = workers[0]!;
    while ((await post()) !== 200) await sleep(50);
    await untilAllStored();
    const before = worker.stderr;
    const hasPanicked = (): boolean => /^.*PANIC: .*No space left on device/m.test(database.serverLog());
    // The existing segments hold some messages, and each restart of the server frees space for more.
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
        // The server restarts by itself.
      }
    }
    while ((await post()) !== 200) await sleep(50);
    await untilAllStored();
    expect(worker.stderr.slice(before.length)).toMatch(/^The worker pauses: .*The worker continues\.\n$/s);
    await given.compare();
  },
);
