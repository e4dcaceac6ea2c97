/**
 * Reads an input by a schema: returns a copy and collects every field error.
 *
 * Each field of the input is read once, so that the checked value is the returned value; an exception of the input becomes a field error. The reader
 * knows the keywords that the wire's schemas use. Tests compare it with TypeBox's check of the same schema.
 */

import type { FieldReason } from '../core/errorCode.js';
import { expected, isArray } from '../core/errors.js';
import { MAX_RINGS, MAX_VERTICES } from '../core/input.js';
import { childPath, type FieldErrors } from './fieldErrors.js';
import {
  COLOR_PATTERN,
  DATE_PATTERN,
  type Keywords,
  NOT_BLANK_PATTERN,
  TIME_PATTERN,
  UUID_PATTERN,
  type WireSchema,
} from './wireSchema.js';

/** Returns a copy of a value and reports its errors. Returns undefined for a value that should be an object or a list and is not. */
export type Reader<Context> = (
  value: unknown,
  path: string,
  errors: FieldErrors,
  context: Context,
) => unknown;

/** A check of an object after its fields were read. It may add fields to the copy. */
export type ObjectCheck<Context> = (
  copy: Record<string, unknown>,
  path: string,
  errors: FieldErrors,
  context: Context,
) => void;

/** Readers that replace the schema at some paths (`points[].geometry`), and further checks of objects (`points[]`). */
export interface Hooks<Context> {
  readonly readers?: Readonly<Record<string, Reader<Context>>>;
  readonly checks?: Readonly<Record<string, ObjectCheck<Context>>>;
}

type AllHooks<Context> = Required<Hooks<Context>>;

/** Hooks of a schema, moved to the path `at` of a larger schema that contains it. */
export function hooksAt<Context>(
  at: string,
  { readers = {}, checks = {} }: Hooks<Context>,
): AllHooks<Context> {
  const moved = <Hook>(hooks: Readonly<Record<string, Hook>>): Record<string, Hook> =>
    Object.fromEntries(
      Object.entries(hooks).map(([path, hook]) => [path === '' ? at : `${at}.${path}`, hook]),
    );
  return { readers: moved(readers), checks: moved(checks) };
}

interface JsonSchema extends Omit<Keywords, 'anyOf'> {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
}

const REASON_OF_PATTERN: Readonly<Record<string, FieldReason>> = {
  [UUID_PATTERN]: 'uuid',
  [COLOR_PATTERN]: 'dictionary-key',
  [DATE_PATTERN]: 'date',
  [TIME_PATTERN]: 'time',
  [NOT_BLANK_PATTERN]: 'empty',
};

/** For each limit of items: the counted things, and the reason reported for a longer list. */
const OF_LIMIT: Readonly<Record<number, readonly [reason: FieldReason, what: string]>> = {
  [MAX_RINGS]: ['limit-rings', 'rings'],
  [MAX_VERTICES]: ['limit-vertices', 'positions'],
};

/** Makes the reader of a schema. */
export function readerOf<Context>(schema: WireSchema, hooks: Hooks<Context> = {}): Reader<Context> {
  return readerAt(schema as unknown as JsonSchema, { readers: {}, checks: {}, ...hooks }, '');
}

/** Makes the reader of a part of a schema. `at`: its path, in the form of the hooks. */
function readerAt<Context>(schema: JsonSchema, hooks: AllHooks<Context>, at: string): Reader<Context> {
  const own = Object.hasOwn(hooks.readers, at) ? hooks.readers[at] : undefined;
  if (own !== undefined) return own;
  if (schema.type === undefined && schema.anyOf !== undefined) return anyReader(schema, hooks, at);
  switch (schema.type) {
    case 'object':
      return objectReader(schema, hooks, at);
    case 'array':
      return arrayReader(schema, hooks, at);
    case 'string':
      return textReader(schema);
    case 'number':
    case 'integer':
      return numberReader(schema);
    case 'boolean':
      return (value, path, errors) => {
        if (typeof value !== 'boolean') errors.add(path, 'type', expected('true or false', value));
        return value;
      };
    default:
      throw new TypeError(`no reader for the schema at "${at}"`);
  }
}

