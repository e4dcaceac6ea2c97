/** Parts of the schemas of results: times, bounds, visits. */

import { integer, nullable, number, object, oneOf, schemaOf, string, type WireSchema } from './wireSchema.js';

export const Time: WireSchema<number> = integer({ description: 'epoch milliseconds UTC' });
export const TimeOrNull: WireSchema<number | null> = nullable(Time);
export const Count: WireSchema<number> = integer({ minimum: 0 });
/** Seconds, metres or km/h. */
export const NonNegative: WireSchema<number> = number({ minimum: 0 });
export const TextOrNull: WireSchema<string | null> = nullable(string());

/** A text from a closed set. */
export const words = (...list: string[]): WireSchema => oneOf(list);

/** `[from, to]`; null on an unbounded side. */
export const Bounds: WireSchema = schemaOf({
  type: 'array',
  items: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  minItems: 2,
  maxItems: 2,
});

/** The fields of a `Visit`. */
export const visitFields: Readonly<Record<string, WireSchema>> = {
  zoneId: string(),
  seen: words('inside', 'crossed'),
  end: words('left', 'open', 'gap', 'zone-changed', 'handed-over'),
  enter: Time,
  exit: TimeOrNull,
  enterBounds: Bounds,
  exitBounds: nullable(Bounds),
  fixCount: Count,
};

/** The schema of a list of rows with these fields. */
export function rowsOf(fields: Readonly<Record<string, WireSchema>>): WireSchema {
  return schemaOf({ type: 'array', items: object(fields) });
}
