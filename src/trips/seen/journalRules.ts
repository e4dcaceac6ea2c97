/** The rules of a unit's journal for a trip. */

import type { Visit } from '../../tracks/visit.js';
import type { ZoneIndex } from '../../zones/zoneIndex.js';
import type { TripPlan } from '../plan/planTrip.js';
import type { MetersTo } from './holes.js';
import type { HoleRules } from './stepKind.js';
import type { Evidence, StopRules } from './zoneWatch.js';

export interface JournalRules extends HoleRules, StopRules {
  readonly index: ZoneIndex;
  /** Distances to the zones of the index. */
  readonly metersTo: MetersTo;
  readonly window: TripPlan['window'];
  /** Times within steps at which the way is needed, besides those of visits and holes. */
  readonly wayTimes: readonly number[];
}

/** A visit, and what its fixes show. */
export interface WatchedVisit {
  readonly visit: Visit;
  readonly evidence: Evidence;
}
