/** Google's encoded polyline: differences of latitude and longitude in groups of five bits, lowest first. */

import type { Position } from '../core/geometry.js';

/** Seven groups of five bits hold every difference of two longitudes at a precision of 6. */
const MAX_SHIFT = 35;

/**
 * The positions `[lon, lat]` of an encoded text with `precision` decimals (5, or 6 for polyline6). Null when the text is cut off, holds
 * foreign characters or leaves the range of degrees. Cost: O(n), about 50 ns a position (bench/routing.ts).
 */
export function decodePolyline(text: string, precision: 5 | 6): Position[] | null {
  const factor = precision === 5 ? 1e5 : 1e6;
  const maxLat = 90 * factor;
  const maxLon = 180 * factor;
  const end = text.length;
  const positions: Position[] = [];
  let lat = 0;
  let lon = 0;
  // The bits of all groups together. A bit beyond the sixth, or the sign, shows a foreign character.
  let seen = 0;
  let i = 0;
  while (i < end) {
    // Past the end a group is NaN, which ends its number.
    let group = text.charCodeAt(i++) - 63;
    let bits = group & 31;
    let shift = 5;
    seen |= group;
    while (group >= 32) {
      group = text.charCodeAt(i++) - 63;
      seen |= group;
      bits |= (group & 31) << shift;
      shift += 5;
    }
    lat += (bits >>> 1) ^ -(bits & 1);
    let longest = shift;
    group = text.charCodeAt(i++) - 63;
    bits = group & 31;
    shift = 5;
    seen |= group;
    while (group >= 32) {
      group = text.charCodeAt(i++) - 63;
      seen |= group;
      bits |= (group & 31) << shift;
      shift += 5;
    }
    lon += (bits >>> 1) ^ -(bits & 1);
    if (shift > longest) longest = shift;
    if (longest > MAX_SHIFT || lat > maxLat || lat < -maxLat || lon > maxLon || lon < -maxLon) return null;
    positions.push([lon / factor, lat / factor]);
  }
  return i === end && (seen & ~63) === 0 ? positions : null;
}
