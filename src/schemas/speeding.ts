/** Schema of an event of `findSpeeding`. */

import { NonNegative, rowsOf, TextOrNull, Time, words } from './visitFields.js';
import { object, published, schemaOf, type WireSchema } from './wireSchema.js';

/** An event of `findSpeeding`: `Speeding` of `wayzone/tracks`. The TypeScript type is any object, as that of `MeasureSchema`. */
export const SpeedingSchema: WireSchema<object> = published(
  schemaOf<object>(
    object({
      from: Time,
      to: Time,
      maxKph: NonNegative,
      maxOverKph: NonNegative,
      distanceMeters: NonNegative,
      durationSeconds: NonNegative,
      end: words('below', 'gap', 'track'),
      parts: rowsOf({
        from: Time,
        to: Time,
        limitKph: NonNegative,
        zoneId: TextOrNull,
        maxKph: NonNegative,
        distanceMeters: NonNegative,
      }),
    }),
  ),
);
