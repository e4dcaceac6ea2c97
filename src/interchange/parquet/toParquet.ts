/** Writes tables as Parquet files. */

import type { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { inputError, isArray } from '../../core/errors.js';
import { itemsOf, MAX_TIME } from '../../core/input.js';
import { readOption, type WordRow } from '../../core/options.js';
import { NumberCells, type PageTools, type WrittenChunk, writeFlatColumn } from './writeFlatColumn.js';

/**
 * Type of a column: text, numbers, whole numbers of at most 2^53, times (epoch milliseconds, written as UTC timestamps) or booleans. A cell may
 * be null.
 */
export type ParquetColumnType = 'text' | 'number' | 'integer' | 'time' | 'boolean';

/** Type of a column, also for JSON values, bytes, and boxes `{xmin, ymin, xmax, ymax}`. */
export type ColumnType = ParquetColumnType | 'json' | 'bytes' | 'box';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const TYPE: WordRow<ParquetColumnType> = { words: ['text', 'number', 'integer', 'time', 'boolean'] };

/** Number of rows of a row group, the part that a reader loads at a time. */
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
  const given: unknown = columns;
  if (typeof given !== 'object' || given === null || isArray(given)) {
    throw inputError('option-type', 'columns', 'an object of columns', given);
  }
  const types = Object.entries(columns).map(([name, type]) => [
    name,
    readOption(TYPE, type, `columns.${name}`),
  ]);
  const file = await ParquetRows.open(Object.fromEntries(types) as Record<string, ParquetColumnType>);
  for (const row of itemsOf(rows, 'rows')) file.add(row);
  return file.finish();
}

/** A column and its cells of the row group. */
interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly element: SchemaElement;
  cells: unknown[] | NumberCells;
}

/** Writes a Parquet file row by row. Memory: one row group, and the bytes that `take` has not removed. */
export class ParquetRows {
  readonly #columns: readonly Column[];
  readonly #bytes: ByteWriter;
  readonly #writer: ParquetWriter;
  readonly #schema: SchemaElement[];
  readonly #tools: PageTools;
  #rows = 0;
  /** Rows of the row group. */
  #length = 0;

