/** Schemas of track colours, of sensors on the map, and of the custom fields that set the trip detector. */

import type {
  GradationStyle,
  MonitoringSensorSetting,
  TrackGradation,
  TripDetectorFields,
  TripDetectorSettings,
} from '../core/trackSettings.js';
import { Amount, COLOR_PATTERN, IconEntry, list, Name } from './parts.js';
import {
  array,
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
export const SensorStyles: WireSchema<readonly GradationStyle[]> = wireSchema<readonly GradationStyle[]>()(
  list(object({ max: nullable(number()), hex_color: Color }), 1),
);

export const SensorGradation: WireSchema<TrackGradation> = wireSchema<TrackGradation>()(
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
