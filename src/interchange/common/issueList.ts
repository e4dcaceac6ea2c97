/** The issues of one file: all are counted, the first of a code in detail, so that a bad file of a million rows stays small. */

import type { IssueCode } from '../../core/errorCode.js';
import type { Issue } from '../../core/fix.js';

export class IssueList {
  readonly #mostDetailed: number;
  readonly #detailed: Issue[] = [];
  readonly #counts = new Map<string, { code: IssueCode; severity: Issue['severity']; count: number }>();

  /** So many issues of one code are given in detail, the rest as one issue that counts them. */
  constructor(mostDetailed: number) {
    this.#mostDetailed = mostDetailed;
  }

  /** How many issues there are. */
  count = 0;

  error(code: IssueCode, field: string, message: string, line?: number): void {
    this.#add(code, 'error', field, message, line);
  }

  warning(code: IssueCode, field: string, message: string, line?: number): void {
    this.#add(code, 'warning', field, message, line);
  }

  #add(code: IssueCode, severity: Issue['severity'], field: string, message: string, line?: number): void {
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

  /** The detailed issues in order, then one counting issue for each code that had more. */
  toArray(): Issue[] {
    const issues = [...this.#detailed];
    for (const { code, severity, count } of this.#counts.values()) {
      if (count <= this.#mostDetailed) continue;
      const message = `${count - this.#mostDetailed} further issues of this kind, ${count} in all`;
      issues.push({ code, severity, field: '', message });
    }
    return issues;
  }
}
