/** The meetings that a pair's events describe, and their differences from a later computation. */

import type { Meeting } from 'wayzone/tracks';
import { byStart, type ItemSpan, spanChanges } from './spanChanges.js';
import type { EmittedMeeting, MeetingStreamEvent } from './streamEvent.js';

/** The meetings that the events of one pair describe, sorted by their beginning. Takes the events in the order of their ids. */
export function emittedMeetings(events: Iterable<MeetingStreamEvent>): EmittedMeeting[] {
  const emitted = new Map<number, EmittedMeeting>();
  for (const event of events) {
    if (event.type === 'revised') {
      if (event.was !== null) emitted.delete(event.was.from);
      if (event.is !== null) emitted.set(event.is.from, event.is);
    } else emitted.set(event.meeting.from, event.type === 'apart' ? event.meeting : underWay(event.meeting));
  }
  return [...emitted.values()].sort(byStart(spanOf));
}

/** A meeting that has no `apart` event so far. */
function underWay({ from }: Meeting): EmittedMeeting {
  return { from, to: null };
}

/** The `revised` events that change `before` into `after`. */
export function meetingRevisions(
  units: readonly [string, string],
  before: readonly EmittedMeeting[],
  after: readonly EmittedMeeting[],
): MeetingStreamEvent[] {
  const textOf = ({ from, to, end, minMeters, minTime }: EmittedMeeting): string =>
    JSON.stringify([from, to, end, minMeters, minTime]);
  return spanChanges(before, after, textOf, spanOf).map(({ was, is }): MeetingStreamEvent => {
    const { from: time } = (is ?? was)!;
    return { type: 'revised', kind: 'meeting', unitId: units[0], units, time, was, is };
  });
}

function spanOf({ from, to }: EmittedMeeting): ItemSpan {
  return { name: '', from, to };
}
