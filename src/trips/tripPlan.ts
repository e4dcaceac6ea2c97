/** When a trip is due: the shape of a plan and the options that make it. */

/** Planned times of one point; epoch milliseconds and seconds, `null` where the point has no such time. */
export interface PlannedPoint {
  /** The point's place in the trip. */
  readonly index: number;
  readonly name: string;
  readonly plannedArrival: number | null;
  readonly plannedDeparture: number | null;
  readonly arrivalToleranceSeconds: number | null;
  readonly departureToleranceSeconds: number | null;
}

export interface TripPlan {
  /** `null` for a trip that has no id yet. */
  readonly tripId: string | null;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  readonly timeZone: string;
  /** When visits count: from `from` up to but without `to`. Epoch milliseconds. */
  readonly window: { readonly from: number; readonly to: number };
  readonly points: readonly PlannedPoint[];
}

export interface TripPlanOptions {
  /** The company's zone, an IANA name. */
  readonly timeZone: string;
  /** How long before the first planned time less its deviation the window opens. Default 3600. */
  readonly windowBeforeSeconds?: number;
  /** How long after the last planned time plus its deviation the window stays open. Default 21600. */
  readonly windowAfterSeconds?: number;
  /** The deviation of planned times that say none, in minutes. Default 0. */
  readonly defaultDeviationMinutes?: number;
}
