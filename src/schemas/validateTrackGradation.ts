/** The check of a track's colours by speed. */

import type { TrackGradation } from '../core/trackSettings.js';
import { checkGradation } from './checkGradation.js';
import { TrackGradationSchema } from './trackSettings.js';
import type { ValidateOptions } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';

const read = validatorOf('track gradation', TrackGradationSchema, {
  readers: {},
  checks: { '': checkGradation },
});

/**
 * The unit's `track_gradation` as a typed copy that `gradeTrack` takes, or an error with every field error; the rules and reasons of
 * `validateGeozone`.
 *
 * At least one style; colours are `#rrggbb`; `max` increases from style to style and is null in the last (`gradation-invalid`).
 *
 * @example
 * import { validateTrackGradation } from 'wayzone/schemas';
 * validateTrackGradation({ styles: [{ max: 60, hex_color: '#1BB934' }, { max: null, hex_color: '#F56C6C' }] }).styles.length; // 2
 */
export function validateTrackGradation(input: unknown, options: ValidateOptions = {}): TrackGradation {
  return read(input, options);
}
