/** Positions as a packed line. */

import { lonStep } from '../core/angles.js';
import type { Position } from '../core/geometry.js';
import { packLine, thin } from './thin.js';

export function packPositions(positions: readonly Position[], toleranceMeters: number): number[] {
  const lat = positions.map((position) => position[1]);
  const lon = unrolled(positions.map((position) => position[0]));
  return packLine(lon, lat, thin(lon, lat, toleranceMeters));
}

/** Longitudes without a jump at the antimeridian. */
function unrolled(lons: readonly number[]): number[] {
  const result: number[] = [];
  lons.forEach((lon, i) => {
    result.push(i === 0 ? lon : (result[i - 1] as number) + lonStep(lons[i - 1] as number, lon));
  });
  return result;
}
