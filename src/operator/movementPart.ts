/** Trips, parkings and stops of many units, by each unit's own settings. */

import { pickOptions } from '../core/options.js';
import { MOVEMENT_OPTIONS } from '../tracks/movementRules.js';
import { MovementTracker } from '../tracks/movementTracker.js';
import { STREAM_OPTIONS } from '../tracks/streamOptions.js';
import { unitStateOf } from '../tracks/streamUnits.js';
import { adoptUnit } from './adoptUnit.js';
import type { PartTracker, TrackerScope } from './partTracker.js';

const OPTIONS = { ...STREAM_OPTIONS, ...MOVEMENT_OPTIONS };

export function movementPart({ options, clock }: TrackerScope): PartTracker<'movement'> {
  const tracker = new MovementTracker({}, pickOptions(options, OPTIONS));
  if (Number.isFinite(clock)) tracker.advance(clock);
  return {
    name: 'movement',
    push: (unitId, fix, receivedAt) => tracker.push(unitId, fix, { receivedAt }),
    advance: (time) => tracker.advance(time),
    configure: (unitId, settings) => tracker.configure(unitId, settings),
    wakeAt: (unitId) => tracker.wakeAt(unitId),
    state: (unitId) => unitStateOf(tracker, unitId),
    adopt: (unitId, stored) => adoptUnit(tracker, unitId, stored),
    forget: (unitId) => void tracker.forget(unitId),
  };
}
