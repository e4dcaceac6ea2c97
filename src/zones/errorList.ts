/** A list of field errors that does not grow without end, and says what it left out. */

import { type FieldError, WayzoneError } from '../core/errors.js';

export class ErrorList {
  readonly #limit: number;
  readonly #errors: FieldError[] = [];
  #more = 0;
  #last = '';

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#errors.length === 0;
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
      if (!(error instanceof WayzoneError)) throw error;
      for (const each of error.errors) this.add(each);
      return null;
    }
  }

  /** The errors; beyond the limit a last one, `limit-errors` at the last field met, says how many more there are. */
  list(): FieldError[] {
    if (this.#more === 0) return this.#errors;
    const message = `expected at most ${this.#limit} errors in one shape, received ${this.#more} more, the last at ${this.#last}`;
    return [...this.#errors, { code: 4221, field: this.#last, message, reason: 'limit-errors' }];
  }
}
