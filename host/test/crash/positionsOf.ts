import { sql } from 'kysely';
import type { Cluster } from './cluster.js';

/** The committed position of each cell, in the order of the cells. */
export async function positionsOf({ database }: Cluster): Promise<number[]> {
  const { rows } = await sql<{ position: string }>`select position from cell_positions order by cell`.execute(
    database.storage.db,
  );
  return rows.map(({ position }) => Number(position));
}
