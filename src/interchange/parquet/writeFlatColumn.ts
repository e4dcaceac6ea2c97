/**
 * Columns of numbers and texts of a row group, and the chunk that each is written as: the bytes that `hyparquet-writer` writes for lists of the same
 * cells, in a quarter of the time.
 */

import type { ByteWriter, ParquetWriter } from 'hyparquet-writer';

type PageIndexes = ParquetWriter['pendingIndexes'][number];
export type WrittenChunk = PageIndexes['chunk'];
type SchemaElement = ParquetWriter['schema'][number];

/** Functions of `hyparquet-writer` for pages. */
export interface PageTools {
  readonly newBytes: () => ByteWriter;
  readonly compress: (bytes: Uint8Array) => Uint8Array;
  readonly writeHeader: typeof import('hyparquet-writer/src/datapage.js').writePageHeader;
  readonly writeRuns: typeof import('hyparquet-writer/src/encoding.js').writeRleBitPackedHybrid;
}

/** Bytes of values of a page. The value that reaches them begins the next page. */
const PAGE_BYTES = 1 << 20;
const SAMPLES = 1000;
/** A dictionary is tried if the distinct values of a sample have at most this share of its bytes. */
const MAX_DISTINCT_SHARE = 0.9;
const FIRST_ROWS = 1024;

/** The cells of a column of numbers, a number for each row. NaN is a null. */
export class NumberCells {
  #cells = new Float64Array(FIRST_ROWS);
  #length = 0;

  get cells(): Float64Array {
    return this.#cells.subarray(0, this.#length);
  }

  put(cell: number): void {
    if (this.#length === this.#cells.length) {
      const old = this.#cells;
      this.#cells = new Float64Array(2 * old.length);
      this.#cells.set(old);
    }
    this.#cells[this.#length++] = cell;
  }

  clear(): void {
    this.#length = 0;
  }
}

/** Numbers (NaN: null) as doubles or as whole numbers of 64 bits, or texts. */
type Cells = Float64Array | readonly (string | null)[];

/** A dictionary, and the place of each row's value in it (−1: null). */
interface Dictionary {
  readonly values: Float64Array | readonly string[];
  readonly places: Int32Array;
}

