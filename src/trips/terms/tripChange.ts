/** Changes of a run under way (T47 to T50). */

import type { TripInput } from '../../core/trip.js';

/** Who changed a run, and why. */
export interface ChangeNote {
  /** Time from which the change applies, epoch milliseconds. Reports for an earlier time do not contain the change. */
  readonly at: number;
  /** Why. */
  readonly reason?: string | undefined;
  /** Who. */
  readonly by?: string | undefined;
}

/** An excused point: it has no violations and is never overdue, and no other point waits for it. */
export interface TripExcuse extends ChangeNote {
  /** Always `excuse`. */
  readonly type: 'excuse';
  /** Index of the point in the plan at the time `at`, from 0. */
  readonly pointIndex: number;
}

/** The end of a run before its finish. A finished run does not change. */
export interface TripCancellation extends ChangeNote {
  /** Always `cancel`. */
  readonly type: 'cancel';
}

/** Author of an amendment, and the old index of each new point. */
export interface AmendNote extends ChangeNote {
  /**
   * For each new point the index of the old point, or `null` for an added point. Default, for the same number of points: each point keeps its
   * index.
   */
  readonly from?: readonly (number | null)[] | undefined;
}

/** Other points, plans and zones from a time on. Points that were served and left before do not change. */
export interface TripAmendment extends AmendNote {
  /** Always `amend`. */
  readonly type: 'amend';
  /** The whole new trip. */
  readonly trip: TripInput;
}

/** Another unit in charge of a run. Fixes of the old unit count before `at`, fixes of the new unit from `at` on. */
export interface TripHandOver extends ChangeNote {
  /** Always `handOver`. */
  readonly type: 'handOver';
  /** Id of the unit that takes over. The id of the unit in charge changes nothing. */
  readonly unitId: string;
}

/** A change of a run under way. */
export type TripChange = TripExcuse | TripCancellation | TripAmendment | TripHandOver;
