/**
 * Settings of a unit: colours of its tracks by speed, display of its sensors, its trip detector, and its custom fields as the platform spells
 * them.
 */

import type { DictionaryEntry } from './wire.js';

/** One step of a gradation, for speeds up to `max`. */
export interface GradationStyle {
  /** Greatest speed of the step, km/h, inclusive; null for all greater speeds. */
  readonly max: number | null;
  /** Colour, `#rrggbb`. */
  readonly hex_color: string;
}

/** A unit's colours by speed. */
export interface TrackGradation {
  /** Steps by `max`, ascending. */
  readonly styles: readonly GradationStyle[];
}

/** Settings for showing on the map the sensors of a unit whose names match a mask. */
export interface MonitoringSensorSetting {
  /** Name for people. */
  readonly name: string;
  /** Mask of the names of the sensors. */
  readonly sensor_name_mask: string;
  /** Icon from the dictionary of icons, or its key alone. */
  readonly icon?: DictionaryEntry | string | null;
  /** Colours by the sensor's value, as `track_gradation` or as the list of its styles. Values may be negative. */
  readonly gradation?: TrackGradation | readonly GradationStyle[] | null;
}

/** The custom fields of a unit that set the trip detector: numbers or numeric text. */
export interface TripDetectorFields {
  /** Shortest parking, seconds. */
  readonly tripdetector_minparktime?: number | string | undefined;
  /** Least speed of movement, km/h. */
  readonly tripdetector_minmovespeed?: number | string | undefined;
  /** Shortest trip by distance, metres. */
  readonly tripdetector_mintripdist?: number | string | undefined;
  /** Shortest trip by duration, seconds. */
  readonly tripdetector_mintriptime?: number | string | undefined;
  /** Longest step between two fixes that does not end a trip, metres. */
  readonly tripdetector_maxdistancemsg?: number | string | undefined;
  /** Longest time between two fixes that does not end a trip, seconds. */
  readonly advanced_maxintervalmsg?: number | string | undefined;
  /** Factor on distances. */
  readonly advanced_mileagecoeff?: number | string | undefined;
  /** Field that shows movement. Default: the speed. */
  readonly key_tripdetector_movedetect?: 'speedkph' | 'ignition' | undefined;
  /** 1 if the position of a parked unit is fixed. */
  readonly tripdetector_gpscorrect?: number | string | undefined;
  /** Source of distances. Default `mileage_GPS`. */
  readonly tripdetector_mileagedetect?: MileageKind | undefined;
}

/** The custom fields of a unit for its trip detector and its speed. */
export interface UnitFields extends TripDetectorFields {
  /** The unit's speed limit, km/h. Absent, empty or 0: no limit. */
  readonly advanced_speedlimit?: number | string | undefined;
  /** Speed above which a speed counts as suburban, km/h. Absent, empty or 0: everything is urban. */
  readonly advanced_urbspeedlimit?: number | string | undefined;
}

/** Source of distances: positions, positions while the ignition is on, an odometer, or a sensor of differences. */
export type MileageKind =
  | 'mileage_GPS'
  | 'mileage_GPS_ignition'
  | 'mileage_mileage_sensor'
  | 'mileage_relative_mileage';

/** The trip-detector fields as an object or as a list. */
export type TripDetectorSettings =
  | TripDetectorFields
  | readonly { readonly key: string; readonly value: number | string }[];

/** The custom fields of a unit as an object or as a list. */
export type UnitSettings = UnitFields | readonly { readonly key: string; readonly value: number | string }[];

/** Groups of custom fields. */
export type CustomFieldGroup = 'cf_fuel' | 'cf_trips' | 'cf_etc' | 'cf_motohours' | 'cf_custom' | 'cf_hidden';

/** Definition of a custom field and of its allowed values. */
export interface CustomFieldDefinition {
  /** Name for people. */
  readonly name: string;
  /** Identity of the field. */
  readonly key: string;
  /** `list`: one of `values`. */
  readonly type: 'text' | 'list';
  /** Group of the field, from the dictionary `customfield_groups`. */
  readonly group: CustomFieldGroup;
  /** Value for a unit without the field. */
  readonly default_value?: string | number;
  /** Regular expression that the value's text matches. */
  readonly pattern?: string;
  /** The allowed entries of a list. */
  readonly values?: readonly { readonly key: string; readonly value: string }[];
  /** Position among the fields, ascending. */
  readonly sort?: number;
  /** Whether monitoring shows the field. */
  readonly show_in_monitoring?: boolean;
  /** Explanation for people. */
  readonly hint?: string;
}

/** The value of a custom field in a unit. */
export interface CustomFieldValue {
  /** Name for people. */
  readonly name: string;
  /** Identity of the field. */
  readonly key: string;
  /** Value set by the user, or the default. */
  readonly value: string | number;
  /** Group of the field, from the dictionary `customfield_groups`. */
  readonly group: CustomFieldGroup;
}
