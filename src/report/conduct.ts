/** What units did against limits, hours, a route and each other: input of the page. */

import type { Position } from '../core/geometry.js';
import type { Span } from '../core/zoneHours.js';
import type { Measure, Meeting, PreparedRoute, Ride, RouteReport, Speeding } from '../tracks/index.js';

export interface MeasuredRide extends Ride {
  readonly measure: Measure;
}

/** The time of a visit in which its zone was closed. */
export interface ClosedPart extends Span {
  /** Its place in the unit's list of visits. */
  readonly visit: number;
}

/** What one unit did. */
export interface Conduct {
  readonly speeding: readonly Speeding[];
  readonly rides: readonly MeasuredRide[];
  readonly closed: readonly ClosedPart[];
  /** Null without a route. */
  readonly route: RouteReport | null;
}

/** A route that units are compared with. */
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

/** What a report was asked for: a part that is false has no tab. */
export interface Asked {
  readonly speeding: boolean;
  readonly hours: boolean;
  readonly meetings: boolean;
}
