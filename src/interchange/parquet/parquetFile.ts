/** A Parquet file opened: its columns and row groups, each value as plain JavaScript; everything that can be wrong with it has a code. */

import type { AsyncBuffer, FileMetaData, SchemaElement } from 'hyparquet';
import { inputError, WayzoneError } from '../../core/errors.js';

/** A file of which parts can be read: `blob` and the like, or a few lines over a file handle. */
export interface ParquetSource {
  /** The size of the file. */
  readonly byteLength: number;
  /** The bytes [start, end). */
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

/** Values of a column: text, numbers, booleans, bigints, times as milliseconds, GeoJSON geometries; null and undefined: none. */
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
  /** The names of all columns, nested ones too. */
  readonly names: readonly string[];
  /** How many rows each group has. */
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

  /** Throws `parquet-invalid`. */
  static async open(source: Uint8Array | ParquetSource): Promise<ParquetFile> {
    const file = source instanceof Uint8Array ? bufferOf(source) : source;
    if (file.byteLength < 12) throw invalid(`a Parquet file, received ${file.byteLength} bytes`);
    const { parquetMetadataAsync } = await import('hyparquet');
    const head = await reading(async () => new Uint8Array(await file.slice(0, 4)));
    if (String.fromCharCode(...head) !== 'PAR1') throw invalid('the mark PAR1 at the beginning of the file');
    const metadata = await reading(() => parquetMetadataAsync(file, { parsers: PARSERS }));
    return new ParquetFile(file, metadata);
  }

  /** Whether the column holds points in time, which come as milliseconds. */
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

  /** The columns of geometries, well-known binary by the file's word. */
  geometries(): string[] {
    return this.names.filter((name) => {
      const kind = this.#elements.get(name)?.logical_type?.type;
      return kind === 'GEOMETRY' || kind === 'GEOGRAPHY';
    });
  }

  /** Whether its values are lists or structures. */
  isNested(name: string): boolean {
    const element = this.#elements.get(name);
    return element?.num_children !== undefined || element?.repetition_type === 'REPEATED';
  }

  /** What the file says under a key. */
  note(key: string): string | undefined {
    return this.#metadata.key_value_metadata?.find((pair) => pair.key === key)?.value;
  }

  /** The values of columns of one row group, by name. Throws `parquet-invalid`, `parquet-unsupported`. */
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

/** Times as milliseconds, finer fractions cut as in text; geometries as GeoJSON. */
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

/** The children of the schema's root, by name. */
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

/** What a parser of bytes says of bytes that are damaged, whatever it says, is one code of ours; errors of the system stay. */
async function reading<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof WayzoneError) throw cause;
    if (cause instanceof Error && 'errno' in cause) throw cause;
    const said = cause instanceof Error ? cause.message.slice(0, 200) : '';
    throw new WayzoneError(
      'parquet-invalid',
      '',
      `expected a whole and sound Parquet file, received other bytes (${said}); the rest is not read`,
      { cause },
    );
  }
}
