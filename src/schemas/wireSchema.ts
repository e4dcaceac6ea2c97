/**
 * Builders of plain, frozen JSON Schemas (2020-12), and schemas that several wire shapes share. The compiler checks each against an interface
 * of core.
 */

import type { MultiPolygonCoordinates, Position } from '../core/geometry.js';
import { MAX_RINGS, MAX_VERTICES } from '../core/input.js';
import type { DictionaryEntry, Pair, RoutePoint } from '../core/wire.js';
import { ZONE_TYPE_KEYS, type ZoneTypeKey } from '../core/zoneTypes.js';

/**
 * A JSON Schema of `Shape`, as plain data. The field `~unsafe` exists only in the type. It makes `Static<typeof schema>` of TypeBox equal to
 * `Shape`.
 */
export interface WireSchema<Shape = unknown> {
  readonly '~unsafe': Shape;
}

/** A field of an object that may be absent. */
interface OptionalField<Shape = unknown> extends WireSchema<Shape> {
  readonly '~optional': true;
}

/** The type that a schema describes. */
export type ShapeOf<Schema> = Schema extends WireSchema<infer Shape> ? Shape : never;

/** The fields of an object schema. */
export type SchemaFields = Readonly<Record<string, WireSchema>>;

type OptionalKeys<F extends SchemaFields> = {
  [Key in keyof F]: F[Key] extends OptionalField ? Key : never;
}[keyof F];

type Flat<Shape> = { [Key in keyof Shape]: Shape[Key] };

/** The schemas of the fields of an object type. */
type FieldsOf<Shape> = {
  readonly [Key in keyof Shape]-?: Record<never, never> extends Pick<Shape, Key>
    ? OptionalField<Exclude<Shape[Key], undefined>>
    : WireSchema<Shape[Key]>;
};

/** The object type of a schema's fields. */
type ObjectOf<F extends SchemaFields> = Flat<
  { readonly [Key in Exclude<keyof F, OptionalKeys<F>>]: ShapeOf<F[Key]> } & {
    readonly [Key in OptionalKeys<F>]?: ShapeOf<F[Key]>;
  }
>;

/** Keywords that narrow a schema (JSON Schema 2020-12, validation vocabulary). */
export interface Keywords {
  readonly description?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly { readonly required: readonly string[] }[];
}

/** The schemas that `optional` returned. */
const OPTIONAL = new WeakSet<object>();

/** Declares a JSON Schema to be the schema of `Shape`, unchecked. */
export function schemaOf<Shape>(json: object): WireSchema<Shape> {
  return json as WireSchema<Shape>;
}

export function string(keywords: Keywords = {}): WireSchema<string> {
  return schemaOf({ type: 'string', ...keywords });
}

export function number(keywords: Keywords = {}): WireSchema<number> {
  return schemaOf({ type: 'number', ...keywords });
}

export function integer(keywords: Keywords = {}): WireSchema<number> {
  return schemaOf({ type: 'integer', ...keywords });
}

export function boolean(): WireSchema<boolean> {
  return schemaOf({ type: 'boolean' });
}

export function literal<const Value extends string | number>(value: Value): WireSchema<Value> {
  return schemaOf({ type: typeof value, const: value });
}

export const nil: WireSchema<null> = schemaOf({ type: 'null' });

/** One of a closed set of texts. */
export function oneOf<const Value extends string>(values: readonly Value[]): WireSchema<Value> {
  return schemaOf({ type: 'string', enum: [...values] });
}

export function nullable<Shape>(schema: WireSchema<Shape>): WireSchema<Shape | null> {
  return union([schema, nil]);
}

export function union<const Schemas extends readonly WireSchema[]>(
  anyOf: Schemas,
  keywords: Keywords = {},
): WireSchema<ShapeOf<Schemas[number]>> {
  return schemaOf({ anyOf: [...anyOf], ...keywords });
}

export function array<Shape>(
  items: WireSchema<Shape>,
  keywords: Keywords = {},
): WireSchema<readonly Shape[]> {
  return schemaOf({ type: 'array', items, ...keywords });
}

export function optional<Shape>(schema: WireSchema<Shape>): OptionalField<Shape> {
  const field = { ...schema };
  OPTIONAL.add(field);
  return field as OptionalField<Shape>;
}

export function object<F extends SchemaFields>(
  properties: F,
  keywords: Keywords = {},
): WireSchema<ObjectOf<F>> {
  const required = Object.keys(properties).filter((key) => !OPTIONAL.has(properties[key]!));
  return schemaOf({
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: { ...properties },
    ...keywords,
  });
}

