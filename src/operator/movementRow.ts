/** The row of movement: trips, parkings and stops by the unit's own settings. */

import { pickOptions } from '../core/options.js';
import { MOVEMENT_OPTIONS } from '../tracks/movementRules.js';
import { MovementTracker } from '../tracks/movementTracker.js';
import type { StateReader } from '../tracks/stateReader.js';
import { STREAM_OPTIONS } from '../tracks/streamOptions.js';
import { compareSpans, type ItemSpan, spanChanges } from './itemChanges.js';
import type { DescribedMovement, MovementRevision, UnitEvents } from './unitOutput.js';
import type { UnitFollower, UnitRow, UnitScope } from './unitRow.js';
import { adoptUnit, unitState } from './unitSnapshot.js';

export const MOVEMENT_ROW: UnitRow<'movement'> = {
  name: 'movement',
  open,
  rebuild(scope, _known, { fixes, events }) {
    const follower = open({ ...scope, clock: Number.NEGATIVE_INFINITY }, null);
    const moment = { before: 0, reached: 0 };
    const present = fixes.flatMap((fix) => follower.push(fix, undefined, moment));
    if (Number.isFinite(scope.clock)) present.push(...follower.advance(scope.clock, moment));
    return { follower, events: revise(scope.unitId, events as readonly UnitEvents['movement'][], present) };
  },
};

function open(scope: UnitScope, stored: StateReader | null): UnitFollower<'movement'> {
  const { unitId, options, clock, settings } = scope;
  const tracker = new MovementTracker({}, pickOptions(options, TRACKER_OPTIONS));
  if (Number.isFinite(clock)) tracker.advance(clock);
  adoptUnit(tracker, stored);
  if (stored === null && settings !== null) tracker.configure(unitId, settings);
  return {
    demand: null,
    push: (fix, receivedAt) => tracker.push(unitId, fix, receivedAt === undefined ? {} : { receivedAt }),
    advance: (time) => tracker.advance(time),
    configure: (changed) => tracker.configure(unitId, changed),
    wakeAt: () => tracker.wakeAt(unitId),
    state: () => unitState(tracker, unitId),
  };
}

const TRACKER_OPTIONS = { ...STREAM_OPTIONS, ...MOVEMENT_OPTIONS };

/** The items that the events of one unit describe, sorted by their beginning. Takes the events in the order of their numbers. */
export function describedMovement(events: Iterable<UnitEvents['movement']>): DescribedMovement[] {
  const described = new Map<string, DescribedMovement>();
  const keyOf = ({ kind, from }: Pick<DescribedMovement, 'kind' | 'from'>): string => `${from} ${kind}`;
  for (const event of events) {
    if (event.type === 'revised') {
      if (event.was !== null) described.delete(keyOf(event.was));
      if (event.is !== null) described.set(keyOf(event.is), event.is);
      continue;
    }
    const { kind, item, time: from, position: start } = event;
    const one = item === null ? { kind, from, start, to: null } : { kind, ...item };
    described.set(keyOf(one), one);
  }
  return [...described.values()].sort((a, b) => compareSpans(spanOf(a), spanOf(b)));
}

function revise(
  unitId: string,
  emitted: readonly UnitEvents['movement'][],
  present: readonly UnitEvents['movement'][],
): MovementRevision[] {
  const changes = spanChanges(describedMovement(emitted), describedMovement(present), textOf, spanOf);
  return changes.map(({ was, is }) => {
    const { kind, from: time } = (is ?? was)!;
    return { type: 'revised', kind, unitId, time, was, is };
  });
}

function textOf(one: DescribedMovement): string {
  const { kind, from, to, start, end, distanceMeters, maxSpeedKph, unmeasuredSteps } = one;
  return JSON.stringify([kind, from, to, start, end, distanceMeters, maxSpeedKph, unmeasuredSteps]);
}

function spanOf({ kind, from, to }: DescribedMovement): ItemSpan {
  return { name: kind, from, to };
}
