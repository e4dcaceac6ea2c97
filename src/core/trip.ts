/** The platform's trips, spelled as its API spells them. Unknown further fields are kept everywhere. */

import type { DictionaryEntry, RoutePoint } from './wire.js';

/** Event that begins a run of a trip: the planned time of the first point, the entry into it, or the exit from it. */
export type ActivationTypeKey = 'time_of_first_point' | 'entrance_to_first_point' | 'leaving_first_point';

/** Order in which the points are passed: as listed, or any. */
export type PassageOrderTypeKey = 'strict' | 'arbitrary';

/** A planned arrival or departure: a local time of day, a number of days after the trip's date, and a tolerance. */
export interface TripPointTime {
  /** Local time `HH:mm` in the company's time zone. */
  readonly time: string;
  /** Number of whole days after the trip's date. Default 0. */
  readonly after_days?: number | null | undefined;
  /** Tolerance on either side, whole minutes. Default: the evaluation's `defaultDeviationMinutes`. */
  readonly deviation_minutes?: number | null | undefined;
}

/** A point of a trip: a zone without an id, with planned times. */
export interface TripPoint extends RoutePoint {
  /** Planned arrival. */
  readonly arrival?: TripPointTime | null | undefined;
  /** Planned departure. */
  readonly departure?: TripPointTime | null | undefined;
}

/** A change of a run under way, as stored in the trip's row. Its further fields depend on its `type`. */
export interface TripRowChange {
  /** Kind of change: a point is excused, the run is cancelled, its plan is amended, or another unit takes over. */
  readonly type: 'excuse' | 'cancel' | 'amend' | 'handOver';
  /** Time from which the change applies, epoch milliseconds. */
  readonly at: number;
  /** Date of the changed run, one of the trip's `dates`. May be absent if the trip has one date. */
  readonly date?: string | null | undefined;
  /** Author of the change. */
  readonly by?: string | null | undefined;
  /** Reason of the change. */
  readonly reason?: string | null | undefined;
  /** `excuse`: index of the point in the plan at the time `at`, from 0. */
  readonly pointIndex?: number | undefined;
  /** `handOver`: id of the unit that takes over. */
  readonly unitId?: string | undefined;
  /** `amend`: the trip from then on. */
  readonly trip?: Omit<TripInput, 'changes'> | undefined;
  /** `amend`: for each new point the index of the old point, or `null`. */
  readonly from?: readonly (number | null)[] | null | undefined;
}

/** A planned trip of one unit. It runs once on each of its dates. */
export interface Trip {
  /** Any text. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** The company that owns the trip. */
  readonly company_id?: string | undefined;
  /** The unit planned for the trip. */
  readonly unit: { readonly id: string };
  /** The trailer. */
  readonly trailer?: { readonly id: string } | null | undefined;
  /** The driver. */
  readonly user_id?: string | null | undefined;
  /**
   * Event that begins a run, from the dictionary `trip_activation_type`. Default: the time of the first point if it has one, else the
   * entrance to it.
   */
  readonly activation_type?: DictionaryEntry<ActivationTypeKey> | null | undefined;
  /** Order in which the points are to be passed, from the dictionary `trip_passage_order_type`. */
  readonly passage_order_type: DictionaryEntry<PassageOrderTypeKey>;
  /** Dates as `yyyy-MM-dd`, `yyyy-MM-dd HH:mm` or `yyyy-MM-dd HH:mm:ss`; the time part is always zeros. */
  readonly dates: readonly string[];
  /** Types of work, in the company's words. */
  readonly work_types?: readonly string[] | null | undefined;
  /** Points, at least one. */
  readonly points: readonly TripPoint[];
  /** The changes of runs under way. */
  readonly changes?: readonly TripRowChange[] | null | undefined;
  /** Deleted when true, 1, '1' or 'true': see `isDeleted`. */
  readonly is_delete?: boolean | number | string | undefined;
  /** Time of storage, in the platform's format. */
  readonly created?: string | undefined;
}

/** A trip to be created: the id may be absent. */
export interface TripInput extends Omit<Trip, 'id'> {
  /** Id. If absent, the platform gives one. */
  readonly id?: string | undefined;
}

/** Width of a trip point without one, metres: trip points of the platform have no width. */
export const DEFAULT_TRIP_WIDTH_METERS = 100;
