/** The speeding that a unit's events describe, and its differences from a later computation. */

import { byStart, type ItemSpan, spanChanges } from './spanChanges.js';
import {
  type EmittedSpeeding,
  isSpeedingEvent,
  type RevisedSpeeding,
  type StreamEvent,
} from './streamEvent.js';

/**
 * How far before a speed the fixes reach that decide it, milliseconds: the fix before it and the reference at least 10 s before that, each
 * at most `maxGapSeconds` apart.
 */
const EVIDENCE_MS = 2 * 3_600_000 + 10_000;

/** The speeding that the events of one unit describe, sorted by its beginning. Takes the events in the order of their ids. */
export function emittedSpeeding(events: Iterable<StreamEvent>): EmittedSpeeding[] {
  const emitted = new Map<number, EmittedSpeeding>();
  for (const event of events) {
    if (!isSpeedingEvent(event)) continue;
    if (event.type === 'revised') {
      if (event.was !== null) emitted.delete(event.was.from);
      if (event.is !== null) emitted.set(event.is.from, event.is);
    } else if (event.type === 'end') emitted.set(event.speeding.from, event.speeding);
    else emitted.set(event.speeding.from, { from: event.speeding.from, to: null });
  }
  return [...emitted.values()].sort(byStart(spanOf));
}

/** The earliest instant that the speeding depends on. */
export function startOfSpeeding({ from }: EmittedSpeeding): number {
  return from - EVIDENCE_MS;
}

/** The speeding that fixes from `lateTime` on can change. */
export function speedingFrom(items: readonly EmittedSpeeding[], lateTime: number): EmittedSpeeding[] {
  return items.filter(({ to }) => to === null || to >= lateTime - EVIDENCE_MS);
}

/** The `revised` events that change `before` into `after`. */
export function speedingRevisions(
  unitId: string,
  before: readonly EmittedSpeeding[],
  after: readonly EmittedSpeeding[],
): RevisedSpeeding[] {
  return spanChanges(before, after, textOf, spanOf).map(({ was, is }) => {
    const { from: time } = (is ?? was)!;
    return { type: 'revised', kind: 'speeding', unitId, time, was, is };
  });
}

/** By values in a fixed order: the database does not keep the order of fields. */
function textOf(one: EmittedSpeeding): string {
  const { from, to, end, maxKph, maxOverKph, distanceMeters, parts = [] } = one;
  const limits = parts.map((part) => [part.from, part.to, part.limitKph, part.zoneId, part.maxKph]);
  return JSON.stringify([from, to, end, maxKph, maxOverKph, distanceMeters, limits]);
}

function spanOf({ from, to }: EmittedSpeeding): ItemSpan {
  return { name: '', from, to };
}
