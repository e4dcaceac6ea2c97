/** Circles and points: the geodesic disc around a position; radius 0 is the bare position. */

import { sublevelStays } from '../geodesy/discStays.js';
import { expandBbox } from '../geodesy/expandBbox.js';
import { inverseMeters } from '../geodesy/karney.js';
import { localDistance, localErrorBound } from '../geodesy/localDistance.js';
import type { PreparedZone } from './prepared.js';
import { settleEnds } from './stays.js';

export function prepareDisc(key: 'point' | 'circle', lon: number, lat: number, radius: number): PreparedZone {
  // Decides as Karney's distance does: the local one stands only farther from the radius than its bound.
  const distance = (x: number, y: number): number => {
    const meters = localDistance(lon, lat, x, y);
    return meters >= 0 && Math.abs(meters - radius) > localErrorBound(meters)
      ? meters
      : inverseMeters(lon, lat, x, y);
  };
  const contains = (x: number, y: number): boolean => distance(x, y) <= radius;
  return {
    key,
    boxes: expandBbox([lon, lat, lon, lat], radius),
    anchors: [[lon, lat]],
    contains,
    signedDistanceMeters: (x, y) => distance(x, y) - radius,
    stays: (aLon, aLat, bLon, bLat) =>
      settleEnds(
        sublevelStays(distance, radius, aLon, aLat, bLon, bLat),
        contains(aLon, aLat),
        contains(bLon, bLat),
      ),
  };
}
