/** Validates a track's colours by speed. */

import type { TrackGradation } from '../core/trackSettings.js';
import { checkGradation } from './checkGradation.js';
import { TrackGradationSchema } from './trackSettings.js';
import type { ValidateOptions } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';

const read = validatorOf('track gradation', TrackGradationSchema, {
  checks: { '': checkGradation },
});

/**
 * Returns the unit's `track_gradation` as a typed copy that `gradeTrack` accepts, or throws an error with every field error, by the rules and reasons
 * of `validateGeozone`.
 *
 * There is at least one style. Colours are `#rrggbb`. `max` increases from style to style and is null in the last style (else `gradation-invalid`).
 *
 * @example
 * import { validateTrackGradation } from 'wayzone/schemas';
 * validateTrackGradation({ styles: [{ max: 60, hex_color: '#1BB934' }, { max: null, hex_color: '#F56C6C' }] }).styles.length; // 2
 */
export function validateTrackGradation(input: unknown, options: ValidateOptions = {}): TrackGradation {
  return read(input, options);
}
