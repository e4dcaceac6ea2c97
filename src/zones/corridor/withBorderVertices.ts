/** Adds vertices to a ring where its edges cross the antimeridian. */

import { crossesAntimeridian, lonStep } from '../../core/angles.js';
import { isInOnePiece } from '../ring.js';

/**
 * The ring `[lon0, lat0, …]` (wrapped, not closed) with a vertex wherever an edge crosses ±180°. `cutPart` then cuts it at these vertices,
 * so that the cut ring and the ring with continuous longitudes have the same area to the last bit.
 */
export function withBorderVertices(ring: Float64Array): Float64Array {
  if (isInOnePiece(ring)) return ring;
  const coords: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const lon = ring[i]!;
    const lat = ring[i + 1]!;
    coords.push(lon, lat);
    const next = i + 2 < ring.length ? i + 2 : 0;
    const nextLon = ring[next]!;
    if (!crossesAntimeridian(lon, nextLon) || lon === 180 || nextLon === 180) continue;
    const border = lon > 0 ? 180 : -180;
    coords.push(180, lat + (ring[next + 1]! - lat) * ((border - lon) / lonStep(lon, nextLon)));
  }
  return new Float64Array(coords);
}
