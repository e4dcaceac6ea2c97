/** The trips, parkings and stops that a unit's events describe, and their differences from a later computation. */

import { byStart, type ItemSpan, spanChanges } from './spanChanges.js';
import {
  type EmittedMovement,
  isMovementEvent,
  type RevisedMovement,
  type StreamEvent,
} from './streamEvent.js';

/** The items that the events of one unit describe, sorted by their beginning. Takes the events in the order of their ids. */
export function emittedMovement(events: Iterable<StreamEvent>): EmittedMovement[] {
  const emitted = new Map<string, EmittedMovement>();
  const keyOf = ({ kind, from }: Pick<EmittedMovement, 'kind' | 'from'>): string => `${from} ${kind}`;
  for (const event of events) {
    if (!isMovementEvent(event)) continue;
    const { kind } = event;
    if (event.type === 'revised') {
      if (event.was !== null) emitted.delete(keyOf(event.was));
      if (event.is !== null) emitted.set(keyOf(event.is), event.is);
    } else if (event.item !== null)
      emitted.set(keyOf({ kind, from: event.item.from }), { kind, ...event.item });
    else {
      const { time: from, position: start } = event;
      emitted.set(keyOf({ kind, from }), { kind, from, start, to: null });
    }
  }
  return [...emitted.values()].sort(byStart(spanOf));
}

/** The latest known instant that the item depends on. */
export function endOfMovement({ from, to }: EmittedMovement): number {
  return to ?? from;
}

/**
 * The parking after which movement is recomputed for fixes from `lateTime` on: the latest parking of `emitted` that precedes the last trip
 * that ended before `lateTime`. Items after that parking depend only on fixes from `start` on. null if it begins before `start` or does
 * not exist.
 */
export function anchorOf(
  emitted: readonly EmittedMovement[],
  start: number,
  lateTime: number,
): EmittedMovement | null {
  const ended = emitted.filter(({ to }) => to !== null && to < lateTime);
  const lastTrip = ended.findLast(({ kind }) => kind === 'trip');
  const anchor = ended.findLast(
    ({ kind, to }) => kind === 'parking' && lastTrip !== undefined && to! <= lastTrip.from,
  );
  return anchor !== undefined && anchor.from >= start ? anchor : null;
}

/** The items that begin after the anchor; all items if the anchor is null. */
export function afterAnchor(
  items: readonly EmittedMovement[],
  anchor: EmittedMovement | null,
): EmittedMovement[] {
  // If parkings have no minimum duration, the next trip may begin at the same fix as the parking.
  return items.filter(
    ({ kind, from }) => anchor === null || from > anchor.from || (from === anchor.from && kind === 'trip'),
  );
}

/** The `revised` events that change `before` into `after`. An item that only moved gives one event. */
export function movementRevisions(
  unitId: string,
  before: readonly EmittedMovement[],
  after: readonly EmittedMovement[],
): RevisedMovement[] {
  const textOf = (one: EmittedMovement): string =>
    JSON.stringify([
      one.kind,
      one.from,
      one.to,
      one.start,
      one.end,
      one.distanceMeters,
      one.maxSpeedKph,
      one.unmeasuredSteps,
    ]);
  return spanChanges(before, after, textOf, spanOf).map(({ was, is }) => {
    const { kind, from: time } = (is ?? was)!;
    return { type: 'revised', kind, unitId, time, was, is };
  });
}

function spanOf({ kind, from, to }: EmittedMovement): ItemSpan {
  return { name: kind, from, to };
}
