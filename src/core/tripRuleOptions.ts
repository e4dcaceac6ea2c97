/**
 * The rules by which a run of a trip is judged, as options: type, default and document of each. Layers below the trips take the names from
 * here, because one object of options may be passed to functions of tracks and of trips.
 */

import type { OptionTable } from './options.js';

/** The options of `evaluateTrip` that are numbers, flags and words. */
export interface TripRuleOptions {
  /** Treatment of a point of a strict trip that is not visited in its turn. Default `skip`. */
  readonly policy?: 'skip' | 'wait' | undefined;
  /** Whether a strict trip is finished on entering its last point or on leaving it. Default `entry`. */
  readonly finishOn?: 'entry' | 'departure' | undefined;
  /** Longest step between fixes that is not a hole, seconds; a longer one is a hole unless the unit slept. Default 600. */
  readonly holeSeconds?: number | undefined;
  /** Speed at which a unit may have moved unseen, km/h. Default 130. */
  readonly reachSpeedKph?: number | undefined;
  /**
   * Least time for which the unit must stand, seconds, so that a stay is a stop; a shorter one is a drive-by. 0: every stay is a stop.
   * Default 60.
   */
  readonly serviceSeconds?: number | undefined;
  /** Least duration of a visit that counts, seconds. Default 0. */
  readonly minStaySeconds?: number | undefined;
  /** Whether one visit may serve several neighbours of the list that are one zone, if it spans their plans. Default true. */
  readonly allowSharedVisit?: boolean | undefined;
  /** Least absence from a point, seconds. A shorter absence is no exit. Default 120. */
  readonly leaveConfirmSeconds?: number | undefined;
  /** Time for which a forecast must be beyond plan + tolerance, or back within it, to cause an event, seconds. Default 120. */
  readonly predictionHoldSeconds?: number | undefined;
}

export const TRIP_RULE_OPTIONS: OptionTable<TripRuleOptions> = {
  policy: { words: ['skip', 'wait'] },
  finishOn: { words: ['entry', 'departure'] },
  holeSeconds: { default: 600 },
  reachSpeedKph: { default: 130 },
  serviceSeconds: { default: 60 },
  minStaySeconds: { default: 0 },
  allowSharedVisit: { default: true },
  leaveConfirmSeconds: { default: 120 },
  predictionHoldSeconds: { default: 120 },
};
