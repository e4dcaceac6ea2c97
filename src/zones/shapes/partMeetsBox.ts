/** Decides exactly whether a part of a polygon, with its boundary, shares a position with a closed box. */

import { crossesAntimeridian } from '../../core/angles.js';
import { orient2d } from '../../planar/orient2d.js';
import { partContains } from './partContains.js';
import { WRAPS } from './ringMarks.js';
import type { ShapeColumns } from './shapeColumns.js';
import type { Slabs } from './slabs.js';

/**
 * Whether the part meets the box, which has flushed sides and west ≤ east. If no edge meets it, the box is inside or outside, and its
 * corners decide. O(n); the first edge that meets the box ends the search.
 */
export function partMeetsBox(
  columns: ShapeColumns,
  piece: number,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean {
  const { pieceBoxes } = columns;
  const box = 4 * piece;
  if (pieceBoxes[box + 1]! > north || pieceBoxes[box + 3]! < south) return false;
  const lastRing = columns.pieceTo[piece]!;
  for (let ring = columns.pieceFrom[piece]!; ring < lastRing; ) {
    // A ring that ends at ±180 meets boxes on both sides.
    const slabs = west === -180 ? null : columns.slabs.of(columns, ring, lastRing);
    if (ringMeetsBox(columns, ring, slabs, west, south, east, north)) return true;
    ring = slabs === null ? ring + 1 : columns.slabs.after;
  }
  // Longitude -180 is 180. A pole is inside or outside at every longitude.
  const lon = west === -180 ? 180 : west;
  return (
    partContains(columns, piece, lon, south, false) ||
    (north === 90 && partContains(columns, piece, lon, north, false))
  );
}

function ringMeetsBox(
  columns: ShapeColumns,
  ring: number,
  slabs: Slabs | null,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean {
  const { coords } = columns;
  const wraps = (columns.ringMarks[ring]! & WRAPS) !== 0;
  if (slabs === null) {
    const end = 2 * columns.ringTo[ring]!;
    let bx = coords[2 * columns.ringFrom[ring]!]!;
    for (let at = 2 * columns.ringFrom[ring]!; at < end; at += 2) {
      const ax = bx;
      bx = coords[at + 2]!;
      // Most edges of a long ring are beside the box.
      if (!wraps && west !== -180 && ((ax < west && bx < west) || (ax > east && bx > east))) continue;
      if (
        edgeMeetsBox(coords, at, west, south, east, north, 0, wraps) ||
        (west === -180 && edgeMeetsBox(coords, at, west, south, east, north, -360, wraps))
      )
        return true;
    }
    return false;
  }
  const end = slabs.starts[slabs.at(east) + 1]!;
  for (let i = slabs.starts[slabs.at(west)]!; i < end; i++)
    if (edgeMeetsBox(coords, 2 * slabs.edges[i]!, west, south, east, north, 0, wraps)) return true;
  return false;
}

/**
 * Whether an edge meets the box. `shift` is added to the edge's longitudes. An edge across the antimeridian is also tested where it enters
 * the map in the west.
 */
function edgeMeetsBox(
  coords: Float64Array,
  at: number,
  west: number,
  south: number,
  east: number,
  north: number,
  shift: number,
  wraps: boolean,
): boolean {
  const cy = coords[at + 1]!;
  const dy = coords[at + 3]!;
  if ((cy < south && dy < south) || (cy > north && dy > north)) return false;
  const cx = coords[at]!;
  const dx = coords[at + 2]!;
  if (!wraps || !crossesAntimeridian(cx, dx))
    return lineMeetsBox(cx + shift, cy, dx + shift, dy, west, south, east, north);
  // Shifts of the end for the part of the edge that leaves the map in the east, and for the part that enters it in the west.
  const c = cx < 0 ? 360 : 0;
  const d = dx < 0 ? 360 : 0;
  return (
    lineMeetsBox(cx + c, cy, dx + d, dy, west, south, east, north) ||
    lineMeetsBox(cx + (c - 360), cy, dx + (d - 360), dy, west, south, east, north)
  );
}

/** Whether a straight edge whose latitudes overlap those of the box meets it. */
function lineMeetsBox(
  cx: number,
  cy: number,
  dx: number,
  dy: number,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean {
  if ((cx < west && dx < west) || (cx > east && dx > east)) return false;
  // The box of the edge overlaps the given box. So the edge misses it only if its line passes one of the two farthest corners.
  const rises = dx > cx === dy > cy;
  const p = orient2d(cx, cy, dx, dy, west, rises ? north : south);
  const q = orient2d(cx, cy, dx, dy, east, rises ? south : north);
  return !((p > 0 && q > 0) || (p < 0 && q < 0));
}
