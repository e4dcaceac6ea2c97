/** Reads and decompresses the pages of one column in one row group. */

import { inputError } from '../../../core/errors.js';
import { crc32 } from '../../kmz/readZipDirectory.js';
import { ByteReader, damaged, numberIn, readStruct, structIn, type ThriftStruct } from './byteReader.js';
import type { SchemaNode } from './parquetFooter.js';
import { type PhysicalValues, readPlain, readRuns, readValues } from './readValues.js';

/** Names of codecs by their number in parquet.thrift. LZO (3) is not supported. */
const CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'LZO', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW'] as const;
/** Size that a page may have whatever its compressed size, bytes. */
const FREE_BYTES = 4096;

/** The content of one page. */
export interface ParquetPage {
  /** Number of entries: values, and places without a value. */
  readonly count: number;
  /** Levels of the entries; null if every value is present and none is in a list. */
  readonly definitions: Uint32Array | null;
  readonly repetitions: Uint32Array | null;
  /** The present values: of the page itself, or of the dictionary by their numbers. */
  readonly values: PhysicalValues;
  readonly numbers: Uint32Array | null;
}

const DATA_PAGE = 0;
const INDEX_PAGE = 1;
const DICTIONARY_PAGE = 2;
const DATA_PAGE_V2 = 3;
const PLAIN_DICTIONARY = 2;
const RLE = 3;
const RLE_DICTIONARY = 8;

/** Reads pages until they have `total` entries. Throws `parquet-invalid`. */
export function readChunk(
  bytes: Uint8Array,
  node: SchemaNode,
  total: number,
  decompress: Decompress,
): ParquetPage[] {
  const reader = new ByteReader(bytes);
  const pages: ParquetPage[] = [];
  const chunk = new ChunkReader(node, decompress);
  let entries = 0;
  while (entries < total) {
    const header = readStruct(reader);
    const page = reader.take(numberIn(header, 3) ?? -1);
    checkSum(header, page);
    const read = chunk.read(header, page, total - entries);
    if (read === null) continue;
    entries += read.count;
    pages.push(read);
  }
  return pages;
}

function checkSum(header: ThriftStruct, page: Uint8Array): void {
  const stated = numberIn(header, 4);
  if (stated !== undefined && stated >>> 0 !== crc32(page, 0)) throw damaged('a page of its checksum');
}

class ChunkReader {
  readonly #node: SchemaNode;
  readonly #decompress: Decompress;
  #dictionary: PhysicalValues | null = null;

  constructor(node: SchemaNode, decompress: Decompress) {
    this.#node = node;
    this.#decompress = decompress;
  }

  /** Reads a page. Null for a page without values: a dictionary or an index. `most`: largest number of entries. */
  read(header: ThriftStruct, bytes: Uint8Array, most: number): ParquetPage | null {
    const length = numberIn(header, 2) ?? -1;
    if (length < 0) throw damaged('a length of a page');
    const type = numberIn(header, 1);
    if (type === DATA_PAGE) return this.#first(own(header, 5), this.#decompress(bytes, length), most);
    if (type === DATA_PAGE_V2) return this.#second(own(header, 8), bytes, length, most);
    if (type === DICTIONARY_PAGE) {
      const count = countOf(numberIn(own(header, 7), 1), 0x7fff_ffff);
      this.#dictionary = readPlain(new ByteReader(this.#decompress(bytes, length)), count, this.#leaf);
      return null;
    }
    if (type === INDEX_PAGE) return null;
    throw damaged('a known kind of page');
  }

