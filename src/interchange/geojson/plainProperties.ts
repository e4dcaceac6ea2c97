/** Reads the name among a feature's properties from bytes, for an index, which needs no other property. */

import { COLON, COMMA, DOT, MINUS, NINE, QUOTE, utf8Encoder, ZERO } from '../../core/ascii.js';
import { isAt, OBJECT_END, plainStringEnd, skipSpace } from '../json/jsonBytes.js';

const NAMES: readonly Uint8Array[] = ['name', 'zone', 'title'].map((name) => utf8Encoder.encode(`"${name}"`));
const LITERALS: readonly Uint8Array[] = ['null', 'true', 'false'].map((word) => utf8Encoder.encode(word));

/** Largest number of digits of a number. A longer one may need a warning. */
const MOST_DIGITS = 15;

export class PlainProperties {
  /** Bytes [nameFrom, nameTo) of the name without its quotes. Both 0 if there is no name. */
  nameFrom = 0;
  nameTo = 0;
  /** Start, and end, of the value of each of `NAMES`; 0 if it is absent or not a string. */
  readonly #froms: number[] = [0, 0, 0];
  readonly #tos: number[] = [0, 0, 0];

  /**
   * Reads the object in bytes [from, to) if its values are strings without escapes, numbers of up to 15 digits without an exponent, `null`, `true`
   * and `false`, and no name of `NAMES` occurs twice. Returns false for any other object, which must be parsed.
   */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    this.#froms.fill(0);
    let seen = 0;
    let i = skipSpace(bytes, from + 1);
    if (bytes[i] !== OBJECT_END) {
      for (;;) {
        if (bytes[i] !== QUOTE) return false;
        const name = NAMES.findIndex((text) => isAt(text, bytes, i));
        const key = plainStringEnd(bytes, i + 1);
        if (key < 0 || (name >= 0 && (seen & (1 << name)) !== 0)) return false;
        if (name >= 0) seen |= 1 << name;
        i = skipSpace(bytes, key);
        if (bytes[i] !== COLON) return false;
        i = skipSpace(bytes, i + 1);
        const end = valueEnd(bytes, i);
        if (end < 0) return false;
        if (name >= 0 && bytes[i] === QUOTE) {
          this.#froms[name] = i + 1;
          this.#tos[name] = end - 1;
        }
        i = skipSpace(bytes, end);
        if (bytes[i] !== COMMA) break;
        i = skipSpace(bytes, i + 1);
      }
    }
    const first = this.#froms.findIndex((start) => start > 0);
    this.nameFrom = first < 0 ? 0 : this.#froms[first]!;
    this.nameTo = first < 0 ? 0 : this.#tos[first]!;
    return bytes[i] === OBJECT_END && i + 1 === to;
  }
}

/** Index after the plain value at `at`; -1 for any other value. */
function valueEnd(bytes: Uint8Array, at: number): number {
  const c = bytes[at]!;
  if (c === QUOTE) return plainStringEnd(bytes, at + 1);
  if (c === MINUS || (c >= ZERO && c <= NINE)) return numberEnd(bytes, at);
  for (const literal of LITERALS) if (isAt(literal, bytes, at)) return at + literal.length;
  return -1;
}

function numberEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at;
  let i = digitsEnd(bytes, first);
  if (i === first || (bytes[first] === ZERO && i > first + 1)) return -1;
  if (bytes[i] === DOT) {
    const point = i;
    i = digitsEnd(bytes, point + 1);
    if (i === point + 1) return -1;
  }
  return i - first > MOST_DIGITS ? -1 : i;
}

function digitsEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  while (bytes[i]! >= ZERO && bytes[i]! <= NINE) i++;
  return i;
}
