/** The state of a unit's movement. */

import { UNKNOWN } from './fixReader.js';
import { type MileageState, noMileage } from './measureStep.js';
import type { Stretch } from './stretch.js';

/** Plain JSON. `rest` → `trip` → `pause` follow each other; the first two may be missing after a cut. */
export interface Movement extends MileageState {
  /** The last fix; `hasFix` is false before the first one. */
  hasFix: boolean;
  time: number;
  lon: number;
  lat: number;
  speedKph: number;
  isMoving: boolean;
  /** At rest before the trip. */
  rest: Stretch | null;
  /** The trip under way, up to the first fix of `pause`. */
  trip: Stretch | null;
  /** The rest since the trip's last movement, shorter than a parking so far. */
  pause: Stretch | null;
  /** The trip's stops until the trip is confirmed. */
  stops: Stretch[];
  /** Whether the `begin` event of `rest` or `trip` was emitted. */
  restTold: boolean;
  tripTold: boolean;
}

export function noMovement(): Movement {
  return {
    hasFix: false,
    time: 0,
    lon: 0,
    lat: 0,
    speedKph: UNKNOWN,
    isMoving: false,
    rest: null,
    trip: null,
    pause: null,
    stops: [],
    restTold: false,
    tripTold: false,
    ...noMileage(),
  };
}
