/**
 * ZIP files (APPNOTE 6.3): the directory (§4.3), checked before anything is inflated, entries inflated in pieces, and their checksum (ISO
 * 3309; M. E. Kounavis, F. L. Berry, doi:10.1109/TC.2008.85).
 */

import fflate from '#lazy/fflate';
import { WayzoneError } from '../../core/errors.js';
import type { IssueList } from '../common/issueList.js';

/** Number of compressed bytes per step, which inflate to at most 17 MB. */
const SLICE = 16_384;
/** Number of bytes that an entry may inflate to at any ratio. */
const FREE_BYTES = 16_777_216;
/** Largest ratio beyond `FREE_BYTES`. Sheets usually deflate 10 times, tables of equal rows 60 times. */
const MOST_TIMES = 200;

export interface ZipEntry {
  readonly name: string;
  /** Method: 0 stored, 8 deflated. */
  readonly method: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly crc: number;
  readonly dataStart: number;
}

const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const MAX_NAME = 1024;
const LOCAL_SIGNATURE = 0x04034b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const ENCRYPTED = 1;
/** Flag of entries whose sizes and checksum follow the data. */
const DESCRIBED_BEHIND = 8;

/**
 * The readable entries, in the order of the directory.
 *
 * Throws `kmz-corrupt` for a file that contradicts itself (a missing directory, bytes before the first entry, local and central headers that
 * disagree, entries that overlap or exceed the file), `kmz-unsupported` for ZIP64, several disks, encryption and methods other than deflate, and
 * `limit-entries`. Leaves out links, repeated names and names that could leave the folder, each with a `kmz-entry-name` issue.
 */
export function readZipDirectory(bytes: Uint8Array, maxEntries: number, issues: IssueList): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const start = view.getUint32(end + 16, true);
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff) {
    throw new WayzoneError('kmz-unsupported', '', 'expected a plain ZIP file, received ZIP64');
  }
  if (view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count) {
    throw new WayzoneError(
      'kmz-unsupported',
      '',
      'expected a ZIP file on one disk, received a part of a split file',
    );
  }
  if (count > maxEntries) {
    throw new WayzoneError('limit-entries', '', `expected at most ${maxEntries} entries, received ${count}`);
  }
  if (start + size !== end)
    throw corrupt('expected the directory right before its end record, received it elsewhere');
  const entries: ZipEntry[] = [];
  const ranges: [from: number, to: number][] = [];
  const seen = new Set<string>();
  let at = start;
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || view.getUint32(at, true) !== CENTRAL_SIGNATURE)
      throw corrupt('expected a directory entry, received other bytes');
    const next =
      at + 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > end) throw corrupt('expected directory entries within the directory');
    const { entry, from, to } = readEntry(view, bytes, at, start);
    ranges.push([from, to]);
    const folded = entry.name.toLowerCase();
    const isLink = ((view.getUint32(at + 38, true) >>> 16) & 0xf000) === 0xa000;
    if (isLink || !isPlainName(entry.name) || seen.has(folded)) {
      const shown = JSON.stringify(entry.name.slice(0, 60));
      issues.error(
        'kmz-entry-name',
        `entries[${i}]`,
        `expected a unique path inside the archive, received ${isLink ? 'the link ' : ''}${shown}; left out`,
      );
    } else entries.push(entry);
    seen.add(folded);
    at = next;
  }
  if (at !== end) throw corrupt('expected the directory to end with its last entry, received more bytes');
  ranges.sort(([a], [b]) => a - b);
  let reached = 0;
  for (const [from, to] of ranges) {
    if (from < reached) throw corrupt('expected separate entries, received overlapping ones');
    reached = to;
  }
  if (ranges[0] !== undefined && ranges[0][0] !== 0)
    throw corrupt('expected the first entry at the start, received other bytes before it');
  return entries;
}

function corrupt(message: string): WayzoneError {
  return new WayzoneError('kmz-corrupt', '', message);
}

function findEnd(view: DataView): number {
  const last = view.byteLength - END_LENGTH;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
    if (
      view.getUint32(at, true) === END_SIGNATURE &&
      at + END_LENGTH + view.getUint16(at + 20, true) === view.byteLength
    )
      return at;
  }
  throw corrupt('expected a ZIP file with a directory, received none');
}

/** The entry with its central header at `at`, and the byte range of its local header and data. */
function readEntry(
  view: DataView,
  bytes: Uint8Array,
  at: number,
  directory: number,
): { entry: ZipEntry; from: number; to: number } {
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const crc = view.getUint32(at + 16, true);
  const compressedSize = view.getUint32(at + 20, true);
  const size = view.getUint32(at + 24, true);
  const nameLength = view.getUint16(at + 28, true);
  const from = view.getUint32(at + 42, true);
  const name = nameOf(bytes.subarray(at + 46, at + 46 + nameLength));
  if ([compressedSize, size, from].includes(0xffffffff)) {
    throw new WayzoneError('kmz-unsupported', name.slice(0, 60), 'expected a plain ZIP file, received ZIP64');
  }
  if ((flags & ENCRYPTED) !== 0) {
    throw new WayzoneError(
      'kmz-unsupported',
      name.slice(0, 60),
      'expected unencrypted entries, received an encrypted one',
    );
  }
  if (method !== 0 && method !== 8) {
    throw new WayzoneError(
      'kmz-unsupported',
      name.slice(0, 60),
      `expected stored or deflated entries, received method ${method}`,
    );
  }
  if (from + 30 > directory || view.getUint32(from, true) !== LOCAL_SIGNATURE) {
    throw corrupt('expected a local header for each directory entry, received other bytes');
  }
  const localName = view.getUint16(from + 26, true);
  const dataStart = from + 30 + localName + view.getUint16(from + 28, true);
  const to = dataStart + compressedSize;
  const localFlags = view.getUint16(from + 6, true);
  const agrees =
    to <= directory &&
    view.getUint16(from + 8, true) === method &&
    (localFlags & ENCRYPTED) === 0 &&
    nameOf(bytes.subarray(from + 30, from + 30 + localName)) === name &&
    ((localFlags & DESCRIBED_BEHIND) !== 0 ||
      (view.getUint32(from + 14, true) === crc &&
        ((view.getUint32(from + 18, true) === compressedSize && view.getUint32(from + 22, true) === size) ||
          hasZip64Sizes(view, from, size, compressedSize))));
  if (!agrees) throw corrupt('expected equal local and central headers, received different ones');
  return { entry: { name, method, compressedSize, size, crc, dataStart }, from, to };
}

