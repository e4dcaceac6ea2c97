/**
 * Reads many rows as JSON texts joined with commas, for answers and processes, so that the event loop parses no row. PostgreSQL joins each
 * page of about `PAGE_BYTES` into one value. It finds the ends of all pages first, in one pass, so that each page is a short range of the rows:
 * with a limit instead of a range it may read and sort all rows for each page.
 */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import { type JsonExpression, withLabels } from './entryColumns.js';
import type { Db } from './rows.js';
import type { ResourceName, Tables } from './tables.js';

/** Size of a page as PostgreSQL estimates it. */
export const PAGE_BYTES = 500_000;
/** Largest number of rows of a page. */
const PAGE_ROWS = 2000;
/** Counted for each row beside its own size. */
const ROW_BYTES: number = PAGE_BYTES / PAGE_ROWS;

const ROW = sql`row`;
/** A geozone as an index needs it. */
const FOR_INDEX = sql`row - 'polygon_geometry'`;
/** The head of a geozone: `HeadCells` as JSON. */
export const HEAD: RawBuilder<unknown> = sql`head`;
/** The size of a row without reading it. PostgreSQL compresses most rows to a third or half, and repeated texts to a hundredth. */
const SIZE = sql`pg_column_size(row) * case when pg_column_compression(row) is null then 1 else 4 end`;

/** Selects `value` of the rows whose `place` has the `range`, and their places. */
type Selection = (
  value: RawBuilder<unknown>,
  range: (place: RawBuilder<unknown>) => RawBuilder<unknown>,
) => RawBuilder<unknown>;

/** The language of the labels of rows; null: rows as they are stored, for processes. */
type Language = string | null;

const AS_STORED: JsonExpression = (row) => row;

function inLanguage(table: ResourceName, language: Language): JsonExpression {
  return language === null ? AS_STORED : withLabels(table, language);
}

/** Conditions of rows. `shown`: live geozones that are shown on the map, which have an index. */
const WHICH: Readonly<Record<'all' | 'live' | 'shown', RawBuilder<unknown>>> = {
  all: sql``,
  live: sql`and not is_delete`,
  shown: sql`and not is_delete and row @> '{"is_show_on_map": true}'`,
};

/** Yields all rows of a company, or some, in the order of insertion. A row that is written meanwhile may be old or new. */
export function readTexts(
  db: Kysely<Tables>,
  table: ResourceName,
  companyId: string,
  which: keyof typeof WHICH,
  language: Language,
): AsyncGenerator<string> {
  return pagesOf(
    db,
    ROW,
    (value, range) => sql`
      select ${value} as value, ordinal as place from ${sql.table(table)}
      where company_id = ${companyId} ${WHICH[which]} and ${range(ORDINAL)}`,
    inLanguage(table, language),
  );
}

const ORDINAL = sql`ordinal`;
const PLACE = sql`wanted.place`;
const VALUE = sql`value`;

/** Yields all geozones of a company for an index, deleted ones included, without their corridors. */
export function readIndexTexts(db: Kysely<Tables>, companyId: string): AsyncGenerator<string> {
  return pagesOf(
    db,
    FOR_INDEX,
    (value, range) => sql`
      select ${value} as value, ordinal as place from geozones where company_id = ${companyId} and ${range(ORDINAL)}`,
  );
}

/** Yields the heads of all geozones of a company, deleted ones included: JSON texts joined with commas. */
export async function* readHeadTexts(db: Kysely<Tables>, companyId: string): AsyncGenerator<string> {
  const ends: { first: string; last: string; count: number }[] = [];
  // Heads are small: pages by number, from counts of spans of ordinals, whose index alone is read.
  const { rows: spans } = await sql<{ span: string; count: string }>`
    select ordinal / ${PAGE_ROWS}::integer as span, count(*) as count from geozones
    where company_id = ${companyId} group by 1 order by 1`.execute(db);
  for (const { span, count } of spans) {
    const [first, last] = [Number(span) * PAGE_ROWS, (Number(span) + 1) * PAGE_ROWS - 1].map(String) as [
      string,
      string,
    ];
    const page = ends.at(-1);
    if (page === undefined || page.count + Number(count) > PAGE_ROWS)
      ends.push({ first, last, count: Number(count) });
    else Object.assign(page, { last, count: page.count + Number(count) });
  }
  const selection: Selection = (value, range) => sql`
    select ${value} as value, ordinal as place from geozones where company_id = ${companyId} and ${range(ORDINAL)}`;
  for await (const { texts } of pagesBetween(db, ends, HEAD, selection, AS_STORED)) yield texts;
}

/** Yields the geozones of a company that were written after a version, including deleted ones, in the order of insertion, without their corridors. */
export function readTextsSince(
  db: Kysely<Tables>,
  companyId: string,
  version: number,
): AsyncGenerator<string> {
  return pagesOf(
    db,
    FOR_INDEX,
    (value, range) => sql`
      select ${value} as value, ordinal as place from geozones
      where company_id = ${companyId} and version > ${version} and ${range(ORDINAL)}`,
  );
}

/** Yields the geozones of a company as they were at a version, including deleted ones, in the order of insertion, without their corridors. */
export function readTextsAt(db: Kysely<Tables>, companyId: string, version: number): AsyncGenerator<string> {
  return pagesOf(
    db,
    FOR_INDEX,
    (value, range) => sql`
      select ${value} as value, ordinal as place from geozones
      where company_id = ${companyId} and version <= ${version} and ${range(ORDINAL)}
      union all
      select ${value} as value, ordinal as place from geozones_history
      where company_id = ${companyId} and version <= ${version} and until > ${version} and ${range(ORDINAL)}`,
  );
}

