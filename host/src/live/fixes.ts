/** Reads the stored fixes of units. */

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Fix, notFound } from 'wayzone';
import type { Storage } from '../storage/storage.js';
import type { Tables } from '../storage/tables.js';

export interface Unit {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Reads a unit of the company. Throws 422 for an unknown or deleted unit. */
export async function unitOf(
  { db }: { readonly db: Kysely<Tables> | Transaction<Tables> },
  companyId: string,
  id: string,
  field: string = 'id',
): Promise<Unit> {
  const found = await db
    .selectFrom('units')
    .select(['id', 'company_id', 'name', 'settings'])
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .where('is_delete', '=', false)
    .executeTakeFirst();
  if (found === undefined) throw notFound('unit', id, field);
  return { id: found.id, companyId, name: found.name, settings: found.settings };
}

/** A stored row of a fix. */
export interface FixRow {
  readonly time: string | number;
  readonly lon: number;
  readonly lat: number;
  readonly accuracy: number | null;
  readonly more: string | null;
}

export function fixOfRow({ time, lon, lat, accuracy, more }: FixRow): Fix {
  return {
    time: Number(time),
    lon,
    lat,
    ...(accuracy === null ? {} : { accuracyMeters: accuracy }),
    ...(more === null ? {} : (JSON.parse(more) as object)),
  };
}

/** The unit's id in a condition; null, which no row has, for a unit of another company. Units that nobody registered are followed as well. */
export function ownUnit(companyId: string, unitId: string): RawBuilder<string> {
  return sql<string>`(select ${unitId} where not exists (
    select from units where id = ${unitId} and company_id <> ${companyId}))`;
}

const COLUMNS = ['fixes.time', 'fixes.lon', 'fixes.lat', 'fixes.accuracy', 'fixes.more'] as const;

/** The unit's latest fix; null before the first. */
export async function lastFixOf({ db }: Storage, companyId: string, unitId: string): Promise<Fix | null> {
  const found = await db
    .selectFrom('fixes')
    .select(COLUMNS)
    .where('fixes.unit_id', '=', ownUnit(companyId, unitId))
    .orderBy('fixes.time', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found === undefined ? null : fixOfRow(found);
}
