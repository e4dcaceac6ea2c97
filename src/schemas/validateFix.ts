/** Validates a unit's report. */

import { expected, WayzoneError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import { MAX_TIME, readLonLat } from '../core/input.js';
import type { ObjectCheck, Reader } from './reader.js';
import { type ValidateOptions, type ValidationContext, validatorOf } from './validateOptions.js';
import { Amount, boolean, number, object, optional, type WireSchema, wireSchema } from './wireSchema.js';

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

/** Reads a number of degrees. Its range is checked with the other number of the pair. */
const readDegrees: Reader<ValidationContext> = (value, path, errors) => {
  if (typeof value !== 'number') errors.add(path, 'coord-type', expected('a number of degrees', value));
  else if (!Number.isFinite(value))
    errors.add(path, 'coord-not-finite', expected('a finite number of degrees', value));
  return value;
};

/** Numbers that are times from 2000 to 2100 in seconds; in milliseconds they are days of January and February 1970. */
const [FIRST_SECOND, LAST_SECOND] = [946_684_800, 4_102_444_799];

const checkFix: ObjectCheck<ValidationContext> = (copy, _path, errors) => {
  const { time, lon, lat } = copy;
  if (typeof time === 'number' && time >= FIRST_SECOND && time <= LAST_SECOND)
    errors.add('time', 'range', `${expected('epoch milliseconds', time)}; seconds? multiply by 1000`);
  if (!Number.isFinite(lon) || !Number.isFinite(lat)) return;
  const pairs = [
    [lon, lat],
    [lon, 0],
  ] as const;
  for (const [x, y] of pairs) {
    try {
      readLonLat(x, y, '');
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      const field = error.code === 'lat-range' ? 'lat' : 'lon';
      if (!errors.list.some((other) => other.field === field)) errors.add(field, error.code, error.message);
    }
  }
};

const read = validatorOf('fix', FixSchema, {
  readers: { lon: readDegrees, lat: readDegrees },
  checks: { '': checkFix },
});

/**
 * Returns the fix as a typed copy. Throws `validation` with every field error. Rules and reasons: as `validateGeozone`, and as positions
 * (`lat-range`, `lon-range`, `coord-type`, `coord-not-finite`).
 *
 * `readTrack` and the trackers leave invalid fixes out and count them. This function reports the reason. Amounts are at least 0. A missing field
 * is absent, not null. `time` is in epoch milliseconds. A time in January or February 1970 that would be a second of the years 2000 to 2100 is
 * refused (`range`). `earliestTime` and `latestTime` apply to tracks only.
 *
 * @example
 * import { validateFix } from 'wayzone/schemas';
 * validateFix({ time: 1772438400000, lon: 37.6, lat: 55.7, speedKph: 40 }).speedKph; // 40
 */
export function validateFix(input: unknown, options: ValidateOptions = {}): Fix {
  return read(input, options);
}