/** Whether the local header at `from` has these sizes in its ZIP64 field (APPNOTE 4.5.3), where writers of streams put them. */
function hasZip64Sizes(view: DataView, from: number, size: number, compressedSize: number): boolean {
  if (view.getUint32(from + 18, true) !== 0xffffffff || view.getUint32(from + 22, true) !== 0xffffffff)
    return false;
  const start = from + 30 + view.getUint16(from + 26, true);
  const end = start + view.getUint16(from + 28, true);
  for (let at = start; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1 || at + 20 > end) continue;
    return (
      view.getBigUint64(at + 4, true) === BigInt(size) &&
      view.getBigUint64(at + 12, true) === BigInt(compressedSize)
    );
  }
  return false;
}

function nameOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Whether the path stays inside the folder on every operating system. */
function isPlainName(name: string): boolean {
  if (name === '' || name.length > MAX_NAME) return false;
  if (/^[A-Za-z]:|\\/.test(name) || name.includes('\u0000')) return false;
  const parts = name.replace(/\/$/, '').split('/');
  return parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

/**
 * The bytes of the entry, inflated unless they are stored. `sliceBytes`: number of compressed bytes to take next; deflate expands one to at
 * most 1032. 0 ends the reading. Throws `corrupt` for bytes that are not deflated.
 */
export function* inflatedPieces(
  input: Uint8Array,
  { name, method, dataStart, compressedSize }: ZipEntry,
  corrupt: 'kmz-corrupt' | 'xlsx-corrupt',
  sliceBytes: () => number,
): Generator<Uint8Array> {
  const end = dataStart + compressedSize;
  let pieces: Uint8Array[] = [];
  const inflater = new (fflate().Inflate)((chunk) => {
    pieces.push(chunk);
  });
  let next = dataStart;
  for (let at = next; at < end; at = next) {
    next = Math.min(at + sliceBytes(), end);
    if (next === at) return;
    const slice = input.subarray(at, next);
    if (method === 0) {
      yield slice;
      continue;
    }
    try {
      inflater.push(slice, next >= end);
    } catch (cause) {
      throw new WayzoneError(corrupt, name, 'expected deflated bytes, received other bytes', { cause });
    }
    yield* pieces;
    pieces = [];
  }
}

/**
 * Passes the inflated bytes to `take`. Throws `limit-inflated` for an entry that is longer than `maxBytes` or exceeds the ratio,
 * `xlsx-corrupt` for a wrong length, a wrong checksum or invalid bytes.
 */
export function inflateEntry(
  input: Uint8Array,
  entry: ZipEntry,
  maxBytes: number,
  take: (chunk: Uint8Array) => void,
): void {
  const most = Math.min(maxBytes, FREE_BYTES + MOST_TIMES * entry.compressedSize);
  const { name } = entry;
  if (entry.size > most) {
    throw new WayzoneError('limit-inflated', name, `expected at most ${most} bytes, received ${entry.size}`);
  }
  let length = 0;
  let crc = 0;
  for (const piece of inflatedPieces(input, entry, 'xlsx-corrupt', () => SLICE)) {
    length += piece.length;
    if (length > most)
      throw new WayzoneError('limit-inflated', name, `expected at most ${most} bytes, received more`);
    crc = crc32(piece, crc);
    take(piece);
  }
  if (length !== entry.size || crc !== entry.crc) {
    throw new WayzoneError(
      'xlsx-corrupt',
      name,
      'expected the length and checksum of the directory, received others',
    );
  }
}

/** Tables of remainders. Table `n` is for a byte followed by `n` bytes. */
const TABLES: readonly Uint32Array[] = Array.from({ length: 4 }, (_, behind) =>
  Uint32Array.from({ length: 256 }, (__, value) => {
    let remainder = value;
    for (let bit = 0; bit < 8 * (behind + 1); bit++) {
      remainder = (remainder >>> 1) ^ ((remainder & 1) === 0 ? 0 : 0xedb88320);
    }
    return remainder >>> 0;
  }),
);

/** The checksum of all bytes so far. `before`: the checksum of the earlier bytes, 0 at the start. */
export function crc32(bytes: Uint8Array, before: number): number {
  const [last, third, second, first] = TABLES as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  const whole = bytes.length - (bytes.length % 4);
  let remainder = ~before;
  for (let i = 0; i < whole; i += 4) {
    remainder ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    remainder =
      first[remainder & 0xff]! ^
      second[(remainder >>> 8) & 0xff]! ^
      third[(remainder >>> 16) & 0xff]! ^
      last[remainder >>> 24]!;
  }
  for (let i = whole; i < bytes.length; i++) {
    remainder = (remainder >>> 8) ^ last[(remainder ^ bytes[i]!) & 0xff]!;
  }
  return ~remainder >>> 0;
}
