/** Outputs for openings and closings of zones during visits, and their revisions after a later computation. */

import type { HoursEvent } from '../tracks/visitEvent.js';
import { describedItems } from './describedItems.js';
import { itemChanges } from './itemChanges.js';
import type { DescribedHours, HoursRevision, UnitEvents } from './unitOutput.js';

/** Whether an event of visits is an opening or closing. */
export function isHoursEvent(event: UnitEvents['visits']): event is HoursEvent | HoursRevision {
  return event.type === 'hours' || ('kind' in event && event.kind === 'hours');
}

/** The openings and closings that the events of one unit describe, sorted by time. `events`: in the order of their numbers. */
export function describedHours(events: Iterable<UnitEvents['visits']>): DescribedHours[] {
  const own = [...events].filter(isHoursEvent);
  return describedItems(own, textOf, ({ zoneId, time, open }) => ({ zoneId, time, open })).sort(byTime);
}

/** The events that turn `before` into `after`. */
export function reviseHours(
  unitId: string,
  before: readonly DescribedHours[],
  after: readonly DescribedHours[],
): HoursRevision[] {
  return itemChanges(before, after, { textOf, keyOf: textOf, isPair: () => false })
    .map(({ was, is }): HoursRevision => {
      const { zoneId, time } = (is ?? was)!;
      return { type: 'revised', kind: 'hours', unitId, zoneId, time, was, is };
    })
    .sort((a, b) => byTime((a.is ?? a.was)!, (b.is ?? b.was)!));
}

function byTime(a: DescribedHours, b: DescribedHours): number {
  return a.time - b.time || (textOf(a) < textOf(b) ? -1 : 1);
}

function textOf({ zoneId, time, open }: DescribedHours): string {
  return `${time} ${open} ${zoneId}`;
}
