/** Validates a unit's report. */

import { expected, WayzoneError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import { readLonLat } from '../core/input.js';
import { FixSchema } from './fix.js';
import type { ObjectCheck, Reader } from './reader.js';
import type { Context, ValidateOptions } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';

/** Reads a number of degrees. Its range is checked with the other number of the pair. */
const readDegrees: Reader<Context> = (value, path, errors) => {
  if (typeof value !== 'number') errors.add(path, 'coord-type', expected('a number of degrees', value));
  else if (!Number.isFinite(value))
    errors.add(path, 'coord-not-finite', expected('a finite number of degrees', value));
  return value;
};

const checkPosition: ObjectCheck<Context> = (copy, _path, errors) => {
  const { lon, lat } = copy;
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
  checks: { '': checkPosition },
});

/**
 * Returns the fix as a typed copy, or throws an error with every field error, by the rules and reasons of `validateGeozone` and of positions
 * (`lat-range`, `lon-range`, `coord-type`, `coord-not-finite`).
 *
 * `readTrack` and the trackers only leave invalid fixes out and count them; this function reports the reason. Amounts are at least 0. A missing field
 * is absent, not null. `time` is in epoch milliseconds, of any date: `earliestTime` and `latestTime` apply to tracks only.
 *
 * @example
 * import { validateFix } from 'wayzone/schemas';
 * validateFix({ time: 1772438400000, lon: 37.6, lat: 55.7, speedKph: 40 }).speedKph; // 40
 */
export function validateFix(input: unknown, options: ValidateOptions = {}): Fix {
  return read(input, options);
}
