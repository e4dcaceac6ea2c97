/** The check of how a unit's sensors are shown. */

import { isArray } from '../core/errors.js';
import type { MonitoringSensorSetting } from '../core/trackSettings.js';
import { checkGradation, checkStyles } from './checkGradation.js';
import { type Reader, readerOf } from './reader.js';
import { MonitoringSensorsSettingsSchema, SensorGradation, SensorStyles } from './trackSettings.js';
import { type Context, fillEntry, type ValidateOptions } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';

const readStyles = readerOf<Context>(SensorStyles, { readers: {}, checks: {} });
const readObject = readerOf<Context>(SensorGradation, { readers: {}, checks: { '': checkGradation } });

/** `{styles}` or its list of styles alone. */
const readGradation: Reader<Context> = (value, path, errors, context) => {
  if (value === null) return null;
  if (!isArray(value)) return readObject(value, path, errors, context);
  const styles = readStyles(value, path, errors, context);
  checkStyles(styles, path, errors);
  return styles;
};

const read = validatorOf('list of sensor settings', MonitoringSensorsSettingsSchema, {
  readers: { '[].gradation': readGradation },
  checks: { '[].icon': fillEntry('icons') },
});

/**
 * The unit's `monitoring_sensors_settings` as a typed copy, or an error with every field error; the rules and reasons of
 * `validateGeozone`.
 *
 * A list, empty where nothing is set. `name` and `sensor_name_mask` are not empty. `icon` is an entry (filled in) or its key alone.
 * `gradation` has the form of `track_gradation` or is its list of styles; its limits are the sensor's values and may be negative.
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
