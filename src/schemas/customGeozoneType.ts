/** Schemas of a company's own geozone type. */

import type { CustomGeozoneType, Photo } from '../core/wire.js';
import { Id, Name } from './parts.js';
import { integer, object, string, type WireSchema, wireSchema } from './wireSchema.js';

const Pixels = integer({ minimum: 0 });

const PhotoSchema: WireSchema<Photo> = wireSchema<Photo>()(
  object({ url: Name, width: Pixels, height: Pixels, param_type: string() }),
);

/** A company's own geozone type, with its picture. */
export const CustomGeozoneTypeSchema: WireSchema<CustomGeozoneType> = wireSchema<CustomGeozoneType>()(
  object({
    company_id: Id,
    name: Name,
    photo: object({ original: PhotoSchema, small: PhotoSchema }),
  }),
);
