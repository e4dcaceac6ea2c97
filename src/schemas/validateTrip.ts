/** Validates a trip. */

import { checkOptions } from '../core/options.js';
import { DEFAULT_TRIP_WIDTH_METERS, type Trip, type TripInput } from '../core/trip.js';
import { checkPointShape } from './checkShape.js';
import { checkChange, checkPointTimes, checkTrip } from './checkTrip.js';
import { readPointPairs } from './positions.js';
import { hooksAt, type ObjectCheck } from './reader.js';
import { TripInputSchema } from './trip.js';
import {
  entryChecks,
  VALIDATE_OPTIONS,
  type Validated,
  type ValidateOptions,
  type ValidationContext,
} from './validateOptions.js';
import { validatorOf } from './validatorOf.js';

const checkPoint: ObjectCheck<ValidationContext> = (copy, path, errors, context) => {
  checkPointShape(copy, path, errors, context);
  checkPointTimes(copy, path, errors, context);
};

const HOOKS = {
  readers: { 'points[].geometry': readPointPairs, 'points[].coordinates': readPointPairs },
  checks: { '': checkTrip, 'points[]': checkPoint },
};
const AMENDED = hooksAt('changes[].trip', HOOKS);

const read = validatorOf('trip', TripInputSchema, {
  readers: { ...HOOKS.readers, ...AMENDED.readers },
  checks: { ...HOOKS.checks, ...AMENDED.checks, 'changes[]': checkChange, ...entryChecks('trip') },
});

/**
 * Returns the trip as a typed copy with its dictionary entries filled in, or throws an error with every field error, by the rules and reasons of
 * `validateGeozone`. `coordinates` are read as in `validateRoute`.
 *
 * Dates must exist and be unique. Times are 00:00 to 23:59. A point's departure, with `after_days`, is not before its arrival. `after_days` and
 * `deviation_minutes` are whole numbers. A width may be missing: trips are then evaluated with `defaultWidthMeters` 100.
 * `work_types` are trimmed and not blank.
 *
 * `changes` of runs under way have `type` and whole epoch milliseconds `at`; `date` names the run, and may be missing if the trip has one date.
 * `excuse` needs `pointIndex`, `handOver` `unitId`, and `amend` a `trip`. Whether the points exist is checked when the run is evaluated.
 *
 * Further reasons: `date`, `date-duplicate`, `time`, `integer`, `order-of-times`, `geometry-conflict`, and `activation-time` (the time of the first
 * point activates the trip, but the point has none).
 *
 * @example
 * import { validateTrip } from 'wayzone/schemas';
 * const unit = { id: '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f' };
 * const points = [{ name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]], arrival: { time: '08:00' } }];
 * const sent = { name: 'Milk', unit, passage_order_type: { key: 'strict' }, dates: ['2028-02-29'], points };
 * validateTrip(sent).passage_order_type; // { key: 'strict', type: 'trip_passage_order_type', value: 'Strict' }
 */
export function validateTrip<Input>(
  input: Input,
  options: ValidateOptions = {},
): Validated<Input, Trip, TripInput> {
  checkOptions(options, VALIDATE_OPTIONS);
  return read(input, {
    ...options,
    defaultWidthMeters: options.defaultWidthMeters ?? DEFAULT_TRIP_WIDTH_METERS,
  }) as Validated<Input, Trip, TripInput>;
}
