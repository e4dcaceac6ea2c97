import { rayCrosses } from '../../src/planar/orient2d.js';

/** Half-open rule on a ring x0, y0, x1, y1, …: inside if a ray from the point crosses an odd number of edges. */
export function isInHalfOpen(x: number, y: number, ring: readonly number[]): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2)
    if (rayCrosses(x, y, ring[j]!, ring[j + 1]!, ring[i]!, ring[i + 1]!, false)) inside = !inside;
  return inside;
}
