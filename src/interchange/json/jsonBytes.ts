/**
 * Marks of JSON text (RFC 8259 §2), the same numbers in bytes and in UTF-16; scans of bytes that end with a 0, at which every loop stops.
 */

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const ARRAY = 0x5b;
export const ARRAY_END = 0x5d;
export const OBJECT = 0x7b;
export const OBJECT_END = 0x7d;
const LF = 0x0a;

/** The first byte from `from` on that is not white space. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let i = from;
  for (let c = bytes[i]!; c === 0x20 || c === LF || c === 0x0d || c === 0x09; c = bytes[++i]!);
  return i;
}

/** The byte after the closing quote of a string of plain characters, whose first one is at `from`; -1 for a backslash or control character. */
export function plainStringEnd(bytes: Uint8Array, from: number): number {
  let i = from;
  for (let c = bytes[i]!; c !== QUOTE; c = bytes[++i]!) if (c < 0x20 || c === BACKSLASH) return -1;
  return i + 1;
}

/** Whether `text` stands at `at`. */
export function isAt(text: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/** Finds where one array or object ends by its brackets and quotes, over several pieces of bytes. What is in it need not be JSON. */
export class ByteValue {
  /** The most levels that were open at once. */
  deepest = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** The end of the value, which goes on in bytes [from, to); -1: not there yet. */
  end(bytes: Uint8Array, from: number, to: number): number {
    let depth = this.#depth;
    let { deepest } = this;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let end = -1;
    for (let i = from; i < to; i++) {
      const c = bytes[i]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (c === BACKSLASH) escaped = true;
        else if (c === QUOTE) inString = false;
      } else if (c === QUOTE) inString = true;
      else if (c === ARRAY || c === OBJECT) {
        if (++depth > deepest) deepest = depth;
      } else if ((c === ARRAY_END || c === OBJECT_END) && --depth === 0) {
        end = i + 1;
        break;
      }
    }
    this.#depth = depth;
    this.deepest = deepest;
    this.#inString = inString;
    this.#escaped = escaped;
    return end;
  }
}

/** How many UTF-16 units and line ends bytes [from, to) of valid UTF-8 are. `isAscii`: whether all of them are. */
export function textSize(
  bytes: Uint8Array,
  from: number,
  to: number,
  isAscii: boolean,
): { units: number; lines: number } {
  if (isAscii) return { units: to - from, lines: linesOf(bytes, from, to) };
  let lines = 0;
  let units = to - from;
  for (let i = from; i < to; i++) {
    const c = bytes[i]!;
    if (c === LF) lines++;
    else if (c > 0x7f) {
      if (c < 0xc0) units--;
      else if (c >= 0xf0) units++;
    }
  }
  return { units, lines };
}

/** Words that are looked at in one call: a long loop is compiled anew with each chunk of a file. */
const BLOCK = 4096;
const LF_IN_EACH = 0x0a0a0a0a;

/** Line ends in ASCII, four bytes at once. `bytes` must begin their buffer. */
function linesOf(bytes: Uint8Array, from: number, to: number): number {
  const words = new Int32Array(bytes.buffer, 0, bytes.length >> 2);
  const first = Math.min(to, (from + 3) & -4);
  const last = Math.max(first, to & -4);
  let lines = linesWithin(bytes, from, first) + linesWithin(bytes, last, to);
  for (let word = first >> 2; word < last >> 2; word += BLOCK) {
    lines += linesInWords(words, bytes, word, Math.min(word + BLOCK, last >> 2));
  }
  return lines;
}

function linesInWords(words: Int32Array, bytes: Uint8Array, from: number, to: number): number {
  let lines = 0;
  for (let word = from; word < to; word++) {
    const other = words[word]! ^ LF_IN_EACH;
    // A zero among four bytes below 128.
    if (((other - 0x01010101) & ~other & 0x80808080) !== 0) {
      lines += linesWithin(bytes, 4 * word, 4 * word + 4);
    }
  }
  return lines;
}

function linesWithin(bytes: Uint8Array, from: number, to: number): number {
  let lines = 0;
  for (let i = from; i < to; i++) if (bytes[i] === LF) lines++;
  return lines;
}
