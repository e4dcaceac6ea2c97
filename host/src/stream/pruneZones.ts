/**
 * Deletes zones and trips of versions that no restart needs. The same transaction raises `companies.zones_from`: a checkpoint that
 * records an earlier version fails with `zones-pruned`, and so does a load of one.
 */

import { sql, type Transaction } from 'kysely';
import { WayzoneError } from 'wayzone';
import type { Db } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import type { Tables } from '../storage/tables.js';

/** Maximum number of companies in one pass. The rest follows in the next pass. */
const MOST_COMPANIES = 1000;

/**
 * Deletes the recorded versions of a cell that apply to no message from `before` on. A replay from there needs the last record
 * before it and all later ones.
 */
export async function forgetRecords(
  { db }: Pick<Storage, 'db'>,
  cell: number,
  before: number,
): Promise<void> {
  await sql`
    delete from cell_zones z using (
      select distinct on (company_id) company_id, seq, version from cell_zones
      where cell = ${cell} and seq < ${before} order by company_id, seq desc, version desc
    ) as kept
    where z.cell = ${cell} and z.company_id = kept.company_id
      and (z.seq, z.version) < (kept.seq, kept.version)`.execute(db);
}

/** The companies whose history has rows that no recorded version needs, with the version up to which they end. */
export async function prunableZones({ db }: Pick<Storage, 'db'>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; before: string }>`
    select id, before from (
      select id, coalesce((select min(version) from cell_zones where company_id = id), zones_version) as before
      from companies
    ) as c where exists (
      select from (select company_id, until from geozones_history union all select company_id, until from trips_history) as h
      where h.company_id = c.id and h.until <= c.before
    ) limit ${MOST_COMPANIES}`.execute(db);
  return new Map(rows.map(({ id, before }) => [id, Number(before)]));
}

/**
 * Deletes the rows of history that end at or before these versions and that no recorded version needs. Returns their number. Lists read
 * zones of a version for a while after it was the newest: let time pass between `prunableZones` and this.
 */
export async function pruneZones(
  { db }: Pick<Storage, 'db'>,
  prunable: ReadonlyMap<string, number>,
): Promise<number> {
  let deleted = 0;
  for (const [id, before] of prunable)
    await db.transaction().execute(async (trx) => {
      // A checkpoint that records a version locks this row for share: it ends before this lock is granted, or sees the new bound. A
      // company whose row is locked waits for the next pass.
      const { rows: locked } =
        await sql`select from companies where id = ${id} for update skip locked`.execute(trx);
      if (locked.length === 0) return;
      const { rows } = await sql<{ zones_from: string }>`
        update companies set zones_from = greatest(zones_from, least(${before}::bigint,
          coalesce((select min(version) from cell_zones where company_id = ${id}), zones_version)))
        where id = ${id} returning zones_from`.execute(trx);
      for (const name of ['geozones_history', 'trips_history']) {
        const { numAffectedRows } = await sql`
          delete from ${sql.table(name)} where company_id = ${id} and until <= ${rows[0]!.zones_from}::bigint`.execute(
          trx,
        );
        deleted += Number(numAffectedRows ?? 0);
      }
    });
  return deleted;
}

/** Throws `zones-pruned` if the zones of one of these versions are deleted. Call it in the transaction that records the versions. */
export async function checkRecords(
  trx: Transaction<Tables>,
  records: readonly { readonly companyId: string; readonly version: number }[],
): Promise<void> {
  if (records.length === 0) return;
  const ids = [...new Set(records.map(({ companyId }) => companyId))].sort();
  const { rows } = await sql<{ id: string; zones_from: string }>`
    select id, zones_from from companies where id = any(${ids}::text[]) order by id for key share`.execute(
    trx,
  );
  const from = new Map(rows.map(({ id, zones_from: version }) => [id, Number(version)]));
  for (const { companyId, version } of records) refuseBefore(companyId, version, from.get(companyId) ?? 0);
}

/** Throws `zones-pruned` if rows of the version may have been deleted. Call it after the version was read. */
export async function checkKept(db: Db, companyId: string, version: number): Promise<void> {
  const row = await db
    .selectFrom('companies')
    .select('zones_from')
    .where('id', '=', companyId)
    .executeTakeFirst();
  refuseBefore(companyId, version, Number(row?.zones_from ?? 0));
}

function refuseBefore(companyId: string, version: number, from: number): void {
  if (version >= from) return;
  throw new WayzoneError(
    'zones-pruned',
    `company ${companyId}`,
    `expected version ${from} of the zones or a later one, received ${version}`,
  );
}
