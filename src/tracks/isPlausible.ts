/** Whether a unit could have gone from one fix to another. */

import { lonStep } from '../core/angles.js';
import type { TimedPosition } from '../core/fix.js';
import { decidedDistance } from '../geodesy/distanceMeters.js';
import { KPH_PER_METER_PER_MS } from './fixReader.js';

/** Upper bounds of a degree on WGS84: of the meridian (at the poles) and of a parallel (at the equator), rounded up. */
const MAX_METERS_PER_DEGREE_LAT = 111_695;
const MAX_METERS_PER_DEGREE_LON = 111_320;

/** Whether the speed from `a` to the later `b` is at most `maxSpeedKph`. The way along meridian and parallel, a cheap bound, is never shorter. */
export function isPlausible(a: TimedPosition, b: TimedPosition, maxSpeedKph: number): boolean {
  const reach = maxSpeedKph * (b.time - a.time);
  if (wayBound(b.lat - a.lat, lonStep(a.lon, b.lon)) * KPH_PER_METER_PER_MS <= reach) return true;
  const limit = reach / KPH_PER_METER_PER_MS;
  return decidedDistance(a.lon, a.lat, b.lon, b.lat, limit) <= limit;
}

/** Upper bound of the way along meridian and parallel, metres. */
export function wayBound(latStep: number, lonSpan: number): number {
  return Math.abs(latStep) * MAX_METERS_PER_DEGREE_LAT + Math.abs(lonSpan) * MAX_METERS_PER_DEGREE_LON;
}
