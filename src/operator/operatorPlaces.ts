/** The zones and trips of a company at one version. */

import type { Trip } from '../core/trip.js';
import type { HoursOf } from '../core/zoneHours.js';
import type { PreparedRoute } from '../tracks/route/prepareRoute.js';
import type { MatchOptions } from '../tracks/route/routeRules.js';
import type { SpeedingThresholds } from '../tracks/speeding/speedingTrackerOptions.js';
import type { ZoneIndexLike } from '../tracks/zoneIndexLike.js';

/** The route of a trip, and the corridor along it. */
export interface TripRoute extends Omit<MatchOptions, 'from'> {
  /** Made by `prepareRoute`. Pass the same object in every step, so that the route is prepared once. */
  readonly route: PreparedRoute;
}

/**
 * The data of a company at one version that an operator needs. Pass the same objects for the same version, because plans are cached by
 * object. The result of every function must depend on its argument and the version alone.
 */
export interface OperatorPlaces {
  /** The zones. Their order must be the same in every process. */
  readonly zones: ZoneIndexLike;
  /** The opening hours of a zone, made by `prepareHours`; `null`: always open. Default: every zone is always open. */
  readonly hoursOf?: HoursOf | undefined;
  /** The speed limit of a zone, km/h; `null`: no limit. Leave the function out if no zone has a limit. */
  readonly speedLimitOf?: ((zoneId: string) => number | null) | undefined;
  /** Tolerance and shortest duration of speeding for a unit. `null`: the values of the options. Default: `null` for every unit. */
  readonly thresholdsOf?: ((unitId: string) => SpeedingThresholds | null) | undefined;
  /** The unit's planned trips. Default: none. */
  readonly trips?: ((unitId: string) => readonly Trip[]) | undefined;
  /** The route that the runs of a trip follow; `null`: no route. Default: no trip has a route. */
  readonly routeOf?: ((trip: Trip) => TripRoute | null) | undefined;
  /** The company's time zone, an IANA name. Default `UTC`. */
  readonly timeZone?: string | undefined;
}
