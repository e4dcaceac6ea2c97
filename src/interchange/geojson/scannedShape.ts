/** Makes the shape of a scanned feature: positions as arrays, or `FlatPairs` over the scanner's numbers. */

import { FlatPairs } from '../../core/flatPairs.js';
import type { Position } from '../../core/geometry.js';
import { MAX_VERTICES } from '../../core/input.js';
import { type LonLatShape, lineShape, pointShape, polygonShape } from '../common/lonLatShape.js';
import type { FeatureScanner } from './featureScanner.js';

/**
 * The shape of the feature scanned last. With `isFlat` a ring or line has `FlatPairs`. `at` returns the path of a member. Throws as
 * `readGeometry`.
 */
export function scannedShape(
  scan: FeatureScanner,
  isFlat: boolean,
  at: (path: string) => string,
): LonLatShape {
  const { key, coordinates } = scan;
  const { lonLat, from, to, ringEnds, polygonEnds } = coordinates;
  if (isFlat && ringEnds.length === 1 && key !== 'point') {
    const flat = key === 'line' ? new FlatPairs(lonLat, from, (to - from) / 2) : scannedRing(scan);
    if (flat !== null && flat.length >= 2 && flat.length <= MAX_VERTICES)
      return { key, geometry: flat, parts: null };
  }
  let start = from;
  const rings = ringEnds.map((end) => {
    const ring: Position[] = [];
    for (; start < end; start += 2) ring.push([lonLat[start]!, lonLat[start + 1]!]);
    return ring;
  });
  coordinates.drop();
  if (key === 'point') return pointShape(rings[0]![0]!);
  const path = at('geometry.coordinates');
  if (key === 'line') return lineShape(rings[0]!, path);
  let first = 0;
  const polygons = polygonEnds.map((end) => {
    const polygon = rings.slice(first, end);
    first = end;
    return polygon;
  });
  return polygonShape(polygons, path);
}

/** Positions of a polygon of one ring as `FlatPairs`. Null for any other shape, and for a ring that `polygonShape` must check. */
export function scannedRing({ key, coordinates }: FeatureScanner): FlatPairs | null {
  const { lonLat, from, to, ringEnds } = coordinates;
  if (key !== 'polygon' || ringEnds.length !== 1) return null;
  const flat = new FlatPairs(lonLat, from, (to - from) / 2);
  return flat.length <= MAX_VERTICES && hasThreeCorners(flat) ? flat : null;
}

/** Whether three positions differ from the position before: the first check of `polygonShape`, which checks other rings further. */
function hasThreeCorners({ lonLat, from, length }: FlatPairs): boolean {
  let count = 0;
  for (let i = from + 2; i < from + 2 * length; i += 2) {
    if ((lonLat[i] !== lonLat[i - 2] || lonLat[i + 1] !== lonLat[i - 1]) && ++count === 3) return true;
  }
  return false;
}
