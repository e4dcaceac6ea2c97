/**
 * Reads many rows as JSON texts joined with commas, for answers and threads, so that the event loop parses no row. PostgreSQL joins each
 * page of about `PAGE_BYTES` into one value.
 */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ResourceName, Tables } from './tables.js';

const PAGE_BYTES = 500_000;
const FIRST_ROWS = 100;
const MOST_ROWS = 2000;

/** A geozone as an index needs it. */
const FOR_INDEX = sql`row - 'polygon_geometry' as row`;

interface Page {
  readonly texts: string | null;
  readonly last: string | null;
  readonly count: string;
}

/** Yields all rows of a company, or the live ones, in the order of insertion. A row that is written meanwhile may be old or new. */
export function readTexts(
  db: Kysely<Tables>,
  table: ResourceName,
  companyId: string,
  which: 'all' | 'live',
): AsyncGenerator<string> {
  const deleted = which === 'all' ? sql`` : sql`and not is_delete`;
  return pagesOf(
    db,
    (last, size) => sql`
      select row, ordinal from ${sql.table(table)}
      where company_id = ${companyId} and ordinal > ${last}::bigint ${deleted}
      order by ordinal limit ${size}`,
  );
}

/** Yields all geozones of a company for an index, deleted ones included, without their corridors. */
export function readIndexTexts(db: Kysely<Tables>, companyId: string): AsyncGenerator<string> {
  return pagesOf(
    db,
    (last, size) => sql`
      select ${FOR_INDEX}, ordinal from geozones
      where company_id = ${companyId} and ordinal > ${last}::bigint
      order by ordinal limit ${size}`,
  );
}

/** Yields the geozones of a company that were written after a version, including deleted ones, in the order of insertion, without their corridors. */
export function readTextsSince(
  db: Kysely<Tables>,
  companyId: string,
  version: number,
): AsyncGenerator<string> {
  return pagesOf(
    db,
    (last, size) => sql`
      select ${FOR_INDEX}, ordinal from geozones
      where company_id = ${companyId} and version > ${version} and ordinal > ${last}::bigint
      order by ordinal limit ${size}`,
  );
}

/** Yields the geozones of a company as they were at a version, including deleted ones, in the order of insertion, without their corridors. */
export function readTextsAt(db: Kysely<Tables>, companyId: string, version: number): AsyncGenerator<string> {
  return pagesOf(
    db,
    (last, size) => sql`
      (select ${FOR_INDEX}, ordinal from geozones
        where company_id = ${companyId} and version <= ${version} and ordinal > ${last}::bigint
        order by ordinal limit ${size})
      union all
      (select ${FOR_INDEX}, ordinal from geozones_history
        where company_id = ${companyId} and version <= ${version} and until > ${version} and ordinal > ${last}::bigint
        order by ordinal limit ${size})
      order by ordinal limit ${size}`,
  );
}

/** Yields pages of rows in the order of `ordinal`. `select` returns at most `size` rows after ordinal `last`. */
async function* pagesOf(
  db: Kysely<Tables>,
  select: (last: string, size: number) => RawBuilder<unknown>,
): AsyncGenerator<string> {
  let size = FIRST_ROWS;
  for (let last = '-1'; ; ) {
    const { rows } = await sql<Page>`
      select string_agg(page.row::text, ',' order by page.ordinal) as texts, max(page.ordinal) as last, count(*) as count
      from (${select(last, size)}) as page`.execute(db);
    const page = rows[0]!;
    if (page.texts === null) return;
    yield page.texts;
    const count = Number(page.count);
    if (count < size) return;
    last = page.last!;
    size = nextSize(count, page.texts.length);
  }
}

/** Yields the rows of these ids in the order of `ids`, deleted or not. Unknown ids are skipped. */
export async function* readTextsOf(
  db: Kysely<Tables>,
  table: ResourceName,
  companyId: string,
  ids: readonly string[],
): AsyncGenerator<string> {
  let size = FIRST_ROWS;
  for (let from = 0; from < ids.length; ) {
    const some = JSON.stringify(ids.slice(from, from + size));
    from += size;
    const { rows } = await sql<Page>`
      select string_agg(found.row::text, ',' order by wanted.place) as texts, count(*) as count
      from jsonb_array_elements_text(${some}::jsonb) with ordinality as wanted(id, place)
      join ${sql.table(table)} as found on found.id = wanted.id and found.company_id = ${companyId}`.execute(
      db,
    );
    const { texts, count } = rows[0]!;
    if (texts === null) continue;
    yield texts;
    size = nextSize(Number(count), texts.length);
  }
}

/** A row as JSON text. */
export interface TextRow {
  readonly id: string;
  readonly text: string;
  /** The company's version at the last write of the row. */
  readonly version: number;
}

/** The rows of these ids, deleted or not, in no order. */
export async function readTextsById(
  db: Kysely<Tables>,
  table: ResourceName,
  companyId: string,
  ids: readonly string[],
): Promise<TextRow[]> {
  const { rows } = await sql<{ id: string; text: string; version: string }>`
    select id, row::text as text, version from ${sql.table(table)}
    where company_id = ${companyId}
      and id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`.execute(db);
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}

/** Number of rows for the next page, if `count` rows took `length` characters. */
function nextSize(count: number, length: number): number {
  return Math.max(1, Math.min(MOST_ROWS, Math.floor((count * PAGE_BYTES) / length)));
}
