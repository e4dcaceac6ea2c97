/** Google's encoded polyline: differences of latitude and longitude in groups of five bits, lowest first. */

import type { Position } from '../core/geometry.js';

/** Seven groups of five bits hold every difference of two longitudes at a precision of 7. */
const MAX_SHIFT = 30;

/**
 * The positions `[lon, lat]` of an encoded text with `precision` decimals (5, or 6 for polyline6). Null when the text is cut off, holds
 * foreign characters or leaves the range of degrees. Cost: O(n), about 30 ns a position (bench/routing.ts).
 */
export function decodePolyline(text: string, precision: 5 | 6): Position[] | null {
  const factor = precision === 5 ? 1e5 : 1e6;
  const maxLat = 90 * factor;
  const maxLon = 180 * factor;
  const end = text.length;
  const positions: Position[] = [];
  let lat = 0;
  let lon = 0;
  let i = 0;
  while (i < end) {
    let bits = 0;
    let shift = 0;
    let group: number;
    do {
      group = text.charCodeAt(i++) - 63;
      // Past the end, NaN fails this test as well.
      if (!(group >= 0 && group < 64) || shift > MAX_SHIFT) return null;
      bits |= (group & 31) << shift;
      shift += 5;
    } while (group >= 32);
    lat += (bits >>> 1) ^ -(bits & 1);
    bits = 0;
    shift = 0;
    do {
      group = text.charCodeAt(i++) - 63;
      if (!(group >= 0 && group < 64) || shift > MAX_SHIFT) return null;
      bits |= (group & 31) << shift;
      shift += 5;
    } while (group >= 32);
    lon += (bits >>> 1) ^ -(bits & 1);
    if (lat > maxLat || lat < -maxLat || lon > maxLon || lon < -maxLon) return null;
    positions.push([lon / factor, lat / factor]);
  }
  return positions;
}
