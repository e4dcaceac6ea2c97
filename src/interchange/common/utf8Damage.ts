/** Counts invalid characters of UTF-8 text, and collects their lines. */

import { CR, LF } from '../../core/ascii.js';
import type { IssueList } from './issueList.js';

/** Highest bit of each of four bytes, which is set in bytes beyond ASCII. */
const HIGH_BITS = 0x80808080;

/** Number of words checked in one call. */
const BLOCK = 4096;

/** Largest number of lines kept. An `IssueList` names fewer. */
const MOST_LINES = 1000;

export class Utf8Damage {
  /** Number of valid characters beyond ASCII. */
  sound = 0;
  #broken = 0;
  /** Line of the next character; null before the first text. */
  #line: number | null = null;
  /** The last character, as a code unit. */
  #last = 0;
  readonly #lines: number[] = [];

  /** Adds the decoded text from the first invalid bytes on. `first`: line where it begins. */
  add(text: string, first: number): void {
    let at = this.#line ?? first;
    let last = this.#last;
    let isNoted = this.#lines.at(-1) === at;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit === LF ? last !== CR : unit === CR) {
        at++;
        isNoted = false;
      } else if (unit === 0xfffd) {
        this.#broken++;
        if (!isNoted && this.#lines.length < MOST_LINES) this.#lines.push(at);
        isNoted = true;
      } else if (unit > 0x7f) this.sound++;
      last = unit;
    }
    this.#line = at;
    this.#last = last;
  }

  /**
   * Reports the damage, if any: each line if most of the text is valid, else that the file is not UTF-8. `within`: name of the file in an
   * archive.
   */
  report(issues: IssueList, within: string): void {
    if (this.#broken === 0) return;
    const field = `${within} encoding`.trimStart();
    if (this.#broken > Math.max(this.sound, 2)) {
      const message = `expected utf-8 text, received bytes that are invalid in it, ${this.#broken} in all`;
      issues.error('encoding', field, message);
      return;
    }
    const message = 'expected UTF-8, received a broken character, which is read as \ufffd';
    for (const line of this.#lines) issues.warning('encoding', field, message, line);
  }
}

/** Whether bytes are ASCII, and so valid UTF-8. */
export function isAscii(bytes: Uint8Array): boolean {
  const start = (4 - (bytes.byteOffset & 3)) & 3;
  const words = bytes.length < start ? 0 : (bytes.length - start) >> 2;
  for (let i = 0; i < Math.min(start, bytes.length); i++) if (bytes[i]! > 0x7f) return false;
  const view = new Int32Array(bytes.buffer, words === 0 ? 0 : bytes.byteOffset + start, words);
  for (let i = 0; i < words; i += BLOCK) {
    if ((allBits(view, i, Math.min(i + BLOCK, words)) & HIGH_BITS) !== 0) return false;
  }
  for (let i = start + 4 * words; i < bytes.length; i++) if (bytes[i]! > 0x7f) return false;
  return true;
}

/**
 * All bits of some words together. A separate function, so that V8 compiles it once: a long loop would be compiled again for each chunk of
 * a file.
 */
function allBits(words: Int32Array, from: number, to: number): number {
  let bits = 0;
  for (let i = from; i < to; i++) bits |= words[i]!;
  return bits;
}
