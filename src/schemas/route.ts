/** A route. */

import { Type } from 'typebox';
import type { Route, RouteInput, RoutePoint } from '../core/wire.js';
import { Amount, Id, list, Name, nullable, Pairs, Parts, ZoneTypeEntry } from './parts.js';
import { type WireSchema, wireSchema } from './wireSchema.js';

const RoutePointSchema: WireSchema<RoutePoint> = wireSchema<RoutePoint>()(
  Type.Object(
    {
      name: Name,
      type: ZoneTypeEntry,
      geometry: Type.Optional(Pairs),
      coordinates: Type.Optional(Pairs),
      parts: Type.Optional(nullable(Parts)),
      width: Type.Optional(nullable(Amount)),
    },
    { anyOf: [{ required: ['geometry'] }, { required: ['coordinates'] }] },
  ),
);

const fields = {
  name: Name,
  company_id: Type.Optional(Id),
  points: list(RoutePointSchema, 1),
};

/** A stored route. */
export const RouteSchema: WireSchema<Route> = wireSchema<Route>()(Type.Object({ id: Id, ...fields }));

/** A route as `validateRoute` takes it. */
export const RouteInputSchema: WireSchema<RouteInput> = wireSchema<RouteInput>()(
  Type.Object({ id: Type.Optional(Id), ...fields }),
);
