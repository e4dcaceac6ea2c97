/** A trip, parking or stop as callers get it. */

import type { Position } from '../core/geometry.js';
import type { MovementKind, Stretch } from './movementMachine.js';
import type { MovementRules } from './movementSettings.js';

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
  /** Along the fixes, times `advanced_mileagecoeff`. */
  readonly distanceMeters: number;
  /** From `from` to `to`. */
  readonly durationSeconds: number;
  /** The greatest speed of its fixes; null when none is known. */
  readonly maxSpeedKph: number | null;
}

export function movementItem(kind: MovementKind, stretch: Stretch, rules: MovementRules): MovementItem {
  const { from, to, fromLon, fromLat, toLon, toLat, meters, maxSpeedKph } = stretch;
  const isPinned = rules.pinsParked && kind !== 'trip';
  return {
    from,
    to,
    start: [fromLon, fromLat],
    end: isPinned ? [fromLon, fromLat] : [toLon, toLat],
    distanceMeters: meters * rules.mileageFactor,
    durationSeconds: (to - from) / 1000,
    maxSpeedKph: maxSpeedKph < 0 ? null : maxSpeedKph,
  };
}
