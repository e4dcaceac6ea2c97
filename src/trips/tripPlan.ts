/** The plan of a trip, and its options. */

/** Planned times of one point; epoch milliseconds and seconds, `null` where the point has no such time. */
export interface PlannedPoint {
  /** The point's place in the trip. */
  readonly index: number;
  /** The name of the point. */
  readonly name: string;
  /** When the unit should come. */
  readonly plannedArrival: number | null;
  /** When it should leave. */
  readonly plannedDeparture: number | null;
  /** Tolerance of the arrival on either side, seconds. */
  readonly arrivalToleranceSeconds: number | null;
  /** Tolerance of the departure on either side, seconds. */
  readonly departureToleranceSeconds: number | null;
}

/** The planned times of one of a trip's dates, and when its visits count. */
export interface TripPlan {
  /** `null` for a trip that has no id yet. */
  readonly tripId: string | null;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  /** IANA name of the company's time zone. */
  readonly timeZone: string;
  /** When visits count: from `from` up to but without `to`. Epoch milliseconds. */
  readonly window: { readonly from: number; readonly to: number };
  /** In the order of the trip's list. */
  readonly points: readonly PlannedPoint[];
}

/** How a trip's local times become instants. */
export interface TripPlanOptions {
  /** The company's zone, an IANA name. */
  readonly timeZone: string;
  /** How long before the first planned time less its deviation the window opens. Default 3600. */
  readonly windowBeforeSeconds?: number;
  /** How long after the last planned time plus its deviation the window stays open. Default 21600. */
  readonly windowAfterSeconds?: number;
  /** The deviation of planned times without their own, in minutes. Default 0. */
  readonly defaultDeviationMinutes?: number;
}
