/** Speeding, closed hours, route and meetings of units: input of the page. */

import type { Position } from '../core/geometry.js';
import type { Span } from '../core/zoneHours.js';
import type { Measure, Meeting, PreparedRoute, Ride, RouteReport, Speeding } from '../tracks/index.js';

export interface MeasuredRide extends Ride {
  readonly measure: Measure;
}

/** A time span of a visit in which its zone was closed. */
export interface ClosedPart extends Span {
  /** Index of the visit in the unit's list. */
  readonly visit: number;
}

/** Speeding, rides, closed hours and route of one unit. */
export interface Conduct {
  readonly speeding: readonly Speeding[];
  readonly rides: readonly MeasuredRide[];
  readonly closed: readonly ClosedPart[];
  /** Null if the report has no route. */
  readonly route: RouteReport | null;
}

/** The route that units are compared with. */
export interface ReportRoute {
  readonly name: string;
  /** Positions `[lon, lat]`. */
  readonly line: readonly Position[];
  readonly prepared: PreparedRoute;
}

/** A meeting of two units, as indices of the report's units. */
export interface ReportMeeting {
  readonly units: readonly [number, number];
  readonly meeting: Meeting;
}

/** Parts requested for the report. A part that is `false` has no tab. */
export interface Asked {
  readonly speeding: boolean;
  readonly hours: boolean;
  readonly meetings: boolean;
}
