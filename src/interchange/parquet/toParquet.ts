/** Writes tables as Parquet files. */

import type { ByteWriter, ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { inputError, isArray } from '../../core/errors.js';
import { itemsOf } from '../../core/input.js';
import { readOption, type WordRow } from '../../core/options.js';

/**
 * Type of a column: text, numbers, whole numbers of at most 2^53, times (epoch milliseconds, written as timestamps that are UTC by their logical
 * type) or booleans. A cell may be null.
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

/** Writes a Parquet file row by row. Memory: one row group, and the bytes that `take` has not removed. */
export class ParquetRows {
  readonly #columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly #bytes: ByteWriter;
  readonly #writer: ParquetWriter;
  readonly #schema: SchemaElement[];
  #data: unknown[][] = [];
  #count = 0;

  private constructor(
    columns: readonly { readonly name: string; readonly type: ColumnType }[],
    properties: Readonly<Record<string, string>>,
    { ByteWriter, ParquetWriter }: typeof import('hyparquet-writer'),
  ) {
    this.#columns = columns;
    this.#bytes = new ByteWriter();
    this.#clear();
    this.#schema = [
      { name: 'schema', num_children: columns.length },
      ...columns.flatMap(({ name, type }) => elementsOf(name, type)),
    ];
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
    const kinds = Object.entries(columns).map(([name, type]) => ({ name, type }));
    return new ParquetRows(kinds, properties, await import('hyparquet-writer'));
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
    // The cells are already JSON texts, so the writer learns only here that they are JSON.
    for (const element of this.#schema)
      if (element.logical_type?.type === 'JSON') element.converted_type = 'JSON';
    // No need to await: the writer writes into memory.
    void this.#writer.finish();
    return this.take();
  }

  #writeGroup(): void {
    void this.#writer.write({ columnData: this.#columnData(), rowGroupSize: GROUP_ROWS });
    this.#clear();
  }

  #columnData(): ColumnSource[] {
    return this.#columns.map(({ name }, k) => ({ name, data: this.#data[k]! }));
  }

  #clear(): void {
    this.#data = this.#columns.map(() => []);
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

const JS_TYPES = {
  text: 'string',
  number: 'number',
  integer: 'number',
  time: 'number',
  boolean: 'boolean',
} as const;

function cellOf(cell: unknown, type: ColumnType, field: string): unknown {
  if (cell === null || cell === undefined) return null;
  if (type === 'json') return new TextEncoder().encode(JSON.stringify(cell));
  if (type === 'bytes' || type === 'box') return cell;
  if (typeof cell !== JS_TYPES[type]) throw inputError('cell-type', field, `a ${type}`, cell);
  if (typeof cell === 'number' && !Number.isFinite(cell)) return null;
  if (type === 'integer') {
    if (!Number.isSafeInteger(cell))
      throw inputError('cell-type', field, 'a whole number of at most 2^53', cell);
    return BigInt(cell as number);
  }
  // The writer takes a Date for a time too, several times slower.
  return type === 'time' ? BigInt(new Date(cell as number).getTime()) : cell;
}
