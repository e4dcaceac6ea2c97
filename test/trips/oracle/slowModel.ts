/**
 * The slow model of trips: what TRIPS.md says, rule by rule, without any speed. It shares no code with `src/trips`.
 * This file has its words (TRIPS.md §1) as types.
 */

import type { Trip } from '../../../src/core/trip.js';
import type { Visit } from '../../../src/tracks/index.js';
import type { PointReport, TripEvent, TripReport } from '../../../src/trips/index.js';

export type SlowReport = TripReport & { readonly holes: readonly ReportedHole[] };
export type ReportedHole = { readonly from: number; readonly to: number; readonly reason: Reason };
export type Reason = 'gap' | 'jammed' | 'frozen' | 'not_started' | 'silent';
export type Status = 'on_time' | 'early' | 'late' | 'uncertain' | null;
export type Bounds = readonly [number, number];
export type Place = readonly [number, number];

/** Every option of TRIPS.md §11. */
export interface Settings {
  readonly timeZone: string;
  readonly now: number | null;
  readonly exitBufferMeters: number;
  readonly maxCrossedMeters: number;
  readonly maxGapSeconds: number;
  readonly parkedMeters: number;
  readonly serviceSeconds: number;
  readonly leaveConfirmSeconds: number;
  readonly holeSeconds: number;
  readonly reachSpeedKph: number;
  readonly minStaySeconds: number;
  readonly allowSharedVisit: boolean;
  readonly policy: 'skip' | 'wait';
  readonly finishOn: 'entry' | 'departure';
  readonly windowAfterSeconds: number;
  readonly defaultDeviationMinutes: number;
  readonly defaultWidthMeters: number;
}

/** The defaults of TRIPS.md §11. */
export const DEFAULTS: Settings = {
  timeZone: 'UTC',
  now: null,
  exitBufferMeters: 50,
  maxCrossedMeters: 5000,
  maxGapSeconds: 3600,
  parkedMeters: 200,
  serviceSeconds: 60,
  leaveConfirmSeconds: 120,
  holeSeconds: 600,
  reachSpeedKph: 130,
  minStaySeconds: 0,
  allowSharedVisit: true,
  policy: 'skip',
  finishOn: 'entry',
  windowAfterSeconds: 21_600,
  defaultDeviationMinutes: 0,
  defaultWidthMeters: 100,
};

/** T18, T22. */
export const SLOW_KPH = 3;
/** T18. */
export const STANDING_KPH = 1;

export type SlowOptions = Partial<{ [Name in keyof Settings]: NonNullable<Settings[Name]> }>;

/** A planned time with the least and the greatest time that is on time (T3), and when it is overdue (§1, due). */
export interface Planned {
  readonly at: number;
  readonly tolerance: number;
  readonly from: number;
  readonly to: number;
  readonly due: number;
}

export interface SlowPoint {
  readonly index: number;
  readonly name: string;
  /** Points of one zone have one number (T5). */
  readonly zone: number;
  readonly arrival: Planned | null;
  readonly departure: Planned | null;
}

export interface SlowFix {
  readonly time: number;
  readonly place: Place;
  /** Null if not reported, as the next ones. */
  readonly speed: number | null;
  readonly ignition: boolean | null;
  readonly mileage: number | null;
  readonly mileageDelta: number | null;
  /** The reason of the blind step that ends here. */
  readonly blind: 'jammed' | 'frozen' | null;
  /** T50: when other units took over on the step that ends here. */
  readonly handed?: readonly number[];
}

/** A period in which the unit was not seen; `start` and `end` are its places there, null where no fix is. */
export interface Hole {
  readonly from: number;
  readonly to: number;
  readonly reason: Reason;
  readonly start: Place | null;
  readonly end: Place | null;
  /** T50: when other units took over in it. */
  readonly handed?: readonly number[];
}

/** All that is known of a run before it is judged. */
export interface Run {
  readonly trip: Trip;
  readonly date: string;
  readonly settings: Settings;
  readonly window: { readonly from: number; readonly to: number };
  /** T7: from when the run may have begun before its window. */
  readonly leadFrom: number;
  readonly now: number;
  readonly strict: boolean;
  readonly points: readonly SlowPoint[];
  /** The fixes up to `now`, or null for given visits. */
  readonly fixes: readonly SlowFix[] | null;
  readonly holes: readonly Hole[];
  /** The visits of each zone, in order of time. */
  readonly visits: readonly (readonly Visit[])[];
  /** Metres from a place to a zone, 0 inside; by the zone's geometry at a time, by default the last one (T49b). */
  readonly metersTo: (zone: number, place: Place, time?: number) => number;
  /** By point: what an amendment left as it was (T49a). */
  readonly settled: readonly (Settled | null)[];
  /** By zone: the visits that serve settled points, which are no longer among its visits. */
  readonly taken: readonly (readonly Visit[])[];
  /** The start that was before an amendment (T49c). */
  readonly begun: { readonly activation: Activation; readonly isOwnFirst: boolean } | null;
  /** When an amendment came, and which zones have another geometry since. */
  /** T47: the points that nobody is to visit, and when the last of them was excused. */
  readonly excused: readonly boolean[];
  readonly excusedAt: number;
  /** T48: whether the run is cancelled at `now`. */
  readonly isCancelled: boolean;
  /** T50: the hand-overs up to `now`. */
  readonly handOvers: readonly HandOver[];
  readonly eras: { readonly at: number; readonly isChanged: (zone: number) => boolean } | null;
}

/** T50: another unit took over. */
export interface HandOver {
  readonly at: number;
  readonly from: string | null;
  readonly to: string;
}

/** T49a: a point with a visit that was over at the amendment. */
export interface Settled {
  readonly stay: Stay;
  readonly point: PointReport;
  /** Those of its events that its report does not tell. */
  readonly events: readonly TripEvent[];
}

/** Visits of one zone that are one presence. */
export interface Stay {
  readonly zone: number;
  readonly visits: readonly Visit[];
  readonly enter: number;
  /** Null while it is open. */
  readonly exit: number | null;
  readonly arrivalBounds: Bounds;
  /** Null while it is open. */
  readonly departureBounds: Bounds | null;
  /** The gaps that T16 closed. */
  readonly gaps: readonly Bounds[];
  readonly isSeenStop: boolean;
  readonly isStop: boolean;
  /** Time of the last fix in the zone, for an open stay. */
  readonly lastInside: number;
}

/** The stay that serves each point, or null. */
export type Assignment = readonly (Stay | null)[];

/** How and when the run began (T12, T13). */
export interface Activation {
  readonly kind: 'planned' | 'seen' | 'assumed';
  readonly start: number;
  /** The stay whose entry or exit is S. */
  readonly stay: Stay | null;
  /** The hole in which an assumed run may have begun. */
  readonly hole: Hole | null;
  /** T13a: the exit from which visits count, of a run that began in its lead. */
  readonly since: number | null;
}

/** A trip with `dates` that has reached its window's end. */
export const isOver = (run: Run): boolean => run.now >= run.window.to;
/** The window's end or `now`, if that is before. */
export const endOf = (run: Run): number => Math.min(run.now, run.window.to);
/** The index of the last point that is not excused; of the last one if all are (T47). */
export function lastNeeded({ excused, points }: Run): number {
  const index = excused.lastIndexOf(false);
  return index < 0 ? points.length - 1 : index;
}
/** When a stay is over; an open one is not over at `now`. */
export const overAt = (run: Run, stay: Stay): number => stay.exit ?? run.now;
