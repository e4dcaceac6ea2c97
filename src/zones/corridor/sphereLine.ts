/** A line as short geodesics, each so near to the edge it stands for, and its offsets so near to chords of the plane, that the tolerance holds. */

import { DEGREES_TO_RADIANS } from '../../core/angles.js';
import { cosLat, EQUATORIAL_RADIUS } from '../../geodesy/ellipsoid.js';
import { geodesicDistance } from '../../geodesy/inverse.js';
import { directPosition, geodesicSpan } from '../../geodesy/karney.js';
import { geodesicMidpoint } from '../../geodesy/midpoint.js';
import type { CorridorPlan } from './plan.js';

/** Of the tolerance, for the way from the edge to the geodesics. */
const LINE_SHARE = 0.1;
const MAX_DEPTH = 40;
/** No piece is longer: the search for a free position needs vertices all along the line. */
export const LONGEST_PIECE_METERS = 100_000;

/** Vertices `[lon0, lat0, …]` so many that geodesics between neighbours follow the line. */
export function geodesicVertices({ coords, edges, tolerance }: CorridorPlan): Float64Array {
  const out: number[] = [coords[0]!, coords[1]!];
  const share = LINE_SHARE * tolerance;
  const fill = (aLon: number, aLat: number, bLon: number, bLat: number, depth: number): void => {
    if (depth >= MAX_DEPTH || fits(aLon, aLat, bLon, bLat)) {
      out.push(bLon, bLat);
      return;
    }
    const lon = (aLon + bLon) / 2;
    const lat = (aLat + bLat) / 2;
    fill(aLon, aLat, lon, lat, depth + 1);
    fill(lon, lat, bLon, bLat, depth + 1);
  };
  const fits = (aLon: number, aLat: number, bLon: number, bLat: number): boolean => {
    if (Math.abs(bLon - aLon) > 90) return false;
    if (lonLatBend(aLon, aLat, bLon, bLat) <= share) return true;
    const [lon, lat] = geodesicMidpoint(aLon, aLat, bLon, bLat);
    return geodesicDistance((aLon + bLon) / 2, (aLat + bLat) / 2, lon, lat) <= share;
  };
  const cut = (aLon: number, aLat: number, bLon: number, bLat: number): void => {
    if (edges === 'lonlat') fill(aLon, aLat, bLon, bLat, 0);
    else out.push(bLon, bLat);
  };
  for (let i = 2; i < coords.length; i += 2) cut(coords[i - 2]!, coords[i - 1]!, coords[i]!, coords[i + 1]!);
  return withoutLong(Float64Array.from(out));
}

/** A bound of the metres between a short straight lon/lat edge and the geodesic of its ends. */
function lonLatBend(aLon: number, aLat: number, bLon: number, bLat: number): number {
  const high = Math.max(Math.abs(aLat), Math.abs(bLat));
  const cos = cosLat(high);
  const east = Math.abs(bLon - aLon) * DEGREES_TO_RADIANS * cosLat(Math.min(Math.abs(aLat), Math.abs(bLat)));
  const north = Math.abs(bLat - aLat) * DEGREES_TO_RADIANS;
  if (cos < 0.01) return Number.POSITIVE_INFINITY;
  return (EQUATORIAL_RADIUS / 8) * ((east * (2 * north + east)) / cos + 0.02 * north * north);
}

/** Cuts geodesics into pieces of at most `LONGEST_PIECE_METERS`. */
function withoutLong(coords: Float64Array): Float64Array {
  const out: number[] = [coords[0]!, coords[1]!];
  for (let i = 2; i < coords.length; i += 2) {
    const [aLon, aLat, bLon, bLat] = [coords[i - 2]!, coords[i - 1]!, coords[i]!, coords[i + 1]!];
    const { meters, startAzimuth } = geodesicSpan(aLon, aLat, bLon, bLat);
    const pieces = Math.ceil(meters / LONGEST_PIECE_METERS);
    for (let k = 1; k < pieces; k++)
      out.push(...directPosition(aLon, aLat, startAzimuth, (meters * k) / pieces));
    out.push(bLon, bLat);
  }
  return Float64Array.from(out);
}
