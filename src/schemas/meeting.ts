/** Schema of a meeting of two units. */

import { NonNegative, resultSchema, Time } from './visitFields.js';
import { oneOf, type WireSchema } from './wireSchema.js';

/** A meeting of `findMeetings`: `Meeting` of `wayzone/tracks`. The TypeScript type is any object, as in `MeasureSchema`. */
export const MeetingSchema: WireSchema<object> = resultSchema({
  from: Time,
  to: Time,
  minMeters: NonNegative,
  minTime: Time,
  end: oneOf(['apart', 'gap', 'track']),
});
