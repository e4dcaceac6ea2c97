/** The check of a route. */

import type { Route, RouteInput } from '../core/wire.js';
import { checkPointShape } from './checkShape.js';
import { readPointPairs } from './positions.js';
import { RouteInputSchema } from './route.js';
import { fillEntry, type Validated, type ValidateOptions } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';

const read = validatorOf('route', RouteInputSchema, {
  readers: { 'points[].geometry': readPointPairs, 'points[].coordinates': readPointPairs },
  checks: { 'points[]': checkPointShape, 'points[].type': fillEntry('geozoneTypes') },
});

/**
 * The route as a typed copy with its points' types filled in, or an error with every field error; the rules and reasons of
 * `validateGeozone`.
 *
 * A route has at least one point. A point's `coordinates` become `geometry` in the copy, and errors name the field that was sent;
 * both are accepted where they are equal (`geometry-conflict`).
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
