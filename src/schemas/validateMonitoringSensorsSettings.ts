/** Validates the settings for showing a unit's sensors on the map. */

import { isArray } from '../core/errors.js';
import type { MonitoringSensorSetting } from '../core/trackSettings.js';
import { type Reader, readerOf } from './reader.js';
import { MonitoringSensorsSettingsSchema, SensorGradation, SensorStyles } from './trackSettings.js';
import { entryChecks, type ValidateOptions, type ValidationContext } from './validateOptions.js';
import { checkGradation, checkStyles } from './validateTrackGradation.js';
import { validatorOf } from './validatorOf.js';

const readStyles = readerOf<ValidationContext>(SensorStyles);
const readObject = readerOf<ValidationContext>(SensorGradation, { checks: { '': checkGradation } });

/** Accepts `{styles}`, or the list of styles alone. */
const readGradation: Reader<ValidationContext> = (value, path, errors, context) => {
  if (value === null) return null;
  if (!isArray(value)) return readObject(value, path, errors, context);
  const styles = readStyles(value, path, errors, context);
  checkStyles(styles, path, errors);
  return styles;
};

const read = validatorOf('list of sensor settings', MonitoringSensorsSettingsSchema, {
  readers: { '[].gradation': readGradation },
  checks: entryChecks('sensorSettings'),
});

/**
 * Returns the unit's `monitoring_sensors_settings` as a typed copy. Throws `validation` with every field error. Rules and reasons: as
 * `validateGeozone`.
 *
 * The list may be empty. `name` and `sensor_name_mask` are not empty. `icon` is an entry, which is filled in, or only its key. `gradation` has
 * the form of `track_gradation`, or is only its list of styles. Its limits are values of the sensor and may be negative.
 *
 * @example
 * import { validateMonitoringSensorsSettings } from 'wayzone/schemas';
 * const gradation = { styles: [{ max: -5, hex_color: '#1585D8' }, { max: null, hex_color: '#F56C6C' }] };
 * validateMonitoringSensorsSettings([{ name: 'Cold', sensor_name_mask: 'temp*', gradation }]).length; // 1
 */
export function validateMonitoringSensorsSettings(
  input: unknown,
  options: ValidateOptions = {},
): readonly MonitoringSensorSetting[] {
  return read(input, options);
}
