/** Schema of the messages of a keyed operator. */

import { TripDetectorSettingsSchema } from './trackSettings.js';
import { UnitOutputSchema } from './unitOutput.js';
import { Count, resultSchema, Time, TimeOrNull } from './visitFields.js';
import {
  array,
  literal,
  nullable,
  number,
  object,
  oneOf,
  optional,
  schemaOf,
  string,
  union,
  type WireSchema,
} from './wireSchema.js';

/** Fixes of any shape: the operator itself rejects a fix that does not match `FixSchema`, and counts the reason in its state. */
const Fixes = array(schemaOf<object>({ type: 'object', description: 'a fix, as it was received' }));

/** A message of `unitOperator`: `UnitMessage` of `wayzone/operator`. The TypeScript type is any object, as in `MeasureSchema`. */
export const UnitMessageSchema: WireSchema<object> = resultSchema({
  unitId: string(),
  zonesVersion: Count,
  input: union([
    object({ kind: literal('fixes'), fixes: Fixes, receivedAt: optional(number()) }),
    object({ kind: literal('time'), time: Time }),
    object({ kind: literal('edit'), settings: optional(nullable(TripDetectorSettingsSchema)) }),
    object({
      kind: literal('rebuild'),
      of: optional(oneOf(['all', 'trips'])),
      from: optional(TimeOrNull),
      receivedAt: optional(number()),
      fixes: Fixes,
      outputs: array(UnitOutputSchema),
    }),
  ]),
});
