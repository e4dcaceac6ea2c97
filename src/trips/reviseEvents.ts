/** How the events of a run change when more becomes known. */

import type { TripEvent } from './tripReport.js';

/** An event told before that is not so, or is otherwise (`is`); or one that was missed among those told (`was` null). */
export interface TripRevision {
  /** Always `revised`. */
  readonly type: 'revised';
  /** What was told before; null: nothing. */
  readonly was: TripEvent | null;
  /** What is true now; null: nothing. */
  readonly is: TripEvent | null;
}

/**
 * What turns the events that were told into those that are now: revisions first, in order of what they are about, then the events
 * that come after all that was told. An event that moved is revised from what it was; one that now comes before any that still holds
 * has a `was` of null.
 */
export function reviseEvents(
  told: readonly TripEvent[],
  now: readonly TripEvent[],
): (TripEvent | TripRevision)[] {
  let same = 0;
  while (same < told.length && same < now.length && isSame(told[same]!, now[same]!)) same++;
  if (same === told.length && same === now.length) return [];
  return reviseRest(told.slice(same), now.slice(same));
}

function reviseRest(told: readonly TripEvent[], now: readonly TripEvent[]): (TripEvent | TripRevision)[] {
  const known = new Set(told.map(keyOf));
  const holding = new Set(now.map(keyOf));
  const moved = new Map<string, TripEvent[]>();
  for (const event of now) {
    if (known.has(keyOf(event))) continue;
    const subject = subjectOf(event);
    moved.set(subject, [...(moved.get(subject) ?? []), event]);
  }
  const revisions: TripRevision[] = [];
  const revised = new Set<TripEvent>();
  for (const was of told) {
    if (holding.has(keyOf(was))) continue;
    const is = moved.get(subjectOf(was))?.shift() ?? null;
    if (is !== null) revised.add(is);
    revisions.push({ type: 'revised', was, is });
  }
  const lastTold = now.findLastIndex((event) => known.has(keyOf(event)) || revised.has(event));
  const added = now.filter((event) => !known.has(keyOf(event)) && !revised.has(event));
  const isLater = new Set(now.slice(lastTold + 1));
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
  return a.type === b.type && a.time === b.time && a.pointIndex === b.pointIndex;
}

function keyOf(event: TripEvent): string {
  return `${subjectOf(event)} ${event.time}`;
}
