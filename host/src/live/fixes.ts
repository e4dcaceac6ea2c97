/** Reads the stored fixes of units. */

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Fix, notFound, WayzoneError } from 'wayzone';
import { DAY_MS } from '../durations.js';
import type { Storage } from '../storage/storage.js';
import type { Tables } from '../storage/tables.js';

const PAGE = 5000;
/** Maximum number of fixes of one answer: three weeks with a fix every ten seconds. */
const MOST = 200_000;
/** How far a device's clock may be ahead: the default of `maxFutureSeconds` in the stream. */
const FUTURE_MS = 300_000;

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

/** A fix of one of the company's units. */
export interface UnitFix {
  readonly unitId: string;
  readonly fix: Fix;
}

/**
 * Yields the fixes from `from` to `to` (epoch milliseconds, both included) in time order, as pages of `[time, lon, lat, accuracy, more]`. Throws
 * `limit-fixes` (422) for more than 200,000.
 */
export async function* fixTexts(
  { db }: Storage,
  companyId: string,
  unitId: string,
  from: number,
  to: number,
): AsyncGenerator<string> {
  for (let [after, pages] = [BigInt(from) - 1n, 0]; ; ) {
    const { rows } = await sql<{ texts: string | null; last: string; count: string }>`
      select string_agg(json_build_array(time, lon, lat, accuracy, more::json)::text, ',' order by time) as texts,
        max(time) as last, count(*) as count
      from (
        select fixes.time, fixes.lon, fixes.lat, fixes.accuracy, fixes.more
        from fixes where fixes.unit_id = ${ownUnit(companyId, unitId)}
          and fixes.time > ${String(after)}::bigint and fixes.time <= ${String(to)}::bigint
        order by fixes.time limit ${PAGE}
      ) as page`.execute(db);
    const { texts, last, count } = rows[0]!;
    if (texts !== null) yield texts;
    if (Number(count) < PAGE) return;
    if (++pages * PAGE > MOST)
      throw new WayzoneError(
        'limit-fixes',
        'from',
        `expected a period with at most ${MOST} fixes, received one with more`,
        {
          status: 422,
          wireCode: 422,
        },
      );
    after = BigInt(last);
  }
}

/** The first and the last accepted time, epoch milliseconds. */
export interface KeptSpan {
  readonly from: number;
  readonly to: number;
}

/** The span from the start of the day (UTC) `days` days before `now`, to `FUTURE_MS` after `now`. */
export function keptSpan(days: number, now: number): KeptSpan {
  return { from: Math.floor((now - days * DAY_MS) / DAY_MS) * DAY_MS, to: now + FUTURE_MS };
}

/** Throws `time-range` for a fix outside the span, whose row the retention would delete. */
export function checkTime({ time }: Fix, { from, to }: KeptSpan): void {
  if (time >= from && time <= to) return;
  const [first, last] = [from, to].map((bound) => new Date(bound).toISOString());
  throw new WayzoneError('time-range', 'time', `expected ${first} to ${last}, received ${time}`);
}
