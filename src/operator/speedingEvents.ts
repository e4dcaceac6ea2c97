/** Outputs for the speeding of a unit, and their revisions after a later computation. */

import { describedItems } from './describedItems.js';
import { compareSpans, type ItemSpan, spanChanges } from './itemChanges.js';
import type { DescribedSpeeding, SpeedingRevision, UnitEvents } from './unitOutput.js';

/** The speeding that the events of one unit describe, sorted by start. `events`: in the order of their numbers. */
export function describedSpeeding(events: Iterable<UnitEvents['speeding']>): DescribedSpeeding[] {
  return describedItems(events, keyOf, ({ type, speeding }) =>
    type === 'end' ? speeding : { from: speeding.from, to: null },
  ).sort((a, b) => compareSpans(spanOf(a), spanOf(b)));
}

/** The events that turn `before` into `after`. */
export function reviseSpeeding(
  unitId: string,
  before: readonly DescribedSpeeding[],
  after: readonly DescribedSpeeding[],
): SpeedingRevision[] {
  return spanChanges(before, after, { textOf, keyOf, spanOf }).map(({ was, is }) => {
    const { from: time } = (is ?? was)!;
    return { type: 'revised', kind: 'speeding', unitId, time, was, is };
  });
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
function textOf(one: DescribedSpeeding): string {
  const { from, to, end, maxKph, maxOverKph, distanceMeters, parts = [] } = one;
  const limits = parts.map((part) => [part.from, part.to, part.limitKph, part.zoneId, part.maxKph]);
  return JSON.stringify([from, to, end, maxKph, maxOverKph, distanceMeters, limits]);
}

function keyOf({ from }: DescribedSpeeding): string {
  return String(from);
}

function spanOf({ from, to }: DescribedSpeeding): ItemSpan {
  return { name: '', from, to };
}
