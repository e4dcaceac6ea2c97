/** The events of the stream: those of the operator for each unit, and the meetings of pairs of units. */

import { lastTimeOf as lastTimeOfUnit, type UnitOutput } from 'wayzone/operator';
import type { Meeting, MeetingEvent } from 'wayzone/tracks';

/** A meeting as its events describe it. While it is under way, `to` is null and the other fields are absent. */
export type EmittedMeeting = Pick<Meeting, 'from'> &
  Partial<Omit<Meeting, 'to'>> & { readonly to: number | null };

/** A unit and its trailer come together or part, and what late fixes change. `unitId` is the first of the units. */
export type MeetingStreamEvent = { readonly kind: 'meeting'; readonly unitId: string } & (
  | MeetingEvent
  | {
      readonly type: 'revised';
      readonly units: readonly [string, string];
      /** The beginning of `is`; if `is` is null, of `was`. Epoch milliseconds. */
      readonly time: number;
      readonly was: EmittedMeeting | null;
      readonly is: EmittedMeeting | null;
    }
);

/** An event of a unit. */
export type UnitEvent = UnitOutput['event'];

/** An event of a run of a trip: of its points or of its route. */
export type RunEvent = Extract<UnitOutput, { readonly of: 'trips' | 'routes' }>['event'];

export type StreamEvent = UnitEvent | MeetingStreamEvent;

/** Whether the event belongs to a meeting of a unit and its trailer. */
export function isMeetingEvent(event: StreamEvent): event is MeetingStreamEvent {
  return 'kind' in event && event.kind === 'meeting';
}

/** Whether the event belongs to a run of a trip. */
export function isRunEvent(event: StreamEvent): event is RunEvent {
  return 'tripId' in event;
}

/**
 * The latest instant that an event depends on, epoch milliseconds: the events of a span are selected by it. Not before the event's `time`.
 */
export function lastTimeOf(event: StreamEvent): number {
  if (!isMeetingEvent(event)) return lastTimeOfUnit(event);
  if (event.type !== 'revised') return event.time;
  return Math.max(event.time, ...[event.was, event.is].map((one) => one?.to ?? one?.from ?? event.time));
}
