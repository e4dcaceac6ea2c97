/** Writes tables as Parquet files. */

import type { ByteWriter, ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { inputError, isArray } from '../../core/errors.js';
import { itemsOf } from '../../core/input.js';
import { readOption, type WordRow } from '../../core/options.js';

/** Type of a column: text, numbers, times (epoch milliseconds, written as timestamps in UTC) or booleans. A cell may be null. */
export type ParquetColumnType = 'text' | 'number' | 'time' | 'boolean';

const TYPE: WordRow<ParquetColumnType> = { words: ['text', 'number', 'time', 'boolean'] };

/** Rows of a row group, the part that a reader loads at a time. */
const GROUP_ROWS = 131_072;

/**
 * Writes rows as a Parquet file, compressed with Snappy. The cells of a row are in the order of the columns. Null, undefined and numbers that are
 * not finite are written as nulls.
 *
 * Rejects with `option-type` and `option-value` for invalid columns, `source-type`, and `cell-type` for a cell of another type than its column's.
 *
 * @example
 * ```ts
 * import { toParquet } from 'wayzone/interchange';
 * toParquet({ zone: 'text', visits: 'number' }, [['Depot', 3]]) instanceof Promise; // true
 * ```
 */
export async function toParquet(
  columns: Readonly<Record<string, ParquetColumnType>>,
  rows: Iterable<readonly unknown[]>,
): Promise<Uint8Array> {
  const file = await ParquetRows.open(columns);
  for (const row of itemsOf(rows, 'rows')) file.add(row);
  return file.finish();
}

/** Writes a Parquet file row by row. Memory: one row group, and the bytes that `take` has not removed. */
export class ParquetRows {
  readonly #columns: readonly { readonly name: string; readonly type: ParquetColumnType }[];
  readonly #bytes: ByteWriter;
  readonly #writer: ParquetWriter;
  #data: unknown[][] = [];
  #count = 0;

  private constructor(
    columns: readonly { readonly name: string; readonly type: ParquetColumnType }[],
    { ByteWriter, ParquetWriter, schemaFromColumnData }: typeof import('hyparquet-writer'),
  ) {
    this.#columns = columns;
    this.#bytes = new ByteWriter();
    this.#clear();
    const schema = schemaFromColumnData({ columnData: this.#columnData() });
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema, createdBy: 'wayzone' });
  }

  /** Begins a file. Rejects with `option-type`, `option-value`. */
  static async open(columns: Readonly<Record<string, ParquetColumnType>>): Promise<ParquetRows> {
    const given: unknown = columns;
    if (typeof given !== 'object' || given === null || isArray(given)) {
      throw inputError('option-type', 'columns', 'an object of columns', given);
    }
    const kinds = Object.entries(columns).map(([name, type]) => ({
      name,
      type: readOption(TYPE, type, `columns.${name}`),
    }));
    return new ParquetRows(kinds, await import('hyparquet-writer'));
  }

  /** Adds a row. Throws `cell-type`. */
  add(row: readonly unknown[]): void {
    const field = `rows[${this.#count++}]`;
    if (!isArray(row)) throw inputError('cell-type', field, 'a list of cells', row);
    for (const [k, { type }] of this.#columns.entries()) {
      this.#data[k]!.push(cellOf(row[k], type, `${field}[${k}]`));
    }
    if (this.#data[0]?.length === GROUP_ROWS) this.#writeGroup();
  }

  /** Removes and returns the bytes written since the last call. */
  take(): Uint8Array {
    const bytes = new Uint8Array(this.#bytes.getBuffer());
    this.#bytes.index = 0;
    return bytes;
  }

  /** Ends the file and returns its remaining bytes. */
  finish(): Uint8Array {
    if ((this.#data[0]?.length ?? 0) > 0) this.#writeGroup();
    // No need to await: the writer writes into memory.
    void this.#writer.finish();
    return this.take();
  }

  #writeGroup(): void {
    const columnData = this.#columnData().map(({ name, data }) => ({ name, data }));
    void this.#writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    this.#clear();
  }

  #columnData(): ColumnSource[] {
    return this.#columns.map(({ name, type }, k) => {
      return { name, data: this.#data[k]!, nullable: true, type: PARQUET_TYPES[type] };
    });
  }

  #clear(): void {
    this.#data = this.#columns.map(() => []);
  }
}

const PARQUET_TYPES = { text: 'STRING', number: 'DOUBLE', time: 'TIMESTAMP', boolean: 'BOOLEAN' } as const;
const JS_TYPES = { text: 'string', number: 'number', time: 'number', boolean: 'boolean' } as const;

function cellOf(cell: unknown, type: ParquetColumnType, field: string): unknown {
  if (cell === null || cell === undefined) return null;
  if (typeof cell !== JS_TYPES[type]) throw inputError('cell-type', field, `a ${type}`, cell);
  if (typeof cell === 'number' && !Number.isFinite(cell)) return null;
  return type === 'time' ? new Date(cell as number) : cell;
}
