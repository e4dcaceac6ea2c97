/** Outputs for the visits, opening hours, movement and speeding of a unit, and their revisions after a later computation. */

import type { MovementKind } from '../tracks/index.js';
import type { HoursEvent, VisitEvent } from '../tracks/visitEvent.js';
import { compareSpans, describedItems, type ItemSpan, itemChanges, spanChanges } from './itemChanges.js';
import type {
  DescribedHours,
  DescribedMovement,
  DescribedSpeeding,
  DescribedVisit,
  HoursRevision,
  MovementRevision,
  SpeedingRevision,
  UnitEvents,
  VisitRevision,
} from './unitOutput.js';

/** The visits that the events of one unit describe, sorted by entry and zone. `events`: in the order of their numbers. */
export function describedVisits(events: Iterable<UnitEvents['visits']>): DescribedVisit[] {
  const own = [...events].filter((event): event is VisitEvent | VisitRevision => !isHoursEvent(event));
  return describedItems(own, visitKey, (event) => {
    if (event.type !== 'enter') return event.visit;
    const { zoneId, time: enter, bounds, reason } = event;
    const enterBounds = bounds as DescribedVisit['enterBounds'];
    const seen = reason as DescribedVisit['seen'];
    return { zoneId, seen, enter, enterBounds, exit: null };
  }).sort((a, b) => compareSpans(visitSpan(a), visitSpan(b)));
}

/** The events that turn `before` into `after`. A visit whose times moved gives one event. */
export function reviseVisits(
  unitId: string,
  before: readonly DescribedVisit[],
  after: readonly DescribedVisit[],
): VisitRevision[] {
  return spanChanges(before, after, { textOf: visitText, keyOf: visitKey, spanOf: visitSpan }).map(
    ({ was, is }) => {
      const { zoneId, enter: time } = (is ?? was)!;
      return { type: 'revised', unitId, zoneId, time, was, is };
    },
  );
}

/** The earliest instant that a visit depends on, epoch milliseconds: the fix before its entry. */
export function startOfVisit({ enter, enterBounds }: Pick<DescribedVisit, 'enter' | 'enterBounds'>): number {
  return enterBounds[0] ?? enter;
}

/** The latest known instant that a visit depends on, epoch milliseconds: the fix after its exit. */
export function endOfVisit({ enter, enterBounds, exit, exitBounds = null }: DescribedVisit): number {
  return Math.max(enter, enterBounds[1] ?? enter, exit ?? enter, exitBounds?.[1] ?? enter);
}

function visitText(visit: DescribedVisit): string {
  const { zoneId, enter, exit, seen, enterBounds, exitBounds, end, fixCount } = visit;
  return JSON.stringify([zoneId, enter, exit, seen, enterBounds, exitBounds, end, fixCount]);
}

function visitKey({ zoneId, enter }: Pick<DescribedVisit, 'zoneId' | 'enter'>): string {
  return `${enter} ${zoneId}`;
}

function visitSpan({ zoneId, enter, exit }: DescribedVisit): ItemSpan {
  return { name: zoneId, from: enter, to: exit };
}

/** Whether an event of visits is an opening or closing. */
export function isHoursEvent(event: UnitEvents['visits']): event is HoursEvent | HoursRevision {
  return event.type === 'hours' || ('kind' in event && event.kind === 'hours');
}

/** The openings and closings that the events of one unit describe, sorted by time. `events`: in the order of their numbers. */
export function describedHours(events: Iterable<UnitEvents['visits']>): DescribedHours[] {
  const own = [...events].filter(isHoursEvent);
  return describedItems(own, hoursText, ({ zoneId, time, open }) => ({ zoneId, time, open })).sort(byTime);
}

/** The events that turn `before` into `after`. */
export function reviseHours(
  unitId: string,
  before: readonly DescribedHours[],
  after: readonly DescribedHours[],
): HoursRevision[] {
  return itemChanges(before, after, { textOf: hoursText, keyOf: hoursText, isPair: () => false })
    .map(({ was, is }): HoursRevision => {
      const { zoneId, time } = (is ?? was)!;
      return { type: 'revised', kind: 'hours', unitId, zoneId, time, was, is };
    })
    .sort((a, b) => byTime((a.is ?? a.was)!, (b.is ?? b.was)!));
}

