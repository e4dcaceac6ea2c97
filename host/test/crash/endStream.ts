import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';

/**
 * Waits until all of the log is committed and the clock is beyond what any fix waits for, then ends the workers: nobody writes any more, and
 * the log ends where the tables do. The ticks that they would have taken later make nothing.
 */
export async function endStream(cluster: Cluster, latenessSeconds: number): Promise<void> {
  const until = Date.now() + (latenessSeconds + 2) * 1000;
  for (;;) {
    const rows = await cluster.database.storage.db
      .selectFrom('partitions')
      .select(['partition', 'position', 'clock', 'alarm'])
      .execute();
    const alarms = rows.filter(({ alarm }) => alarm !== null);
    if (alarms.length > 0) throw new Error(`expected no alarm, received ${JSON.stringify(alarms)}`);
    if (rows.every(({ clock }) => Number(clock) > until)) break;
    await sleep(100);
  }
  await Promise.all(cluster.workers.map((node) => node.stop()));
}
