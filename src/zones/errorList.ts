/** Receivers of a reader's errors (a bounded list, or a throw of the first error), and the reading of one position of a list. */

import type { ErrorCode } from '../core/errorCode.js';
import { expected, type FieldError, inputError, WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import {
  guarded,
  isPair,
  type PositionProblem,
  readLonLat,
  readPosition,
  unreadable,
  valueProblem,
} from '../core/input.js';

/** The receiver: a list that collects all errors, or null to throw the first one. */
export type ErrorSink = ErrorList | null;

/** Reports an error with the message "expected …, received …". Returns null. */
export function reportError(
  sink: ErrorSink,
  code: ErrorCode,
  field: string,
  what: string,
  received: unknown,
): null {
  return note(sink, inputError(code, field, what, received));
}

/** Adds a coded error to the list, or throws it. Always throws other exceptions. Returns null. */
export function note(sink: ErrorSink, error: unknown): null {
  if (sink === null || !(error instanceof WayzoneError)) throw error;
  for (const each of error.errors) sink.add(each);
  return null;
}

/** Collects field errors up to a limit. Further errors are only counted. */
export class ErrorList {
  readonly #limit: number;
  readonly #errors: FieldError[] = [];
  #more = 0;
  #last = '';

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether further errors are only counted. */
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

  /** The result of `read`. Null if it throws coded errors, which are added to the list. */
  try<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      return note(this, error);
    }
  }

  /** The errors. If there are more than the limit, a last error `limit-errors` counts the others, at the field of the last one. */
  list(): FieldError[] {
    if (this.#more === 0) return this.#errors;
    const message = `expected at most ${this.#limit} errors in one shape, received ${this.#more} more, the last at ${this.#last}`;
    return [...this.#errors, { code: 4221, field: this.#last, message, reason: 'limit-errors' }];
  }
}

/** The position; null, with an error for each invalid number, if it is invalid. */
export function positionAt(
  list: ArrayLike<unknown>,
  i: number,
  path: string,
  axisOrder: 'lonlat' | 'latlon',
  sink: ErrorSink,
): Position | null {
  const at = `${path}[${i}]`;
  if (sink === null)
    return readPosition(
      guarded(at, () => list[i]),
      at,
      axisOrder,
    );
  const lonIndex = axisOrder === 'latlon' ? 1 : 0;
  const add = (field: string, { code: reason, message }: PositionProblem): null => {
    sink.add({ code: 4221, field, message, reason });
    return null;
  };
  let lon: unknown;
  let lat: unknown;
  try {
    const pair = list[i];
    if (!isPair(pair)) return add(at, { code: 'coord-type', message: expected('a pair of degrees', pair) });
    lon = pair[lonIndex];
    lat = pair[1 - lonIndex];
  } catch (error) {
    return note(sink, unreadable(error, at));
  }
  const first = valueProblem(lon, lat);
  if (first === null) return readLonLat(lon, lat, at, lonIndex);
  const fields = { lon: `${at}[${lonIndex}]`, lat: `${at}[${1 - lonIndex}]` };
  add(fields[first.of], first);
  const second = first.of === 'lon' ? valueProblem(0, lat) : valueProblem(lon, 0);
  return second === null ? null : add(fields[second.of], second);
}
