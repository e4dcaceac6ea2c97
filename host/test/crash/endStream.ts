import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Cluster } from './cluster.js';

/**
 * Waits until the whole log is committed and its clock is past the lateness of every fix, then ends the workers. So the tables contain the whole log,
 * except later ticks.
 */
export async function endStream(cluster: Cluster, latenessSeconds: number): Promise<void> {
  const until = Date.now() + (latenessSeconds + 2) * 1000;
  for (;;) {
    const { rows } = await sql<{ cell: number; left: string; clock: string | null; alarm: string | null }>`
      select cell, coalesce(head - position, 1) as left, clock, alarm from cells left join cell_positions using (cell) where head > 0`.execute(
      cluster.database.storage.db,
    );
    const alarms = rows.filter(({ alarm }) => alarm !== null);
    if (alarms.length > 0) throw new Error(`expected no alarm, received ${JSON.stringify(alarms)}`);
    if (rows.every(({ clock, left }) => Number(clock) > until && left === '0')) break;
    await sleep(100);
  }
  await Promise.all(cluster.workers.map((node) => node.stop()));
}
