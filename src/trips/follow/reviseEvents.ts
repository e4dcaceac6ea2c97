/** Compares the emitted events of a run with the current ones. */

import type { TripEvent } from '../terms/tripReport.js';

/** The correction of an emitted event, or the late emission of an event that precedes emitted events. */
export interface TripRevision {
  /** Always `revised`. */
  readonly type: 'revised';
  /** The emitted event; `null` if it was not emitted. */
  readonly was: TripEvent | null;
  /** The event that replaces it; `null` if it was removed. */
  readonly is: TripEvent | null;
}

/**
 * The events to emit in order to turn the emitted events into the current ones. First come the revisions, in order of the events that they
 * correct, then the events after all emitted ones. An event that moved is revised. A new event before a remaining emitted event is a
 * revision with `was: null`.
 */
export function reviseEvents(
  emitted: readonly TripEvent[],
  now: readonly TripEvent[],
): (TripEvent | TripRevision)[] {
  let same = 0;
  while (same < emitted.length && same < now.length && isSame(emitted[same]!, now[same]!)) same++;
  if (same === emitted.length && same === now.length) return [];
  return reviseRest(emitted.slice(same), now.slice(same));
}

function reviseRest(emitted: readonly TripEvent[], now: readonly TripEvent[]): (TripEvent | TripRevision)[] {
  const known = new Set(emitted.map(keyOf));
  const holding = new Set(now.map(keyOf));
  const moved = new Map<string, TripEvent[]>();
  for (const event of now) {
    if (known.has(keyOf(event))) continue;
    const subject = subjectOf(event);
    moved.set(subject, [...(moved.get(subject) ?? []), event]);
  }
  const revisions: TripRevision[] = [];
  const revised = new Set<TripEvent>();
  for (const was of emitted) {
    if (holding.has(keyOf(was))) continue;
    const is = moved.get(subjectOf(was))?.shift() ?? null;
    if (is !== null) revised.add(is);
    revisions.push({ type: 'revised', was, is });
  }
  const lastEmitted = now.findLastIndex((event) => known.has(keyOf(event)) || revised.has(event));
  const added = now.filter((event) => !known.has(keyOf(event)) && !revised.has(event));
  const isLater = new Set(now.slice(lastEmitted + 1));
  return [
    ...revisions,
    ...added
      .filter((event) => !isLater.has(event))
      .map((is) => ({ type: 'revised', was: null, is }) as const),
    ...added.filter((event) => isLater.has(event)),
  ];
}

function subjectOf({ type, pointIndex }: TripEvent): string {
  return `${type} ${pointIndex}`;
}

function isSame(a: TripEvent, b: TripEvent): boolean {
  return a === b || (a.type === b.type && a.time === b.time && a.pointIndex === b.pointIndex);
}

function keyOf(event: TripEvent): string {
  return `${subjectOf(event)} ${event.time}`;
}