function objectReader<Context>(schema: JsonSchema, hooks: AllHooks<Context>, at: string): Reader<Context> {
  const fields = new Map<string, Reader<Context>>();
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    fields.set(key, readerAt(field, hooks, at === '' ? key : `${at}.${key}`));
  }
  const required = schema.required ?? [];
  const check = Object.hasOwn(hooks.checks, at) ? hooks.checks[at] : undefined;
  return (value, path, errors, context) => {
    if (typeof value !== 'object' || value === null || isArray(value) || ArrayBuffer.isView(value)) {
      const isKey = typeof value === 'string' && fields.has('key');
      errors.add(path, 'type', expected(isKey ? 'an object {key: …}' : 'an object', value));
      return undefined;
    }
    const before = errors.list.length;
    const copy = readFields(value as Readonly<Record<PropertyKey, unknown>>, path, errors, (field, key) => {
      const reader = fields.get(key);
      return reader === undefined || field === undefined
        ? field
        : reader(field, path === '' ? key : `${path}.${key}`, errors, context);
    });
    if (copy === null) return undefined;
    for (const key of required) {
      if (!Object.hasOwn(copy, key))
        errors.add(childPath(path, key), 'required', expected('a value', undefined));
    }
    check?.(copy, path, errors, context);
    if (errors.list.length - before > 1) inDocumentOrder(errors, before, path, Object.keys(copy));
    return copy;
  };
}

/** The own enumerable fields as a plain object, without known fields that are undefined. Null if they cannot be read. */
function readFields(
  source: Readonly<Record<PropertyKey, unknown>>,
  path: string,
  errors: FieldErrors,
  read: (field: unknown, key: string) => unknown,
): Record<string, unknown> | null {
  let keys: readonly string[];
  try {
    keys = Object.keys(source);
  } catch {
    errors.add(path, 'input-unreadable', UNREADABLE);
    return null;
  }
  const copy: Record<string, unknown> = {};
  for (const key of keys) {
    if (errors.full) break;
    let field: unknown;
    try {
      field = source[key];
    } catch {
      errors.add(childPath(path, key), 'input-unreadable', UNREADABLE);
      // The field is present but unreadable; this avoids a second error `required`.
      define(copy, key, undefined);
      continue;
    }
    if (field === undefined) continue;
    const value = read(field, key);
    if (key === '__proto__') define(copy, key, value);
    else copy[key] = value;
  }
  return copy;
}

const UNREADABLE = 'expected a readable value, received one that throws when read';

