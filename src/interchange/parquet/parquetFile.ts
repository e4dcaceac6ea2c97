/** Opens a Parquet file and reads its columns, one row group at a time, as plain JavaScript values. */

import type { AsyncBuffer, FileMetaData, SchemaElement } from 'hyparquet';
import { inputError, WayzoneError } from '../../core/errors.js';

/** A file with random access: an `ArrayBuffer`, or an object that reads from a file handle. */
export interface ParquetSource {
  /** Bytes of the file. */
  readonly byteLength: number;
  /** The bytes [start, end) of the file. */
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

/** Values of a column: text, numbers, booleans, bigints, times in epoch milliseconds, GeoJSON geometries. Null and undefined are missing values. */
export type ParquetValues = ArrayLike<unknown>;

const CODECS: ReadonlySet<string> = new Set([
  'UNCOMPRESSED',
  'SNAPPY',
  'GZIP',
  'BROTLI',
  'ZSTD',
  'LZ4',
  'LZ4_RAW',
]);

export class ParquetFile {
  /** Names of the top-level columns, nested ones included. */
  readonly names: readonly string[];
  /** Number of rows in each row group. */
  readonly groups: readonly number[];
  readonly #file: AsyncBuffer;
  readonly #metadata: FileMetaData;
  readonly #elements: ReadonlyMap<string, SchemaElement>;

  private constructor(file: AsyncBuffer, metadata: FileMetaData) {
    this.#file = file;
    this.#metadata = metadata;
    this.#elements = topElements(metadata.schema);
    this.names = [...this.#elements.keys()];
    this.groups = metadata.row_groups.map(({ num_rows: rows }) => Number(rows));
  }

  /** Reads the metadata of the file. Throws `parquet-invalid`. */
  static async open(source: Uint8Array | ParquetSource): Promise<ParquetFile> {
    const file = source instanceof Uint8Array ? bufferOf(source) : source;
    if (file.byteLength < 12) throw invalid(`a Parquet file, received ${file.byteLength} bytes`);
    const { parquetMetadataAsync } = await import('hyparquet');
    const head = await reading(async () => new Uint8Array(await file.slice(0, 4)));
    if (String.fromCharCode(...head) !== 'PAR1') throw invalid('PAR1 at the beginning of the file');
    const metadata = await reading(() => parquetMetadataAsync(file, { parsers: PARSERS }));
    return new ParquetFile(file, metadata);
  }

  /** Whether the values of the column are times, read as epoch milliseconds. */
  isTime(name: string): boolean {
    const element = this.#elements.get(name);
    const { logical_type: logical, converted_type: converted, type } = element ?? {};
    return (
      logical?.type === 'TIMESTAMP' ||
      logical?.type === 'DATE' ||
      type === 'INT96' ||
      converted === 'DATE' ||
      converted?.startsWith('TIMESTAMP') === true
    );
  }

  /** Names of the columns with geometries (well-known binary in the file). */
  geometries(): string[] {
    return this.names.filter((name) => {
      const kind = this.#elements.get(name)?.logical_type?.type;
      return kind === 'GEOMETRY' || kind === 'GEOGRAPHY';
    });
  }

  /** Whether the values of the column are lists or structures. */
  isNested(name: string): boolean {
    const element = this.#elements.get(name);
    return element?.num_children !== undefined || element?.repetition_type === 'REPEATED';
  }

  /** Reads columns of one row group; the result has their values by name. Throws `parquet-invalid`, `parquet-unsupported`. */
  async read(group: number, columns: readonly string[]): Promise<ReadonlyMap<string, ParquetValues>> {
    const { parquetRead } = await import('hyparquet');
    const { compressors } = await import('hyparquet-compressors');
    const wanted = new Set(columns);
    for (const { meta_data: data } of this.#metadata.row_groups[group]!.columns) {
      const name = data?.path_in_schema[0];
      if (data === undefined || name === undefined || !wanted.has(name) || CODECS.has(data.codec)) continue;
      throw inputError(
        'parquet-unsupported',
        name,
        `a column compressed by one of ${[...CODECS].join(', ')}`,
        data.codec,
      );
    }
    const rowStart = this.groups.slice(0, group).reduce((sum, rows) => sum + rows, 0);
    const rows = this.groups[group]!;
    const parts = new Map(columns.map((name): [string, ParquetValues[]] => [name, []]));
    await reading(() =>
      parquetRead({
        file: this.#file,
        metadata: this.#metadata,
        columns: [...columns],
        rowStart,
        rowEnd: rowStart + rows,
        compressors,
        parsers: PARSERS,
        onChunk: ({ columnName, columnData }) => void parts.get(columnName)?.push(columnData),
      }),
    );
    return new Map(
      columns.map((name) => {
        const values = joined(parts.get(name)!);
        if (values.length === rows) return [name, values];
        throw invalid(`${rows} values of column ${JSON.stringify(name)}, received ${values.length}`);
      }),
    );
  }
}

/** Parses times as epoch milliseconds. Finer fractions are cut, as in text files. */
const PARSERS = {
  timestampFromMilliseconds: (millis: bigint): number => Number(millis),
  timestampFromMicroseconds: (micros: bigint): number => floored(micros, 1000n),
  timestampFromNanoseconds: (nanos: bigint): number => floored(nanos, 1_000_000n),
  dateFromDays: (days: number): number => days * 86_400_000,
};

function floored(value: bigint, unit: bigint): number {
  const rest = ((value % unit) + unit) % unit;
  return Number((value - rest) / unit);
}

/** The top-level elements of the schema, by name. */
function topElements(schema: readonly SchemaElement[]): Map<string, SchemaElement> {
  const top = new Map<string, SchemaElement>();
  let i = 1;
  const skip = (): void => {
    const children = schema[i++]?.num_children ?? 0;
    for (let k = 0; k < children && i < schema.length; k++) skip();
  };
  while (i < schema.length) {
    const element = schema[i]!;
    top.set(element.name, element);
    skip();
  }
  return top;
}

function joined(parts: readonly ParquetValues[]): ParquetValues {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return parts.flatMap((part) => Array.from(part));
}

function bufferOf(bytes: Uint8Array): AsyncBuffer {
  const slice = (start: number, end: number = bytes.length): ArrayBuffer =>
    Uint8Array.from(bytes.subarray(start, end)).buffer;
  return { byteLength: bytes.length, slice };
}

function invalid(wanted: string): WayzoneError {
  return new WayzoneError('parquet-invalid', '', `expected ${wanted}; the rest is not read`);
}

/** Calls `read`. Any error of the parser becomes `parquet-invalid`; errors of the operating system are thrown as they are. */
async function reading<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof WayzoneError) throw cause;
    if (cause instanceof Error && 'errno' in cause) throw cause;
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : '';
    throw new WayzoneError(
      'parquet-invalid',
      '',
      `expected a complete, valid Parquet file, received other bytes (${reason}); the rest is not read`,
      { cause },
    );
  }
}
