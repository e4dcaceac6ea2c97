/** The issues of one file. All are counted; only the first ones of each code are kept, so that a bad file needs little memory. */

import type { IssueCode } from '../../core/errorCode.js';
import { WayzoneError } from '../../core/errors.js';
import type { Issue } from '../../core/fix.js';

/** Largest number of names in the message. Further names are counted as `others`. */
const MAX_NAMES = 20;

/** Issues of one code and severity. */
interface IssueCount {
  readonly code: IssueCode;
  readonly severity: Issue['severity'];
  count: number;
}

/** Largest length of a message, characters. A message may repeat texts of the file, such as names of columns. */
const MOST_CHARACTERS = 2000;

export class IssueList {
  readonly #mostDetailed: number;
  readonly #detailed: Issue[] = [];
  readonly #counts = new Map<string, IssueCount>();
  readonly #atEnd: (() => void)[] = [];

  /** `mostDetailed`: number of issues of one code that are kept. One more issue counts the rest. */
  constructor(mostDetailed: number) {
    this.#mostDetailed = mostDetailed;
  }

  /** Number of issues. */
  count = 0;

  /** Name of the file in the archive that is being read, put before each field; empty for the file itself. */
  within = '';

  /** Calls `report` at the end of the file, for issues that depend on all of it. */
  atEnd(report: () => void): void {
    this.#atEnd.push(report);
  }

  error(code: IssueCode, field: string, message: string, line?: number): void {
    this.#add(code, 'error', field, message, line);
  }

  warning(code: IssueCode, field: string, message: string, line?: number): void {
    this.#add(code, 'warning', field, message, line);
  }

  /** Reports a caught coded error. Throws any other error. */
  caught(error: unknown, line?: number): void {
    if (!(error instanceof WayzoneError)) throw error;
    this.error(error.code, error.field, error.message, line);
  }

  #add(code: IssueCode, severity: Issue['severity'], own: string, whole: string, line?: number): void {
    const field = this.within === '' ? own : `${this.within} ${own}`.trimEnd();
    const message = whole.length > MOST_CHARACTERS ? `${whole.slice(0, MOST_CHARACTERS)}…` : whole;
    this.count++;
    const key = `${severity} ${code}`;
    const entry = this.#counts.get(key);
    if (entry === undefined) this.#counts.set(key, { code, severity, count: 1 });
    else entry.count++;
    if ((entry?.count ?? 1) <= this.#mostDetailed) {
      this.#detailed.push(
        line === undefined ? { code, severity, field, message } : { code, severity, field, line, message },
      );
    }
  }

  /** The kept issues in order, then one counting issue for each code with more. */
  toArray(): Issue[] {
    for (const report of this.#atEnd.splice(0)) report();
    const issues = [...this.#detailed];
    for (const { code, severity, count } of this.#counts.values()) {
      if (count <= this.#mostDetailed) continue;
      const rest = count - this.#mostDetailed;
      const message = `${rest} further issues of this kind, ${count} in all`;
      issues.push({ code, severity, field: '', message, count: rest });
    }
    return issues;
  }
}

/** Names of fields that a reader leaves out, counted for one warning. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    const key = this.#counts.has(name) || this.#counts.size < MAX_NAMES ? name : 'others';
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The text `a (2), b (1)`; null if nothing was left out. */
  toText(): string | null {
    if (this.#counts.size === 0) return null;
    return [...this.#counts].map(([name, count]) => `${name} (${count})`).join(', ');
  }
}
