/** The latest instant that an event depends on. The events of a span are selected by it. */

import { endOfMovement } from './emittedMovement.js';
import { endOfVisit } from './emittedVisits.js';
import {
  isMeetingEvent,
  isMovementEvent,
  isSpeedingEvent,
  isVisitEvent,
  type StreamEvent,
} from './streamEvent.js';

/**
 * Epoch milliseconds, not before the event's `time`. No event that changes an item has an earlier value than the item's end: the events
 * from a time on therefore describe completely the items that end later.
 */
export function lastTimeOf(event: StreamEvent): number {
  if (event.type === 'exit') return Math.max(event.time, endOfVisit(event.visit));
  if (event.type !== 'revised') return event.time;
  const ends = isMovementEvent(event)
    ? [event.was, event.is].flatMap((item) => (item === null ? [] : [endOfMovement(item)]))
    : isVisitEvent(event)
      ? [event.was, event.is].flatMap((visit) => (visit === null ? [] : [endOfVisit(visit)]))
      : isSpeedingEvent(event) || isMeetingEvent(event)
        ? [event.was, event.is].flatMap((one) => (one === null ? [] : [one.to ?? one.from]))
        : [event.was, event.is].flatMap((one) => (one === null ? [] : [one.time]));
  return Math.max(event.time, ...ends);
}
