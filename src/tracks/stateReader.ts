/** Reads the fields of a snapshot; its errors name the damaged field. */

import { inputError, isArray, WayzoneError } from '../core/errors.js';
import { MAX_LON_DEGREES, MAX_TIME } from '../core/input.js';

export function corrupt(field: string, what: string, received: unknown): WayzoneError {
  return inputError('state-corrupt', field, what, received);
}

/** The answer of `read`. What a tracker refuses in a snapshot, such as an option, is `state-corrupt` at `path` and the refused field. */
export function asCorrupt<Result>(path: string, what: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    throw corrupt(`${path}.${error.field}`, what, error.message);
  }
}

/** One object of a snapshot, at `path`. A field of another type throws `state-corrupt`. */
export class StateReader {
  readonly path: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || isArray(value))
      throw corrupt(path, 'an object', value);
    this.path = path;
    this.#fields = value as Record<string, unknown>;
  }

  number(name: string): number {
    const value = this.#get(name);
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.#corrupt(name, 'a number', value);
    return value;
  }

  /** `absent` replaces `null`. */
  numberOr<Absent>(name: string, absent: Absent): number | Absent {
    return this.#get(name) === null ? absent : this.number(name);
  }

  /** `absent` replaces a missing field. */
  numberIfAny<Absent>(name: string, absent: Absent): number | Absent {
    return this.#get(name) === undefined ? absent : this.number(name);
  }

  /** Epoch milliseconds. */
  time(name: string): number {
    return this.#within(name, MAX_TIME, 'a time');
  }

  /** `absent` replaces `null`. */
  timeOr<Absent>(name: string, absent: Absent): number | Absent {
    return this.#get(name) === null ? absent : this.time(name);
  }

  lon(name: string): number {
    return this.#within(name, MAX_LON_DEGREES, 'a longitude');
  }

  lat(name: string): number {
    return this.#within(name, 90, 'a latitude');
  }

  count(name: string): number {
    const value = this.number(name);
    if (!Number.isSafeInteger(value) || value < 0) throw this.#corrupt(name, 'a count', value);
    return value;
  }

  boolean(name: string): boolean {
    const value = this.#get(name);
    if (typeof value !== 'boolean') throw this.#corrupt(name, 'true or false', value);
    return value;
  }

  /** A missing field is false. */
  flag(name: string): boolean {
    return this.#get(name) === undefined ? false : this.boolean(name);
  }

  booleanOrNull(name: string): boolean | null {
    return this.#get(name) === null ? null : this.boolean(name);
  }

  text(name: string): string {
    const value = this.#get(name);
    if (typeof value !== 'string') throw this.#corrupt(name, 'a text', value);
    return value;
  }

  textOrNull(name: string): string | null {
    return this.#get(name) === null ? null : this.text(name);
  }

  #scalar(name: string): number | string | boolean {
    const value = this.#get(name);
    if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value;
    throw this.#corrupt(name, 'a number, a text or true or false', value);
  }

  child(name: string): StateReader {
    return new StateReader(this.#get(name), this.#at(name));
  }

  childOrNull(name: string): StateReader | null {
    return this.#get(name) === null ? null : this.child(name);
  }

  isNull(name: string): boolean {
    return this.#get(name) === null;
  }

  /** Null for a missing field. */
  childIfAny(name: string): StateReader | null {
    return this.#get(name) === undefined ? null : this.child(name);
  }

  children(name: string): StateReader[] {
    return this.#list(name).map((value, i) => new StateReader(value, `${this.#at(name)}[${i}]`));
  }

  /** A copy of a field that is an object of plain JSON. Its content is checked by the seal alone. */
  plain(name: string): object {
    this.child(name);
    return JSON.parse(JSON.stringify(this.#get(name))) as object;
  }

  /** As `plain`, but the field itself: for a state that nobody else holds. */
  owned(name: string): object {
    this.child(name);
    return this.#get(name) as object;
  }

  /** Copies of the items of a list of plain JSON. */
  plainList(name: string): unknown[] {
    return JSON.parse(JSON.stringify(this.#list(name))) as unknown[];
  }

  /** A copy of all fields, which are plain JSON. Their content is checked by the seal alone. */
  plainSelf(): object {
    return JSON.parse(JSON.stringify(this.#fields)) as object;
  }

  /** All fields, each of which must be a number, a text or a boolean. */
  scalars(): Record<string, number | string | boolean> {
    return Object.fromEntries(Object.keys(this.#fields).map((name) => [name, this.#scalar(name)]));
  }

  #within(name: string, most: number, what: string): number {
    const value = this.number(name);
    if (Math.abs(value) > most) throw this.#corrupt(name, what, value);
    return value;
  }

  #list(name: string): readonly unknown[] {
    const value = this.#get(name);
    if (!isArray(value)) throw this.#corrupt(name, 'an array', value);
    return value;
  }

  #get(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  #at(name: string): string {
    return `${this.path}.${name}`;
  }

  #corrupt(name: string, what: string, received: unknown): WayzoneError {
    return corrupt(this.#at(name), what, received);
  }
}
