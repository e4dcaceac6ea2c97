/** A fix of a pair of units, and where a unit is between two. */

import { lonStep, wrapOnce } from '../../core/angles.js';
import type { MutableMove } from './pairDistance.js';

/** Plain data. `isBlind`: the step that ends at the fix was not seen. */
export interface PairFix {
  readonly time: number;
  readonly lon: number;
  readonly lat: number;
  readonly isBlind: boolean;
}

/** The position at a time of the step from one fix up to the next, `[lon, lat]`. */
export function pairPositionAt(
  from: PairFix,
  to: PairFix | undefined,
  time: number,
): readonly [number, number] {
  if (to === undefined || time === from.time) return [from.lon, from.lat];
  const t = (time - from.time) / (to.time - from.time);
  const lon = from.lon + lonStep(from.lon, to.lon) * t;
  return [wrapOnce(lon), from.lat + (to.lat - from.lat) * t];
}

/** Sets where a unit is at the ends of an interval of its step; `isNext`: it begins where `move` ends. */
export function setMove(
  move: MutableMove,
  from: PairFix,
  to: PairFix,
  start: number,
  end: number,
  isNext: boolean,
): void {
  const step = to.time - from.time;
  if (isNext) {
    move.lonA = move.lonB;
    move.latA = move.latB;
  } else if (start === from.time || step === 0) {
    move.lonA = from.lon;
    move.latA = from.lat;
  } else {
    const share = (start - from.time) / step;
    move.lonA = wrapOnce(from.lon + lonStep(from.lon, to.lon) * share);
    move.latA = from.lat + (to.lat - from.lat) * share;
  }
  if (end === to.time || step === 0) {
    move.lonB = to.lon;
    move.latB = to.lat;
  } else {
    const share = (end - from.time) / step;
    move.lonB = wrapOnce(from.lon + lonStep(from.lon, to.lon) * share);
    move.latB = from.lat + (to.lat - from.lat) * share;
  }
}
