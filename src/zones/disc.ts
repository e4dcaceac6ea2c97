/** Circles and points: the geodesic disc around a position; radius 0 is the bare position. */

import { sublevelStays } from '../geodesy/discStays.js';
import { expandBbox } from '../geodesy/expandBbox.js';
import { decidedDistance } from '../geodesy/inverse.js';
import type { PreparedZone } from './prepared.js';
import { settleEnds } from './stays.js';

export function prepareDisc(key: 'point' | 'circle', lon: number, lat: number, radius: number): PreparedZone {
  const distance = (x: number, y: number): number => decidedDistance(lon, lat, x, y, radius);
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
