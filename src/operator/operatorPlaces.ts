/** The zones and trips of a company at one version. */

import type { Trip } from '../core/trip.js';
import type { ZoneIndexLike } from '../tracks/zoneIndexLike.js';

/** What an operator needs of one version of a company's data. Keep the same objects for the same version: their plans are kept with them. */
export interface OperatorPlaces {
  /** The zones, in an order that is the same in every process. */
  readonly zones: ZoneIndexLike;
  /** The unit's planned trips. Default: none. */
  readonly trips?: (unitId: string) => readonly Trip[];
  /** The company's time zone, an IANA name. Default `UTC`. */
  readonly timeZone?: string;
}
