/** The latest instant that an event depends on. */

import { isHoursEvent } from './hoursEvents.js';
import { type PartEvent, partOf } from './partOf.js';
import type { DescribedVisit } from './unitOutput.js';
import { endOfVisit } from './visitEvents.js';

/**
 * The latest instant that an event depends on, epoch milliseconds. Store it with each output. For a `rebuild` from a time on, select the outputs
 * by this instant. These outputs and the fixes from that time are enough, because no event that changes an item has an instant before the item's
 * end.
 *
 * Cost: O(1).
 *
 * @example
 * ```ts
 * import { lastTimeOf } from 'wayzone/operator';
 * const trip = { kind: 'trip', from: 1000, to: 9000, start: [37.6, 55.7] };
 * lastTimeOf({ type: 'revised', kind: 'trip', unitId: 'truck', time: 1000, was: trip, is: null }); // 9000
 * ```
 */
export function lastTimeOf(event: PartEvent): number {
  if (event.type === 'exit') return Math.max(event.time, endOfVisit(event.visit));
  if (event.type !== 'revised') return event.time;
  const part = partOf(event);
  const items = [event.was, event.is].flatMap((item): object[] => (item === null ? [] : [item]));
  const ends = items.map((item) => {
    if (part === 'visits' && !isHoursEvent(event as never)) return endOfVisit(item as DescribedVisit);
    const { to, from, time } = item as { to?: number | null; from?: number; time?: number };
    return to ?? from ?? time!;
  });
  return Math.max(event.time, ...ends);
}
