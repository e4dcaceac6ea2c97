/** Outputs for trips, parkings and stops of a unit, and their revisions after a later computation. */

import type { MovementKind } from '../tracks/index.js';
import { describedItems } from './describedItems.js';
import { compareSpans, type ItemSpan, spanChanges } from './itemChanges.js';
import type { DescribedMovement, MovementRevision, UnitEvents } from './unitOutput.js';

/** The items that the events of one unit describe, sorted by start. `events`: in the order of their numbers. */
export function describedMovement(events: Iterable<UnitEvents['movement']>): DescribedMovement[] {
  return describedItems(events, keyOf, ({ kind, item, time: from, position: start }) =>
    item === null ? { kind, from, start, to: null } : { kind, ...item },
  ).sort((a, b) => compareSpans(spanOf(a), spanOf(b)));
}

/** The events that turn `before` into `after`. An item whose times moved gives one event. */
export function reviseMovement(
  unitId: string,
  before: readonly DescribedMovement[],
  after: readonly DescribedMovement[],
): MovementRevision[] {
  return spanChanges(before, after, { textOf, keyOf, spanOf }).map(({ was, is }) => {
    const { kind, from: time } = (is ?? was)!;
    return { type: 'revised', kind, unitId, time, was, is };
  });
}

/**
 * The parking after which movement is computed again for fixes from `lateFrom` on: the latest parking of `described` that precedes a trip and another
 * parking that ended before `lateFrom`, by which it was known that the unit had left. Items after it depend only on fixes from `start` on. `null` if it
 * begins before `start` or does not exist.
 */
export function anchorOf(
  described: readonly DescribedMovement[],
  start: number,
  lateFrom: number,
): DescribedMovement | null {
  const ended = described.filter(({ to }) => to !== null && to < lateFrom);
  const before = (kind: MovementKind, time: number): DescribedMovement | undefined =>
    ended.findLast((one) => one.kind === kind && one.to! <= time);
  const parking = before('parking', lateFrom);
  const trip = parking && before('trip', parking.from);
  const anchor = trip && before('parking', trip.from);
  return anchor !== undefined && anchor.from >= start ? anchor : null;
}

/** The items that begin after the anchor; without an anchor, all items. */
export function afterAnchor(
  items: readonly DescribedMovement[],
  anchor: DescribedMovement | null,
): DescribedMovement[] {
  // If parkings have no minimum duration, the next trip may begin at the same fix as the parking.
  return items.filter(
    ({ kind, from }) => anchor === null || from > anchor.from || (from === anchor.from && kind === 'trip'),
  );
}

function textOf(one: DescribedMovement): string {
  const { kind, from, to, start, end, distanceMeters, maxSpeedKph, unmeasuredSteps } = one;
  const { centre, ignitionOffSeconds, reason } = one;
  const rest = [unmeasuredSteps, centre, ignitionOffSeconds, reason];
  return JSON.stringify([kind, from, to, start, end, distanceMeters, maxSpeedKph, ...rest]);
}

function keyOf({ kind, from }: Pick<DescribedMovement, 'kind' | 'from'>): string {
  return `${from} ${kind}`;
}

function spanOf({ kind, from, to }: DescribedMovement): ItemSpan {
  return { name: kind, from, to };
}
