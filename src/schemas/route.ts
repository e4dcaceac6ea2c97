/** A route. */

import type { Route, RouteInput, RoutePoint } from '../core/wire.js';
import { Id, list, Name, pointFields } from './parts.js';
import { object, optional, type WireSchema, wireSchema } from './wireSchema.js';

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
