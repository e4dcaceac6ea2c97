/** Rejects shapes that no zone can have. Most are accepted by a quick test; the others are read as an index reads them. */

import { WayzoneError } from '../../core/errors.js';
import { FlatPairs } from '../../core/flatPairs.js';
import type { Pair } from '../../core/wire.js';
import { MAX_RADIUS_METERS } from '../../zones/kinds/index.js';
import { readShape } from '../../zones/readShape.js';
import type { LonLatShape } from './lonLatShape.js';

/** Size of a coordinate below which a zone may take it as 0, degrees. */
const TINY_DEGREES = 1e-9;

/**
 * The error of a shape that an index rejects: an edge of exactly 180°, a ring without area, a width out of range. Null for any other shape.
 */
export function shapeError({ key, geometry, parts }: LonLatShape, width: unknown): WayzoneError | null {
  const size = typeof width === 'number' ? width : 0;
  const isWide = !(size >= 0 && size <= MAX_RADIUS_METERS);
  if (key === 'point' && !isWide) return null;
  const rings = parts?.flat() ?? [geometry];
  if (!isWide && !rings.some((ring) => isSuspect(ring, key === 'polygon'))) return null;
  const pairs = (geometry instanceof FlatPairs ? geometry.toPairs() : geometry) as readonly Pair[];
  try {
    // A point with a width is a circle. A circle of radius 0 is checked where it is used.
    const type = { key: key === 'point' ? ('circle' as const) : key };
    readShape({ type, geometry: pairs, parts, width: isWide ? size : 1 });
    return null;
  } catch (error) {
    if (error instanceof WayzoneError) return error;
    throw error;
  }
}

/** Whether a list has a long edge or tiny numbers, or, as a ring, no corner. */
function isSuspect(list: LonLatShape['geometry'], isRing: boolean): boolean {
  const isFlat = list instanceof FlatPairs;
  const at = (i: number, k: 0 | 1): number => (isFlat ? list.lonLat[list.from + 2 * i + k]! : list[i]![k]);
  const { length } = list;
  let hasCorner = !isRing;
  for (let i = 0; i < length; i++) {
    const before = i === 0 ? length - 1 : i - 1;
    const [x, y] = [at(i, 0), at(i, 1)];
    if ((isRing || i > 0) && Math.abs(x - at(before, 0)) >= 180) return true;
    if ((x !== 0 && Math.abs(x) < TINY_DEGREES) || (y !== 0 && Math.abs(y) < TINY_DEGREES)) return true;
    if (hasCorner || i < 2) continue;
    const [x0, y0] = [at(0, 0), at(0, 1)];
    const turn = (x - x0) * (at(before, 1) - y0) - (y - y0) * (at(before, 0) - x0);
    hasCorner = Math.abs(turn) > TINY_DEGREES * TINY_DEGREES;
  }
  return !hasCorner;
}
