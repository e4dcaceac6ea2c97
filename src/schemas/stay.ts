/** Schemas of stays of units, and of the zones suggested from them. */

import { Amount, PositionSchema } from './parts.js';
import { Count, NonNegative, resultSchema, Time } from './visitFields.js';
import { array, object, oneOf, type WireSchema } from './wireSchema.js';

/** A stay of `findStays`: `Stay` of `wayzone/tracks`. The TypeScript type is any object, as in `MeasureSchema`. */
export const StaySchema: WireSchema<object> = resultSchema({
  from: Time,
  to: Time,
  centre: PositionSchema,
  radiusMeters: NonNegative,
  fixes: Count,
});

/** A place of `suggestZones`: `ZoneSuggestion` of `wayzone/tracks`. */
export const ZoneSuggestionSchema: WireSchema<object> = resultSchema({
  shape: object({
    type: object({ key: oneOf(['circle']) }),
    geometry: array(PositionSchema),
    width: Amount,
  }),
  visits: Count,
  days: Count,
  units: Count,
  medianStaySeconds: NonNegative,
});
