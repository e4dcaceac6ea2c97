/** Stores the lateness, which is fixed at the first start. */

import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import { grouped } from '../grouped.js';
import type { Storage } from '../storage/storage.js';
import { cellMap, cellOf, FIRST_CELL } from './cellMap.js';

export interface StreamSettings {
  readonly latenessSeconds: number;
}

/** Number of states in one statement. */
const PAGE = 1000;

/** Returns the stored settings. Throws `stream-settings` if the given ones differ from them. */
export async function prepareStream(
  storage: Storage,
  latenessSeconds: number | null = null,
): Promise<StreamSettings> {
  const { db } = storage;
  await sql`insert into stream_settings (id, log, partitions, lateness_seconds)
    values (1, 'cells', 0, ${latenessSeconds ?? 30}) on conflict do nothing`.execute(db);
  const row = await db.selectFrom('stream_settings').selectAll().executeTakeFirstOrThrow();
  if (latenessSeconds !== null && latenessSeconds !== row.lateness_seconds)
    throw new WayzoneError(
      'stream-settings',
      'latenessSeconds',
      `expected ${row.lateness_seconds}, the value of the first start, received ${latenessSeconds}`,
    );
  await moveStates(storage);
  return { latenessSeconds: row.lateness_seconds };
}

/** Moves the states of earlier versions to cells. */
async function moveStates(storage: Storage): Promise<void> {
  const { db } = storage;
  const cells = cellMap(storage);
  for (;;) {
    const { rows } = await sql<{ unit_id: string; company_id: string }>`
      select unit_id, company_id from unit_states where coalesce(partition, 0) < ${FIRST_CELL} limit ${PAGE}`.execute(
      db,
    );
    if (rows.length === 0) return;
    for (const [companyId, own] of grouped(rows, (one) => one.company_id)) {
      const map = await cells.of(companyId);
      const ids = own.map(({ unit_id: unitId }) => unitId);
      await sql`update unit_states s set partition = g.cell, seq = 0
        from unnest(${ids}::text[], ${ids.map((unitId) => cellOf(map, unitId))}::int[]) as g(unit_id, cell)
        where s.unit_id = g.unit_id`.execute(db);
    }
  }
}
