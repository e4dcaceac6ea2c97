/** Finds the parts of the bodies that the published document describes, and puts values at them. */

import type { ApiDocument } from './checkAnswer.js';

export type Schema = Readonly<Record<string, unknown>>;

export interface JsonBody {
  /** As the samples have it. */
  readonly name: string;
  readonly method: string;
  readonly schema: Schema;
}

export function jsonBodies({ paths }: ApiDocument): JsonBody[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const { schema } = requestBody?.content['application/json'] ?? {};
      if (schema === undefined) return [];
      const name = `${method} ${path.replace('/api_v1', '')}`;
      return [{ name, method: method.toUpperCase(), schema: schema as Schema }];
    }),
  );
}

/** Visits all parts of a schema with their paths, such as `trailers[].trailer.id`. */
export function walk(
  schema: Schema,
  document: ApiDocument,
  path: string,
  visit: (part: Schema, path: string) => void,
): void {
  const part = resolved(schema, document);
  visit(part, path);
  for (const name of ['anyOf', 'oneOf', 'allOf'])
    for (const one of (part[name] ?? []) as Schema[]) walk(one, document, path, visit);
  if (part['items'] !== undefined) walk(part['items'] as Schema, document, `${path}[]`, visit);
  for (const [name, one] of Object.entries((part['properties'] ?? {}) as Record<string, Schema>))
    walk(one, document, path === '' ? name : `${path}.${name}`, visit);
}

function resolved(schema: Schema, { components }: ApiDocument): Schema {
  const { $ref } = schema as { readonly $ref?: string };
  return $ref === undefined ? schema : (components.schemas[$ref.split('/').at(-1)!] as Schema);
}

/** The body with the value at the path. What is missing on the way is made by the schema, with its required fields. */
export function withValue(
  body: unknown,
  schema: Schema,
  path: string,
  value: unknown,
  document: ApiDocument,
): unknown {
  if (path === '') return value;
  const part = choice(resolved(schema, document), path, document);
  if (path.startsWith('[]')) {
    const [first] = Array.isArray(body) ? body : [];
    return [withValue(first, part['items'] as Schema, path.slice(2).replace(/^\./, ''), value, document)];
  }
  const [, name = '', rest = ''] = /^([^.[]+)\.?(.*)$/.exec(path)!;
  const properties = (part['properties'] ?? {}) as Record<string, Schema>;
  const made = Object.fromEntries(
    ((part['required'] ?? []) as string[]).map((one) => [one, simplest(properties[one]!, document)]),
  );
  const whole = typeof body === 'object' && body !== null ? body : made;
  if (name === '*') return { ...whole, [String(value)]: 1 };
  return { ...whole, [name]: withValue((whole as Schema)[name], properties[name]!, rest, value, document) };
}

/** Of alternatives the one that has the next step of the path. */
function choice(schema: Schema, path: string, document: ApiDocument): Schema {
  const isNext = (one: Schema): boolean =>
    path.startsWith('[]')
      ? one['items'] !== undefined
      : path.startsWith('*') || Object.hasOwn((one['properties'] ?? {}) as object, /^[^.[]+/.exec(path)![0]);
  if (isNext(schema)) return schema;
  const all = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => (schema[name] ?? []) as Schema[]);
  const found = all.map((one) => choice(resolved(one, document), path, document)).find(isNext);
  return found ?? schema;
}

/** A small value of a schema. */
function simplest(schema: Schema, document: ApiDocument): unknown {
  const part = resolved(schema, document);
  if (Array.isArray(part['enum'])) return part['enum'][0];
  if ('const' in part) return part['const'];
  const [type] = [part['type']].flat();
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'array') return [];
  if (type === 'boolean') return true;
  if (type !== 'object') return 'name';
  const properties = part['properties'] as Record<string, Schema>;
  return Object.fromEntries(
    ((part['required'] ?? []) as string[]).map((name) => [name, simplest(properties[name]!, document)]),
  );
}
