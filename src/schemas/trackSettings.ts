/** Schemas and validators of track colours and of sensors on the map, and the custom fields that set the trip detector. */

import { expected, isArray } from '../core/errors.js';
import type {
  GradationStyle,
  MonitoringSensorSetting,
  TrackGradation,
  TripDetectorFields,
  TripDetectorSettings,
} from '../core/trackSettings.js';
import type { FieldErrors } from './fieldErrors.js';
import { type ObjectCheck, type Reader, readerOf } from './reader.js';
import { entryChecks, type ValidateOptions, type ValidationContext, validatorOf } from './validateOptions.js';
import {
  Amount,
  array,
  COLOR_PATTERN,
  IconEntry,
  list,
  Name,
  nil,
  nullable,
  number,
  object,
  oneOf,
  optional,
  string,
  union,
  type WireSchema,
  wireSchema,
} from './wireSchema.js';

const Color = string({ pattern: COLOR_PATTERN, description: 'a colour #rrggbb' });

/** Colours of a track by speed. */
export const TrackGradationSchema: WireSchema<TrackGradation> = wireSchema<TrackGradation>()(
  object({ styles: list(object({ max: nullable(Amount), hex_color: Color }), 1) }),
);

/** Colours of a sensor's values, which may be negative. */
const SensorStyles: WireSchema<readonly GradationStyle[]> = wireSchema<readonly GradationStyle[]>()(
  list(object({ max: nullable(number()), hex_color: Color }), 1),
);

const SensorGradation: WireSchema<TrackGradation> = wireSchema<TrackGradation>()(
  object({ styles: SensorStyles }),
);

/** Settings for showing a unit's sensors on the map. */
export const MonitoringSensorsSettingsSchema: WireSchema<readonly MonitoringSensorSetting[]> = wireSchema<
  readonly MonitoringSensorSetting[]
>()(
  list(
    object({
      name: Name,
      sensor_name_mask: Name,
      icon: optional(union([IconEntry, Name, nil])),
      gradation: optional(union([SensorGradation, SensorStyles, nil])),
    }),
  ),
);

const Numeric = union([number(), string({ pattern: '^-?[0-9]+(\\.[0-9]+)?$' })]);

const TripDetectorFieldsSchema: WireSchema<TripDetectorFields> = wireSchema<TripDetectorFields>()(
  object({
    tripdetector_minparktime: optional(Numeric),
    tripdetector_minmovespeed: optional(Numeric),
    tripdetector_mintripdist: optional(Numeric),
    tripdetector_mintriptime: optional(Numeric),
    tripdetector_maxdistancemsg: optional(Numeric),
    advanced_maxintervalmsg: optional(Numeric),
    advanced_mileagecoeff: optional(Numeric),
    key_tripdetector_movedetect: optional(oneOf(['speedkph', 'ignition'])),
    tripdetector_gpscorrect: optional(Numeric),
    tripdetector_mileagedetect: optional(
      oneOf(['mileage_GPS', 'mileage_GPS_ignition', 'mileage_mileage_sensor', 'mileage_relative_mileage']),
    ),
  }),
);

/** The custom fields of a unit that set the trip detector, as an object or as a list. */
export const TripDetectorSettingsSchema: WireSchema<TripDetectorSettings> =
  wireSchema<TripDetectorSettings>()(
    union([TripDetectorFieldsSchema, array(object({ key: string(), value: union([number(), string()]) }))]),
  );

/** Checks `{styles}`, the form that `gradeTrack` accepts. Reports `gradation-invalid` at the wrong limit. */
const checkGradation: ObjectCheck<ValidationContext> = (copy, path, errors) => {
  checkStyles(copy['styles'], path === '' ? 'styles' : `${path}.styles`, errors);
};

const gradationReader = validatorOf('track gradation', TrackGradationSchema, {
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
  return gradationReader(input, options);
}

function checkStyles(styles: unknown, path: string, errors: FieldErrors): void {
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

const sensorsReader = validatorOf('list of sensor settings', MonitoringSensorsSettingsSchema, {
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
  return sensorsReader(input, options);
}
