/** A worker that is replaced by a new one when the database has another history. */

import { every } from '../every.js';
import { databaseEpoch } from '../storage/databaseClock.js';
import type { Storage } from '../storage/storage.js';
import type { CellWorker } from './cellWorker.js';

const LOOK_MS = 1000;

/**
 * The memory of a worker (zones, trips, cells) may hold writes that a restarted or promoted server lacks, with version numbers that the server gives to
 * other writes. What the former worker still commits is refused by the version of its cells.
 */
export function renewedWorker(
  { db }: Storage,
  start: () => CellWorker,
  epochOf: typeof databaseEpoch = databaseEpoch,
): CellWorker {
  let worker = start();
  let epoch: string | null = null;
  let left: Promise<unknown> = Promise.resolve();
  const timer = every(LOOK_MS, async () => {
    const now = await epochOf(db);
    if (epoch !== null && now !== epoch) {
      left = worker.close().catch(() => {});
      worker = start();
    }
    epoch = now;
  });
  timer.unref();
  return {
    committed: (...given) => worker.committed(...given),
    reach: (...given) => worker.reach(...given),
    wake: () => worker.wake(),
    owns: (cell) => worker.owns(cell),
    running: () => worker.running(),
    async close() {
      clearInterval(timer);
      await worker.close();
      await left;
    },
  };
}