function define(copy: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Sorts the errors of an object by the order of its fields, and the errors of a list by item index. Absent fields come last. */
function inDocumentOrder(errors: FieldErrors, from: number, path: string, keys: readonly string[]): void {
  const start = path === '' ? 0 : path.length + 1;
  const placed = errors.list.slice(from).map((error) => {
    const [, key = '', item = '-1'] = /^([^.[]*)(?:\[(\d+)\])?/.exec(error.field.slice(start)) ?? [];
    const at = keys.indexOf(key);
    const last = error.reason === 'too-many-errors';
    return { error, at: last ? keys.length + 1 : at === -1 ? keys.length : at, item: Number(item) };
  });
  placed.sort((a, b) => a.at - b.at || a.item - b.item);
  errors.list.splice(from, placed.length, ...placed.map(({ error }) => error));
}

function arrayReader<Context>(schema: JsonSchema, hooks: AllHooks<Context>, at: string): Reader<Context> {
  const item = readerAt(schema.items!, hooks, `${at}[]`);
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  return (value, path, errors, context) => {
    const list = readItems(value, path, errors, maxItems);
    if (list === null) return undefined;
    if (list.length < minItems)
      errors.add(path, 'empty', expected(`a list of at least ${minItems}`, list.length));
    for (let i = 0; i < list.length && !errors.full; i++) {
      if (list[i] !== SKIP) list[i] = item(list[i], `${path}[${i}]`, errors, context);
    }
    return list;
  };
}

/** Marks an item that was already reported as unreadable. */
const SKIP: unique symbol = Symbol('unreadable');

/** The items of a list, read once. Null if the value is not a list or is too long. */
export function readItems(value: unknown, path: string, errors: FieldErrors, most: number): unknown[] | null {
  if (!isArray(value)) {
    errors.add(path, 'type', expected('a list', value));
    return null;
  }
  let length: number;
  try {
    length = value.length;
  } catch {
    errors.add(path, 'input-unreadable', UNREADABLE);
    return null;
  }
  if (length > most) {
    const [reason, what] = OF_LIMIT[most] ?? ['limit-items', 'items'];
    errors.add(path, reason, expected(`at most ${most} ${what}`, length));
    return null;
  }
  const items: unknown[] = [];
  for (let i = 0; i < length && !errors.full; i++) {
    try {
      items.push(value[i]);
    } catch {
      errors.add(`${path}[${i}]`, 'input-unreadable', UNREADABLE);
      items.push(SKIP);
    }
  }
  return items;
}

function textReader(schema: JsonSchema): Reader<unknown> {
  const { enum: words, pattern, minLength = 0, description = 'a text' } = schema;
  const form = pattern === undefined ? null : new RegExp(pattern);
  const reason = REASON_OF_PATTERN[pattern ?? ''] ?? 'type';
  return (value, path, errors) => {
    if (typeof value !== 'string') {
      errors.add(path, 'type', expected(description, value));
    } else if (words !== undefined) {
      if (!words.includes(value))
        errors.add(path, 'dictionary-key', expected(`one of ${words.join(', ')}`, value));
    } else if (value.length < minLength) {
      errors.add(path, 'empty', expected(description, value));
    } else if (form !== null && !form.test(value)) {
      errors.add(path, reason, expected(description, value));
    }
    return value;
  };
}

function numberReader(schema: JsonSchema): Reader<unknown> {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const whole = schema.type === 'integer';
  const what = whole ? 'an integer' : 'a number';
  return (value, path, errors) => {
    if (typeof value !== 'number') errors.add(path, 'type', expected(what, value));
    else if (!Number.isFinite(value)) errors.add(path, 'not-finite', expected('a finite number', value));
    else if (whole && !Number.isInteger(value)) errors.add(path, 'integer', expected(what, value));
    else if (value < minimum || value > maximum) {
      const range =
        maximum === Number.POSITIVE_INFINITY ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
      errors.add(path, 'range', expected(`${what} ${range}`, value));
    }
    return value;
  };
}

/**
 * Reads a union by the branch that matches the value's type. If there is only one branch besides null, that branch reads every other value.
 */
function anyReader<Context>(schema: JsonSchema, hooks: AllHooks<Context>, at: string): Reader<Context> {
  const branches = schema.anyOf!.filter(({ type }) => type !== 'null');
  const orNull = branches.length < schema.anyOf!.length;
  const readers = branches.map((branch) => ({
    kind: branch.type === 'integer' ? 'number' : branch.type,
    read: readerAt(branch, hooks, at),
  }));
  const only = readers.length === 1 ? readers[0]!.read : undefined;
  const what = schema.description ?? branches.map(({ type }) => type).join(' or ');
  return (value, path, errors, context) => {
    if (value === null && orNull) return null;
    const read = only ?? readers.find(({ kind }) => kind === typeof value)?.read;
    if (read !== undefined) return read(value, path, errors, context);
    errors.add(path, 'type', expected(what, value));
    return value;
  };
}
