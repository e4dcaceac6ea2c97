/**
 * Reads many rows as JSON texts joined with commas, for answers and threads, so that the event loop parses no row. PostgreSQL joins each
 * page of about `PAGE_BYTES` into one value: a row that begins below this size is in the page, so that few corridors of some megabytes are
 * in memory at a time.
 */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ResourceName, Tables } from './tables.js';

/** Size of a page of texts. */
export const PAGE_BYTES = 500_000;
const FIRST_ROWS = 100;
const MOST_ROWS = 2000;

/** A geozone as an index needs it. */
const FOR_INDEX = sql`row - 'polygon_geometry' as row`;

interface Page {
  /** null: no row. */
  readonly texts: string | null;
  /** `ordinal` of the last row in the page. */
  readonly last: string;
  /** Number of rows in the page. */
  readonly count: number;
  /** Whether all rows that were selected are in the page. */
  readonly isWhole: boolean;
}

/** The page of these rows, `row` and `ordinal`, which are few. The size of a row that PostgreSQL has compressed is the compressed one. */
async function pageOf(db: Kysely<Tables>, rows: RawBuilder<unknown>): Promise<Page> {
  const { rows: found } = await sql<{ texts: string | null; last: string; count: string; all: string }>`
    select string_agg(sized.row::text, ',' order by sized.ordinal) filter (where sized.fits) as texts,
      max(sized.ordinal) filter (where sized.fits) as last,
      count(*) filter (where sized.fits) as count, count(*) as all
    from (
      select page.row, page.ordinal,
        sum(pg_column_size(page.row)) over (order by page.ordinal) - pg_column_size(page.row) < ${PAGE_BYTES} as fits
      from (${rows}) as page
    ) as sized`.execute(db);
  const { texts, last, count, all } = found[0]!;
  return { texts, last, count: Number(count), isWhole: count === all };
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
    const page = await pageOf(db, select(last, size));
    if (page.texts === null) return;
    yield page.texts;
    if (page.isWhole && page.count < size) return;
    last = page.last;
    size = nextSize(page.count, page.texts.length);
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
    const some = ids.slice(from, from + size);
    const page = await pageOf(
      db,
      sql`
      select found.row, wanted.place as ordinal
      from jsonb_array_elements_text(${JSON.stringify(some)}::jsonb) with ordinality as wanted(id, place)
      join ${sql.table(table)} as found on found.id = wanted.id and found.company_id = ${companyId}`,
    );
    from += page.isWhole ? some.length : Number(page.last);
    if (page.texts === null) continue;
    yield page.texts;
    size = nextSize(page.count, page.texts.length);
  }
}

/** A row as JSON text. */
export interface TextRow {
  readonly text: string;
  /** The company's version at the last write of the row. */
  readonly version: number;
}

/** The row with this id, deleted or not; null if the company has no such row. */
export async function readText(
  db: Kysely<Tables>,
  table: ResourceName,
  companyId: string,
  id: string,
): Promise<TextRow | null> {
  const { rows } = await sql<{ text: string; version: string }>`
    select row::text as text, version from ${sql.table(table)}
    where company_id = ${companyId} and id = ${id}`.execute(db);
  const row = rows[0];
  return row === undefined ? null : { ...row, version: Number(row.version) };
}

/** Number of rows for the next page, if `count` rows took `length` characters. */
function nextSize(count: number, length: number): number {
  return Math.max(1, Math.min(MOST_ROWS, Math.floor((count * PAGE_BYTES) / length)));
}
