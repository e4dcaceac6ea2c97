/** The cells of companies: some 500 units each, with an order of arrival of their own. */

import { sql } from 'kysely';
import type { Storage } from '../storage/storage.js';
import { oneByOne } from './oneByOne.js';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The units of a company whose `partOf` among `modulus` parts is `residue`. Dividing a cell multiplies its modulus. */
export interface CellPart {
  readonly modulus: number;
  readonly residue: number;
}

/** Whether the unit is of the part. */
export function isOf({ modulus, residue }: CellPart, unitId: string): boolean {
  return partOf(unitId, modulus) === residue;
}

export interface Cell extends CellPart {
  readonly cell: number;
}

/** The open cells of a company, and the one of a unit. */
interface CompanyCells {
  readonly all: readonly Cell[];
  of(unitId: string): Cell;
}

export interface CellMap {
  /** The cells of a company, made at its first call. */
  of(companyId: string): Promise<CompanyCells>;
  /** Reads the company's cells again at the next call: they were divided, or a server that lost its last writes has given them to another company. */
  forget(companyId: string): void;
}

/** Number of registered units for which a company gets one more cell at first. */
export const UNITS_OF_CELL = 500;
/** The first cell. Smaller numbers are the partitions of events of earlier versions. */
export const FIRST_CELL = 10_000;

export function cellsOf(all: readonly Cell[]): CompanyCells {
  /** By modulus and residue. Companies have few moduli. */
  const byModulus = new Map<number, Map<number, Cell>>();
  for (const one of all)
    byModulus.set(one.modulus, (byModulus.get(one.modulus) ?? new Map()).set(one.residue, one));
  return {
    all,
    of(unitId) {
      for (const [modulus, cells] of byModulus) {
        const found = cells.get(partOf(unitId, modulus));
        if (found !== undefined) return found;
      }
      throw new Error(`expected a cell for unit ${unitId}, received none`);
    },
  };
}

export function cellMap({ db }: Pick<Storage, 'db'>): CellMap {
  const known = new Map<string, CompanyCells>();
  const inTurn = oneByOne();

  const find = async (companyId: string, trx = db): Promise<CompanyCells | null> => {
    const { rows } = await sql<Cell>`
      select cell, modulus, residue from cells where company_id = ${companyId} and last is null order by cell`.execute(
      trx,
    );
    return rows.length === 0 ? null : cellsOf(rows);
  };
  const make = (companyId: string): Promise<CompanyCells> =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${`cells of ${companyId}`}))`.execute(trx);
      const found = await find(companyId, trx);
      if (found !== null) return found;
      await sql`with made as (
          insert into cells (company_id, modulus, residue)
          select ${companyId}, parts, residue from (
            select greatest(1, ceil(count(*)::float8 / ${UNITS_OF_CELL}))::int as parts from units where company_id = ${companyId}
          ) as p cross join lateral generate_series(0, parts - 1) as residue
          returning cell
        ) insert into cell_positions (cell) select cell from made`.execute(trx);
      return (await find(companyId, trx))!;
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

/** A number from 0 to `parts` − 1. Equal for equal ids in every version: stored states rely on it. */
export function partOf(unitId: string, parts: number): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < unitId.length; i++) hash = Math.imul(hash ^ unitId.charCodeAt(i), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % parts;
}
