/** The fixed beginning of an assignment. */

import type { TripStay } from './tripStay.js';

/** How an assignment begins, before points are assigned. */
export interface AssignmentStart {
  /** The stay that activates the trip, and serves the first point if allowed. */
  readonly firstStay: TripStay | null;
  /** Whether the first point stays unserved. */
  readonly isFirstLeft: boolean;
  /** Whether the first point is assumed to have been visited unseen. */
  readonly isAssumed: boolean;
  /** Whether a stay may serve other points than the first one. With activation by the clock `planned` decides about earlier stays. */
  readonly countsForOthers: (stay: TripStay) => boolean;
  /** Activation by the clock: a stay that ends by this time serves another point only after the entry that serves the first one. */
  readonly planned: number | null;
}
