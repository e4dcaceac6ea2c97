/** Schemas as hosts get them: plain JSON Schema 2020-12, frozen, with the interface of core that they are proved equal to. */

import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';

/** A JSON Schema of `Shape`: TypeBox's `Static<typeof schema>` is that interface. */
export type WireSchema<Shape> = TUnsafe<Shape>;

/** A type with every field and list read-only: the wire's interfaces are so, what TypeBox infers is not. */
export type DeepReadonly<Shape> = Shape extends object
  ? { readonly [Field in keyof Shape]: DeepReadonly<Shape[Field]> }
  : Shape;

/** Whether two types are the same, field for field, with the same optional ones. */
export type Same<A, B> =
  (<T>() => T extends DeepReadonly<A> ? 1 : 2) extends <T>() => T extends DeepReadonly<B> ? 1 : 2
    ? true
    : false;

/** The schema of `Shape`; does not compile unless what the schema describes is that interface. */
export function wireSchema<Shape>(): <Schema extends TSchema>(
  schema: Same<Static<Schema>, Shape> extends true ? Schema : never,
) => WireSchema<Shape> {
  return (schema) => published(Type.Unsafe<Shape>(schema));
}

/**
 * The schema as it is published: frozen, and every object says that it may have further fields. Checks mean the same without, but
 * serialisers that are made from a schema leave out what it does not name.
 */
export function published<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    if ('type' in value && value.type === 'object' && !('additionalProperties' in value))
      Object.assign(value, { additionalProperties: true });
    Object.freeze(value);
    for (const child of Object.values(value)) published(child);
  }
  return value;
}
