/** The data of the slow reference of DESIGN §5. Nothing is shared with `src/trips`. */

import type { Fix } from '../../../src/core/fix.js';
import type { Position } from '../../../src/core/geometry.js';
import type { Trip } from '../../../src/core/trip.js';
import type { ZoneShape } from '../../../src/core/wire.js';
import type { Visit } from '../../../src/tracks/visit.js';

/** From and to, both included. */
export type Bounds = readonly [number, number];

/** A period in which the unit was not seen, with its positions at both ends if they are known. */
export interface Hole {
  readonly from: number;
  readonly to: number;
  readonly start: Position | null;
  readonly end: Position | null;
}

/** Every option of §4 and §5 by its name; the defaults are in `slowRun`. */
export interface SlowOptions {
  readonly timeZone: string;
  readonly now?: number;
  readonly windowBeforeSeconds?: number;
  readonly windowAfterSeconds?: number;
  readonly defaultDeviationMinutes?: number;
  readonly defaultWidthMeters?: number;
  readonly policy?: 'skip' | 'wait';
  readonly finishOn?: 'entry' | 'departure';
  readonly minStaySeconds?: number;
  readonly serviceSeconds?: number;
  readonly acceptCrossed?: boolean;
  readonly maxDeviationSeconds?: number;
  readonly allowSharedVisit?: boolean;
  readonly leaveConfirmSeconds?: number;
  readonly holeSeconds?: number;
  readonly reachSpeedKph?: number;
  readonly maxGapSeconds?: number;
  readonly maxGapMeters?: number;
  readonly parkedMeters?: number;
  readonly maxCrossedMeters?: number;
  readonly exitBufferMeters?: number;
  readonly accuracyCapMeters?: number;
  readonly minInsideSeconds?: number;
  readonly minOutsideSeconds?: number;
}

/** A clean track in order of time, and the visits that §4 finds in its fixes up to a time. */
export interface SlowTrack {
  readonly fixes: readonly Fix[];
  readonly visitsUpTo: (now: number) => readonly Visit[];
}

export interface SlowVisits {
  readonly visits: readonly Visit[];
  readonly gaps?: readonly {
    readonly from: number;
    readonly to: number;
    readonly start?: Position | null;
    readonly end?: Position | null;
  }[];
}

export interface SlowPoint {
  readonly index: number;
  readonly name: string;
  /** Points with equal type, geometry and width have one number. */
  readonly zone: number;
  readonly shape: ZoneShape;
  readonly arrival: number | null;
  readonly departure: number | null;
  readonly arrivalTolerance: number;
  readonly departureTolerance: number;
}

/** One run of one trip as it is known at `now`. Durations are milliseconds, the speed metres a millisecond. */
export interface Run {
  readonly trip: Trip;
  readonly points: readonly SlowPoint[];
  readonly window: { readonly from: number; readonly to: number };
  readonly now: number;
  readonly strict: boolean;
  readonly wait: boolean;
  readonly activation: 'time_of_first_point' | 'entrance_to_first_point' | 'leaving_first_point';
  readonly finishOnDeparture: boolean;
  readonly minStay: number;
  readonly service: number;
  readonly acceptCrossed: boolean;
  readonly maxDeviation: number;
  readonly shares: boolean;
  readonly leaveConfirm: number;
  readonly holeMs: number;
  readonly speed: number;
  readonly maxGap: number;
  readonly maxGapMeters: number;
  readonly parkedMeters: number;
  readonly maxCrossedMeters: number;
  readonly defaultWidthMeters: number;
  readonly defaultDeviationMinutes: number;
  /** Fixes up to `now`; null where only visits are given. */
  readonly fixes: readonly Fix[] | null;
  readonly fixAfterNow: Fix | null;
  readonly visits: readonly Visit[];
  readonly holes: readonly Hole[];
  /** With a track: no fix lies in the window, up to `now`. */
  readonly isUnseen: boolean;
  /** Sleeps longer than `holeSeconds`. */
  readonly longSleeps: readonly Bounds[];
  /** Distances that were measured once. */
  readonly measured: Map<string, number>;
}

/** A stay of the unit in a zone, after joining. */
export interface Stay {
  readonly zone: number;
  readonly enter: number;
  /** Known by `now`, else null. */
  readonly exit: number | null;
  /** When the unit left. Null if it is still there, or if no fix shows that it left. */
  readonly left: number | null;
  readonly arrivalBounds: Bounds;
  readonly departureBounds: Bounds | null;
  readonly isArrivalSeen: boolean;
  /** No fix lies before the arrival. */
  readonly isFirstSight: boolean;
  /** The gaps over which visits were joined. */
  readonly gaps: readonly Bounds[];
  readonly crossed: boolean;
  readonly isStop: boolean;
  /** By its seen duration. */
  readonly isSeenStop: boolean;
  readonly visit: Visit;
  /** The visits that were joined. */
  readonly parts: readonly Visit[];
}

/** One point served by a stay, or by a part of it. */
export interface Serving {
  readonly stay: Stay;
  readonly arrival: number;
  readonly departure: number | null;
  readonly arrivalBounds: Bounds;
  readonly departureBounds: Bounds | null;
  /** End of this part: its exit, even if no fix shows that the unit left. Null while it is open. */
  readonly end: number | null;
  /** Only the first part of a shared stay has the stay's arrival, only the last its departure. */
  readonly isFirstPart: boolean;
  readonly isLastPart: boolean;
}

export type Assignment = readonly (Serving | null)[];

/** The activation of the run. */
export interface Start {
  readonly kind: 'seen' | 'planned' | 'assumed';
  readonly at: number;
  /** The earliest time that the bounds of the activating entry or exit allow; `assumed`: the start of the hole. */
  readonly earliest: number;
  /** The stay that activates, which alone can serve the first point. */
  readonly activator: Stay | null;
}
