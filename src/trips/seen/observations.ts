/** The observations of a unit during a run. */

import type { Holes } from './holes.js';
import type { Rests } from './restFinder.js';
import type { ObservedVisit } from './tripStay.js';

export interface Observations {
  readonly visits: readonly ObservedVisit[];
  readonly holes: Holes;
  readonly rests: Rests;
  readonly lastFixAt: number | null;
  readonly hasFixInWindow: boolean;
  /** Metres between two times, without gaps; `null` without a track. */
  distanceMeters(from: number, to: number): number | null;
}
