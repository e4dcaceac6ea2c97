/** The input of the search for a strict assignment. */

import type { TripStay } from '../seen/tripStay.js';
import type { CouldBe } from './couldBe.js';
import type { HeldPoints } from './heldPoints.js';
import type { Costs, IsCounted } from './serving.js';
import type { SharedStays } from './sharedStays.js';

export interface StrictRules {
  /** By `enter`, then by zone. */
  readonly stays: readonly TripStay[];
  /** The zone of each point. */
  readonly zones: readonly number[];
  readonly costs: Costs;
  readonly shared: SharedStays;
  /** Whether the window is over, so that a drive-by skips points (T32). */
  readonly isWindowOver: boolean;
  /** The stays that may serve the first point; empty: it stays unserved. One of them serves it, if any can. */
  readonly forFirst: readonly TripStay[];
  /** A stay that ends exactly at the entry which serves the first point serves no other if that entry is not after this time (T27). */
  readonly after: number;
  /** Seen stops out of turn count from here on (T28). */
  readonly begin: number;
  /** Decides about points that were passed unseen (T32, T36). */
  readonly couldBe: CouldBe;
  /** Whether an arrival may depend on such points. */
  readonly hasVague: boolean;
  /** By point: whether it is excused. */
  readonly excused: readonly boolean[];
  readonly windowFrom: number;
  /** Threshold of the points before which none is served (T34). */
  readonly threshold: number;
  /** Whether the first point is assumed to have been passed unseen. */
  readonly isFirstUnseen: boolean;
  /** Points that are served already. */
  readonly held: HeldPoints;
  readonly isCounted: IsCounted;
}
