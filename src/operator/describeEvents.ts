/** Items of a unit (visits, trips, speeding …) that its events describe after all revisions. */

import { inputError } from '../core/errors.js';
import type { TripEvent } from '../trips/terms/tripReport.js';
import { describedRoute, describedRun } from './runEvents.js';
import { describedHours, describedMovement, describedSpeeding, describedVisits } from './unitEvents.js';
import {
  type DescribedHours,
  type DescribedMovement,
  type DescribedSpeeding,
  type DescribedVisit,
  eventsOfPart,
  type RouteNews,
} from './unitOutput.js';

/** The item that events of each name describe, after all revisions. */
export interface DescribedItems {
  /** Visits to zones: open while `exit` is `null`. */
  readonly visits: DescribedVisit;
  /** Openings and closings of zones during visits. */
  readonly hours: DescribedHours;
  /** Trips, parkings and stops: under way while `to` is `null`. */
  readonly movement: DescribedMovement;
  /** Speeding: under way while `to` is `null`. */
  readonly speeding: DescribedSpeeding;
  /** Events of a run of a trip. */
  readonly trips: TripEvent;
  /** News of a run on its route. */
  readonly routes: RouteNews;
}

const DESCRIBERS: {
  readonly [Of in keyof DescribedItems]: (
    events: readonly { readonly type: string }[],
  ) => DescribedItems[Of][];
} = {
  visits: (events) => describedVisits(eventsOfPart('visits', events)),
  hours: (events) => describedHours(eventsOfPart('visits', events)),
  movement: (events) => describedMovement(eventsOfPart('movement', events)),
  speeding: (events) => describedSpeeding(eventsOfPart('speeding', events)),
  trips: (events) => describedRun(eventsOfPart('trips', events)),
  routes: (events) => describedRoute(eventsOfPart('routes', events)),
};

/**
 * Items that the events of a unit describe after all revisions, sorted by time. `events` are the events of one unit (for `trips` and `routes`:
 * of one run), in the order of their numbers. Events of other parts are skipped. If `events` begin at a time (by `lastTimeOf`), the items that
 * end later are complete.
 *
 * Errors: `option-value` for another name. Cost: O(n log n).
 *
 * @example
 * ```ts
 * import { describeEvents } from 'wayzone/operator';
 * const trip = { kind: 'trip', from: 1000, start: [37.6, 55.7], to: 9000 };
 * const begin = { type: 'begin', kind: 'trip', unitId: 'truck', time: 1000, position: [37.6, 55.7], item: null };
 * const end = { type: 'revised', kind: 'trip', unitId: 'truck', time: 1000, was: null, is: trip };
 * describeEvents('movement', [begin]).map(({ from, to }) => [from, to]); // [[1000, null]]
 * describeEvents('movement', [begin, end]).map(({ from, to }) => [from, to]); // [[1000, 9000]]
 * ```
 */
export function describeEvents<Of extends keyof DescribedItems>(
  of: Of,
  events: Iterable<{ readonly type: string }>,
): DescribedItems[Of][] {
  if (!Object.hasOwn(DESCRIBERS, of))
    throw inputError('option-value', 'of', `one of ${Object.keys(DESCRIBERS).join(', ')}`, of);
  return DESCRIBERS[of]([...events]);
}
