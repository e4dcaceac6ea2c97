/** Successive fixes of one kind, which become a trip, a parking or a stop. */

import type { MovementRules } from './movementRules.js';

/** Successive fixes that all move or all rest. */
export interface Stretch {
  readonly from: number;
  readonly fromLon: number;
  readonly fromLat: number;
  to: number;
  toLon: number;
  toLat: number;
  meters: number;
  /** -1 if no fix has a speed. */
  maxSpeedKph: number;
  /** Number of steps without mileage, which count by position. */
  unmeasured: number;
}

/** The step by which a stretch grows. */
interface StretchStep {
  readonly time: number;
  readonly lon: number;
  readonly lat: number;
  readonly speedKph: number;
  readonly unmeasured: number;
}

export function stretchFrom(time: number, lon: number, lat: number, speedKph: number): Stretch {
  return {
    from: time,
    fromLon: lon,
    fromLat: lat,
    to: time,
    toLon: lon,
    toLat: lat,
    meters: 0,
    maxSpeedKph: speedKph,
    unmeasured: 0,
  };
}

export function extendStretch(stretch: Stretch, step: StretchStep, meters: number): void {
  stretch.to = step.time;
  stretch.toLon = step.lon;
  stretch.toLat = step.lat;
  stretch.meters += meters;
  stretch.unmeasured += step.unmeasured;
  if (step.speedKph > stretch.maxSpeedKph) stretch.maxSpeedKph = step.speedKph;
}

export function isParking({ from, to }: Stretch, rules: MovementRules): boolean {
  return to - from >= rules.minParkMs;
}
