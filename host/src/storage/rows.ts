/** A company's objects of one kind. Every query is scoped by the company here and nowhere else. */

import { type Kysely, sql, type Transaction } from 'kysely';
import { WayzoneError } from 'wayzone';
import { checkText } from './checkText.js';
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

type Db = Kysely<Tables> | Transaction<Tables>;

/** What a write may do: all of it becomes visible at once, under one new version of the company. */
export interface Writer {
  readonly trx: Transaction<Tables>;
  readonly companyId: string;
  readonly version: number;
  insert(table: ResourceName, rows: readonly WireRow[]): Promise<void>;
  update(table: ResourceName, row: WireRow): Promise<void>;
}

/** Rows in the order of insertion; with `since` those written after that version. */
export async function readRows<Row extends WireRow>(
  db: Db,
  table: ResourceName,
  companyId: string,
  since: number = -1,
): Promise<StoredRow<Row>[]> {
  const rows = await db
    .selectFrom(table)
    .select(['row', 'version'])
    .where('company_id', '=', companyId)
    .where('version', '>', String(since))
    .orderBy('ordinal')
    .execute();
  return rows.map(({ row, version }) => ({ row: row as unknown as Row, version: Number(version) }));
}

/** Rows of one page. */
const PAGE = 1000;

/**
 * The same rows page by page, so that other requests get their turn between. The pages are read one after the other: a row that is
 * written meanwhile may come in either state.
 */
export async function* readPages<Row extends WireRow>(
  db: Db,
  table: ResourceName,
  companyId: string,
  since: number = -1,
): AsyncGenerator<Row[]> {
  for (let last = '-1', isFull = true; isFull; ) {
    const rows = await db
      .selectFrom(table)
      .select(['row', 'ordinal'])
      .where('company_id', '=', companyId)
      .where('version', '>', String(since))
      .where('ordinal', '>', last)
      .orderBy('ordinal')
      .limit(PAGE)
      .execute();
    isFull = rows.length === PAGE;
    last = rows.at(-1)?.ordinal ?? last;
    yield rows.map(({ row }) => row as unknown as Row);
  }
}

/** One row, deleted or not; null where the company has none of that id. */
export async function readRow<Row extends WireRow>(
  db: Db,
  table: ResourceName,
  companyId: string,
  id: string,
): Promise<StoredRow<Row> | null> {
  const found = await db
    .selectFrom(table)
    .select(['row', 'version'])
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found === undefined ? null : { row: found.row as unknown as Row, version: Number(found.version) };
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
 * Runs `work` in one transaction that holds the company's row, so that versions are committed in their order, and notifies every
 * process with the commit.
 */
export async function write<T>(
  storage: Storage,
  companyId: string,
  work: (writer: Writer) => Promise<T>,
): Promise<T> {
  return storage.db.transaction().execute(async (trx) => {
    const raised = await trx
      .updateTable('companies')
      .set({ zones_version: sql<number>`zones_version + 1` })
      .where('id', '=', companyId)
      .returning('zones_version')
      .executeTakeFirst();
    if (raised === undefined)
      throw new WayzoneError(
        'company-unknown',
        'company_id',
        `expected a known company, received ${companyId}`,
      );
    const version = Number(raised.zones_version);
    const result = await work(writerOf(trx, companyId, version));
    await notify(trx, 'wayzone_versions', { companyId, version });
    return result;
  });
}

/** Rows of one statement: their parameters stay below PostgreSQL's 65,535. */
const BATCH = 1000;

function writerOf(trx: Transaction<Tables>, companyId: string, version: number): Writer {
  return {
    trx,
    companyId,
    version,
    async insert(table, rows) {
      const created = new Date();
      for (let from = 0; from < rows.length; from += BATCH) {
        const values = rows.slice(from, from + BATCH).map((row) => ({
          ...columnsOf(row),
          id: row.id,
          company_id: companyId,
          created,
          version,
        }));
        await trx.insertInto(table).values(values).execute();
      }
    },
    async update(table, row) {
      await trx
        .updateTable(table)
        .set({ ...columnsOf(row), version })
        .where('company_id', '=', companyId)
        .where('id', '=', row.id)
        .execute();
    },
  };
}

function columnsOf(row: WireRow): { name: string; is_delete: boolean; row: string } {
  const text = JSON.stringify(row);
  checkText(row, text);
  return { name: row.name, is_delete: row.is_delete === true, row: text };
}