/** Number of ids in one query. */
const SOME_IDS = 1000;

/**
 * Yields the geozones of these ids as they were at a version, in the order of `ids`, deleted or not. Throws `zones-pruned` if they were
 * written since, and the earlier rows are deleted.
 */
export async function* readZonesOf(
  db: Kysely<Tables>,
  companyId: string,
  ids: readonly string[],
  version: number,
  language: Language,
): AsyncGenerator<string> {
  for (let from = 0; from < ids.length; from += SOME_IDS) {
    const some = ids.slice(from, from + SOME_IDS);
    const wanted = sql`
      jsonb_array_elements_text(${JSON.stringify(some)}::jsonb) with ordinality as wanted(id, place)`;
    const pages = countedPages(
      db,
      ROW,
      (value, range) => sql`
      select ${value} as value, wanted.place from ${wanted}
      join geozones on geozones.id = wanted.id and company_id = ${companyId} and version <= ${version}
      where ${range(PLACE)}
      union all
      select ${value} as value, wanted.place from ${wanted}
      join geozones_history as earlier on earlier.id = wanted.id and company_id = ${companyId}
        and version <= ${version} and until > ${version}
      where ${range(PLACE)}`,
      inLanguage('geozones', language),
    );
    let found = 0;
    for await (const { texts, count } of pages) {
      yield texts;
      found += count;
    }
    if (found < some.length) throw pruned(companyId, version);
  }
}

function pruned(companyId: string, version: number): WayzoneError {
  const text = `expected geozones of version ${version}, received later ones, since the earlier ones are deleted`;
  return new WayzoneError('zones-pruned', `company ${companyId}`, text, { status: 503, wireCode: 503 });
}

/** Yields the rows of these ids in the order of `ids`, deleted or not. Unknown ids are skipped. */
export async function* readTextsOf(
  db: Kysely<Tables>,
  table: ResourceName,
  companyId: string,
  ids: readonly string[],
  language: Language,
): AsyncGenerator<string> {
  for (let from = 0; from < ids.length; from += SOME_IDS) {
    const some = JSON.stringify(ids.slice(from, from + SOME_IDS));
    yield* pagesOf(
      db,
      ROW,
      (value, range) => sql`
      select ${value} as value, wanted.place
      from jsonb_array_elements_text(${some}::jsonb) with ordinality as wanted(id, place)
      join ${sql.table(table)} as found on found.id = wanted.id and found.company_id = ${companyId}
      where ${range(PLACE)}`,
      inLanguage(table, language),
    );
  }
}

/** Places of the first and the last row of a page. */
interface PageEnds {
  readonly first: string;
  readonly last: string;
}

/** Yields pages of values in the order of their places. */
async function* pagesOf(
  db: Kysely<Tables>,
  value: RawBuilder<unknown>,
  selection: Selection,
  change: JsonExpression = AS_STORED,
): AsyncGenerator<string> {
  for await (const { texts } of countedPages(db, value, selection, change)) yield texts;
}

/** Yields pages of texts with the number of their rows. */
async function* countedPages(
  db: Kysely<Tables>,
  value: RawBuilder<unknown>,
  selection: Selection,
  change: JsonExpression,
): AsyncGenerator<Page> {
  // With `offset 0` PostgreSQL takes the sizes before it sorts: it would carry all rows through the sort. Sizes are integers: their sums and
  // quotients take half the time of `numeric`.
  const { rows: ends } = await sql<PageEnds>`
    select min(place) as first, max(place) as last from (
      select place, (sum(value + ${ROW_BYTES}::integer) over (order by place rows unbounded preceding) - 1) / ${PAGE_BYTES}::integer as page
      from (${selection(SIZE, () => sql`true`)} offset 0) as sizes
    ) as sized group by page order by page`.execute(db);
  yield* pagesBetween(db, ends, value, selection, change);
}

interface Page {
  readonly texts: string;
  /** Number of its rows. */
  readonly count: number;
}

/** Yields the pages. PostgreSQL reads a page while the one before is used. */
async function* pagesBetween(
  db: Kysely<Tables>,
  ends: readonly PageEnds[],
  value: RawBuilder<unknown>,
  selection: Selection,
  change: JsonExpression,
): AsyncGenerator<Page> {
  const read = async ({ first, last }: PageEnds): Promise<Page | null> => {
    const range = (place: RawBuilder<unknown>): RawBuilder<unknown> =>
      sql`${place} between ${first}::bigint and ${last}::bigint`;
    const { rows } = await sql<{ texts: string | null; count: string }>`
      select string_agg((${change(VALUE)})::text, ',' order by place) as texts, count(*) as count from (${selection(value, range)}) as page`.execute(
      db,
    );
    const { texts, count } = rows[0]!;
    return texts === null ? null : { texts, count: Number(count) };
  };
  let ahead: Promise<Page | null> = Promise.resolve(null);
  for (const [i, end] of ends.entries()) {
    const page = await (i === 0 ? read(end) : ahead);
    const next = ends[i + 1];
    if (next !== undefined) ahead = read(next);
    // The reader may stop, and then nobody awaits the page.
    ahead.catch(() => {});
    if (page !== null) yield page;
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
  db: Db,
  table: ResourceName,
  companyId: string,
  id: string,
  language: string,
): Promise<TextRow | null> {
  const { rows } = await sql<{ text: string; version: string }>`
    select (${withLabels(table, language)(ROW)})::text as text, version from ${sql.table(table)}
    where company_id = ${companyId} and id = ${id}`.execute(db);
  const row = rows[0];
  return row === undefined ? null : { ...row, version: Number(row.version) };
}
