/** The meetings that a pair's events describe, and their differences from a later computation. */

import type { Meeting } from 'wayzone/tracks';
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
  return [...emitted.values()].sort((a, b) => a.from - b.from);
}

/** A meeting that has no `apart` event so far. */
function underWay({ from }: Meeting): EmittedMeeting {
  return { from, to: null };
}

/** The `revised` events that change `before` into `after`, sorted by the beginnings of the meetings. */
export function meetingRevisions(
  units: readonly [string, string],
  before: readonly EmittedMeeting[],
  after: readonly EmittedMeeting[],
): MeetingStreamEvent[] {
  return changesOf(before, after)
    .map(({ was, is }) => ({ time: (is ?? was)!.from, was, is }))
    .sort((a, b) => a.time - b.time)
    .map((change) => ({ type: 'revised', kind: 'meeting', unitId: units[0], units, ...change }));
}

interface Change {
  readonly was: EmittedMeeting | null;
  readonly is: EmittedMeeting | null;
}

/**
 * The meetings that differ. Two with one beginning are one change, so that no change withdraws what another has put in its place; else two
 * that overlap; the others are withdrawn or added.
 */
function changesOf(before: readonly EmittedMeeting[], after: readonly EmittedMeeting[]): Change[] {
  const known = new Set(before.map(textOf));
  const same = new Set(after.map(textOf).filter((text) => known.has(text)));
  const gone = before.filter((one) => !same.has(textOf(one)));
  const come = after.filter((one) => !same.has(textOf(one)));
  const starts = new Set(gone.map(({ from }) => from));
  const changes = gone.map((was): Change => {
    const own = come.findIndex(({ from }) => from === was.from);
    const at = own === -1 ? come.findIndex((is) => !starts.has(is.from) && overlap(was, is)) : own;
    return { was, is: at === -1 ? null : come.splice(at, 1)[0]! };
  });
  return [...changes, ...come.map((is) => ({ was: null, is }))];
}

function textOf({ from, to, end, minMeters, minTime }: EmittedMeeting): string {
  return JSON.stringify([from, to, end, minMeters, minTime]);
}

function overlap(a: EmittedMeeting, b: EmittedMeeting): boolean {
  return a.from <= (b.to ?? Number.POSITIVE_INFINITY) && b.from <= (a.to ?? Number.POSITIVE_INFINITY);
}
