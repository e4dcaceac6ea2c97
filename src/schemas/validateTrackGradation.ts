/** Validates a track's colours by speed. */

import { expected, isArray } from '../core/errors.js';
import type { TrackGradation } from '../core/trackSettings.js';
import type { FieldErrors } from './fieldErrors.js';
import type { ObjectCheck } from './reader.js';
import { TrackGradationSchema } from './trackSettings.js';
import type { ValidateOptions, ValidationContext } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';

/** Checks `{styles}`, the form that `gradeTrack` accepts. Reports `gradation-invalid` at the wrong limit. */
export const checkGradation: ObjectCheck<ValidationContext> = (copy, path, errors) => {
  checkStyles(copy['styles'], path === '' ? 'styles' : `${path}.styles`, errors);
};

const read = validatorOf('track gradation', TrackGradationSchema, {
  checks: { '': checkGradation },
});

/**
 * Returns the unit's `track_gradation` as a typed copy for `gradeTrack`. Throws `validation` with every field error. Rules and reasons: as
 * `validateGeozone`.
 *
 * There is at least one style. Colours are `#rrggbb`. `max` increases from style to style and is null in the last style (else
 * `gradation-invalid`).
 *
 * @example
 * import { validateTrackGradation } from 'wayzone/schemas';
 * validateTrackGradation({ styles: [{ max: 60, hex_color: '#1BB934' }, { max: null, hex_color: '#F56C6C' }] }).styles.length; // 2
 */
export function validateTrackGradation(input: unknown, options: ValidateOptions = {}): TrackGradation {
  return read(input, options);
}

export function checkStyles(styles: unknown, path: string, errors: FieldErrors): void {
  if (!isArray(styles)) return;
  let last = Number.NEGATIVE_INFINITY;
  styles.forEach((style: unknown, i) => {
    const max = (style as { readonly max?: unknown } | null | undefined)?.max;
    const field = `${path}[${i}].max`;
    // A limit that the schema rejected is already reported.
    if (max === undefined || errors.list.some((error) => error.field === field)) return;
    if (i === styles.length - 1) {
      if (max !== null) errors.add(field, 'gradation-invalid', expected('null for the last style', max));
    } else if (max === null || (max as number) <= last) {
      errors.add(field, 'gradation-invalid', expected('a limit above that of the style before', max));
    } else last = max as number;
  });
}
