/** A geozone, as it is stored and as it is sent. */

import { Type } from 'typebox';
import { MAX_VERTICES } from '../core/gate.js';
import type { Geozone, GeozoneInput } from '../core/wire.js';
import {
  Amount,
  ColorEntry,
  DeleteMark,
  IconEntry,
  Id,
  list,
  Name,
  nullable,
  PairSchema,
  Pairs,
  Parts,
  Reference,
  ZoneTypeEntry,
} from './parts.js';
import { type WireSchema, wireSchema } from './wireSchema.js';

const fields = {
  name: Name,
  type: ZoneTypeEntry,
  geometry: Pairs,
  width: Type.Optional(nullable(Amount)),
  parts: Type.Optional(nullable(Parts)),
  polygon_geometry: Type.Optional(Type.Array(PairSchema, { maxItems: MAX_VERTICES })),
  color: Type.Optional(nullable(ColorEntry)),
  icon: Type.Optional(nullable(IconEntry)),
  area: Type.Optional(nullable(Amount)),
  perimeter: Type.Optional(nullable(Amount)),
  is_show_on_map: Type.Optional(Type.Boolean()),
  companies: Type.Optional(list(Reference)),
  is_delete: Type.Optional(DeleteMark),
  created: Type.Optional(Type.String()),
};

/** A stored geozone. */
export const GeozoneSchema: WireSchema<Geozone> = wireSchema<Geozone>()(Type.Object({ id: Id, ...fields }));

/** A geozone as `validateGeozone` takes it. */
export const GeozoneInputSchema: WireSchema<GeozoneInput> = wireSchema<GeozoneInput>()(
  Type.Object({ id: Type.Optional(Id), ...fields }),
);
