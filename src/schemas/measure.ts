/** Schemas of measured spans and zones. The TypeScript types are any object, because `wayzone/schemas` does not load `wayzone/tracks`. */

import { Bounds, Count, NonNegative, resultSchema, TextOrNull, Time, visitFields } from './visitFields.js';
import { nullable, string, type WireSchema } from './wireSchema.js';

/** Distance and times of a unit in a span: `Measure` of `wayzone/tracks`. */
export const MeasureSchema: WireSchema<object> = resultSchema({
  durationSeconds: NonNegative,
  movingSeconds: NonNegative,
  idlingSeconds: NonNegative,
  parkedSeconds: NonNegative,
  unmeasuredSeconds: NonNegative,
  distanceMeters: NonNegative,
  unmeasuredMeters: NonNegative,
  maxSpeedKph: nullable(NonNegative),
  meanSpeedKph: nullable(NonNegative),
});

/** A visit of `measureVisits`. */
export const MeasuredVisitSchema: WireSchema<object> = resultSchema({
  ...visitFields,
  measure: MeasureSchema,
  secondsSinceLast: nullable(NonNegative),
});

/** A run of `splitByZone`. */
export const ZoneRunSchema: WireSchema<object> = resultSchema({ zoneId: TextOrNull, from: Time, to: Time });

/** A row of `sumByZone`. */
export const ZoneSumSchema: WireSchema<object> = resultSchema({
  zoneId: TextOrNull,
  period: nullable(string({ pattern: '^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$' })),
  count: Count,
  measure: MeasureSchema,
});

/** A ride of `findRides`. */
export const RideSchema: WireSchema<object> = resultSchema({
  fromZoneId: string(),
  toZoneId: string(),
  from: Time,
  to: Time,
  fromBounds: Bounds,
  toBounds: Bounds,
});
