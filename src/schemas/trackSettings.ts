/** How tracks are coloured, and how a unit's custom fields set its trip detector. */

import { Type } from 'typebox';
import type { TrackGradation, TripDetectorFields, TripDetectorSettings } from '../core/trackSettings.js';
import { Amount, COLOR_PATTERN, nullable } from './parts.js';
import { type WireSchema, wireSchema } from './wireSchema.js';

/** Colours of a track by speed. */
export const TrackGradationSchema: WireSchema<TrackGradation> = wireSchema<TrackGradation>()(
  Type.Object({
    styles: Type.Array(
      Type.Object({ max: nullable(Amount), hex_color: Type.String({ pattern: COLOR_PATTERN }) }),
      { minItems: 1 },
    ),
  }),
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
