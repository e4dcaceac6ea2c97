/** The list of field errors of one validation. */

import type { FieldReason } from '../core/errorCode.js';
import { describe, type FieldError, WayzoneError } from '../core/errors.js';

/** Largest number of listed field errors; `too-many-errors` follows them. */
export const MAX_FIELD_ERRORS = 1000;

export class FieldErrors {
  list: FieldError[] = [];

  /** Whether the list is full. */
  get full(): boolean {
    return this.list.length > MAX_FIELD_ERRORS;
  }

  add(field: string, reason: FieldReason, message: string): void {
    this.push({ code: 4221, field, message, reason });
  }

  push(error: FieldError): void {
    if (this.list.length < MAX_FIELD_ERRORS) this.list.push(error);
    else if (this.list.length === MAX_FIELD_ERRORS) {
      const text = `expected at most ${MAX_FIELD_ERRORS} errors, received more; the rest is not listed`;
      this.list.push({ code: 4221, field: '', message: text, reason: 'too-many-errors' });
    }
  }

  addAll(errors: Iterable<FieldError>): void {
    for (const error of errors) this.push(error);
  }

  throwIfAny(what: string): void {
    const [first] = this.list;
    if (first === undefined) return;
    const count = `${this.list.length} field ${this.list.length === 1 ? 'error' : 'errors'}`;
    throw new WayzoneError('validation', first.field, `expected a valid ${what}, received ${count}`, {
      errors: this.list,
    });
  }
}

/** The path of a field from the path of its object. Long names of unknown fields are cut. */
export function childPath(path: string, key: string): string {
  const name = key.length > 60 ? describe(key) : key;
  return path === '' ? name : `${path}.${name}`;
}
