/** Validates a group of geozones. */

import type { GeozoneGroup, GeozoneGroupInput } from '../core/wire.js';
import { GeozoneGroupInputSchema } from './geozoneGroup.js';
import type { Validated, ValidateOptions } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';

const read = validatorOf('geozone group', GeozoneGroupInputSchema);

/**
 * Returns the group as a typed copy, or throws an error with every field error, by the rules and reasons of `validateGeozone`. A group may be empty.
 *
 * @example
 * import { validateGeozoneGroup } from 'wayzone/schemas';
 * validateGeozoneGroup({ name: 'North', geozones: [] }); // { name: 'North', geozones: [] }
 */
export function validateGeozoneGroup<Input>(
  input: Input,
  options: ValidateOptions = {},
): Validated<Input, GeozoneGroup, GeozoneGroupInput> {
  return read(input, options) as Validated<Input, GeozoneGroup, GeozoneGroupInput>;
}
