/** The openings and closings that a unit's events describe, and their differences from a later computation. */

import { changesOf } from './changesOf.js';
import { type EmittedHours, isHoursEvent, type RevisedHours, type StreamEvent } from './streamEvent.js';

const textOf = ({ zoneId, time, open }: EmittedHours): string => `${time} ${open} ${zoneId}`;

/** The openings and closings from `since` on, sorted by time. Takes the events of one unit in the order of their ids. */
export function emittedHours(events: Iterable<StreamEvent>, since: number): EmittedHours[] {
  const emitted = new Map<string, EmittedHours>();
  for (const event of events) {
    if (!isHoursEvent(event)) continue;
    if (event.type === 'revised') {
      if (event.was !== null) emitted.delete(textOf(event.was));
      if (event.is !== null) emitted.set(textOf(event.is), event.is);
    } else {
      const { zoneId, time, open } = event;
      emitted.set(textOf(event), { zoneId, time, open });
    }
  }
  return [...emitted.values()]
    .filter(({ time }) => time >= since)
    .sort((a, b) => a.time - b.time || (textOf(a) < textOf(b) ? -1 : 1));
}

/** The `revised` events that change `before` into `after`. An opening or closing is withdrawn or added; its time never moves. */
export function hoursRevisions(
  unitId: string,
  before: readonly EmittedHours[],
  after: readonly EmittedHours[],
): RevisedHours[] {
  return changesOf(before, after, textOf, () => false)
    .map(({ was, is }): RevisedHours => {
      const { zoneId, time } = (is ?? was)!;
      return { type: 'revised', kind: 'hours', unitId, zoneId, time, was, is };
    })
    .sort((a, b) => a.time - b.time);
}
