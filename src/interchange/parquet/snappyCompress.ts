/**
 * Compresses bytes with Snappy (https://github.com/google/snappy/blob/main/format_description.txt): the bytes that `hyparquet-writer` writes, without
 * an object for each literal.
 */

const MOST_TABLE_BITS = 14;
const MOST_OFFSET = 0xff_ff;
/** Bytes at the end in which no match begins. */
const MARGIN = 15;
const MULTIPLIER = 0x1e_35_a7_bd;
/** Largest length of a literal whose tag holds it. */
const MOST_SHORT = 60;

export function snappyCompress(input: Uint8Array): Uint8Array {
  const { length } = input;
  const view = new DataView(input.buffer, input.byteOffset, length);
  // The format's bound.
  const out = new Uint8Array(32 + length + Math.ceil(length / 6));
  let end = 0;
  let size = length;
  for (; size > 0x7f; size >>>= 7) out[end++] = (size & 0x7f) | 0x80;
  out[end++] = size;

  const bits = Math.min(MOST_TABLE_BITS, 31 - Math.clz32(length));
  const shift = 32 - bits;
  /** The last place of each hash of four bytes. */
  const table = new Uint32Array(length < MARGIN ? 0 : 1 << bits);
  const limit = length - MARGIN;
  let emitted = 0;
  let at = 1;
  while (at <= limit) {
    const match = nextMatch(view, table, shift, at, limit);
    if (match < 0) break;
    at = match;
    const slot = Math.imul(view.getInt32(at, true), MULTIPLIER) >>> shift;
    let candidate = table[slot]!;
    table[slot] = at;
    end = putLiteral(out, end, input, emitted, at);
    do {
      const first = at;
      at += 4;
      for (let to = candidate + 4; at < length && input[at] === input[to]; to++) at++;
      end = putCopy(out, end, first - candidate, at - first);
      emitted = at;
      if (at >= limit) break;
      table[Math.imul(view.getInt32(at - 1, true), MULTIPLIER) >>> shift] = at - 1;
      const next = Math.imul(view.getInt32(at, true), MULTIPLIER) >>> shift;
      candidate = table[next]!;
      table[next] = at;
    } while (at - candidate <= MOST_OFFSET && view.getInt32(at, true) === view.getInt32(candidate, true));
    at++;
  }
  if (emitted < length) end = putLiteral(out, end, input, emitted, length);
  return out.subarray(0, end);
}

/** The next place whose four bytes are also at the last place of their hash; -1 if there is none. Steps grow while nothing matches. */
function nextMatch(view: DataView, table: Uint32Array, shift: number, from: number, limit: number): number {
  let skip = 32;
  for (let at = from; at <= limit; at += skip++ >>> 5) {
    const four = view.getInt32(at, true);
    const slot = Math.imul(four, MULTIPLIER) >>> shift;
    const candidate = table[slot]!;
    if (at - candidate <= MOST_OFFSET && four === view.getInt32(candidate, true)) return at;
    table[slot] = at;
  }
  return -1;
}

function putLiteral(out: Uint8Array, begin: number, input: Uint8Array, from: number, to: number): number {
  const length = to - from;
  let end = begin;
  if (length <= MOST_SHORT) {
    out[end++] = (length - 1) << 2;
    for (let i = from; i < to; i++) out[end++] = input[i]!;
    return end;
  }
  const bytes = Math.ceil((32 - Math.clz32(length - 1)) / 8);
  out[end++] = (59 + bytes) << 2;
  for (let i = 0; i < bytes; i++) out[end++] = (length - 1) >>> (8 * i);
  out.set(input.subarray(from, to), end);
  return end + length;
}

/** Writes copies of at most 64 bytes each, and none of fewer than 4. */
function putCopy(out: Uint8Array, begin: number, offset: number, length: number): number {
  let end = begin;
  let left = length;
  while (left > 0) {
    const part = left >= 68 ? 64 : left > 64 ? 60 : left;
    left -= part;
    if (part < 12 && offset < 2048) {
      out[end++] = 1 + ((part - 4) << 2) + ((offset >>> 8) << 5);
      out[end++] = offset & 0xff;
    } else {
      out[end++] = 2 + ((part - 1) << 2);
      out[end++] = offset & 0xff;
      out[end++] = offset >>> 8;
    }
  }
  return end;
}
