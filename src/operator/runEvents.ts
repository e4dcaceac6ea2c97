/** Outputs for the events of runs, and their revisions after a later evaluation. */

import type { TripTrackerEvent } from '../trips/follow/tripEvents.js';
import type { TripEvent } from '../trips/terms/tripReport.js';
import { describedItems } from './describedItems.js';
import { itemChanges } from './itemChanges.js';
import type { OfRun, RunEvent, RunRevision } from './unitOutput.js';

/** A tracker's event as an output of its run. */
export function runEvent(run: OfRun, event: TripTrackerEvent): RunEvent | RunRevision {
  if (event.type !== 'revised') return { ...event, ...run };
  const { type, was, is } = event;
  return { type, ...run, time: (is ?? was)!.time, was, is };
}

/** The events of one run after all revisions, in order of time, then of type and point. `events`: in the order of their numbers. */
export function describedRun(events: Iterable<RunEvent | RunRevision>): TripEvent[] {
  return runEventsInOrder(describedItems(events, keyOf, plain).map(plain));
}

/**
 * The events that turn the emitted events of a run into the present ones. The first evaluation of a run gives ordinary events, no
 * revisions.
 */
export function reviseRun(
  run: OfRun,
  emitted: readonly TripEvent[],
  present: readonly TripEvent[],
): (RunEvent | RunRevision)[] {
  const isPair = (was: TripEvent, is: TripEvent): boolean =>
    was.type === is.type && was.pointIndex === is.pointIndex;
  return itemChanges(emitted, runEventsInOrder(present), { textOf: keyOf, keyOf, isPair }).map(
    ({ was, is }) =>
      was === null && emitted.length === 0
        ? { ...plain(is!), ...run }
        : { type: 'revised', ...run, time: (is ?? was)!.time, was, is },
  );
}

function runEventsInOrder(events: readonly TripEvent[]): TripEvent[] {
  return [...events].sort((a, b) => a.time - b.time || (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf({ type, time, pointIndex }: TripEvent): string {
  return `${type} ${pointIndex} ${time}`;
}

function plain({ type, time, pointIndex }: TripEvent): TripEvent {
  return { type, time, pointIndex };
}
