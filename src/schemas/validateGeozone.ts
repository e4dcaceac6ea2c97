/** Validates a geozone. */

import { MAX_VERTICES } from '../core/input.js';
import type { Geozone, GeozoneInput } from '../core/wire.js';
import { checkShape } from './checkShape.js';
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
import { readOutline, readPairs } from './positions.js';
import type { Hooks } from './reader.js';
import {
  entryChecks,
  type Validated,
  type ValidateOptions,
  type ValidationContext,
} from './validateOptions.js';
import { validatorOf } from './validatorOf.js';
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

export const GEOZONE_HOOKS: Hooks<ValidationContext> = {
  readers: { geometry: readPairs, polygon_geometry: readOutline },
  checks: { '': checkShape, ...entryChecks('geozone') },
};

const read = validatorOf('geozone', GeozoneInputSchema, GEOZONE_HOOKS);

/**
 * Returns the geozone as a typed copy with its dictionary entries filled in. Throws `validation` with every field error.
 *
 * Only own enumerable fields are read, as in JSON, and undefined means absent. Unknown fields are kept (shared, not copied). The `id` is
 * optional and must be a UUID, in lower or upper case. The geometry is neither wrapped nor closed. `coordinates` may repeat it and are left out.
 * Only the `key` of the entries `type`, `color` and `icon` is read. Their `type` and `value` come from the dictionary, in `options.language`. A
 * self-intersecting ring is an error here, although other functions accept it. Cost: O(n log n) in the vertices.
 *
 * Errors: `validation` with at most 1,000 `errors` in document order (absent fields last), each with `field` and `reason`. Reasons: `required`,
 * `type`, `empty`, `not-finite`, `range`, `uuid`, `dictionary-key`, `limit-items`, `input-unreadable`, `too-many-errors`, and the reasons of a
 * shape (`coord-type`, `lat-range`, `geometry-conflict`, `width-missing`, `ring-self-intersects`, …). Wrong options throw `option-type`,
 * `option-value`, `width-range`.
 *
 * @example
 * import { validateGeozone } from 'wayzone/schemas';
 * const sent = { name: 'Depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 100 };
 * validateGeozone(sent, { language: 'ru' }).type; // { key: 'circle', type: 'geozone_type', value: 'Круг' }
 */
export function validateGeozone<Input>(
  input: Input,
  options: ValidateOptions = {},
): Validated<Input, Geozone, GeozoneInput> {
  return read(input, options) as Validated<Input, Geozone, GeozoneInput>;
}
