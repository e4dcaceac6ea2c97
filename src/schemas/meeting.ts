/** Schema of a meeting of two units. */

import { NonNegative, Time, words } from './visitFields.js';
import { object, published, schemaOf, type WireSchema } from './wireSchema.js';

/** A meeting of `findMeetings`: `Meeting` of `wayzone/tracks`. The TypeScript type is any object, as that of `MeasureSchema`. */
export const MeetingSchema: WireSchema<object> = published(
  schemaOf<object>(
    object({
      from: Time,
      to: Time,
      minMeters: NonNegative,
      minTime: Time,
      end: words('apart', 'gap', 'track'),
    }),
  ),
);
