/** The platform's trips, spelled as its API spells them. Unknown further fields are kept everywhere. */

import type { DictionaryEntry, RoutePoint } from './wire.js';

/** What begins a run of a trip: the planned time of the first point, the entry into it, or the exit from it. */
export type ActivationTypeKey = 'time_of_first_point' | 'entrance_to_first_point' | 'leaving_first_point';

/** Whether the points are passed in their order or in any. */
export type PassageOrderTypeKey = 'strict' | 'arbitrary';

/** A planned arrival or departure: a local time of day, a number of days after the trip's date, and a tolerance. */
export interface TripPointTime {
  /** `HH:mm` in the company's time zone. */
  readonly time: string;
  /** Whole days after the trip's date. Default 0. */
  readonly after_days?: number | null | undefined;
  /** Whole minutes that count as on time on either side. Default: the evaluation's `defaultDeviationMinutes`. */
  readonly deviation_minutes?: number | null | undefined;
}

/** A point of a trip: a zone without an id, with planned times. */
export interface TripPoint extends RoutePoint {
  /** Planned arrival. */
  readonly arrival?: TripPointTime | null | undefined;
  /** Planned departure. */
  readonly departure?: TripPointTime | null | undefined;
}

/** A change of a run under way, as a trip's row keeps it. Which further fields it has depends on its `type`. */
export interface TripRowChange {
  /** What changes: a point is excused, the run is cancelled, its plan is amended, or another unit takes over. */
  readonly type: 'excuse' | 'cancel' | 'amend' | 'handOver';
  /** Epoch milliseconds from which it holds. */
  readonly at: number;
  /** The run that it changes, one of the trip's `dates`. May be absent if there is only one. */
  readonly date?: string | null | undefined;
  /** Who. */
  readonly by?: string | null | undefined;
  /** Why. */
  readonly reason?: string | null | undefined;
  /** `excuse`: index of the point in the plan that holds then, from 0. */
  readonly pointIndex?: number | undefined;
  /** `handOver`: id of the unit that takes over. */
  readonly unitId?: string | undefined;
  /** `amend`: the trip as it is from then on. */
  readonly trip?: Omit<TripInput, 'changes'> | undefined;
  /** `amend`: for each new point the index of the old one, or `null`. */
  readonly from?: readonly (number | null)[] | null | undefined;
}

/** A planned trip of one unit, which runs once on each of its dates. */
export interface Trip {
  /** Any text. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** The company that it belongs to. */
  readonly company_id?: string | undefined;
  /** The unit that should run it. */
  readonly unit: { readonly id: string };
  /** The trailer. */
  readonly trailer?: { readonly id: string } | null | undefined;
  /** The driver. */
  readonly user_id?: string | null | undefined;
  /** One of the dictionary `trip_activation_type`: what begins a run. Default: the time of the first point if it has one, else the entrance to it. */
  readonly activation_type?: DictionaryEntry<ActivationTypeKey> | null | undefined;
  /** One of the dictionary `trip_passage_order_type`: in which order the points are to be passed. */
  readonly passage_order_type: DictionaryEntry<PassageOrderTypeKey>;
  /** `yyyy-MM-dd`, `yyyy-MM-dd HH:mm` or `yyyy-MM-dd HH:mm:ss`; the time part is always zeros. */
  readonly dates: readonly string[];
  /** Types of work, in the company's words. */
  readonly work_types?: readonly string[] | null | undefined;
  /** At least one. */
  readonly points: readonly TripPoint[];
  /** The changes of runs under way. */
  readonly changes?: readonly TripRowChange[] | null | undefined;
  /** Deleted when true, 1, '1' or 'true': see `isDeleted`. */
  readonly is_delete?: boolean | number | string | undefined;
  /** When it was stored, as the platform writes it. */
  readonly created?: string | undefined;
}

/** A trip as it is sent to be created: the id may be missing. */
export interface TripInput extends Omit<Trip, 'id'> {
  /** Given by the platform where it is missing. */
  readonly id?: string | undefined;
}

/** Width of a trip point without one, metres: the platform's trip points have no width. */
export const DEFAULT_TRIP_WIDTH_METERS = 100;
