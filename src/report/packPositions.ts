/** Positions as a packed line. */

import { lonStep } from '../core/angles.js';
import type { Position } from '../core/geometry.js';
import { packLine, thin } from './thin.js';

export function packPositions(positions: readonly Position[], toleranceMeters: number): number[] {
  const lat = positions.map((position) => position[1]);
  const lon = unrolledLons(positions.map((position) => position[0]));
  return packLine(lon, lat, thin(lon, lat, toleranceMeters));
}

/** Longitudes without a jump at the antimeridian. */
export function unrolledLons(lons: ArrayLike<number>): number[] {
  const result: number[] = [];
  for (let i = 0; i < lons.length; i++)
    result.push(i === 0 ? lons[0]! : result[i - 1]! + lonStep(lons[i - 1]!, lons[i]!));
  return result;
}
