/** Which fixes of a sorted track a unit can have reached. */

import { lonStep } from '../core/angles.js';
import { geodesicDistance } from '../geodesy/inverse.js';
import type { FixColumns } from './fixColumns.js';

/** Upper bounds of a degree on WGS84: of the meridian (at the poles) and of a parallel (at the equator), rounded up. */
const MAX_METERS_PER_DEGREE_LAT = 111_695;
const MAX_METERS_PER_DEGREE_LON = 111_320;
/** km/h for one metre in a millisecond. */
const KPH_PER_METER_PER_MS = 3600;

/**
 * `order` without the fixes that are faster than `maxSpeedKph` both from the last kept fix and to the next one.
 * The first and the last fix stay.
 */
export function plausibleFixes(columns: FixColumns, order: Uint32Array, maxSpeedKph: number): Uint32Array {
  const kept = new Uint32Array(order.length);
  let count = 0;
  for (let k = 0; k < order.length; k++) {
    const i = order[k] as number;
    const isBetween = k > 0 && k < order.length - 1;
    if (
      isBetween &&
      isFaster(columns, kept[count - 1] as number, i, maxSpeedKph) &&
      isFaster(columns, i, order[k + 1] as number, maxSpeedKph)
    ) {
      continue;
    }
    kept[count++] = i;
  }
  return kept.subarray(0, count);
}

/** Whether the step from fix i to fix j is faster than `maxSpeedKph`; the way along meridian and parallel is never shorter. */
function isFaster({ time, lon, lat }: FixColumns, i: number, j: number, maxSpeedKph: number): boolean {
  const [lonI, latI] = [lon[i] as number, lat[i] as number];
  const [lonJ, latJ] = [lon[j] as number, lat[j] as number];
  const reach = maxSpeedKph * ((time[j] as number) - (time[i] as number));
  const farthest =
    Math.abs(latJ - latI) * MAX_METERS_PER_DEGREE_LAT +
    Math.abs(lonStep(lonI, lonJ)) * MAX_METERS_PER_DEGREE_LON;
  if (farthest * KPH_PER_METER_PER_MS <= reach) return false;
  return geodesicDistance(lonI, latI, lonJ, latJ) * KPH_PER_METER_PER_MS > reach;
}
