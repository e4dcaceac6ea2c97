/** Changes of a run under way (T47, T48). */

/** Who changed a run, and why. */
export interface ChangeNote {
  /** Epoch milliseconds from which the change holds. Earlier reports do not know it. */
  readonly at: number;
  /** Why. */
  readonly reason?: string;
  /** Who. */
  readonly by?: string;
}

/** A point that need not be visited: it makes no violation, is never overdue, and holds nothing back. */
export interface TripExcuse extends ChangeNote {
  /** Always `excuse`. */
  readonly type: 'excuse';
  /** Index of the point, from 0. */
  readonly pointIndex: number;
}

/** The end of a run before its finish. A run that is over stays as it is. */
export interface TripCancellation extends ChangeNote {
  /** Always `cancel`. */
  readonly type: 'cancel';
}

/** A change of a run under way. */
export type TripChange = TripExcuse | TripCancellation;
