/** Measures of a unit in a span, and the sums from which they are computed. */

import { UNKNOWN } from '../fixReader.js';
import { GAP, IDLING, type MeteredKind, MOVING } from './stepMeter.js';

/** Measures of a unit in a span. If a span is cut, the measures of its parts add up, except for the two speeds. */
export interface Measure {
  /** The span. */
  readonly durationSeconds: number;
  /** Seconds of moving steps: at least one fix moves, or the fixes are farther apart than a place. */
  readonly movingSeconds: number;
  /** Seconds of idling steps: in a parking, in a stop, or at one place with both fixes at rest. The ignition is on at the first fix. */
  readonly idlingSeconds: number;
  /** The same with the ignition off or unknown, sleeps, and gaps in parkings. */
  readonly parkedSeconds: number;
  /** Seconds of gaps outside parkings, before the first fix and after the last fix. */
  readonly unmeasuredSeconds: number;
  /** Metres of steps that are not gaps, times `advanced_mileagecoeff`. */
  readonly distanceMeters: number;
  /** Metres of gaps: straight, or by the growth of the mileage, times `advanced_mileagecoeff`. By position this is a lower bound. */
  readonly unmeasuredMeters: number;
  /** Greatest speed, km/h, also at the ends of the span. Speed is linear between fixes. At least the mean speed; null without a speed. */
  readonly maxSpeedKph: number | null;
  /** Metres of moving steps by `movingSeconds`, km/h; null without moving time. */
  readonly meanSpeedKph: number | null;
}

/** Sums over parts of steps. Plain JSON. `maxKph` is -1 without a speed. */
export interface Sums {
  movingMs: number;
  idlingMs: number;
  parkedMs: number;
  meters: number;
  /** Of `meters` those of moving steps. */
  movingMeters: number;
  gapMeters: number;
  maxKph: number;
}

export function noSums(): Sums {
  return { movingMs: 0, idlingMs: 0, parkedMs: 0, meters: 0, movingMeters: 0, gapMeters: 0, maxKph: UNKNOWN };
}

/** Adds a part of a step to the sums. `meters` are those of the part. */
export function addToSums(sums: Sums, kind: MeteredKind, milliseconds: number, meters: number): void {
  if (kind === MOVING) {
    sums.movingMs += milliseconds;
    sums.movingMeters += meters;
  } else if (kind === IDLING) sums.idlingMs += milliseconds;
  else if (kind !== GAP) sums.parkedMs += milliseconds;
  if (kind === GAP) sums.gapMeters += meters;
  else sums.meters += meters;
}

/** The measure of a span of `milliseconds`. What is not in the sums was not measured. */
export function measureOf(sums: Sums, milliseconds: number): Measure {
  const { movingMs, idlingMs, parkedMs, meters, movingMeters, gapMeters, maxKph } = sums;
  const meanKph = movingMs === 0 ? null : (movingMeters * 3600) / movingMs;
  return {
    durationSeconds: milliseconds / 1000,
    movingSeconds: movingMs / 1000,
    idlingSeconds: idlingMs / 1000,
    parkedSeconds: parkedMs / 1000,
    unmeasuredSeconds: (milliseconds - movingMs - idlingMs - parkedMs) / 1000,
    distanceMeters: meters,
    unmeasuredMeters: gapMeters,
    maxSpeedKph: maxKph === UNKNOWN ? null : Math.max(maxKph, meanKph ?? 0),
    meanSpeedKph: meanKph,
  };
}
