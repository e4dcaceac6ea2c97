/**
 * Steps on which a unit is driven while its witnesses claim rest: speeds below the least one, or an ignition that is off.
 *
 * A step longer than `stayMeters` is judged by itself. Shorter steps are added up as a run, until the unit is farther than `stayMeters` from
 * where the run began: a drive that is reported each second has no long step.
 */

import { geodesicDistance } from '../../geodesy/distanceMeters.js';
import { KPH_PER_METER_PER_MS } from '../fixReader.js';
import type { MovementRules } from '../movementRules.js';
import {
  FIXES,
  LAT,
  LON,
  OFF_STEPS,
  REST_STEPS,
  RUN_CLAIMS,
  RUN_FIXES,
  RUN_LAT,
  RUN_LON,
  RUN_SLACK,
  RUN_TIME,
  TIME,
} from '../stays/stayState.js';

/** Claims of a fix, as bits. */
const SLOW = 1;
const OFF = 2;

/** Counts the step to the last fix, whose row this is, and whose claims these are. `both`: the claims that the fix before shares. */
export function countClaims(
  last: number[],
  both: number,
  claims: number,
  meters: number,
  milliseconds: number,
  rules: MovementRules,
): void {
  const { stayMeters } = rules;
  if (meters > stayMeters) {
    if ((both & OFF) !== 0) last[OFF_STEPS]! += 1;
    if ((both & SLOW) !== 0 && isFast(meters, milliseconds, rules)) last[REST_STEPS]! += 1;
    startRun(last, claims, stayMeters);
    return;
  }
  const shared = last[RUN_CLAIMS]! & claims;
  if (shared === 0) {
    if (claims !== 0 || last[RUN_CLAIMS] !== 0) startRun(last, claims, stayMeters);
    return;
  }
  last[RUN_CLAIMS] = shared;
  last[RUN_SLACK]! -= meters;
  if (last[RUN_SLACK]! >= 0) return;
  // Only now can the unit be so far away.
  const apart = geodesicDistance(last[RUN_LON]!, last[RUN_LAT]!, last[LON]!, last[LAT]!);
  if (apart <= stayMeters) {
    last[RUN_SLACK] = stayMeters - apart;
    return;
  }
  if (isFast(apart, last[TIME]! - last[RUN_TIME]!, rules)) {
    const steps = last[FIXES]! - last[RUN_FIXES]!;
    if ((shared & SLOW) !== 0) last[REST_STEPS]! += steps;
    if ((shared & OFF) !== 0) last[OFF_STEPS]! += steps;
  }
  startRun(last, claims, stayMeters);
}

/** Begins a run at the last fix. */
export function startRun(last: number[], claims: number, stayMeters: number): void {
  last[RUN_CLAIMS] = claims;
  last[RUN_TIME] = last[TIME]!;
  last[RUN_LON] = last[LON]!;
  last[RUN_LAT] = last[LAT]!;
  last[RUN_FIXES] = last[FIXES]!;
  last[RUN_SLACK] = stayMeters;
}

export function claimsOf(speedKph: number, ignition: number, minSpeedKph: number): number {
  return (speedKph >= 0 && speedKph < minSpeedKph ? SLOW : 0) | (ignition === 0 ? OFF : 0);
}

function isFast(meters: number, milliseconds: number, { minSpeedKph }: MovementRules): boolean {
  return meters * KPH_PER_METER_PER_MS > 2 * minSpeedKph * milliseconds;
}
