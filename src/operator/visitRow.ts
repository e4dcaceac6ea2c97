/** The row of visits. Its follower also decides which fixes are late, and how far the unit has come. */

import type { Fix } from '../core/fix.js';
import { pickOptions } from '../core/options.js';
import type { StateReader } from '../tracks/stateReader.js';
import { STREAM_OPTIONS } from '../tracks/streamOptions.js';
import type { VisitEvent } from '../tracks/visitEvent.js';
import { VISIT_OPTIONS } from '../tracks/visitRules.js';
import { VisitTracker } from '../tracks/visitTracker.js';
import { compareSpans, type ItemSpan, spanChanges } from './itemChanges.js';
import type { DescribedVisit, UnitEvents, VisitRevision } from './unitOutput.js';
import type { UnitFollower, UnitRow, UnitScope } from './unitRow.js';
import { adoptUnit, unitState } from './unitSnapshot.js';

export interface VisitFollower extends UnitFollower<'visits'> {
  /** Number of fixes that were too late. */
  readonly late: number;
  /** Fixes before it are late; -Infinity before the first fix. */
  readonly watermark: number;
  /** Ends the visits in zones that were changed or removed. */
  compareZones(): readonly VisitEvent[];
}

export interface VisitRow extends UnitRow<'visits'> {
  open(scope: UnitScope, stored: StateReader | null): VisitFollower;
  rebuild(...given: Parameters<UnitRow<'visits'>['rebuild']>): {
    readonly follower: VisitFollower;
    readonly events: readonly UnitEvents['visits'][];
  };
}

export const VISIT_ROW: VisitRow = {
  name: 'visits',
  open,
  rebuild(scope, _known, { fixes, events }) {
    const fresh = { ...scope, clock: Number.NEGATIVE_INFINITY };
    const follower = open(fresh, null);
    const moment = { before: 0, reached: 0 };
    const present = fixes.flatMap((fix) => follower.push(fix, undefined, moment));
    if (Number.isFinite(scope.clock)) present.push(...follower.advance(scope.clock, moment));
    return { follower, events: revise(scope.unitId, events as readonly UnitEvents['visits'][], present) };
  },
};

function open(scope: UnitScope, stored: StateReader | null): VisitFollower {
  const { unitId, options, places, clock } = scope;
  const tracker = new VisitTracker(places.zones, pickOptions(options, TRACKER_OPTIONS));
  if (Number.isFinite(clock)) tracker.advance(clock);
  adoptUnit(tracker, stored);
  return {
    demand: null,
    get late() {
      return tracker.counts(unitId).late;
    },
    get watermark() {
      return tracker.watermark(unitId) ?? Number.NEGATIVE_INFINITY;
    },
    push: (fix: Fix, receivedAt) => tracker.push(unitId, fix, receivedAt === undefined ? {} : { receivedAt }),
    advance: (time) => tracker.advance(time),
    compareZones: () => tracker.applyEdits(unitId),
    wakeAt: () => tracker.wakeAt(unitId),
    state: () => unitState(tracker, unitId),
  };
}

const TRACKER_OPTIONS = { ...STREAM_OPTIONS, ...VISIT_OPTIONS };

/** The visits that the events of one unit describe, sorted by entry and zone. Takes the events in the order of their numbers. */
export function describedVisits(events: Iterable<UnitEvents['visits']>): DescribedVisit[] {
  const described = new Map<string, DescribedVisit>();
  const keyOf = ({ zoneId, enter }: Pick<DescribedVisit, 'zoneId' | 'enter'>): string => `${enter} ${zoneId}`;
  for (const event of events) {
    if (event.type === 'revised') {
      if (event.was !== null) described.delete(keyOf(event.was));
      if (event.is !== null) described.set(keyOf(event.is), event.is);
    } else if (event.type === 'enter') {
      const { zoneId, time: enter, bounds, reason } = event;
      const enterBounds = bounds as DescribedVisit['enterBounds'];
      const seen = reason as DescribedVisit['seen'];
      described.set(keyOf({ zoneId, enter }), { zoneId, seen, enter, enterBounds, exit: null });
    } else if (event.visit !== null) described.set(keyOf(event.visit), event.visit);
  }
  return [...described.values()].sort((a, b) => compareSpans(spanOf(a), spanOf(b)));
}

function revise(
  unitId: string,
  emitted: readonly UnitEvents['visits'][],
  present: readonly UnitEvents['visits'][],
): VisitRevision[] {
  const changes = spanChanges(describedVisits(emitted), describedVisits(present), textOf, spanOf);
  return changes.map(({ was, is }) => {
    const { zoneId, enter: time } = (is ?? was)!;
    return { type: 'revised', unitId, zoneId, time, was, is };
  });
}

function textOf(visit: DescribedVisit): string {
  const { zoneId, enter, exit, seen, enterBounds, exitBounds, end, fixCount } = visit;
  return JSON.stringify([zoneId, enter, exit, seen, enterBounds, exitBounds, end, fixCount]);
}

function spanOf({ zoneId, enter, exit }: DescribedVisit): ItemSpan {
  return { name: zoneId, from: enter, to: exit };
}
