/** Validates a route. */

import type { Route, RouteInput, RoutePoint } from '../core/wire.js';
import { checkPointShape, readPointPairs } from './checkShape.js';
import { entryChecks, type Validated, type ValidateOptions, validatorOf } from './validateOptions.js';
import { Id, list, Name, object, optional, pointFields, type WireSchema, wireSchema } from './wireSchema.js';

const RoutePointSchema: WireSchema<RoutePoint> = wireSchema<RoutePoint>()(
  object(pointFields, { anyOf: [{ required: ['geometry'] }, { required: ['coordinates'] }] }),
);

const fields = {
  name: Name,
  company_id: optional(Id),
  points: list(RoutePointSchema, 1),
};

/** A stored route. */
export const RouteSchema: WireSchema<Route> = wireSchema<Route>()(object({ id: Id, ...fields }));

/** A route as `validateRoute` accepts it. */
export const RouteInputSchema: WireSchema<RouteInput> = wireSchema<RouteInput>()(
  object({ id: optional(Id), ...fields }),
);

const read = validatorOf('route', RouteInputSchema, {
  readers: { 'points[].geometry': readPointPairs, 'points[].coordinates': readPointPairs },
  checks: { 'points[]': checkPointShape, ...entryChecks('route') },
});

/**
 * Returns the route as a typed copy with the types of its points filled in. Throws `validation` with every field error. Rules and reasons: as
 * `validateGeozone`.
 *
 * A route has at least one point. In the copy, `coordinates` of a point become `geometry`; errors name the field of the input. A point may have
 * both fields if they are equal (else `geometry-conflict`).
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
