/** Decides exactly, by the even-odd rule, whether a position is in a part of a polygon, and whether the part meets a closed box. */

import { crossesAntimeridian } from '../../core/angles.js';
import { orient2d, rayCrosses } from '../../planar/orient2d.js';
import type { ShapeColumns } from './shapeColumns.js';
import { NORTH_POLE, type Slabs, WRAPS } from './slabs.js';

/** Relation of an edge to the ray: it misses the ray, crosses it, or contains the position. */
const BESIDE = 0;
const CROSSED = 1;
const ON = 2;

/** Whether the part contains a checked position. Cost: O(edges); for a long ring only a few edges, after some queries. */
export function partContains(
  columns: ShapeColumns,
  piece: number,
  lon: number,
  lat: number,
  halfOpen: boolean,
): boolean {
  return lat === 90 || lat === -90
    ? poleInPart(columns, piece, lon, lat, halfOpen)
    : planeContains(columns, piece, lon, lat, halfOpen);
}

/** `partContains` in the plane of longitude and latitude, where a pole is a line. */
export function planeContains(
  columns: ShapeColumns,
  piece: number,
  lon: number,
  lat: number,
  halfOpen: boolean,
): boolean {
  const { coords, ringMarks, ringFrom, ringTo } = columns;
  let crossings = 0;
  const lastRing = columns.pieceTo[piece]!;
  for (let ring = columns.pieceFrom[piece]!; ring < lastRing; ) {
    const marks = ringMarks[ring]!;
    const wraps = (marks & WRAPS) !== 0;
    if ((marks & NORTH_POLE) !== 0) crossings++;
    const slabs = columns.slabs.of(columns, ring, lastRing);
    if (slabs === null) {
      const end = 2 * ringTo[ring]!;
      let bx = coords[2 * ringFrom[ring]!]!;
      for (let at = 2 * ringFrom[ring]!; at < end; at += 2) {
        const ax = bx;
        bx = coords[at + 2]!;
        // Most edges of a long ring are beside the ray.
        if (!wraps && ((ax < lon && bx < lon) || (ax > lon && bx > lon))) continue;
        const met = meets(coords, at, lon, lat, wraps);
        if (met === BESIDE) continue;
        if (met === CROSSED) crossings++;
        else if (!halfOpen) return true;
      }
      ring++;
      continue;
    }
    ring = columns.slabs.after;
    const { starts, edges } = slabs;
    const slab = slabs.at(lon);
    const end = starts[slab + 1]!;
    for (let i = starts[slab]!; i < end; i++) {
      const met = meets(coords, 2 * edges[i]!, lon, lat, wraps);
      if (met === CROSSED) crossings++;
      else if (met === ON && !halfOpen) return true;
    }
  }
  return (crossings & 1) === 1;
}

function meets(coords: Float64Array, at: number, lon: number, lat: number, wraps: boolean): number {
  let ax = coords[at]!;
  let bx = coords[at + 2]!;
  if (wraps && crossesAntimeridian(ax, bx)) {
    ax = lonBeside(ax, lon);
    bx = lonBeside(bx, lon);
  }
  if ((ax < lon && bx < lon) || (ax > lon && bx > lon)) return BESIDE;
  const ay = coords[at + 1]!;
  const by = coords[at + 3]!;
  if (ay < lat && by < lat) return BESIDE;
  const aIsLeft = ax <= lon;
  const crosses = aIsLeft !== bx <= lon;
  if (ay > lat && by > lat) return crosses ? CROSSED : BESIDE;
  const side = orient2d(ax, ay, bx, by, lon, lat);
  // The position is on the line of the edge and within its box, so it is on the edge.
  if (side === 0) return ON;
  return crosses && side < 0 === aIsLeft ? CROSSED : BESIDE;
}

/** Whether the part contains a pole. With the closed rule, a vertex at the pole is inside. With the half-open rule the ray starts at longitude 0. */
function poleInPart(
  { coords, ringMarks, ringFrom, ringTo, pieceFrom, pieceTo }: ShapeColumns,
  piece: number,
  lon: number,
  lat: number,
  halfOpen: boolean,
): boolean {
  const x = halfOpen ? 0 : lon;
  let inside = false;
  for (let ring = pieceFrom[piece]!; ring < pieceTo[piece]!; ring++) {
    if ((ringMarks[ring]! & NORTH_POLE) !== 0) inside = !inside;
    for (let at = 2 * ringFrom[ring]!; at < 2 * ringTo[ring]!; at += 2) {
      let ax = coords[at]!;
      let bx = coords[at + 2]!;
      const ay = coords[at + 1]!;
      if (!halfOpen && ay === lat) return true;
      if (crossesAntimeridian(ax, bx)) {
        ax = lonBeside(ax, x);
        bx = lonBeside(bx, x);
      }
      if (rayCrosses(x, lat, ax, ay, bx, coords[at + 3]!, halfOpen && lat === 90)) inside = !inside;
    }
  }
  return inside;
}

/** Longitude of the end of an edge across the antimeridian, unrolled beyond ±180 on the side of `x`. */
function lonBeside(lon: number, x: number): number {
  if (x > 0) return lon < 0 ? lon + 360 : lon;
  return lon > 0 ? lon - 360 : lon;
}

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
