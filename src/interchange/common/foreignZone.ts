/** Rows of foreign data: what a file holds beyond the fields of the wire is under `properties`. */

import type { RawTrack } from '../../core/fix.js';
import type { Geozone, Route, RoutePoint } from '../../core/wire.js';

/** A zone from foreign data: what the file says beyond the wire's fields is under `properties`. */
export interface ForeignZone extends Geozone {
  /** Every further field of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A route point from foreign data, likewise. */
export interface ForeignRoutePoint extends RoutePoint {
  /** Every further field of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A route from foreign data, likewise. */
export interface ForeignRoute extends Route {
  /** Every further field of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A track from foreign data, likewise. */
export interface ForeignTrack extends RawTrack {
  /** Every further field of the file. */
  readonly properties?: Readonly<Record<string, unknown>>;
}
