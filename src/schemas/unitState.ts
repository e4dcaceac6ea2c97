/** Schema of the state of a keyed operator. */

import { Count, resultSchema, TextOrNull, TimeOrNull } from './visitFields.js';
import {
  integer,
  literal,
  nullable,
  object,
  optional,
  schemaOf,
  string,
  type WireSchema,
} from './wireSchema.js';

/** The state of one part. Its content is private to the operator. */
const Part = optional(schemaOf<object>({ type: 'object' }));

/**
 * A state that `unitOperator` writes: `UnitState` of `wayzone/operator`. Use the schema to describe a column of a store. The operator itself
 * checks a state only by its checksum. The TypeScript type is any object, as in `MeasureSchema`.
 */
export const UnitStateSchema: WireSchema<object> = resultSchema({
  kind: literal('unit'),
  version: integer({ minimum: 9, maximum: 9 }),
  unitId: string(),
  zonesVersion: Count,
  options: TextOrNull,
  clock: TimeOrNull,
  outputs: Count,
  lateFrom: TimeOrNull,
  settings: nullable(schemaOf<object>({ type: ['object', 'array'] })),
  intake: nullable(schemaOf<object>({ type: 'object' })),
  parts: object({ visits: Part, movement: Part, speeding: Part, trips: Part, routes: Part }),
  checksum: string(),
});
