/** A group of geozones. */

import { Type } from 'typebox';
import type { GeozoneGroup, GeozoneGroupInput } from '../core/wire.js';
import { Id, list, Name, Reference } from './parts.js';
import { type WireSchema, wireSchema } from './wireSchema.js';

const fields = { name: Name, geozones: list(Reference) };

/** A stored group. */
export const GeozoneGroupSchema: WireSchema<GeozoneGroup> = wireSchema<GeozoneGroup>()(
  Type.Object({ id: Id, ...fields }),
);

/** A group as `validateGeozoneGroup` takes it. */
export const GeozoneGroupInputSchema: WireSchema<GeozoneGroupInput> = wireSchema<GeozoneGroupInput>()(
  Type.Object({ id: Type.Optional(Id), ...fields }),
);
