/** Validates a group of geozones. */

import { isArray } from '../core/errors.js';
import type { GeozoneGroup, GeozoneGroupInput } from '../core/wire.js';
import { Id, list, Name, Reference } from './parts.js';
import type { ObjectCheck } from './reader.js';
import type { Validated, ValidateOptions, ValidationContext } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';
import { object, optional, type WireSchema, wireSchema } from './wireSchema.js';

const fields = { name: Name, geozones: list(Reference) };

/** A stored group. */
export const GeozoneGroupSchema: WireSchema<GeozoneGroup> = wireSchema<GeozoneGroup>()(
  object({ id: Id, ...fields }),
);

/** A group as `validateGeozoneGroup` accepts it. */
export const GeozoneGroupInputSchema: WireSchema<GeozoneGroupInput> = wireSchema<GeozoneGroupInput>()(
  object({ id: optional(Id), ...fields }),
);

/** Keeps the first of equal zones: a group is a set. */
const listOnce: ObjectCheck<ValidationContext> = (copy) => {
  const { geozones } = copy;
  if (!isArray(geozones)) return;
  const seen = new Set<unknown>();
  copy['geozones'] = geozones.filter((zone: unknown) => {
    const { id } = Object(zone) as { readonly id?: unknown };
    return !seen.has(id) && seen.add(id);
  });
};

const read = validatorOf('geozone group', GeozoneGroupInputSchema, { checks: { '': listOnce } });

/**
 * Returns the group as a typed copy. Throws `validation` with every field error. Rules and reasons: as `validateGeozone`. A group may be empty.
 * A zone listed twice is kept once.
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
