/** How the platform colours tracks by speed, and how a unit's custom fields set its trip detector. */

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
}

/** The same fields as an object or as a list. */
export type TripDetectorSettings =
  | TripDetectorFields
  | readonly { readonly key: string; readonly value: number | string }[];