/** Writes a chunk of the column `element`. */
export function writeFlatColumn(
  writer: ByteWriter,
  element: SchemaElement,
  cells: Cells,
  tools: PageTools,
): PageIndexes {
  const start = writer.offset;
  const present = presentIn(cells);
  const dictionary = dictionaryOf(cells);
  let uncompressed = 0;
  if (dictionary !== null) {
    const plain = plainBytes(dictionary.values, element);
    uncompressed += writePage(writer, tools, null, plain, (sizes) => ({
      type: 'DICTIONARY_PAGE',
      ...sizes,
      dictionary_page_header: { num_values: dictionary.values.length, encoding: 'PLAIN' },
    }));
  }
  const encoding = dictionary === null ? 'PLAIN' : 'RLE_DICTIONARY';
  const pagesStart = writer.offset;
  const ends = pageEnds(cells, dictionary !== null);
  const locations = ends.map((end, i) => {
    const first = ends[i - 1] ?? 0;
    const offset = writer.offset;
    const levels = tools.newBytes();
    tools.writeRuns(levels, present.subarray(first, end), 1);
    const count = onesIn(present, first, end);
    const values =
      dictionary === null
        ? plainBytes(given(cells, present, first, end, count), element)
        : placeBytes(given(dictionary.places, present, first, end, count), tools);
    uncompressed += writePage(writer, tools, levels.getBytes(), values, (sizes) => ({
      type: 'DATA_PAGE_V2',
      ...sizes,
      data_page_header_v2: {
        num_values: end - first,
        num_nulls: end - first - count,
        num_rows: end - first,
        encoding,
        definition_levels_byte_length: levels.offset,
        repetition_levels_byte_length: 0,
        is_compressed: true,
      },
    }));
    return {
      offset: BigInt(offset),
      compressed_page_size: writer.offset - offset,
      first_row_index: BigInt(first),
    };
  });
  const chunk: WrittenChunk = {
    meta_data: {
      type: element.type!,
      encodings: dictionary === null ? ['PLAIN'] : ['PLAIN', 'RLE_DICTIONARY'],
      path_in_schema: [element.name],
      codec: 'SNAPPY',
      num_values: BigInt(cells.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(pagesStart),
      ...(dictionary !== null && { dictionary_page_offset: BigInt(start) }),
      statistics: statisticsOf(cells, cells.length - onesIn(present, 0, cells.length), dictionary, element),
      encoding_stats: [
        ...(dictionary === null
          ? []
          : [{ page_type: 'DICTIONARY_PAGE' as const, encoding: 'PLAIN' as const, count: 1 }]),
        { page_type: 'DATA_PAGE_V2', encoding, count: ends.length },
      ],
    },
    file_offset: BigInt(start),
  };
  return { chunk, ...(ends.length > 1 && { offsetIndex: { page_locations: locations } }) };
}

/** Writes a header and a page: the levels as they are, the values compressed. Returns the bytes that they have uncompressed. */
function writePage(
  writer: ByteWriter,
  { compress, writeHeader }: PageTools,
  levels: Uint8Array | null,
  values: Uint8Array,
  headerOf: (sizes: {
    readonly uncompressed_page_size: number;
    readonly compressed_page_size: number;
  }) => Parameters<PageTools['writeHeader']>[1],
): number {
  const start = writer.offset;
  const compressed = compress(values);
  const levelBytes = levels?.length ?? 0;
  const whole = levelBytes + values.length;
  writeHeader(
    writer,
    headerOf({ uncompressed_page_size: whole, compressed_page_size: levelBytes + compressed.length }),
  );
  const header = writer.offset - start;
  if (levels !== null) writer.appendBytes(levels);
  writer.appendBytes(compressed);
  return header + whole;
}

const isNull = (cell: number | string | null): boolean => cell === null || Number.isNaN(cell);

/** 1 for each cell that is not null. */
function presentIn(cells: Cells): Uint8Array {
  const present = new Uint8Array(cells.length);
  if (cells instanceof Float64Array)
    for (let i = 0; i < cells.length; i++) present[i] = Number.isNaN(cells[i]!) ? 0 : 1;
  else for (let i = 0; i < cells.length; i++) present[i] = cells[i] === null ? 0 : 1;
  return present;
}

function onesIn(present: Uint8Array, first: number, end: number): number {
  let ones = 0;
  for (let i = first; i < end; i++) ones += present[i]!;
  return ones;
}

/** The `count` values of rows that are not null. */
function given<List extends Float64Array | Int32Array | readonly (string | null)[]>(
  cells: List,
  present: Uint8Array,
  first: number,
  end: number,
  count: number,
): List {
  const part = ArrayBuffer.isView(cells) ? cells.subarray(first, end) : cells.slice(first, end);
  if (count === end - first) return part as List;
  // Faster than `filter` of a typed array.
  const values = part.slice() as unknown[] | Float64Array | Int32Array;
  let length = 0;
  for (let i = 0; i < part.length; i++) if (present[first + i] === 1) values[length++] = part[i]! as number;
  return (ArrayBuffer.isView(values) ? values.subarray(0, count) : values.slice(0, count)) as List;
}

/** Ends of the pages, by the rows before them. */
function pageEnds(cells: Cells, hasDictionary: boolean): number[] {
  const ends: number[] = [];
  let first = 0;
  let bytes = 0;
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!;
    const size = isNull(cell) ? 0 : hasDictionary ? 4 : typeof cell === 'string' ? cell.length : 8;
    bytes += size;
    if (bytes < PAGE_BYTES || i === first) continue;
    ends.push(i);
    first = i;
    bytes = size;
  }
  ends.push(cells.length);
  return ends;
}

/** A dictionary, if it halves the bytes. A sample decides whether to try. */
function dictionaryOf(cells: Cells): Dictionary | null {
  const sizeOf = (cell: number | string): number => (typeof cell === 'string' ? cell.length + 4 : 8);
  const sample = Math.min(cells.length, SAMPLES);
  const sampled = new Set<number | string>();
  let sampleBytes = 0;
  let distinctBytes = 0;
  for (let i = 0; i < sample; i++) {
    const cell = cells[sample === 1 ? 0 : Math.floor((i * (cells.length - 1)) / (sample - 1))]!;
    if (isNull(cell)) continue;
    sampleBytes += sizeOf(cell!);
    if (!sampled.has(cell!)) distinctBytes += sizeOf(cell!);
    sampled.add(cell!);
  }
  if (sampleBytes === 0 || distinctBytes / sampleBytes > MAX_DISTINCT_SHARE) return null;

  const placeOf = new Map<number | string, number>();
  const places = new Int32Array(cells.length).fill(-1);
  const distinct: (number | string)[] = [];
  let count = 0;
  let plainBytes = 0;
  let dictionaryBytes = 0;
  let last: number | string | null = null;
  let place = -1;
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!;
    if (isNull(cell)) continue;
    const value = cell!;
    if (value !== last) {
      last = value;
      place = placeOf.get(value) ?? -1;
      if (place < 0) {
        place = distinct.push(value) - 1;
        placeOf.set(value, place);
        dictionaryBytes += sizeOf(value);
      }
    }
    places[i] = place;
    plainBytes += sizeOf(value);
    count++;
  }
  const placeBits = Math.ceil(Math.log2(distinct.length));
  if (2 * (dictionaryBytes + Math.ceil((count * placeBits) / 8)) > plainBytes) return null;
  const values =
    cells instanceof Float64Array ? Float64Array.from(distinct as number[]) : (distinct as string[]);
  return { values, places };
}

