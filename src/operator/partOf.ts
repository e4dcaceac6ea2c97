/** The part of an operator that emitted an event. */

import type { MovementKind } from '../tracks/index.js';
import type { UnitEvents, UnitPart } from './unitOutput.js';

const MOVEMENT_KINDS: ReadonlySet<unknown> = new Set<MovementKind>(['trip', 'parking', 'stop', 'unknown']);

export type PartEvent = UnitEvents[UnitPart];

/** The part's name; `null` for an event that no operator emits. */
export function partOf(event: { readonly type: string }): UnitPart | null {
  const kind = 'kind' in event ? event.kind : null;
  if ('tripId' in event) return kind === 'route' ? 'routes' : 'trips';
  if ('zoneId' in event) return 'visits';
  if (MOVEMENT_KINDS.has(kind)) return 'movement';
  return kind === 'speeding' ? 'speeding' : null;
}

/** The events of one part, in the order given. */
export function eventsOfPart<Part extends UnitPart>(
  part: Part,
  events: Iterable<{ readonly type: string }>,
): UnitEvents[Part][] {
  const own: UnitEvents[Part][] = [];
  for (const event of events) if (partOf(event) === part) own.push(event as UnitEvents[Part]);
  return own;
}
