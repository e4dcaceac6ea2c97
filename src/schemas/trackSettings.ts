/** How tracks are coloured and sensors shown, and how a unit's custom fields set its trip detector. */

import { Type } from 'typebox';
import type {
  GradationStyle,
  MonitoringSensorSetting,
  TrackGradation,
  TripDetectorFields,
  TripDetectorSettings,
} from '../core/trackSettings.js';
import { Amount, COLOR_PATTERN, IconEntry, list, Name, nullable } from './parts.js';
import { type WireSchema, wireSchema } from './wireSchema.js';

const Color = Type.String({ pattern: COLOR_PATTERN, description: 'a colour #rrggbb' });

/** Colours of a track by speed. */
export const TrackGradationSchema: WireSchema<TrackGradation> = wireSchema<TrackGradation>()(
  Type.Object({ styles: list(Type.Object({ max: nullable(Amount), hex_color: Color }), 1) }),
);

/** Colours of a sensor's values, which may be negative. */
export const SensorStyles: WireSchema<readonly GradationStyle[]> = wireSchema<readonly GradationStyle[]>()(
  list(Type.Object({ max: nullable(Type.Number()), hex_color: Color }), 1),
);

export const SensorGradation: WireSchema<TrackGradation> = wireSchema<TrackGradation>()(
  Type.Object({ styles: SensorStyles }),
);

/** How the map shows a unit's sensors. */
export const MonitoringSensorsSettingsSchema: WireSchema<readonly MonitoringSensorSetting[]> = wireSchema<
  readonly MonitoringSensorSetting[]
>()(
  list(
    Type.Object({
      name: Name,
      sensor_name_mask: Name,
      icon: Type.Optional(Type.Union([IconEntry, Name, Type.Null()])),
      gradation: Type.Optional(Type.Union([SensorGradation, SensorStyles, Type.Null()])),
    }),
  ),
);

const Numeric = Type.Union([Type.Number(), Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$' })]);

const TripDetectorFieldsSchema: WireSchema<TripDetectorFields> = wireSchema<TripDetectorFields>()(
  Type.Object({
    tripdetector_minparktime: Type.Optional(Numeric),
    tripdetector_minmovespeed: Type.Optional(Numeric),
    tripdetector_mintripdist: Type.Optional(Numeric),
    tripdetector_mintriptime: Type.Optional(Numeric),
    tripdetector_maxdistancemsg: Type.Optional(Numeric),
    advanced_maxintervalmsg: Type.Optional(Numeric),
    advanced_mileagecoeff: Type.Optional(Numeric),
    key_tripdetector_movedetect: Type.Optional(Type.Enum(['speedkph', 'ignition'])),
    tripdetector_gpscorrect: Type.Optional(Numeric),
    tripdetector_mileagedetect: Type.Optional(
      Type.Enum([
        'mileage_GPS',
        'mileage_GPS_ignition',
        'mileage_mileage_sensor',
        'mileage_relative_mileage',
      ]),
    ),
  }),
);

/** The custom fields of a unit that set the trip detector, as an object or as a list. */
export const TripDetectorSettingsSchema: WireSchema<TripDetectorSettings> =
  wireSchema<TripDetectorSettings>()(
    Type.Union([
      TripDetectorFieldsSchema,
      Type.Array(Type.Object({ key: Type.String(), value: Type.Union([Type.Number(), Type.String()]) })),
    ]),
  );