/** Places of a dictionary as bits, after a byte that says how many bits each has. */
function placeBytes(places: Int32Array, { newBytes, writeRuns }: PageTools): Uint8Array {
  let most = 0;
  for (let i = 0; i < places.length; i++) most = Math.max(most, places[i]!);
  const bits = Math.ceil(Math.log2(most + 1));
  const bytes = newBytes();
  bytes.appendUint8(bits);
  writeRuns(bytes, places, bits);
  return bytes.getBytes();
}

/** Values one after the other: 8 bytes of a number, length and UTF-8 of a text. */
function plainBytes(values: Cells, { type }: SchemaElement): Uint8Array {
  if (!(values instanceof Float64Array)) return textBytes(values);
  const bytes = new Uint8Array(8 * values.length);
  const view = new DataView(bytes.buffer);
  if (type === 'DOUBLE') for (let i = 0; i < values.length; i++) view.setFloat64(8 * i, values[i]!, true);
  else
    for (let i = 0; i < values.length; i++) {
      view.setInt32(8 * i, values[i]!, true);
      view.setInt32(8 * i + 4, Math.floor(values[i]! / 2 ** 32), true);
    }
  return bytes;
}

function textBytes(texts: readonly (string | null)[]): Uint8Array {
  const encoder = new TextEncoder();
  // A unit of UTF-16 has at most 3 bytes.
  const bytes = new Uint8Array(texts.reduce((sum, text) => sum + 4 + 3 * text!.length, 0));
  const view = new DataView(bytes.buffer);
  let end = 0;
  for (const text of texts) {
    const { written } = encoder.encodeInto(text!, bytes.subarray(end + 4));
    view.setUint32(end, written, true);
    end += 4 + written;
  }
  return bytes.subarray(0, end);
}

type Statistics = NonNullable<NonNullable<WrittenChunk['meta_data']>['statistics']>;

function statisticsOf(
  cells: Cells,
  nulls: number,
  dictionary: Dictionary | null,
  element: SchemaElement,
): Statistics {
  const nullCount = { null_count: BigInt(nulls) };
  const nanCount = element.type === 'DOUBLE' && { nan_count: 0n };
  const values = dictionary?.values ?? cells;
  if (nulls === cells.length) return { ...nullCount, ...nanCount };
  if (!(values instanceof Float64Array)) {
    let least: string | null = null;
    let most: string | null = null;
    for (const value of values) {
      if (value === null) continue;
      if (least === null || isBefore(value, least)) least = value;
      if (most === null || isBefore(most, value)) most = value;
    }
    return { min_value: least!, max_value: most!, ...nullCount, ...nanCount };
  }
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (element.type === 'INT64')
    return { min_value: BigInt(least), max_value: BigInt(most), ...nullCount, ...nanCount };
  // The format wants -0 as the least and 0 as the most.
  return { min_value: least === 0 ? -0 : least, max_value: most === 0 ? 0 : most, ...nullCount, ...nanCount };
}

/** Whether the UTF-8 bytes of `a` come before those of `b`: the order of code points, where a lone surrogate counts as U+FFFD. */
function isBefore(a: string, b: string): boolean {
  let i = 0;
  while (i < a.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i > 0 && isSurrogate(a.charCodeAt(i - 1))) i--;
  for (;;) {
    const [one, other] = [pointAt(a, i), pointAt(b, i)];
    if (one !== other || one < 0) return one < other;
    i += one > 0xff_ff ? 2 : 1;
  }
}

const isSurrogate = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdf_ff;

/** The code point at a place, −1 after the end. */
function pointAt(text: string, i: number): number {
  const point = text.codePointAt(i) ?? -1;
  return isSurrogate(point) ? 0xff_fd : point;
}
