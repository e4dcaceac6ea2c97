/** The zones and trips of a company at one version. */

import type { Trip } from '../core/trip.js';
import type { HoursOf } from '../core/zoneHours.js';
import type { PreparedRoute } from '../tracks/route/prepareRoute.js';
import type { MatchOptions } from '../tracks/route/routeRules.js';
import type { SpeedingThresholds } from '../tracks/speeding/speedingTrackerOptions.js';
import type { ZoneIndexLike } from '../tracks/zoneIndexLike.js';

/** The route of a trip, and the corridor along it. */
export interface TripRoute extends Omit<MatchOptions, 'from'> {
  /** Made by `prepareRoute`. Keep it: it is prepared once for all steps. */
  readonly route: PreparedRoute;
}

/**
 * What an operator needs of one version of a company's data. Keep the same objects for the same version: their plans are kept with them. The answer of
 * every function depends on its argument and the version alone.
 */
export interface OperatorPlaces {
  /** The zones, in an order that is the same in every process. */
  readonly zones: ZoneIndexLike;
  /** The hours of a zone, of `prepareHours`; `null`: always open. Default: all zones are. */
  readonly hoursOf?: HoursOf | undefined;
  /** The speed limit of a zone, km/h; `null`: none. Leave it out if no zone has one. */
  readonly speedLimitOf?: ((zoneId: string) => number | null) | undefined;
  /** What replaces the tolerance and the shortest duration of speeding for a unit; `null`: nothing. Default: nothing for any unit. */
  readonly thresholdsOf?: ((unitId: string) => SpeedingThresholds | null) | undefined;
  /** The unit's planned trips. Default: none. */
  readonly trips?: ((unitId: string) => readonly Trip[]) | undefined;
  /** The route that the runs of a trip follow; `null`: none. Default: no trip has one. */
  readonly routeOf?: ((trip: Trip) => TripRoute | null) | undefined;
  /** The company's time zone, an IANA name. Default `UTC`. */
  readonly timeZone?: string | undefined;
}
