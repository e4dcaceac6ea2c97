/** Stores the lateness, which is fixed at the first start, and moves the states of earlier versions to cells. */

import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import { grouped } from '../grouped.js';
import { fixDays } from '../storage/fixDays.js';
import type { Storage } from '../storage/storage.js';
import { type CellMap, cellMap, FIRST_CELL } from './cellMap.js';
import { fixIntake } from './fixIntake.js';
import { decodeMessage } from './message.js';

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
  await sql`insert into stream_settings (id, lateness_seconds) values (1, ${latenessSeconds ?? 30}) on conflict do nothing`.execute(
    db,
  );
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

/** Moves the states of earlier versions, and units that are set aside, to cells. Every process that starts does so until none is left. */
async function moveStates(storage: Storage): Promise<void> {
  const { db } = storage;
  const cells = cellMap(storage);
  await storeAside(storage, cells);
  for (;;) {
    const { rows } = await sql<{ unit_id: string; company_id: string }>`
      select unit_id, company_id from unit_states where cell < ${FIRST_CELL} limit ${PAGE}`.execute(db);
    if (rows.length === 0) break;
    for (const [companyId, own] of grouped(rows, (one) => one.company_id)) {
      const map = await cells.of(companyId);
      const all = map.all.map(({ cell }) => cell);
      const ids = own.map(({ unit_id: unitId }) => unitId);
      const units = sql`unnest(${ids}::text[], ${ids.map((unitId) => map.of(unitId).cell)}::int[]) as g(unit_id, cell)`;
      await db.transaction().execute(async (trx) => {
        await sql`update cell_positions p set clock = s.clock, replay_clock = s.clock from stream_settings s
          where p.cell = any(${all}::int[]) and p.clock is null`.execute(trx);
        await sql`insert into cell_zones (cell, company_id, seq, version)
          select cell, ${companyId}, 0, (select min(version) from cell_zones where company_id = ${companyId} and cell < ${FIRST_CELL})
          from unnest(${all}::int[]) as cell
          where exists (select from cell_zones where company_id = ${companyId} and cell < ${FIRST_CELL})
          on conflict do nothing`.execute(trx);
        await sql`update set_aside s set cell = g.cell from ${units} where s.unit_id = g.unit_id`.execute(
          trx,
        );
        await sql`update unit_states s set cell = g.cell, seq = 0 from ${units} where s.unit_id = g.unit_id`.execute(
          trx,
        );
      });
    }
  }
  await sql`delete from cell_zones where cell < ${FIRST_CELL}`.execute(db);
}

/** Stores the fixes of earlier versions that were set aside: their history did not hold them. */
async function storeAside(storage: Storage, cells: CellMap): Promise<void> {
  const { rows } = await sql<{ company_id: string; payload: Uint8Array }>`
    select company_id, payload from set_aside where cell < ${FIRST_CELL} and unit_id <> '' order by cell, seq`.execute(
    storage.db,
  );
  const take = fixIntake({ storage, days: fixDays(storage), cells, now: null, onTaken: () => {} });
  for (const { company_id: companyId, payload } of rows) {
    const message = decodeMessage(payload, Date.now());
    if (message.kind === 'fixes') await take(companyId, message.fixes);
  }
}
