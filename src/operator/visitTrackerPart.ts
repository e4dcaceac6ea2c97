/** Visits to zones and their hours, of many units. They also decide which fixes are late, and how far a unit has come. */

import { pickOptions } from '../core/options.js';
import type { HoursOf } from '../core/zoneHours.js';
import { STREAM_OPTIONS } from '../tracks/streamOptions.js';
import type { StreamSnapshot } from '../tracks/streamSnapshot.js';
import { unitStateOf } from '../tracks/streamUnits.js';
import type { Visit } from '../tracks/visit.js';
import type { HoursEvent, VisitEvent } from '../tracks/visitEvent.js';
import { VISIT_OPTIONS } from '../tracks/visitRules.js';
import { VisitTracker } from '../tracks/visitTracker.js';
import { adoptUnit } from './adoptUnit.js';
import type { OperatorPlaces } from './operatorPlaces.js';
import type { PartTracker, TrackerScope } from './partTracker.js';

export interface VisitTrackerPart extends PartTracker<'visits'> {
  /** Number of fixes of the unit that were too late. */
  late(unitId: string): number;
  /** Fixes before it are late; -Infinity before the unit's first fix. */
  watermark(unitId: string): number;
  /** Ends the visits in zones that were changed or removed. */
  compareZones(unitId: string): readonly (VisitEvent | HoursEvent)[];
  /** The unit's visits under way, whether emitted or not. */
  openVisits(unitId: string): Visit[];
  /** Whether no fix of the unit waits for the lateness. */
  isSettled(unitId: string): boolean;
  /** A tracker of the same units over other places. */
  over(places: OperatorPlaces): VisitTrackerPart;
}

const OPTIONS = { ...STREAM_OPTIONS, ...VISIT_OPTIONS };

/** `before`: the units to begin with. */
export function visitPart(scope: TrackerScope, before: StreamSnapshot | null = null): VisitTrackerPart {
  const { options, places, clock } = scope;
  const { zones, hoursOf } = places;
  const tracker = new VisitTracker<VisitEvent | HoursEvent>(zones, {
    ...pickOptions(options, OPTIONS),
    ...(hoursOf !== undefined && { hoursOf }),
  });
  if (Number.isFinite(clock)) tracker.advance(clock);
  if (before !== null) tracker.adopt(before);
  /** Only an `enter` of a zone with hours has `open`. */
  const told = (events: readonly (VisitEvent | HoursEvent)[]): readonly (VisitEvent | HoursEvent)[] =>
    hoursOf === undefined || events.length === 0
      ? events
      : events.map((event) => withoutOpen(event, hoursOf));
  return {
    name: 'visits',
    push: (unitId, fix, receivedAt) => told(tracker.push(unitId, fix, { receivedAt })),
    advance: (time) => told(tracker.advance(time)),
    configure: () => {},
    wakeAt: (unitId) => tracker.wakeAt(unitId),
    state: (unitId) => unitStateOf(tracker, unitId),
    adopt: (unitId, stored) => adoptUnit(tracker, unitId, stored),
    forget: (unitId) => void tracker.forget(unitId),
    over(other) {
      const snapshot = tracker.snapshot();
      return visitPart({ options, places: other, clock: snapshot.clock ?? clock }, snapshot);
    },
    late: (unitId) => tracker.counts(unitId).late,
    watermark: (unitId) => tracker.watermark(unitId) ?? Number.NEGATIVE_INFINITY,
    compareZones: (unitId) => told(tracker.applyEdits(unitId)),
    openVisits: (unitId) => tracker.openVisits(unitId),
    isSettled: (unitId) => tracker.counts(unitId).pending === tracker.suspects(unitId),
  };
}

function withoutOpen(event: VisitEvent | HoursEvent, hoursOf: HoursOf): VisitEvent | HoursEvent {
  if (event.type !== 'enter' || (hoursOf(event.zoneId) ?? null) !== null) return event;
  const { open: _, ...rest } = event;
  return rest;
}
