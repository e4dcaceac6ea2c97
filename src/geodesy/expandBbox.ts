/** Boxes that contain all positions within a distance of a box. */

import { RADIANS_TO_DEGREES, splitBbox, wrapLon } from '../core/angles.js';
import type { Bbox } from '../core/geometry.js';
import { FLATTENING, POLAR_RADIUS } from './ellipsoid.js';
import { reduced } from './lowerBounds.js';

/** Margin for rounding, degrees; about 0.1 mm. */
const ROOM_DEGREES = 1e-9;

/**
 * Boxes (each west ≤ east, none across the antimeridian) that contain all positions within `meters` of `bbox`.
 *
 * On the sphere of reduced latitude β every path of s metres spans at most s/b radians (`lowerBounds.ts`), and a cap of radius ρ at β
 * reaches asin(sin ρ / cos β) of longitude to either side. A reached pole gives all longitudes. Wider than needed by at most 0.4 % of
 * `meters` at the centre, more at the corners.
 */
export function expandBbox(bbox: Bbox, meters: number): Bbox[] {
  const [west, south, east, north] = bbox;
  const reach = meters / POLAR_RADIUS;
  const low = reduced(south) - reach;
  const high = reduced(north) + reach;
  const reachesSouth = low <= -Math.PI / 2 + 1e-12;
  const reachesNorth = high >= Math.PI / 2 - 1e-12;
  const newSouth = reachesSouth ? -90 : Math.max(-90, Math.min(south, geographic(low)) - ROOM_DEGREES);
  const newNorth = reachesNorth ? 90 : Math.min(90, Math.max(north, geographic(high)) + ROOM_DEGREES);
  const whole: Bbox[] = [[-180, newSouth, 180, newNorth]];
  if (reachesSouth || reachesNorth) return whole;
  const steepest = Math.max(Math.abs(reduced(south)), Math.abs(reduced(north)));
  const sine = Math.sin(reach) / Math.cos(steepest);
  if (!(sine < 1)) return whole;
  const widening = Math.asin(sine) * RADIANS_TO_DEGREES + ROOM_DEGREES;
  const width = (west <= east ? east - west : east - west + 360) + 2 * widening;
  if (width >= 360) return whole;
  const newWest = west - widening;
  const newEast = east + widening;
  return splitBbox([
    newWest < -180 ? wrapLon(newWest) : newWest,
    newSouth,
    newEast > 180 ? wrapLon(newEast) : newEast,
    newNorth,
  ]);
}

/** Geographic latitude, degrees, from reduced latitude, radians. */
function geographic(beta: number): number {
  return Math.atan2(Math.sin(beta), (1 - FLATTENING) * Math.cos(beta)) * RADIANS_TO_DEGREES;
}
