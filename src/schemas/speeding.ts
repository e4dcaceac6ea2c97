/** Schema of an event of `findSpeeding`. */

import { Quantity, rowsOf, TextOrNull, Time, words } from './visitFields.js';
import { object, published, schemaOf, type WireSchema } from './wireSchema.js';

/** An event of `findSpeeding`: `Speeding` of `wayzone/tracks`. The TypeScript type is any object, as that of `MeasureSchema`. */
export const SpeedingSchema: WireSchema<object> = published(
  schemaOf<object>(
    object({
      from: Time,
      to: Time,
      maxKph: Quantity,
      maxOverKph: Quantity,
      distanceMeters: Quantity,
      durationSeconds: Quantity,
      end: words('below', 'gap', 'track'),
      parts: rowsOf({
        from: Time,
        to: Time,
        limitKph: Quantity,
        zoneId: TextOrNull,
        maxKph: Quantity,
        distanceMeters: Quantity,
      }),
    }),
  ),
);
