/** Inserts vertices into long edges, so that straight lon/lat edges between offset positions stay near the true offset. */

import { DEGREES_TO_RADIANS } from '../../core/angles.js';
import { cosLat, EQUATORIAL_RADIUS } from '../../geodesy/ellipsoid.js';
import { geodesicMidpoint } from '../../geodesy/geodesicMidpoint.js';
import { type CorridorInput, DENSIFY_SHARE } from './corridorInput.js';
import type { Resolver } from './resolver.js';

/**
 * Divides edges into even lon/lat steps, until the offset of each step leaves its chord by less than its share of the tolerance.
 *
 * Along an edge that spans Δφ the offset in degrees, r/(N cos φ) east and r/M north, leaves its chord by at most
 * r (Δφ)²/8 · 2 (1 + 2 tan² φ).
 */
export function densifyLonLat({ radius, tolerance }: CorridorInput, coords: Float64Array): Float64Array {
  const share = (8 * DENSIFY_SHARE * tolerance) / (2 * radius);
  // The longest step of latitude, at the equator.
  const longest = Math.sqrt(share) / DEGREES_TO_RADIANS;
  let most = 0;
  let highest = Math.abs(coords[1]!);
  for (let i = 3; i < coords.length; i += 2) {
    const lat = coords[i]!;
    most = Math.max(most, Math.abs(lat - coords[i - 2]!));
    highest = Math.max(highest, Math.abs(lat));
  }
  if (most * growth(highest) <= longest) return coords;
  const out: number[] = [coords[0]!, coords[1]!];
  for (let i = 2; i < coords.length; i += 2) {
    const lon = coords[i]!;
    const lat = coords[i + 1]!;
    const lonSpan = lon - coords[i - 2]!;
    const latSpan = lat - coords[i - 1]!;
    const high = Math.max(Math.abs(lat), Math.abs(coords[i - 1]!));
    const pieces = Math.ceil((Math.abs(latSpan) / longest) * growth(high));
    for (let k = 1; k < pieces; k++) {
      out.push(coords[i - 2]! + (lonSpan * k) / pieces, coords[i - 1]! + (latSpan * k) / pieces);
    }
    out.push(lon, lat);
  }
  return Float64Array.from(out);
}

/** The factor √(1 + 2 tan² φ) at a latitude. */
function growth(lat: number): number {
  const cos = cosLat(lat);
  return Math.sqrt(2 / (cos * cos) - 1);
}

/** Cost of a vertex inserted into a geodesic edge, in steps of `Resolver`. */
const MIDPOINT_STEPS = 400;

/** Halves geodesic edges until a straight lon/lat edge leaves them by less than its share of the tolerance. */
export function densifyGeodesic(
  { tolerance }: CorridorInput,
  coords: Float64Array,
  resolver: Resolver,
): Float64Array {
  const share = DENSIFY_SHARE * tolerance;
  const out: number[] = [coords[0]!, coords[1]!];
  const fill = (aLon: number, aLat: number, bLon: number, bLat: number, depth: number): void => {
    const high = Math.max(Math.abs(aLat), Math.abs(bLat));
    const cos = cosLat(high);
    const east = (bLon - aLon) * DEGREES_TO_RADIANS * cosLat(Math.min(Math.abs(aLat), Math.abs(bLat)));
    const north = (bLat - aLat) * DEGREES_TO_RADIANS;
    // A chord of the map leaves the geodesic by at most L²/8 times its curvature, tan φ (2n + e) e / L² R.
    const bend =
      (EQUATORIAL_RADIUS / 8) *
      ((Math.abs(east) * (2 * Math.abs(north) + Math.abs(east)) * Math.sin(high * DEGREES_TO_RADIANS)) / cos +
        0.02 * north * north);
    if (bend <= share || depth > 40) {
      out.push(bLon, bLat);
      return;
    }
    resolver.spend(MIDPOINT_STEPS);
    const [lon, lat] = geodesicMidpoint(aLon, aLat, bLon, bLat);
    fill(aLon, aLat, lon, lat, depth + 1);
    fill(lon, lat, bLon, bLat, depth + 1);
  };
  for (let i = 2; i < coords.length; i += 2) {
    fill(coords[i - 2]!, coords[i - 1]!, coords[i]!, coords[i + 1]!, 0);
  }
  return Float64Array.from(out);
}
