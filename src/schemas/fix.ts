/** A report of a unit. */

import { Type } from 'typebox';
import type { Fix } from '../core/fix.js';
import { Amount } from './parts.js';
import { type WireSchema, wireSchema } from './wireSchema.js';

/** As far as ECMAScript's `Date` reaches, in milliseconds. */
const MAX_TIME = 8.64e15;

/** A report of a unit, as `readTrack` and the trackers take it. */
export const FixSchema: WireSchema<Fix> = wireSchema<Fix>()(
  Type.Object({
    time: Type.Number({ minimum: -MAX_TIME, maximum: MAX_TIME, description: 'epoch milliseconds UTC' }),
    lon: Type.Number({ minimum: -540, maximum: 540 }),
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    speedKph: Type.Optional(Amount),
    courseDegrees: Type.Optional(Type.Number()),
    altitudeMeters: Type.Optional(Type.Number()),
    accuracyMeters: Type.Optional(Amount),
    satellites: Type.Optional(Amount),
    valid: Type.Optional(Type.Boolean()),
    ignition: Type.Optional(Type.Boolean()),
    mileageMeters: Type.Optional(Amount),
    mileageDeltaMeters: Type.Optional(Amount),
  }),
);