/** Whether two types have the same fields, types and optional fields. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Declares a schema to be the schema of `Shape`. Does not compile if the schema describes another type. */
export function wireSchema<Shape>(): <Schema extends WireSchema>(
  schema: Same<Evaluated<ShapeOf<Schema>>, Evaluated<Shape>> extends true ? Schema : never,
) => WireSchema<Shape> {
  return (schema) => published(schemaOf<Shape>(schema));
}

/**
 * Expands all object types of a type, so that an interface and an intersection of the same fields compare as equal. `undefined` does not
 * count as a value of a field, because JSON has none.
 */
type Evaluated<Shape> = Shape extends object
  ? { readonly [Field in keyof Shape]: Evaluated<Exclude<Shape[Field], undefined>> }
  : Shape;

/**
 * The schema as published: frozen, and with `additionalProperties: true` in every object. The keyword changes no check, but serialisers built from
 * a schema drop unknown fields without it.
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

/** Pattern of a text that contains more than white space. */
export const NOT_BLANK_PATTERN = '\\S';
export const UUID_PATTERN = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
export const COLOR_PATTERN = '^#[0-9a-fA-F]{6}$';
export const DATE_PATTERN = '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])( 00:00(:00)?)?$';
export const TIME_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$';
/** Largest number of items in a list. Vertices have another limit. */
export const MAX_ITEMS = 100_000;

/** A UUID (RFC 9562) in lower or upper case. */
export const Id: WireSchema<string> = string({ pattern: UUID_PATTERN, description: 'a uuid' });

export const Name: WireSchema<string> = string({ minLength: 1, description: 'a text that is not empty' });

/** A reference to another row. */
export const Reference: WireSchema<{ readonly id: string }> = wireSchema<{ readonly id: string }>()(
  object({ id: Id }),
);

/** A number of at least 0. */
export const Amount: WireSchema<number> = number({ minimum: 0 });

export const DeleteMark: WireSchema<boolean | number | string> = union([boolean(), number(), string()], {
  description: "true, 1, '1' or 'true' for a deleted row",
});

/** A pair of degrees; further numbers (altitude, measure) are ignored. */
const pair = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 4 } as const;

/** A pair of degrees in the caller's order. */
export const PairSchema: WireSchema<Pair> = schemaOf<Pair>(pair);

export const Pairs: WireSchema<readonly Pair[]> = array(PairSchema, {
  minItems: 1,
  maxItems: MAX_VERTICES,
  description: 'pairs of degrees, WGS84',
});

/** A GeoJSON position `[lon, lat]`. */
export const PositionSchema: WireSchema<Position> = schemaOf<Position>(pair);

/** MultiPolygon coordinates. */
const Parts: WireSchema<MultiPolygonCoordinates> = wireSchema<MultiPolygonCoordinates>()(
  array(array(array(PositionSchema, { maxItems: MAX_VERTICES }), { minItems: 1, maxItems: MAX_RINGS }), {
    minItems: 1,
    maxItems: MAX_RINGS,
  }),
);

/** A list of `least` to `MAX_ITEMS` items. */
export function list<Shape>(items: WireSchema<Shape>, least: 0 | 1 = 0): WireSchema<readonly Shape[]> {
  return array(items, { minItems: least, maxItems: MAX_ITEMS });
}

const entryFields = { type: optional(string()), value: optional(string()) };

/** An entry of a closed dictionary. */
export function closedEntry<Key extends string>(
  keys: readonly [Key, ...Key[]],
): WireSchema<DictionaryEntry<Key>> {
  return schemaOf<DictionaryEntry<Key>>(
    wireSchema<DictionaryEntry>()(
      object({
        key: schemaOf<string>(oneOf([...keys])),
        ...entryFields,
      }),
    ),
  );
}

export const ZoneTypeEntry: WireSchema<DictionaryEntry<ZoneTypeKey>> = closedEntry(ZONE_TYPE_KEYS);

/** The fields of a shape beside its type and pairs. */
export const sizeFields: Pick<FieldsOf<RoutePoint>, 'width' | 'parts'> = {
  width: optional(nullable(Amount)),
  parts: optional(nullable(Parts)),
};

/** The fields of a zone without an id: a point of a route or a trip. */
export const pointFields: FieldsOf<RoutePoint> = {
  name: Name,
  type: ZoneTypeEntry,
  geometry: optional(Pairs),
  coordinates: optional(Pairs),
  ...sizeFields,
};

export const ColorEntry: WireSchema<DictionaryEntry> = wireSchema<DictionaryEntry>()(
  object({
    key: string({ pattern: COLOR_PATTERN, description: 'a colour #rrggbb' }),
    ...entryFields,
  }),
);

export const IconEntry: WireSchema<DictionaryEntry> = wireSchema<DictionaryEntry>()(
  object({ key: Name, ...entryFields }),
);
