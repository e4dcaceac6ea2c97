/** How the platform colours tracks by speed and shows sensors, and how a unit's custom fields set its trip detector. */

import type { DictionaryEntry } from './wire.js';

/** One step of a gradation: speeds up to and with `max`; null: all above. */
export interface GradationStyle {
  /** km/h. */
  readonly max: number | null;
  /** `#rrggbb`. */
  readonly hex_color: string;
}

/** A unit's colours by speed. */
export interface TrackGradation {
  /** In order of `max`. */
  readonly styles: readonly GradationStyle[];
}

/** How the map shows the values of a unit's sensors: of each sensor whose name fits the mask. */
export interface MonitoringSensorSetting {
  /** What people call it. */
  readonly name: string;
  /** Which sensors are meant, by name. */
  readonly sensor_name_mask: string;
  /** One of the dictionary of icons, or its key alone. */
  readonly icon?: DictionaryEntry | string | null;
  /** Colours by the sensor's value: as `track_gradation`, or its list of styles alone. Values may be negative. */
  readonly gradation?: TrackGradation | readonly GradationStyle[] | null;
}

/** The custom fields of a unit that set the trip detector: numbers, or text that says one. */
export interface TripDetectorFields {
  /** Seconds. */
  readonly tripdetector_minparktime?: number | string;
  /** km/h. */
  readonly tripdetector_minmovespeed?: number | string;
  /** Metres. */
  readonly tripdetector_mintripdist?: number | string;
  /** Seconds. */
  readonly tripdetector_mintriptime?: number | string;
  /** Metres. */
  readonly tripdetector_maxdistancemsg?: number | string;
  /** Seconds. */
  readonly advanced_maxintervalmsg?: number | string;
  /** Factor on distances. */
  readonly advanced_mileagecoeff?: number | string;
  /** What says that the unit moves. Default by speed. */
  readonly key_tripdetector_movedetect?: 'speedkph' | 'ignition';
  /** 1: a parked unit's position is pinned. */
  readonly tripdetector_gpscorrect?: number | string;
  /** What measures distances. Default `mileage_GPS`. */
  readonly tripdetector_mileagedetect?: MileageKind;
}

/** What measures the distance of a step: its positions, these only while the ignition is on, an odometer, or a sensor of growth. */
export type MileageKind =
  | 'mileage_GPS'
  | 'mileage_GPS_ignition'
  | 'mileage_mileage_sensor'
  | 'mileage_relative_mileage';

/** The same fields as an object or as a list. */
export type TripDetectorSettings =
  | TripDetectorFields
  | readonly { readonly key: string; readonly value: number | string }[];
