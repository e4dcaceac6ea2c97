/** Validates a company's own geozone type. */

import type { CustomGeozoneType, Photo } from '../core/wire.js';
import { Id, Name } from './parts.js';
import type { ValidateOptions } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';
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

const read = validatorOf('custom geozone type', CustomGeozoneTypeSchema);

/**
 * Returns the custom geozone type as a typed copy. Throws `validation` with every field error. Rules and reasons: as `validateGeozone`.
 *
 * A `url` is any non-empty text. The library does not fetch it. Sizes are whole pixels. `param_type` is the kind of the picture's owner, any
 * text (the platform uses `users` and `geozones`).
 *
 * @example
 * import { validateCustomGeozoneType } from 'wayzone/schemas';
 * const photo = { url: 'https://example.org/a.png', width: 64, height: 64, param_type: 'geozones' };
 * const company_id = '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f';
 * validateCustomGeozoneType({ company_id, name: 'Yard', photo: { original: photo, small: photo } }).name; // 'Yard'
 */
export function validateCustomGeozoneType(input: unknown, options: ValidateOptions = {}): CustomGeozoneType {
  return read(input, options);
}
