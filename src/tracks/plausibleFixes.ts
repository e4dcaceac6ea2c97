/** Drops the fixes of a sorted track that the unit could not have reached. */

import { lonStep } from '../core/angles.js';
import { decidedDistance } from '../geodesy/inverse.js';
import type { FixColumns } from './fixColumns.js';
import { KPH_PER_METER_PER_MS } from './fixReader.js';

/** Upper bounds of a degree on WGS84: of the meridian (at the poles) and of a parallel (at the equator), rounded up. */
const MAX_METERS_PER_DEGREE_LAT = 111_695;
const MAX_METERS_PER_DEGREE_LON = 111_320;

/**
 * `order` without the fixes that are faster than `maxSpeedKph` both from the last kept fix and to the next one.
 * The first and the last fix stay.
 */
export function plausibleFixes(columns: FixColumns, order: Uint32Array, maxSpeedKph: number): Uint32Array {
  const { time, lon, lat } = columns;
  const isStepFaster = (i: number, j: number): boolean =>
    isFaster(
      maxSpeedKph * ((time[j] as number) - (time[i] as number)),
      lon[i] as number,
      lat[i] as number,
      lon[j] as number,
      lat[j] as number,
    );
  const kept = new Uint32Array(order.length);
  let count = 0;
  for (let k = 0; k < order.length; k++) {
    const i = order[k] as number;
    const isBetween = k > 0 && k < order.length - 1;
    if (isBetween && isStepFaster(kept[count - 1] as number, i) && isStepFaster(i, order[k + 1] as number)) {
      continue;
    }
    kept[count++] = i;
  }
  return kept.subarray(0, count);
}

/** Whether a step is longer than `reach` (km/h times milliseconds); the way along meridian and parallel is never shorter. */
export function isFaster(reach: number, aLon: number, aLat: number, bLon: number, bLat: number): boolean {
  if (wayBound(bLat - aLat, lonStep(aLon, bLon)) * KPH_PER_METER_PER_MS <= reach) return false;
  const limit = reach / KPH_PER_METER_PER_MS;
  return decidedDistance(aLon, aLat, bLon, bLat, limit) > limit;
}

/** A cheap bound: `false` if `isFaster` must decide. */
export function isSurelySlower(
  reach: number,
  a: { readonly lon: number; readonly lat: number },
  b: { readonly lon: number; readonly lat: number },
): boolean {
  return wayBound(b.lat - a.lat, lonStep(a.lon, b.lon)) * KPH_PER_METER_PER_MS <= reach;
}

/** Upper bound of the way along meridian and parallel, metres. */
export function wayBound(latStep: number, lonSpan: number): number {
  return Math.abs(latStep) * MAX_METERS_PER_DEGREE_LAT + Math.abs(lonSpan) * MAX_METERS_PER_DEGREE_LON;
}
