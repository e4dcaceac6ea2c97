/** The cells of companies: some 500 units each, with an order of arrival of their own. */

import { sql } from 'kysely';
import type { Storage } from '../storage/storage.js';
import { oneByOne } from './oneByOne.js';
import { partOf } from './partOf.js';

/** The cells `base` to `base + parts - 1`. */
export interface CompanyCells {
  readonly base: number;
  readonly parts: number;
}

export interface CellMap {
  /** The cells of a company, made at its first call. */
  of(companyId: string): Promise<CompanyCells>;
  /** Reads the company's cells again at the next call: a server that lost its last writes may have given them to another company. */
  forget(companyId: string): void;
}

/** Number of registered units for which a company gets one more cell. */
const UNITS_OF_CELL = 500;
/** The first cell. Smaller numbers are the partitions of events of earlier versions. */
export const FIRST_CELL = 10_000;

/** The cell of a unit. */
export function cellOf({ base, parts }: CompanyCells, unitId: string): number {
  return base + partOf(unitId, parts);
}

export function cellMap({ db }: Pick<Storage, 'db'>): CellMap {
  const known = new Map<string, CompanyCells>();
  const inTurn = oneByOne();

  const find = async (companyId: string): Promise<CompanyCells | null> => {
    const { rows } = await sql<CompanyCells>`
      select base, parts from cell_maps where company_id = ${companyId}`.execute(db);
    return rows[0] ?? null;
  };
  const make = (companyId: string): Promise<CompanyCells> =>
    db.transaction().execute(async (trx) => {
      await sql`lock table cell_maps in share row exclusive mode`.execute(trx);
      const { rows } = await sql<CompanyCells>`
        insert into cell_maps (company_id, base, parts)
        select ${companyId}, greatest(${FIRST_CELL}, (select max(base + parts) from cell_maps)),
          greatest(1, (select ceil(count(*)::float8 / ${UNITS_OF_CELL}) from units where company_id = ${companyId}))
        where not exists (select from cell_maps where company_id = ${companyId})
        returning base, parts`.execute(trx);
      const made = rows[0] ?? (await find(companyId))!;
      if (rows.length === 0) return made;
      await sql`insert into cells (cell, company_id)
        select i, ${companyId} from generate_series(${made.base}::int, ${made.base + made.parts - 1}::int) as i`.execute(
        trx,
      );
      await sql`insert into cell_positions (cell)
        select i from generate_series(${made.base}::int, ${made.base + made.parts - 1}::int) as i`.execute(
        trx,
      );
      return made;
    });

  return {
    of: (companyId) => {
      const cells = known.get(companyId);
      if (cells !== undefined) return Promise.resolve(cells);
      return inTurn(companyId, async () => {
        const found = known.get(companyId) ?? (await find(companyId)) ?? (await make(companyId));
        known.set(companyId, found);
        return found;
      });
    },
    forget: (companyId) => void known.delete(companyId),
  };
}
