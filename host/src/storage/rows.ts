/** Reads and writes a company's objects of one kind. Every query is limited to the company here and nowhere else. */

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { notFound, WayzoneError } from 'wayzone';
import { type Author, hasHistory, recordAdded, recordUpdated } from './changeHistory.js';
import { checkText } from './checkText.js';
import { withLabels } from './entryColumns.js';
import { notify, type Storage } from './storage.js';
import type { ResourceName, Tables } from './tables.js';

export interface WireRow {
  readonly id: string;
  readonly name: string;
  readonly is_delete?: unknown;
}

export interface StoredRow<Row extends WireRow = WireRow> {
  readonly row: Row;
  /** The company's version at the last write of this row. */
  readonly version: number;
}

export type Db = Kysely<Tables> | Transaction<Tables>;

/** The operations of a write. All of them become visible at once, under one new version of the company. */
export interface Writer {
  readonly trx: Transaction<Tables>;
  readonly companyId: string;
  readonly version: number;
  insert(table: ResourceName, rows: readonly WireRow[]): Promise<void>;
  /** Inserts rows. `texts` is a JSON list of rows that `checkText` has accepted. */
  insertTexts(table: ResourceName, texts: string): Promise<void>;
  /**
   * Replaces a row and returns its text with labels in `language` (default `en`). `corridor` is the JSON of a geozone's `polygon_geometry`, null if it has none; without it that
   * of the stored row stays.
   */
  update(
    table: ResourceName,
    row: WireRow,
    options?: { readonly language?: string; readonly corridor?: string | null | undefined },
  ): Promise<string>;
  /** A writer of another company in the same transaction, under a new version of that company. */
  of(companyId: string): Promise<Writer>;
  /** The new versions of all companies that this transaction writes. */
  readonly versions: ReadonlyMap<string, number>;
}

export interface WriteOptions {
  /** Author of the write; null for writes without a history. */
  readonly author?: Author | null;
  /** Further companies that the write changes. They are locked in one order, so that two such writes do not wait for each other. */
  readonly others?: readonly string[];
}

/** All rows in the order of insertion. */
export async function readRows<Row extends WireRow>(
  db: Db,
  table: ResourceName,
  companyId: string,
): Promise<StoredRow<Row>[]> {
  const rows = await db
    .selectFrom(table)
    .select(['row', 'version'])
    .where('company_id', '=', companyId)
    .orderBy('ordinal')
    .execute();
  return rows.map(({ row, version }) => ({ row: row as unknown as Row, version: Number(version) }));
}

/**
 * The rows that were written after version `since`, as they were at version `version`, in the order of insertion; at most `limit` of them.
 * `table` keeps its earlier rows in a table of history. Zones come without their corridor, which may be the largest part and is not
 * asked for after they are stored.
 */
export async function readRowsBetween<Row>(
  db: Db,
  table: 'geozones' | 'trips',
  companyId: string,
  {
    since,
    version,
    limit = null,
  }: { readonly since: number; readonly version: number; readonly limit?: number | null },
): Promise<Row[]> {
  const { rows } = await sql<{ row: Row }>`
    select row - 'polygon_geometry' as row from (
      select row, ordinal from ${sql.table(table)}
      where company_id = ${companyId} and version > ${since} and version <= ${version}
      union all
      select row, ordinal from ${sql.table(`${table}_history`)}
      where company_id = ${companyId} and version > ${since} and version <= ${version} and until > ${version}
    ) as found order by ordinal limit ${limit}`.execute(db);
  return rows.map(({ row }) => row);
}

/** The company's version, and its geozones that were written after `since`, both of one moment; at most `limit` of them. `value`: what is read of a row. */
export async function readWrittenSince<Row>(
  db: Db,
  companyId: string,
  { since, limit }: { readonly since: number; readonly limit: number },
  value: RawBuilder<unknown> = sql`row - 'polygon_geometry'`,
): Promise<{ readonly version: number | null; readonly rows: Row[] }> {
  const { rows } = await sql<{ version: string; row: Row | null }>`
    select zones_version as version, row from companies left join (
      select ${value} as row, company_id, ordinal from geozones
      where company_id = ${companyId} and version > ${since} order by version limit ${limit}
    ) as changed on company_id = companies.id
    where companies.id = ${companyId} order by ordinal`.execute(db);
  const version = rows.length === 0 ? null : Number(rows[0]!.version);
  return { version, rows: rows.flatMap(({ row }) => (row === null ? [] : [row])) };
}

/**
 * The row with this id, deleted or not; null if the company has no such row. A zone comes without its corridor, which may be of some
 * megabytes.
 */
export async function readRow<Row extends WireRow>(
  db: Db,
  table: ResourceName,
  companyId: string,
  id: string,
): Promise<StoredRow<Row> | null> {
  const { rows } = await sql<{ row: Row; version: string }>`
    select ${table === 'geozones' ? sql`row - 'polygon_geometry'` : sql`row`} as row, version
    from ${sql.table(table)} where company_id = ${companyId} and id = ${id}`.execute(db);
  const found = rows[0];
  return found === undefined ? null : { row: found.row, version: Number(found.version) };
}

/** The row of `readRow`. Throws 422 if the company has no such row or has deleted it. */
export async function liveRow<Row extends WireRow>(
  db: Db,
  table: ResourceName,
  companyId: string,
  id: string,
): Promise<StoredRow<Row>> {
  const found = await readRow<Row>(db, table, companyId, id);
  if (found === null || found.row.is_delete === true) throw notFound(singular(table), id);
  return found;
}

