/** Parts of the schemas of results: times, bounds, visits. */

import {
  array,
  integer,
  nullable,
  number,
  object,
  oneOf,
  published,
  type SchemaFields,
  schemaOf,
  string,
  type WireSchema,
} from './wireSchema.js';

export const Time: WireSchema<number> = integer({ description: 'epoch milliseconds UTC' });
export const TimeOrNull: WireSchema<number | null> = nullable(Time);
export const Count: WireSchema<number> = integer({ minimum: 0 });
/** An amount of seconds, metres or km/h. */
export const NonNegative: WireSchema<number> = number({ minimum: 0 });
export const TextOrNull: WireSchema<string | null> = nullable(string());

/** A date `yyyy-MM-dd` on a local clock. */
export const LocalDate: WireSchema<string> = string({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });

/** `[from, to]`; null on an unbounded side. */
export const Bounds: WireSchema = array(nullable(integer()), { minItems: 2, maxItems: 2 });

/** The fields of a `Visit`. */
export const visitFields: SchemaFields = {
  zoneId: string(),
  seen: oneOf(['inside', 'crossed']),
  end: oneOf(['left', 'open', 'gap', 'zone-changed', 'handed-over']),
  enter: Time,
  exit: TimeOrNull,
  enterBounds: Bounds,
  exitBounds: nullable(Bounds),
  fixCount: Count,
};

/** The published schema of a result. Its TypeScript type is any object: `wayzone/schemas` does not load the subpath of the result's type. */
export function resultSchema(fields: SchemaFields): WireSchema<object> {
  return published(schemaOf<object>(object(fields)));
}