  private constructor(
    columns: Readonly<Record<string, ColumnType>>,
    properties: Readonly<Record<string, string>>,
    { ByteWriter, ParquetWriter }: typeof import('hyparquet-writer'),
    tools: Omit<PageTools, 'newBytes'>,
  ) {
    this.#bytes = new ByteWriter();
    this.#tools = { ...tools, newBytes: () => new ByteWriter() };
    this.#schema = [{ name: 'schema', num_children: Object.keys(columns).length }];
    this.#columns = Object.entries(columns).map(([name, type]) => {
      const elements = elementsOf(name, type);
      this.#schema.push(...elements);
      return { name, type, element: elements[0]!, cells: isNumber(type) ? new NumberCells() : [] };
    });
    const kvMetadata = Object.entries(properties).map(([key, value]) => ({ key, value }));
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: this.#schema,
      kvMetadata,
      createdBy: 'wayzone',
    });
  }

  /** Begins a file. `properties`: properties of the file, by key. */
  static async open(
    columns: Readonly<Record<string, ColumnType>>,
    properties: Readonly<Record<string, string>> = {},
  ): Promise<ParquetRows> {
    const library = await import('hyparquet-writer');
    const { snappyCompress } = await import('hyparquet-writer/src/snappy.js');
    const { writePageHeader } = await import('hyparquet-writer/src/datapage.js');
    const { writeRleBitPackedHybrid } = await import('hyparquet-writer/src/encoding.js');
    return new ParquetRows(columns, properties, library, {
      compress: snappyCompress,
      writeHeader: writePageHeader,
      writeRuns: writeRleBitPackedHybrid,
    });
  }

  /** Adds a row. Throws `cell-type`. */
  add(row: readonly unknown[]): void {
    if (!isArray(row)) throw inputError('cell-type', `rows[${this.#rows}]`, 'a list of cells', row);
    for (let k = 0; k < this.#columns.length; k++) {
      const { type, cells } = this.#columns[k]!;
      const cell = row[k];
      const wrong = cells instanceof NumberCells ? putNumber(cell, type, cells) : putCell(cell, type, cells);
      if (wrong !== null) throw inputError('cell-type', `rows[${this.#rows}][${k}]`, wrong, cell);
    }
    this.#rows++;
    if (++this.#length === GROUP_ROWS) this.#writeGroup();
  }

  /** Removes and returns the bytes written since the last call. */
  take(): Uint8Array {
    const bytes = new Uint8Array(this.#bytes.getBuffer());
    this.#bytes.index = 0;
    return bytes;
  }

  /** Ends the file and returns its remaining bytes. */
  finish(): Uint8Array {
    if (this.#length > 0 && this.#columns.length > 0) this.#writeGroup();
    // The cells are already JSON texts, so the writer learns only here that they are JSON.
    for (const element of this.#schema)
      if (element.logical_type?.type === 'JSON') element.converted_type = 'JSON';
    // No need to await: the writer writes into memory.
    void this.#writer.finish();
    return this.take();
  }

  #writeGroup(): void {
    const start = this.#bytes.offset;
    const columns = this.#columns.flatMap((column) => this.#writeChunks(column));
    const size = columns.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n);
    this.#writer.row_groups.push({
      columns,
      total_byte_size: size,
      num_rows: BigInt(this.#length),
      total_compressed_size: BigInt(this.#bytes.offset - start),
    });
    this.#writer.num_rows += BigInt(this.#length);
    this.#length = 0;
  }

  #writeChunks(column: Column): WrittenChunk[] {
    const { cells, name, type, element } = column;
    const writer = this.#writer;
    if (cells instanceof NumberCells || type === 'text') {
      const given = cells instanceof NumberCells ? cells.cells : (cells as (string | null)[]);
      const indexes = writeFlatColumn(this.#bytes, element, given, this.#tools);
      writer.pendingIndexes.push(indexes);
      if (cells instanceof NumberCells) cells.clear();
      else column.cells = [];
      return [indexes.chunk];
    }
    // The writer makes a row group of this column. Its chunks go to the group of all columns.
    void writer.write({ columnData: [{ name, data: cells }], rowGroupSize: GROUP_ROWS });
    const { columns, num_rows: rows } = writer.row_groups.pop()!;
    writer.num_rows -= rows;
    column.cells = [];
    return columns;
  }
}

/** Schema elements by type. Converted types besides logical types are for readers of the old form. */
const ELEMENTS: Readonly<Record<Exclude<ColumnType, 'box'>, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  boolean: { type: 'BOOLEAN' },
  json: { type: 'BYTE_ARRAY', logical_type: { type: 'JSON' } },
  bytes: { type: 'BYTE_ARRAY' },
};
const CORNERS = ['xmin', 'ymin', 'xmax', 'ymax'];

function elementsOf(name: string, type: ColumnType): SchemaElement[] {
  const optional = { repetition_type: 'OPTIONAL' } as const;
  if (type !== 'box') return [{ name, ...optional, ...ELEMENTS[type] }];
  const corners = CORNERS.map(
    (corner): SchemaElement => ({ name: corner, type: 'DOUBLE', repetition_type: 'REQUIRED' }),
  );
  return [{ name, ...optional, num_children: corners.length }, ...corners];
}

function isNumber(type: ColumnType): boolean {
  return type === 'number' || type === 'integer' || type === 'time';
}

/** Adds a cell to a column of numbers, or returns the words for what was expected. */
function putNumber(cell: unknown, type: ColumnType, cells: NumberCells): string | null {
  if (cell !== null && cell !== undefined && typeof cell !== 'number') return `a ${type}`;
  const value = typeof cell === 'number' && Number.isFinite(cell) ? cell : Number.NaN;
  if (type === 'integer' && !Number.isNaN(value) && !Number.isSafeInteger(value))
    return 'a whole number of at most 2^53';
  if (type === 'time' && Math.abs(value) > MAX_TIME) return 'a time';
  cells.put(type === 'time' ? Math.trunc(value) : value);
  return null;
}

/** Adds a cell to another column, or returns the words for what was expected. */
function putCell(cell: unknown, type: ColumnType, cells: unknown[]): string | null {
  if ((type === 'text' || type === 'boolean') && cell !== null && cell !== undefined) {
    if (typeof cell !== (type === 'text' ? 'string' : type)) return `a ${type}`;
  }
  const isJson = type === 'json' && cell !== null && cell !== undefined;
  cells.push(isJson ? new TextEncoder().encode(JSON.stringify(cell)) : (cell ?? null));
  return null;
}
