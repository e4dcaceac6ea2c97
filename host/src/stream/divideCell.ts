/**
 * Divides a cell that runs. First it is closed: `cells.last` is its last message from then on, and new messages go to its parts, whose numbers go on from
 * there. No worker sees a part before the cell's messages are handled and all its states written. Then the parts get its units, and the cell is gone.
 */

import { sql } from 'kysely';
import { columnOf } from '../storage/entryColumns.js';
import type { Storage } from '../storage/storage.js';
import { type Cell, cellsOf } from './cellMap.js';

/** Beyond it a cell is not divided: the modulus is an integer of the database. */
const MOST_MODULUS = 1e9;

/** Closes an open cell, and makes so many parts of it. */
export async function divideCell({ db }: Pick<Storage, 'db'>, cell: number, parts: number): Promise<void> {
  await sql`with closed as (
      update cells set last = head where cell = ${cell} and last is null and modulus::bigint * ${parts}::int < ${MOST_MODULUS}
      returning company_id, head, modulus, residue
    ) insert into cells (company_id, head, modulus, residue, parent)
    select company_id, head, modulus * ${parts}::int, residue + part * modulus, ${cell}
    from closed cross join generate_series(0, ${parts}::int - 1) as part`.execute(db);
}

/** Gives the units of a closed cell to its parts. Returns false if messages or states are missing, or if another worker has written the cell. */
export async function handOver({ db }: Pick<Storage, 'db'>, cell: number, version: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows: own } = await sql`
      select set_config('idle_in_transaction_session_timeout', '3s', true) from cell_positions p join cells c on c.cell = p.cell
      where p.cell = ${cell} and p.version = ${version} and p.position = c.last and p.replay_from > p.position
      for update of p skip locked`.execute(trx);
    if (own.length === 0) return false;
    const { rows: parts } = await sql<Cell>`
      select cell, modulus, residue from cells where parent = ${cell} order by cell`.execute(trx);
    const map = cellsOf(parts);
    await sql`insert into cell_positions (cell, position, clock, replay_from, replay_clock, due_at)
      select c.cell, p.position, p.clock, p.replay_from, p.replay_clock, p.due_at
      from cells c join cell_positions p on p.cell = c.parent where c.parent = ${cell}`.execute(trx);
    await sql`insert into cell_zones (cell, company_id, seq, version)
      select c.cell, z.company_id, z.seq, z.version from cells c join cell_zones z on z.cell = c.parent
      where c.parent = ${cell}`.execute(trx);
    const { rows: units } = await sql<{ id: string }>`
      select unit_id as id from unit_states where cell = ${cell}
      union select unit_id from set_aside where cell = ${cell} and unit_id <> ''`.execute(trx);
    const ids = units.map(({ id }) => id);
    const cells = columnOf(ids.map((id) => map.of(id).cell));
    for (const name of ['unit_states', 'set_aside'])
      await sql`update ${sql.table(name)} t set cell = g.cell from unnest(${ids}::text[], ${cells}::int[]) as g(id, cell)
        where t.unit_id = g.id and t.cell = ${cell}`.execute(trx);
    // Messages that name no unit.
    await sql`update set_aside set cell = ${parts[0]!.cell} where cell = ${cell}`.execute(trx);
    for (const name of ['cell_zones', 'cell_messages', 'cell_positions', 'cells'])
      await sql`delete from ${sql.table(name)} where cell = ${cell}`.execute(trx);
    return true;
  });
}
