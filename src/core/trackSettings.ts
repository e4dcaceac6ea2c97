/** Settings of a unit: colours of its tracks by speed, display of its sensors, and its trip detector. */

import type { DictionaryEntry } from './wire.js';

/** One step of a gradation: speeds up to `max`, inclusive. Null: all speeds above. */
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

/** How the map shows the sensors of a unit whose names match a mask. */
export interface MonitoringSensorSetting {
  /** Name for people. */
  readonly name: string;
  /** Mask of the names of the sensors. */
  readonly sensor_name_mask: string;
  /** One of the dictionary of icons, or its key alone. */
  readonly icon?: DictionaryEntry | string | null;
  /** Colours by the sensor's value: as `track_gradation`, or its list of styles alone. Values may be negative. */
  readonly gradation?: TrackGradation | readonly GradationStyle[] | null;
}

/** The custom fields of a unit that set the trip detector: numbers or numeric text. */
export interface TripDetectorFields {
  /** Seconds. */
  readonly tripdetector_minparktime?: number | string | undefined;
  /** km/h. */
  readonly tripdetector_minmovespeed?: number | string | undefined;
  /** Metres. */
  readonly tripdetector_mintripdist?: number | string | undefined;
  /** Seconds. */
  readonly tripdetector_mintriptime?: number | string | undefined;
  /** Metres. */
  readonly tripdetector_maxdistancemsg?: number | string | undefined;
  /** Seconds. */
  readonly advanced_maxintervalmsg?: number | string | undefined;
  /** Factor on distances. */
  readonly advanced_mileagecoeff?: number | string | undefined;
  /** The field that shows movement. Default: the speed. */
  readonly key_tripdetector_movedetect?: 'speedkph' | 'ignition' | undefined;
  /** 1: the position of a parked unit is fixed. */
  readonly tripdetector_gpscorrect?: number | string | undefined;
  /** The source of distances. Default `mileage_GPS`. */
  readonly tripdetector_mileagedetect?: MileageKind | undefined;
}

/** The custom fields of a unit for its trip detector and its speed. */
export interface UnitFields extends TripDetectorFields {
  /** The unit's speed limit, km/h. Absent, empty or 0: none. */
  readonly advanced_speedlimit?: number | string | undefined;
  /** Speeds above it count as suburban, km/h. Absent, empty or 0: everything is urban. */
  readonly advanced_urbspeedlimit?: number | string | undefined;
}

/** The source of distances: positions, positions while the ignition is on, an odometer, or a sensor of differences. */
export type MileageKind =
  | 'mileage_GPS'
  | 'mileage_GPS_ignition'
  | 'mileage_mileage_sensor'
  | 'mileage_relative_mileage';

/** The same fields as an object or as a list. */
export type TripDetectorSettings =
  | TripDetectorFields
  | readonly { readonly key: string; readonly value: number | string }[];

/** The custom fields of a unit as an object or as a list. */
export type UnitSettings = UnitFields | readonly { readonly key: string; readonly value: number | string }[];
