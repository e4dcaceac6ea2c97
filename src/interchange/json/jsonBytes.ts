/**
 * Characters of JSON text (RFC 8259 §2; their codes are the same in UTF-8 and UTF-16), and scans of JSON in bytes.
 * The bytes must end with a 0, at which every scan stops.
 */

import { COMMA, LF, QUOTE } from '../../core/ascii.js';

export const BACKSLASH = 0x5c;
export const ARRAY = 0x5b;
export const ARRAY_END = 0x5d;
export const OBJECT = 0x7b;
export const OBJECT_END = 0x7d;

/** Index of the first byte from `from` on that is not white space. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let i = from;
  for (let c = bytes[i]!; c === 0x20 || c === LF || c === 0x0d || c === 0x09; c = bytes[++i]!);
  return i;
}

/** Index after the closing quote of the string whose first character is at `from`. -1 if it contains a backslash or control character. */
export function plainStringEnd(bytes: Uint8Array, from: number): number {
  let i = from;
  for (let c = bytes[i]!; c !== QUOTE; c = bytes[++i]!) if (c < 0x20 || c === BACKSLASH) return -1;
  return i + 1;
}

/** Whether the bytes from index `at` on begin with `text`. */
export function isAt(text: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/** Finds the end of one value by brackets, quotes and commas, over several pieces of bytes. It does not detect other syntax errors. */
export class ValueEndScanner {
  /** Greatest number of levels open at once. */
  deepest = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** Scans bytes [from, to), which follow the bytes of the last call. Returns the index after the value, or -1 if it ends later. */
  end(bytes: Uint8Array, from: number, to: number): number {
    let depth = this.#depth;
    let { deepest } = this;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let end = -1;
    for (let i = from; i < to && end < 0; i++) {
      const c = bytes[i]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (c === BACKSLASH) escaped = true;
        else if (c === QUOTE) {
          inString = false;
          if (depth === 0) end = i + 1;
        }
      } else if (c === QUOTE) inString = true;
      else if (c === ARRAY || c === OBJECT) {
        if (++depth > deepest) deepest = depth;
      } else if (c === ARRAY_END || c === OBJECT_END) {
        // The end of the surrounding array ends a number, `true`, `false` or `null`.
        if (depth === 0) end = i;
        else if (--depth === 0) end = i + 1;
      } else if (c === COMMA && depth === 0) end = i;
    }
    this.#depth = depth;
    this.deepest = deepest;
    this.#inString = inString;
    this.#escaped = escaped;
    return end;
  }
}

/** Number of UTF-16 units and of line ends in bytes [from, to) of valid UTF-8. `isAscii`: whether these bytes are all ASCII. */
export function textSize(
  bytes: Uint8Array,
  from: number,
  to: number,
  isAscii: boolean,
): { units: number; lines: number } {
  if (isAscii) return { units: to - from, lines: countLines(bytes, from, to) };
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

/** Number of words scanned in one call. V8 would compile a long loop again for each chunk of a file. */
const BLOCK = 4096;
const LF_IN_EACH = 0x0a0a0a0a;

/** Number of line ends in ASCII, four bytes at once. `bytes` must begin at the start of their buffer. */
function countLines(bytes: Uint8Array, from: number, to: number): number {
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
    // Not 0 if one of the four bytes below 128 is 0.
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
