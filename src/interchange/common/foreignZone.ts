/** Rows of foreign data. Fields of the file without a place on the wire are under `properties`. */

import type { RawTrack } from '../../core/fix.js';
import type { Geozone, Route, RoutePoint } from '../../core/wire.js';

/** A zone from foreign data. Fields of the file without a place on the wire are under `properties`. */
export interface ForeignZone extends Geozone {
  /** All other fields of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A route point from foreign data. */
export interface ForeignRoutePoint extends RoutePoint {
  /** All other fields of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A route from foreign data. */
export interface ForeignRoute extends Route {
  /** All other fields of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A track from foreign data. */
export interface ForeignTrack extends RawTrack {
  /** All other fields of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}
