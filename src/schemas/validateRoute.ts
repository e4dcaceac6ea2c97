/** Validates a route. */

import type { Route, RouteInput } from '../core/wire.js';
import { checkPointShape } from './checkShape.js';
import { readPointPairs } from './positions.js';
import { RouteInputSchema } from './route.js';
import { entryChecks, type Validated, type ValidateOptions } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';

const read = validatorOf('route', RouteInputSchema, {
  readers: { 'points[].geometry': readPointPairs, 'points[].coordinates': readPointPairs },
  checks: { 'points[]': checkPointShape, ...entryChecks('route') },
});

/**
 * Returns the route as a typed copy with the types of its points filled in, or throws an error with every field error, by the rules and reasons of
 * `validateGeozone`.
 *
 * A route has at least one point. In the copy, `coordinates` of a point become `geometry`; errors name the field of the input. A point may have both
 * fields if they are equal (else `geometry-conflict`).
 *
 * @example
 * import { validateRoute } from 'wayzone/schemas';
 * const sent = { name: 'Ring', points: [{ name: 'Depot', type: { key: 'point' }, coordinates: [[37.6, 55.7]] }] };
 * validateRoute(sent).points[0].geometry; // [[37.6, 55.7]]
 */
export function validateRoute<Input>(
  input: Input,
  options: ValidateOptions = {},
): Validated<Input, Route, RouteInput> {
  return read(input, options) as Validated<Input, Route, RouteInput>;
}
