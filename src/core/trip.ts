/** The platform's trips, spelled as its API spells them. Unknown further fields are kept everywhere. */

import type { MultiPolygonCoordinates } from './geometry.js';
import type { DictionaryEntry, Pair, ZoneTypeKey } from './wire.js';

export type ActivationTypeKey = 'time_of_first_point' | 'entrance_to_first_point' | 'leaving_first_point';

export type PassageOrderTypeKey = 'strict' | 'arbitrary';

/** A planned arrival or departure: a local time of day, so many days after the trip's date, and how far off is still on time. */
export interface TripPointTime {
  /** `HH:mm` in the company's time zone. */
  readonly time: string;
  readonly after_days?: number | null;
  readonly deviation_minutes?: number | null;
}

export interface TripPoint {
  readonly name: string;
  readonly type: DictionaryEntry<ZoneTypeKey>;
  readonly geometry?: readonly Pair[];
  /** An input may say `coordinates` instead of `geometry`. */
  readonly coordinates?: readonly Pair[];
  /** As a geozone's: MultiPolygon coordinates, `[lon, lat]`. */
  readonly parts?: MultiPolygonCoordinates | null;
  /** Metres: radius of a point or circle, corridor width of a line. */
  readonly width?: number | null;
  readonly arrival?: TripPointTime | null;
  readonly departure?: TripPointTime | null;
}

export interface Trip {
  readonly id: string;
  readonly name: string;
  readonly company_id?: string;
  readonly unit: { readonly id: string };
  readonly trailer?: { readonly id: string } | null;
  readonly user_id?: string | null;
  readonly activation_type?: DictionaryEntry<ActivationTypeKey> | null;
  readonly passage_order_type: DictionaryEntry<PassageOrderTypeKey>;
  /** `yyyy-MM-dd`, `yyyy-MM-dd HH:mm` or `yyyy-MM-dd HH:mm:ss`; the time part is always zeros. */
  readonly dates: readonly string[];
  readonly work_types?: readonly string[] | null;
  /** At least one. */
  readonly points: readonly TripPoint[];
  readonly is_delete?: boolean | number | string;
  readonly created?: string;
}

/** A trip as it is sent to be created: the id may be missing. */
export interface TripInput extends Omit<Trip, 'id'> {
  readonly id?: string;
}

/** The width that a trip's point has when it says none: the platform's trip points have no width. */
export const DEFAULT_TRIP_WIDTH_METERS = 100;
