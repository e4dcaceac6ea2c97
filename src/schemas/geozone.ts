/** A geozone, as it is stored and as it is sent. */

import { MAX_VERTICES } from '../core/input.js';
import type { Geozone, GeozoneInput } from '../core/wire.js';
import {
  Amount,
  ColorEntry,
  DeleteMark,
  IconEntry,
  Id,
  list,
  Name,
  PairSchema,
  Pairs,
  Reference,
  sizeFields,
  ZoneTypeEntry,
} from './parts.js';
import {
  array,
  boolean,
  nullable,
  object,
  optional,
  string,
  type WireSchema,
  wireSchema,
} from './wireSchema.js';

const fields = {
  name: Name,
  type: ZoneTypeEntry,
  geometry: Pairs,
  ...sizeFields,
  polygon_geometry: optional(array(PairSchema, { maxItems: MAX_VERTICES })),
  color: optional(nullable(ColorEntry)),
  icon: optional(nullable(IconEntry)),
  area: optional(nullable(Amount)),
  perimeter: optional(nullable(Amount)),
  is_show_on_map: optional(boolean()),
  companies: optional(list(Reference)),
  is_delete: optional(DeleteMark),
  created: optional(string()),
};

/** A stored geozone. */
export const GeozoneSchema: WireSchema<Geozone> = wireSchema<Geozone>()(object({ id: Id, ...fields }));

/** A geozone as `validateGeozone` accepts it. */
export const GeozoneInputSchema: WireSchema<GeozoneInput> = wireSchema<GeozoneInput>()(
  object({ id: optional(Id), ...fields }),
);
