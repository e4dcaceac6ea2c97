/**
 * The rules by which a run of a trip is judged, as options: type, default and document of each. Layers below the trips know their names from here,
 * since one object of options may serve tracks and trips.
 */

import type { OptionTable } from './options.js';

/** The options of `evaluateTrip` that are numbers, flags and words. */
export interface TripRuleOptions {
  /** How a strict trip treats a point that is not visited in its turn. Default `skip`. */
  readonly policy?: 'skip' | 'wait' | undefined;
  /** Whether a strict trip is finished on entering its last point or on leaving it. Default `entry`. */
  readonly finishOn?: 'entry' | 'departure' | undefined;
  /** A longer step between fixes is a hole, unless the unit slept. In seconds. Default 600. */
  readonly holeSeconds?: number | undefined;
  /** The speed at which a unit may have moved unseen. Default 130. */
  readonly reachSpeedKph?: number | undefined;
  /** A stay in which the unit stands for so long is a stop (≥), any other a drive-by; 0: every stay is a stop. Default 60. */
  readonly serviceSeconds?: number | undefined;
  /** A visit must last this long to count (≥). Default 0. */
  readonly minStaySeconds?: number | undefined;
  /** Whether one visit serves neighbours of the list that are one zone and whose plans it spans. Default true. */
  readonly allowSharedVisit?: boolean | undefined;
  /** A shorter absence from a point undoes the exit. Default 120. */
  readonly leaveConfirmSeconds?: number | undefined;
  /** A forecast must be beyond plan + tolerance, or back within it, for this long to cause an event (≥). Default 120. */
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
