import type { Cluster } from './cluster.js';

/** The committed position of each partition, in the order of the partitions. */
export async function positionsOf({ database }: Cluster): Promise<number[]> {
  const rows = await database.storage.db
    .selectFrom('partitions')
    .select('position')
    .orderBy('partition')
    .execute();
  return rows.map(({ position }) => Number(position));
}
