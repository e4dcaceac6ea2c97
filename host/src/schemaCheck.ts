/** Checks the parts of requests against the JSON Schemas of their operations, with the library's field errors. */

import { Compile } from 'typebox/schema';
import { type FieldError, WayzoneError } from 'wayzone';

interface Failure {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/** Items of a list whose errors are looked for: each takes about 4 µs. Lists in schemas of bodies have at most this many. */
const MOST_ITEMS = 10_000;

/** The parts of a request, by Fastify's names, as messages name them. */
const PARTS = { body: 'body', params: 'address', querystring: 'query', headers: 'headers' } as const;

export type RequestPart = keyof typeof PARTS;

/**
 * Returns a check of one part of a request. It throws `validation` (422) with every field error of a value that the schema does not allow, and
 * returns the value. The texts of an address, a query and headers become numbers and booleans where the schema has those types.
 */
export function schemaCheck(schema: object, part: RequestPart): (value: unknown) => unknown {
  // Compiled when it is first asked: the host has some 200, and starts without them.
  let validator: ReturnType<typeof Compile> | undefined;
  const read = part === 'body' ? null : textReader(schema);
  return (sent) => {
    const value = read === null ? sent : read(sent as Texts);
    validator ??= Compile(schema);
    if (validator.Check(value)) return value;
    const [, failures] = validator.Errors(cut(value)) as unknown as [boolean, readonly Failure[]];
    const errors = failures.flatMap(errorsOf);
    const [first] = errors;
    throw new WayzoneError(
      'validation',
      first?.field ?? '',
      `expected a valid ${PARTS[part]}, received ${errors.length} field ${errors.length === 1 ? 'error' : 'errors'}`,
      { errors },
    );
  };
}

/** The value with lists of at most one item above the limit: a list that is too long remains so. */
function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS + 1).map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one)]));
}

type Texts = Readonly<Record<string, unknown>>;

/** How a text is read as a value of a type. A text of another form stays a text, which the check refuses. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  // `+ 0`: no -0.
  integer: (text) => (/^-?\d{1,16}$/.test(text) ? Number(text) + 0 : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/** Returns a reader of an object of texts, `null` if the schema has texts only. */
function textReader(schema: object): ((texts: Texts) => Texts) | null {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, object>> };
  const readers = Object.entries(properties).flatMap(([name, { type }]: [string, { type?: unknown }]) => {
    const reader = READERS[String(type)];
    return reader === undefined ? [] : [[name, reader] as const];
  });
  if (readers.length === 0) return null;
  return (texts) => {
    const values: Record<string, unknown> = { ...texts };
    for (const [name, reader] of readers) {
      const text = values[name];
      if (typeof text === 'string') values[name] = reader(text);
    }
    return values;
  };
}

function errorsOf({ keyword, instancePath, params, message }: Failure): FieldError[] {
  const path = pathOf(instancePath);
  if (keyword === 'required') {
    const { requiredProperties } = params as { readonly requiredProperties: readonly string[] };
    return requiredProperties.map((name) => ({
      code: 4221,
      field: path === '' ? name : `${path}.${name}`,
      message: 'expected a value, received none',
      reason: 'required',
    }));
  }
  const { allowedValues } = params as { readonly allowedValues?: readonly unknown[] };
  const what =
    allowedValues === undefined
      ? message.replace(/^must /, 'a value that must ')
      : `one of ${allowedValues.join(', ')}`;
  const reason = keyword === 'type' ? 'type' : 'option-value';
  return [{ code: 4221, field: path, message: `expected ${what}, received another`, reason }];
}

/** `list[0].id` of the JSON pointer `/list/0/id`. */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 60))
    .reduce(
      (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
      '',
    );
}
