/** The check of a group of geozones. */

import type { GeozoneGroupInput } from '../core/wire.js';
import { GeozoneGroupInputSchema } from './geozoneGroup.js';
import type { ValidateOptions } from './validateOptions.js';
import { validatorOf } from './validator.js';

const read = validatorOf('geozone group', GeozoneGroupInputSchema, { readers: {}, checks: {} });

/**
 * The group as a typed copy, or an error with every field error; the rules and reasons of `validateGeozone`. It may be empty.
 *
 * @example
 * validateGeozoneGroup({ name: 'North', geozones: [] }); // { name: 'North', geozones: [] }
 */
export function validateGeozoneGroup(input: unknown, options: ValidateOptions = {}): GeozoneGroupInput {
  return read(input, options);
}
