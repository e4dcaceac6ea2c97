/** Speeding of many units, by their own limits and those of zones. A unit is followed from the first fix at which a limit may apply. */

import { pickOptions } from '../core/options.js';
import { readNumericSetting } from '../tracks/movementRules.js';
import { type SpeedingEvent, SpeedingTracker } from '../tracks/speeding/speedingTracker.js';
import { TRACKER_OPTIONS } from '../tracks/speeding/speedingTrackerOptions.js';
import type { StreamSnapshot } from '../tracks/streamSnapshot.js';
import { unitStateOf } from '../tracks/streamUnits.js';
import { adoptUnit } from './adoptUnit.js';
import type { OperatorPlaces } from './operatorPlaces.js';
import type { PartTracker, TrackerScope } from './partTracker.js';
import type { UnitSpeedingEvent } from './unitOutput.js';

export interface SpeedingTrackerPart extends PartTracker<'speeding'> {
  /** Whether a limit has ever applied to the unit: then it is followed until it is forgotten. */
  isFollowed(unitId: string): boolean;
  follow(unitId: string): void;
  /** A tracker of the same units over other places. */
  over(places: OperatorPlaces): SpeedingTrackerPart;
}

/** `before`: the units to begin with. */
export function speedingPart(scope: TrackerScope, before: StreamSnapshot | null = null): SpeedingTrackerPart {
  const { options, places, clock } = scope;
  const tracker = new SpeedingTracker({
    ...pickOptions(options, TRACKER_OPTIONS),
    index: places.zones,
    zoneLimits: (zoneId) => places.speedLimitOf?.(zoneId) ?? null,
    thresholdsOf: (unitId) => places.thresholdsOf?.(unitId) ?? null,
  });
  if (Number.isFinite(clock)) tracker.advance(clock);
  // A unit stays when its limits are removed, since its speeding must end.
  const followed = new Set<string>();
  if (before !== null) {
    tracker.adopt(before);
    for (const { id } of before.units as readonly { readonly id: string }[]) followed.add(id);
  }
  return {
    name: 'speeding',
    push(unitId, fix, receivedAt) {
      if (places.speedLimitOf !== undefined) followed.add(unitId);
      else if (!followed.has(unitId)) return NONE;
      return tracker.push(unitId, fix, { receivedAt }).map(told);
    },
    advance: (time) => tracker.advance(time).map(told),
    configure(unitId, settings) {
      if (settings !== null && readNumericSetting(settings, 'advanced_speedlimit') > 0) followed.add(unitId);
      if (followed.has(unitId)) tracker.configure(unitId, settings);
    },
    // Time applies only the fixes that wait, which wait for visits too.
    wakeAt: () => null,
    state: (unitId) => (followed.has(unitId) ? unitStateOf(tracker, unitId) : null),
    adopt(unitId, stored) {
      adoptUnit(tracker, unitId, stored);
      followed.add(unitId);
    },
    forget(unitId) {
      tracker.forget(unitId);
      followed.delete(unitId);
    },
    isFollowed: (unitId) => followed.has(unitId),
    follow: (unitId) => void followed.add(unitId),
    over(other) {
      const snapshot = tracker.snapshot();
      return speedingPart({ options, places: other, clock: snapshot.clock ?? clock }, snapshot);
    },
  };
}

const NONE: readonly UnitSpeedingEvent[] = Object.freeze([]);

function told(event: SpeedingEvent): UnitSpeedingEvent {
  return { ...event, kind: 'speeding' };
}
