/** A geozone type of a company's own. */

import { Type } from 'typebox';
import type { CustomGeozoneType, Photo } from '../core/wire.js';
import { Id, Name } from './parts.js';
import { type WireSchema, wireSchema } from './wireSchema.js';

const Pixels = Type.Integer({ minimum: 0 });

const PhotoSchema: WireSchema<Photo> = wireSchema<Photo>()(
  Type.Object({ url: Name, width: Pixels, height: Pixels, param_type: Type.String() }),
);

/** A geozone type of a company's own, with its picture. */
export const CustomGeozoneTypeSchema: WireSchema<CustomGeozoneType> = wireSchema<CustomGeozoneType>()(
  Type.Object({
    company_id: Id,
    name: Name,
    photo: Type.Object({ original: PhotoSchema, small: PhotoSchema }),
  }),
);