function byTime(a: DescribedHours, b: DescribedHours): number {
  return a.time - b.time || (hoursText(a) < hoursText(b) ? -1 : 1);
}

function hoursText({ zoneId, time, open }: DescribedHours): string {
  return `${time} ${open} ${zoneId}`;
}

/** The items that the events of one unit describe, sorted by start. `events`: in the order of their numbers. */
export function describedMovement(events: Iterable<UnitEvents['movement']>): DescribedMovement[] {
  return describedItems(events, movementKey, ({ kind, item, time: from, position: start }) =>
    item === null ? { kind, from, start, to: null } : { kind, ...item },
  ).sort((a, b) => compareSpans(movementSpan(a), movementSpan(b)));
}

/** The events that turn `before` into `after`. An item whose times moved gives one event. */
export function reviseMovement(
  unitId: string,
  before: readonly DescribedMovement[],
  after: readonly DescribedMovement[],
): MovementRevision[] {
  return spanChanges(before, after, { textOf: movementText, keyOf: movementKey, spanOf: movementSpan }).map(
    ({ was, is }) => {
      const { kind, from: time } = (is ?? was)!;
      return { type: 'revised', kind, unitId, time, was, is };
    },
  );
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

function movementText(one: DescribedMovement): string {
  const { kind, from, to, start, end, distanceMeters, maxSpeedKph, unmeasuredSteps } = one;
  const { centre, ignitionOffSeconds, reason } = one;
  const rest = [unmeasuredSteps, centre, ignitionOffSeconds, reason];
  return JSON.stringify([kind, from, to, start, end, distanceMeters, maxSpeedKph, ...rest]);
}

function movementKey({ kind, from }: Pick<DescribedMovement, 'kind' | 'from'>): string {
  return `${from} ${kind}`;
}

function movementSpan({ kind, from, to }: DescribedMovement): ItemSpan {
  return { name: kind, from, to };
}

/** The speeding that the events of one unit describe, sorted by start. `events`: in the order of their numbers. */
export function describedSpeeding(events: Iterable<UnitEvents['speeding']>): DescribedSpeeding[] {
  return describedItems(events, speedingKey, ({ type, speeding }) =>
    type === 'end' ? speeding : { from: speeding.from, to: null },
  ).sort((a, b) => compareSpans(speedingSpan(a), speedingSpan(b)));
}

/** The events that turn `before` into `after`. */
export function reviseSpeeding(
  unitId: string,
  before: readonly DescribedSpeeding[],
  after: readonly DescribedSpeeding[],
): SpeedingRevision[] {
  return spanChanges(before, after, { textOf: speedingText, keyOf: speedingKey, spanOf: speedingSpan }).map(
    ({ was, is }) => {
      const { from: time } = (is ?? was)!;
      return { type: 'revised', kind: 'speeding', unitId, time, was, is };
    },
  );
}

/** The speeding that a fix from `lateFrom` on can change: a speed depends on fixes up to `evidenceMs` later. */
export function speedingFrom(
  items: readonly DescribedSpeeding[],
  lateFrom: number,
  evidenceMs: number,
): DescribedSpeeding[] {
  return items.filter(({ to }) => to === null || to >= lateFrom - evidenceMs);
}

/** The values in a fixed order, because a database may not keep the order of fields. */
function speedingText(one: DescribedSpeeding): string {
  const { from, to, end, maxKph, maxOverKph, distanceMeters, parts = [] } = one;
  const limits = parts.map((part) => [part.from, part.to, part.limitKph, part.zoneId, part.maxKph]);
  return JSON.stringify([from, to, end, maxKph, maxOverKph, distanceMeters, limits]);
}

function speedingKey({ from }: DescribedSpeeding): string {
  return String(from);
}

function speedingSpan({ from, to }: DescribedSpeeding): ItemSpan {
  return { name: '', from, to };
}
