/** Schemas that several wire shapes share. */

import type { MultiPolygonCoordinates, Position } from '../core/geometry.js';
import { MAX_RINGS, MAX_VERTICES } from '../core/input.js';
import type { DictionaryEntry, Pair, RoutePoint } from '../core/wire.js';
import { ZONE_TYPE_KEYS, type ZoneTypeKey } from '../core/zoneTypes.js';
import {
  array,
  boolean,
  type FieldsOf,
  nullable,
  number,
  object,
  oneOf,
  optional,
  schemaOf,
  string,
  union,
  type WireSchema,
  wireSchema,
} from './wireSchema.js';

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
export const Parts: WireSchema<MultiPolygonCoordinates> = wireSchema<MultiPolygonCoordinates>()(
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
