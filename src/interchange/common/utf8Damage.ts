/** Counts invalid characters of UTF-8 text, and collects their lines. */

import { CR, LF } from '../../core/ascii.js';
import type { IssueList } from './issueList.js';

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
