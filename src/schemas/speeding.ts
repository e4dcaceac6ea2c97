/** Schema of an event of `findSpeeding`. */

import { NonNegative, resultSchema, TextOrNull, Time } from './visitFields.js';
import { array, object, oneOf, type SchemaFields, type WireSchema } from './wireSchema.js';

export const speedingFields: SchemaFields = {
  from: Time,
  to: Time,
  maxKph: NonNegative,
  maxOverKph: NonNegative,
  distanceMeters: NonNegative,
  durationSeconds: NonNegative,
  end: oneOf(['below', 'gap', 'track']),
  parts: array(
    object({
      from: Time,
      to: Time,
      limitKph: NonNegative,
      zoneId: TextOrNull,
      maxKph: NonNegative,
      distanceMeters: NonNegative,
    }),
  ),
};

/** An event of `findSpeeding`: `Speeding` of `wayzone/tracks`. The TypeScript type is any object, as in `MeasureSchema`. */
export const SpeedingSchema: WireSchema<object> = resultSchema(speedingFields);
