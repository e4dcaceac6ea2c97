/** A trip, parking or stop in its public form. */

import type { Position } from '../core/geometry.js';
import type { MovementKind } from './movementMachine.js';
import type { MovementRules } from './movementRules.js';
import type { Stretch } from './stretch.js';

/** A trip, a parking or a stop. */
export interface MovementItem {
  /** When it began, epoch milliseconds. */
  readonly from: number;
  /** When it ended, epoch milliseconds. */
  readonly to: number;
  /** Where it began, `[lon, lat]`. */
  readonly start: Position;
  /** Where it ended, `[lon, lat]`. */
  readonly end: Position;
  /** Metres, measured as `tripdetector_mileagedetect` says, times `advanced_mileagecoeff`. */
  readonly distanceMeters: number;
  /** From `from` to `to`. */
  readonly durationSeconds: number;
  /** The greatest speed of its fixes; null when none is known. */
  readonly maxSpeedKph: number | null;
  /**
   * Number of steps that count by position because they have no mileage, or one that grew faster than 300 km/h. Present only when
   * `tripdetector_mileagedetect` is not `mileage_GPS`.
   */
  readonly unmeasuredSteps?: number;
}

export function movementItem(kind: MovementKind, stretch: Stretch, rules: MovementRules): MovementItem {
  const { from, to, fromLon, fromLat, toLon, toLat, meters, maxSpeedKph, unmeasured } = stretch;
  const isPinned = rules.pinsParked && kind !== 'trip';
  return {
    from,
    to,
    start: [fromLon, fromLat],
    end: isPinned ? [fromLon, fromLat] : [toLon, toLat],
    distanceMeters: meters * rules.mileageFactor,
    durationSeconds: (to - from) / 1000,
    maxSpeedKph: maxSpeedKph < 0 ? null : maxSpeedKph,
    ...(rules.mileage !== 'mileage_GPS' && { unmeasuredSteps: unmeasured }),
  };
}
