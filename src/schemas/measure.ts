/** Schemas of what a unit did in spans and zones. The TypeScript types are any object, because `wayzone/schemas` does not load `wayzone/tracks`. */

import { Bounds, Count, NonNegative, TextOrNull, Time, visitFields } from './visitFields.js';
import { nullable, object, published, schemaOf, string, type WireSchema } from './wireSchema.js';

const Measure: WireSchema = object({
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

/** What a unit did in a span: `Measure` of `wayzone/tracks`. */
export const MeasureSchema: WireSchema<object> = published(schemaOf<object>(Measure));

/** A visit of `measureVisits`. */
export const MeasuredVisitSchema: WireSchema<object> = published(
  schemaOf<object>(object({ ...visitFields, measure: Measure, secondsSinceLast: nullable(NonNegative) })),
);

/** A run of `splitByZone`. */
export const ZoneRunSchema: WireSchema<object> = published(
  schemaOf<object>(object({ zoneId: TextOrNull, from: Time, to: Time })),
);

/** A row of `sumByZone`. */
export const ZoneSumSchema: WireSchema<object> = published(
  schemaOf<object>(
    object({
      zoneId: TextOrNull,
      period: nullable(string({ pattern: '^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$' })),
      count: Count,
      measure: Measure,
    }),
  ),
);

/** A ride of `findRides`. */
export const RideSchema: WireSchema<object> = published(
  schemaOf<object>(
    object({
      fromZoneId: string(),
      toZoneId: string(),
      from: Time,
      to: Time,
      fromBounds: Bounds,
      toBounds: Bounds,
    }),
  ),
);
