/** Opens a Parquet file and reads its columns, one row group at a time, as plain JavaScript values. */

import { WayzoneError } from '../../core/errors.js';
import { assembleColumn, type ParquetValues } from './decode/assembleColumn.js';
import { damaged } from './decode/byteReader.js';
import {
  leavesOf,
  type Meaning,
  type ParquetFooter,
  readFooter,
  type SchemaNode,
} from './decode/parquetFooter.js';
import { decompressor, type ParquetPage, readChunk } from './decode/readChunk.js';

export type { ParquetValues } from './decode/assembleColumn.js';

/** A file with random access: an `ArrayBuffer`, or an object that reads from a file handle. */
export interface ParquetSource {
  /** Size of the file, bytes. */
  readonly byteLength: number;
  /** Returns bytes [start, end) of the file. */
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

/** Number of bytes read first: the footer of most files. */
const FIRST_BYTES = 65_536;
const MAX_FOOTER_BYTES = 134_217_728;
/** Largest number of rows of a row group, and of entries of one of its columns: 2^26, as written by pyarrow. */
const MAX_GROUP_ENTRIES = 67_108_864;

/**
 * An opened file. Every turn of a decoding loop takes bytes of the file or is bounded by the rows in the footer, so that a damaged file
 * ends with `parquet-invalid`.
 */
export class ParquetFile {
  /** Names of the top-level columns, nested ones included. */
  readonly names: readonly string[];
  /** Number of rows in each row group. */
  readonly groups: readonly number[];
  /** The file's own properties, by key. */
  readonly properties: ReadonlyMap<string, string>;
  readonly #source: ParquetSource;
  readonly #footer: ParquetFooter;
  readonly #nodes: ReadonlyMap<string, SchemaNode>;

  private constructor(source: ParquetSource, footer: ParquetFooter) {
    this.#source = source;
    this.#footer = footer;
    this.#nodes = new Map(footer.columns.map((node) => [node.name, node]));
    this.names = [...this.#nodes.keys()];
    this.groups = footer.groups.map(({ rows }) => rows);
    this.properties = footer.properties;
  }

  /** Reads the footer of the file. Throws `parquet-invalid`, `parquet-unsupported`. */
  static async open(given: Uint8Array | ParquetSource): Promise<ParquetFile> {
    const source = given instanceof Uint8Array ? sourceOf(given) : given;
    const length = source.byteLength;
    if (!(length >= 12)) throw damaged(`a Parquet file, received ${length} bytes`);
    if (magicOf(await bytesOf(source, 0, 4)) !== 'PAR1') throw damaged('PAR1 at the beginning of the file');
    const tailStart = Math.max(0, length - FIRST_BYTES);
    const tail = await bytesOf(source, tailStart, length);
    const magic = magicOf(tail.subarray(tail.length - 4));
    if (magic === 'PARE') throw unsupported('a file that is not encrypted');
    if (magic !== 'PAR1') throw damaged('PAR1 at the end of the file');
    const size = new DataView(tail.buffer, tail.byteOffset + tail.length - 8, 4).getUint32(0, true);
    const start = length - 8 - size;
    if (start < 4) throw damaged(`a footer within the file, received ${size} bytes`);
    if (size > MAX_FOOTER_BYTES) throw unsupported(`a footer of at most ${MAX_FOOTER_BYTES} bytes`);
    const footer =
      start >= tailStart
        ? tail.subarray(start - tailStart, tail.length - 8)
        : await bytesOf(source, start, length - 8);
    return new ParquetFile(source, readFooter(footer, length));
  }

  /** Meaning of the values of a column. */
  meaning(name: string): Meaning {
    return this.#nodes.get(name)?.meaning ?? { kind: 'plain' };
  }

  /** Whether the values of the column are times or dates, read as epoch milliseconds. */
  isTime(name: string): boolean {
    const { kind } = this.meaning(name);
    return kind === 'timestamp' || kind === 'date' || this.#nodes.get(name)?.leaf?.type === 'INT96';
  }

  /** Whether the times of the column are UTC. If false, they are local times. Dates are days of local time. */
  isInstant(name: string): boolean {
    const meaning = this.meaning(name);
    if (meaning.kind === 'timestamp') return meaning.isInstant;
    return this.#nodes.get(name)?.leaf?.type === 'INT96';
  }

  /** Whether the values of the column are lists or structures. */
  isNested(name: string): boolean {
    const node = this.#nodes.get(name);
    return node !== undefined && (node.leaf === null || node.repetition === 'repeated');
  }

  /** Whether the column has bytes without a describing type. */
  isBytes(name: string): boolean {
    const node = this.#nodes.get(name);
    return node?.leaf?.type === 'BYTE_ARRAY' && node.meaning.kind === 'plain';
  }

  /**
   * Reads columns of one row group; the result has their values by name. `asBytes`: columns whose bytes are not converted. Throws
   * `parquet-invalid`, `parquet-unsupported`.
   */
  async read(
    group: number,
    columns: readonly string[],
    asBytes: readonly string[] = [],
  ): Promise<ReadonlyMap<string, ParquetValues>> {
    const rows = this.groups[group]!;
    if (rows > MAX_GROUP_ENTRIES) throw tooMany();
    const values = new Map<string, ParquetValues>();
    for (const name of columns) {
      const node = this.#nodes.get(name)!;
      const own: SchemaNode = asBytes.includes(name)
        ? { ...node, meaning: { kind: 'geometry', crs: null } }
        : node;
      const pages: ParquetPage[][] = [];
      for (const leaf of leavesOf(own)) pages.push(await this.#pages(group, leaf, name));
      values.set(
        name,
        decoded(() => assembleColumn(own, pages, rows)),
      );
    }
    return values;
  }

  async #pages(group: number, leaf: SchemaNode, name: string): Promise<ParquetPage[]> {
    const { rows, chunks } = this.#footer.groups[group]!;
    const { codec, values, start, end } = chunks[leaf.leaf!.index]!;
    if (values > MAX_GROUP_ENTRIES) throw tooMany();
    if (leaf.repetitionLevel === 0 && values !== rows) {
      throw damaged(`${rows} values of column ${JSON.stringify(name)}, received ${values}`);
    }
    const decompress = await decompressor(codec, name);
    const bytes = await bytesOf(this.#source, start, end);
    return decoded(() => readChunk(bytes, leaf, values, decompress));
  }
}

async function bytesOf(source: ParquetSource, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(await source.slice(start, end));
  if (bytes.length === end - start) return bytes;
  throw damaged(`${end - start} bytes of the file, received ${bytes.length}`);
}

function magicOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function sourceOf(bytes: Uint8Array): ParquetSource {
  const slice = (start: number, end: number = bytes.length): ArrayBuffer =>
    Uint8Array.from(bytes.subarray(start, end)).buffer;
  return { byteLength: bytes.length, slice };
}

function tooMany(): WayzoneError {
  const message = `expected at most ${MAX_GROUP_ENTRIES} entries in a row group, received more; the rest is not read`;
  return new WayzoneError('limit-vertices', '', message);
}

function unsupported(wanted: string): WayzoneError {
  return new WayzoneError('parquet-unsupported', '', `expected ${wanted}; it is not read`);
}

/** The result of `decode`. An error of the engine, such as missing memory, becomes an error of the file. */
function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    if (cause instanceof WayzoneError) throw cause;
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : '';
    const message = `expected a valid Parquet file (${reason}); the rest is not read`;
    throw new WayzoneError('parquet-invalid', '', message, { cause });
  }
}