  get #leaf(): NonNullable<SchemaNode['leaf']> {
    return this.#node.leaf!;
  }

  #first(head: ThriftStruct, bytes: Uint8Array, most: number): ParquetPage {
    const count = countOf(numberIn(head, 1), most);
    const reader = new ByteReader(bytes);
    const levels = (encoding: number | undefined, highest: number): Uint32Array | null => {
      if (highest === 0) return null;
      if (encoding !== RLE) throw damaged(`levels in the encoding RLE, received ${encoding}`);
      return readRuns(reader.take(reader.uint32()), bitsOf(highest), count);
    };
    const repetitions = levels(numberIn(head, 4), this.#node.repetitionLevel);
    const definitions = levels(numberIn(head, 3), this.#node.definitionLevel);
    return this.#page(count, repetitions, definitions, numberIn(head, 2), reader);
  }

  #second(head: ThriftStruct, bytes: Uint8Array, length: number, most: number): ParquetPage {
    const count = countOf(numberIn(head, 1), most);
    const reader = new ByteReader(bytes);
    const levels = (size: number | undefined, highest: number): Uint32Array | null => {
      const own = reader.take(size ?? 0);
      return highest === 0 ? null : readRuns(own, bitsOf(highest), count);
    };
    const repetitions = levels(numberIn(head, 6), this.#node.repetitionLevel);
    const definitions = levels(numberIn(head, 5), this.#node.definitionLevel);
    const size = length - reader.offset;
    if (size < 0) throw damaged('levels within their page');
    const rest = reader.take(reader.left);
    const values = head.get(7) === false ? rest : this.#decompress(rest, size);
    return this.#page(count, repetitions, definitions, numberIn(head, 4), new ByteReader(values));
  }

  #page(
    count: number,
    repetitions: Uint32Array | null,
    given: Uint32Array | null,
    encoding: number | undefined,
    reader: ByteReader,
  ): ParquetPage {
    const { definitionLevel, repetitionLevel } = this.#node;
    checkLevels(repetitions, repetitionLevel);
    const present = given === null ? count : checkLevels(given, definitionLevel);
    const definitions = present === count && repetitions === null ? null : given;
    if (encoding !== PLAIN_DICTIONARY && encoding !== RLE_DICTIONARY) {
      const values = readValues(reader, encoding ?? -1, present, this.#leaf);
      return { count, definitions, repetitions, values, numbers: null };
    }
    if (present === 0) return { count, definitions, repetitions, values: [], numbers: null };
    const dictionary = this.#dictionary;
    if (dictionary === null) throw damaged('a dictionary before the values that refer to it');
    const width = reader.byte();
    const numbers = readRuns(reader.take(reader.left), width, present);
    for (const number of numbers)
      if (number >= dictionary.length) throw damaged('numbers within the dictionary');
    return { count, definitions, repetitions, values: dictionary, numbers };
  }
}

function own(header: ThriftStruct, field: number): ThriftStruct {
  const head = structIn(header, field);
  if (head === undefined) throw damaged('the header of a page');
  return head;
}

function countOf(count: number | undefined = -1, most: number = 0): number {
  if (count >= 0 && count <= most) return count;
  throw damaged(`at most ${most} values in a page, received ${count}`);
}

/** Number of bits for levels from 0 to `highest`. */
function bitsOf(highest: number): number {
  return 32 - Math.clz32(highest);
}

/** Number of levels equal to the highest. */
function checkLevels(levels: Uint32Array | null, highest: number): number {
  let count = 0;
  for (const level of levels ?? []) {
    if (level > highest) throw damaged(`levels of at most ${highest}`);
    if (level === highest) count++;
  }
  return count;
}

/** Largest number of bytes from one compressed byte, by codec: limits of the formats, so that a damaged length allocates little memory. */
const MOST_RATIO = {
  SNAPPY: 64,
  GZIP: 1040,
  LZ4: 256,
  LZ4_RAW: 256,
  ZSTD: 65_536,
  BROTLI: Infinity,
} as const;
const MAX_PAGE_BYTES = 1_073_741_824;

type Decompress = (bytes: Uint8Array, length: number) => Uint8Array;

/** Returns a function that decompresses pages of a codec. `column`: name for the error `parquet-unsupported`. */
export async function decompressor(codec: number, column: string): Promise<Decompress> {
  const name = CODECS[codec];
  if (name === 'UNCOMPRESSED') return (bytes, length) => whole(bytes, length);
  if (name === undefined || name === 'LZO') {
    const known = CODECS.filter((own) => own !== 'LZO').join(', ');
    throw inputError('parquet-unsupported', column, `a column compressed by one of ${known}`, name ?? codec);
  }
  const decompress =
    name === 'ZSTD' ? await zstd() : (await import('hyparquet-compressors')).compressors[name]!;
  return (bytes, length) => {
    if (length > MAX_PAGE_BYTES || length > bytes.length * MOST_RATIO[name] + FREE_BYTES) {
      throw damaged(`a page that ${bytes.length} compressed bytes can give, received ${length} bytes`);
    }
    if (length === 0) return new Uint8Array();
    try {
      return whole(decompress(bytes, length), length);
    } catch {
      throw damaged(`a page compressed by ${name}`);
    }
  };
}

async function zstd(): Promise<Decompress> {
  const { decompress } = await import('fzstd');
  // Given the room, the library neither trusts the sizes of the frame nor grows beyond it.
  return (bytes, length) => {
    const stated = contentSize(bytes);
    if (stated !== null && stated !== length) throw damaged(`${length} bytes of a page, received ${stated}`);
    return decompress(bytes, new Uint8Array(length));
  };
}

/** Size stated in the header of the first frame (RFC 8878 §3.1.1.1); null if it has none. */
function contentSize(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 18 || view.getUint32(0, true) !== 0xfd2f_b528) return null;
  const head = bytes[4]!;
  const isSingle = ((head >> 5) & 1) === 1;
  const at = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][head & 3]!;
  switch (head >> 6) {
    case 0:
      return isSingle ? bytes[at]! : null;
    case 1:
      return view.getUint16(at, true) + 256;
    case 2:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}

function whole(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes;
  throw damaged(`${length} bytes of a page, received ${bytes.length}`);
}
