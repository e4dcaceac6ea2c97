/** Decides whether a small box around a position is free of borders. If it is, each zone contains all of the box or none of it. */

import type { ShapeColumns } from '../shapes/index.js';
import { pieceStaysClear } from './dispatch.js';
import { ROOM } from './kind.js';

/** Beyond this longitude or latitude no box is reported as free. */
const MAX_LON = 179.999;
const MAX_LAT = 89.999;

/**
 * Returns false if a border may lie within `reach` degrees (1e-6 to 0.1) of longitude and latitude of the position. The first `count` of `pieces`
 * include all pieces whose boxes meet that box.
 */
export function isBorderFree(
  columns: ShapeColumns,
  pieces: Uint32Array,
  count: number,
  lon: number,
  lat: number,
  reach: number,
): boolean {
  const half = reach * ROOM;
  if (!(Math.abs(lon) + half < MAX_LON && Math.abs(lat) + half < MAX_LAT)) return false;
  for (let i = 0; i < count; i++) {
    if (!pieceStaysClear(columns, pieces[i]!, lon, lat, half)) return false;
  }
  return true;
}
