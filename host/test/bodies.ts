/** Makes random values of a JSON Schema, in which hostile values may replace any part. */

import fc from 'fast-check';

type Schema = Readonly<Record<string, unknown>>;

/** Texts and numbers that often break programs. */
const HOSTILE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '',
    ' ',
    "'; drop table geozones; --",
    '__proto__',
    'constructor',
    '../../etc/passwd',
    '%00',
    '\u202e',
    'a'.repeat(5000),
    '{}',
    'null',
    '1e400',
  ),
  fc.constantFrom(0, -0, -1, 1e308, 5e-324, 2 ** 53, 2 ** 31, 181, -91, 0.1 + 0.2),
  fc.constantFrom(null, true, false),
  fc.constantFrom([], {}, [[]], [null], { key: null }, { toString: 'x' }, { length: -1 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A value of the schema. Hostile values replace some parts. */
export function bodyOf(schema: unknown, components: Readonly<Record<string, object>>): fc.Arbitrary<unknown> {
  return partOf(schema as Schema, components, 0);
}

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  HOSTILE.filter((value): value is string => typeof value === 'string' && value !== ''),
  fc.constantFrom('NaN,NaN', '1e999,0', '0,91', ';;;', '1,2,3', '-1', '99999999999999999999', ','),
);

function partOf(
  schema: Schema,
  components: Readonly<Record<string, object>>,
  depth: number,
): fc.Arbitrary<unknown> {
  // Seven of eight parts match the schema, so that hostile values also occur deep inside otherwise valid ones.
  return fc.oneof(
    { weight: depth === 0 ? 20 : 7, arbitrary: good(schema, components, depth) },
    { weight: 1, arbitrary: HOSTILE },
  );
}

function good(
  schema: Schema,
  components: Readonly<Record<string, object>>,
  depth: number,
): fc.Arbitrary<unknown> {
  const next = (part: unknown): fc.Arbitrary<unknown> => partOf(part as Schema, components, depth + 1);
  const ref = schema['$ref'];
  if (typeof ref === 'string') return good(components[ref.split('/').at(-1)!] as Schema, components, depth);
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (choices !== undefined) return fc.oneof(...choices.map((one) => good(one, components, depth)));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const type = Array.isArray(schema['type']) ? (schema['type'][0] as string) : schema['type'];
  if (type === 'object' || schema['properties'] !== undefined) {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, unknown>);
    const model = Object.fromEntries(properties.map(([key, part]) => [key, next(part)]));
    const required = (schema['required'] ?? []) as string[];
    return fc.record(model, { requiredKeys: required.filter((key) => key in model) });
  }
  if (type === 'array') {
    const items = schema['items'];
    const min = Number(schema['minItems'] ?? 0);
    return fc.array(next(items ?? {}), { minLength: min, maxLength: Math.max(min, 4) });
  }
  if (type === 'integer') return fc.integer({ min: Number(schema['minimum'] ?? -10), max: 1000 });
  if (type === 'number') return fc.double({ noNaN: true, min: -90, max: 90 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'string')
    return typeof schema['pattern'] === 'string' && schema['pattern'].includes('{12}')
      ? fc.uuid()
      : fc.string({ minLength: 1, maxLength: 12 });
  return HOSTILE;
}
