/** A report of a unit. */

import type { Fix } from '../core/fix.js';
import { MAX_TIME } from '../core/input.js';
import { Amount } from './parts.js';
import { boolean, number, object, optional, type WireSchema, wireSchema } from './wireSchema.js';

/** A report of a unit, as `readTrack` and the trackers accept it. */
export const FixSchema: WireSchema<Fix> = wireSchema<Fix>()(
  object({
    time: number({ minimum: -MAX_TIME, maximum: MAX_TIME, description: 'epoch milliseconds UTC' }),
    lon: number({ minimum: -540, maximum: 540 }),
    lat: number({ minimum: -90, maximum: 90 }),
    speedKph: optional(Amount),
    courseDegrees: optional(number()),
    altitudeMeters: optional(number()),
    accuracyMeters: optional(Amount),
    satellites: optional(Amount),
    valid: optional(boolean()),
    ignition: optional(boolean()),
    mileageMeters: optional(Amount),
    mileageDeltaMeters: optional(Amount),
  }),
);