type Singular<Name> = Name extends `${infer One}s` ? One : never;

/** The name of a row of the table in error messages. */
export function singular(table: ResourceName): Singular<ResourceName> {
  return table.slice(0, -1) as Singular<ResourceName>;
}

/** The company's version; null for an unknown company. */
export async function readVersion(db: Db, companyId: string): Promise<number | null> {
  const found = await db
    .selectFrom('companies')
    .select('zones_version')
    .where('id', '=', companyId)
    .executeTakeFirst();
  return found === undefined ? null : Number(found.zones_version);
}

/**
 * Runs `work` in one transaction that locks the company's row, so that versions are committed in their order. The commit notifies every
 * process.
 */
export async function write<T>(
  storage: Storage,
  companyId: string,
  work: (writer: Writer) => Promise<T>,
  { author = null, others = [] }: WriteOptions = {},
): Promise<T> {
  return storage.db.transaction().execute(async (trx) => {
    if (others.length > 0)
      await trx
        .selectFrom('companies')
        .select('id')
        .where('id', 'in', [companyId, ...others])
        .orderBy('id')
        .forUpdate()
        .execute();
    const versions = new Map<string, number>();
    const of = async (id: string): Promise<Writer> => {
      const version = versions.get(id) ?? (await raise(trx, id));
      versions.set(id, version);
      return writerOf(trx, id, version, id === companyId ? author : null, { of, versions });
    };
    const result = await work(await of(companyId));
    for (const [id, version] of versions) await notify(trx, 'wayzone_versions', { companyId: id, version });
    return result;
  });
}

/** Raises the company's version, which locks its row. */
async function raise(trx: Transaction<Tables>, companyId: string): Promise<number> {
  const raised = await trx
    .updateTable('companies')
    .set({ zones_version: sql`zones_version + 1` })
    .where('id', '=', companyId)
    .returning('zones_version')
    .executeTakeFirst();
  if (raised === undefined)
    throw new WayzoneError(
      'company-unknown',
      'company_id',
      `expected a known company, received ${companyId}`,
    );
  return Number(raised.zones_version);
}

/** Number of rows in one statement. */
const BATCH = 500;

function writerOf(
  trx: Transaction<Tables>,
  companyId: string,
  version: number,
  author: Author | null,
  shared: Pick<Writer, 'of' | 'versions'>,
): Writer {
  const insertTexts = async (table: ResourceName, texts: string): Promise<void> => {
    const created = new Date().toISOString();
    // Inserts in the order of the list, because `ordinal` counts the rows as they are inserted.
    const added = sql`added as (
      insert into ${sql.table(table)} (id, company_id, name, is_delete, created, version, row)
      select item ->> 'id', ${companyId}, item ->> 'name', coalesce(item -> 'is_delete' = 'true'::jsonb, false),
        ${created}::timestamptz, ${version}::bigint, item
      from jsonb_array_elements(${texts}::jsonb) with ordinality as listed(item, place)
      order by place returning id, name, row, ordinal
    )`;
    const isRecorded = author !== null && hasHistory(table);
    const statement = isRecorded ? recordAdded(companyId, author, table) : sql`select from added`;
    await sql`with ${added} ${statement}`.execute(trx);
  };
  return {
    ...shared,
    trx,
    companyId,
    version,
    insertTexts,
    async insert(table, rows) {
      for (let from = 0; from < rows.length; from += BATCH) {
        const texts = rows.slice(from, from + BATCH).map(rowJson);
        await insertTexts(table, `[${texts.join(',')}]`);
      }
    },
    async update(table, row, { language = 'en', corridor } = {}) {
      const own = rowJson(row);
      const text = corridor == null ? own : withCorridor(own, corridor);
      const kept = corridor === undefined ? KEPT_CORRIDOR : sql``;
      const recorded =
        author !== null && hasHistory(table)
          ? sql`, recorded as (${recordUpdated(companyId, author, table, row)})`
          : sql``;
      const { rows } = await sql<{ text: string }>`
        with stored as (
          select row from ${sql.table(table)} where company_id = ${companyId} and id = ${row.id}
        ), updated as (
          update ${sql.table(table)} as known
          set name = ${row.name}, is_delete = ${row.is_delete === true}, version = ${version}::bigint,
            row = ${text}::jsonb ${kept}
          from stored where known.company_id = ${companyId} and known.id = ${row.id}
          returning known.row
        ) ${recorded}
        select (${withLabels(table, language)(sql`row`)})::text as text from updated`.execute(trx);
      return rows[0]!.text;
    },
  };
}

const KEPT_CORRIDOR = sql`|| case when stored.row ? 'polygon_geometry'
  then jsonb_build_object('polygon_geometry', stored.row -> 'polygon_geometry') else '{}' end`;

/** The JSON of a zone with its corridor, which is JSON too: the event loop takes a tenth of a second to write that of a long line. */
export function withCorridor(text: string, corridor: string): string {
  return `${text.slice(0, -1)},"polygon_geometry":${corridor}}`;
}

/** The JSON of a row for `insertTexts`. Throws `text-invalid`. */
export function rowJson(row: WireRow): string {
  const text = JSON.stringify(row);
  checkText(row, text);
  return text;
}
