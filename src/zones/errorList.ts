/** Where a reader's errors go: a list of bounded length, or the first is thrown. */

import type { ErrorCode } from '../core/errorCode.js';
import { type FieldError, inputError, WayzoneError } from '../core/errors.js';

/** A list takes all errors, null throws the first. */
export type ErrorSink = ErrorList | null;

/** Reports an error with the message "expected …, received …"; null. */
export function report(
  sink: ErrorSink,
  code: ErrorCode,
  field: string,
  what: string,
  received: unknown,
): null {
  return note(sink, inputError(code, field, what, received));
}

/** Adds a coded error to the list, or throws it; anything else is thrown in either case. */
export function note(sink: ErrorSink, error: unknown): null {
  if (sink === null || !(error instanceof WayzoneError)) throw error;
  for (const each of error.errors) sink.add(each);
  return null;
}

/** Field errors up to a limit; further ones are only counted. */
export class ErrorList {
  readonly #limit: number;
  readonly #errors: FieldError[] = [];
  #more = 0;
  #last = '';

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** `true` when further errors are only counted. */
  get isFull(): boolean {
    return this.#errors.length >= this.#limit;
  }

  add(error: FieldError): void {
    if (this.#errors.length < this.#limit) this.#errors.push(error);
    else {
      this.#more++;
      this.#last = error.field;
    }
  }

  /** What `read` gives; null, with the errors noted, when it throws coded ones. */
  try<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      return note(this, error);
    }
  }

  /** The errors; beyond the limit a last one, `limit-errors` at the last field met, says how many more there are. */
  list(): FieldError[] {
    if (this.#more === 0) return this.#errors;
    const message = `expected at most ${this.#limit} errors in one shape, received ${this.#more} more, the last at ${this.#last}`;
    return [...this.#errors, { code: 4221, field: this.#last, message, reason: 'limit-errors' }];
  }
}
