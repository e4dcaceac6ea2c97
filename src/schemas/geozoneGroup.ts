/** A group of geozones. */

import type { GeozoneGroup, GeozoneGroupInput } from '../core/wire.js';
import { Id, list, Name, Reference } from './parts.js';
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
