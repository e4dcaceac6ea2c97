import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';

/**
 * Waits until the whole log is committed and its clock is past the lateness of every fix, then ends the workers. So the tables contain the whole log,
 * except later ticks.
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
