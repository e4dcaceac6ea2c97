/** Counts the invalid characters of UTF-8 text, and the lines that have them. */

import { CR, LF } from '../../core/ascii.js';
import type { IssueList } from './issueList.js';

/** Lines that are kept. An `IssueList` names fewer. */
const MOST_LINES = 1000;

export class Utf8Damage {
  /** Characters beyond ASCII that are valid. */
  sound = 0;
  #broken = 0;
  /** The line of the next character; null before the first text. */
  #line: number | null = null;
  /** The last character, as a code unit. */
  #last = 0;
  readonly #lines: number[] = [];

  /** Adds the decoded text of the first invalid bytes, then all after it. `first`: the line where it begins. */
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

  /** `within`: the file in an archive. Reports nothing without damage, each line if most of the text is sound, and else that it is not UTF-8. */
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
