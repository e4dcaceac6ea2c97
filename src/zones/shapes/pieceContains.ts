/** Decides exactly whether a piece contains a position. Cheap bounds come first. */

import { edgeDistance } from '../../geodesy/edgeDistance.js';
import { decidedDistance } from '../../geodesy/inverse.js';
import { shortWay, squaredToSegment } from './flatMetric.js';
import { partContains } from './partContains.js';
import { GONE, LINE, POLYGON, ROUND, type ShapeColumns } from './shapeColumns.js';

/** Beyond this difference of longitudes the shorter way may lead around the other side of the Earth, so the bounds do not apply. */
const FAR_DEGREES = 170;

/** Whether a piece contains a checked position. A removed piece contains none. */
export function pieceContains(
  columns: ShapeColumns,
  piece: number,
  lon: number,
  lat: number,
  halfOpen: boolean,
): boolean {
  return kindContains(columns, columns.pieceKind[piece]!, piece, lon, lat, halfOpen);
}

/** `pieceContains` for a piece whose kind is given. */
export function kindContains(
  columns: ShapeColumns,
  kind: number,
  piece: number,
  lon: number,
  lat: number,
  halfOpen: boolean,
): boolean {
  if (kind === POLYGON) return partContains(columns, piece, lon, lat, halfOpen);
  if (kind === GONE) return false;
  return kind === LINE ? runContains(columns, piece, lon, lat) : discContains(columns, piece, lon, lat);
}

/** Whether the box of a piece contains a position. A pole has every longitude. */
export function boxContains({ pieceBoxes }: ShapeColumns, piece: number, lon: number, lat: number): boolean {
  const box = 4 * piece;
  if (pieceBoxes[box + 1]! > lat || pieceBoxes[box + 3]! < lat) return false;
  return (pieceBoxes[box]! <= lon && pieceBoxes[box + 2]! >= lon) || lat === 90 || lat === -90;
}

function discContains(columns: ShapeColumns, piece: number, lon: number, lat: number): boolean {
  const { rounds } = columns;
  const at = ROUND * columns.pieceFrom[piece]!;
  const x = shortWay(lon - rounds[at]!);
  const y = lat - rounds[at + 1]!;
  if (rounds[at + 2]! * x * x + rounds[at + 3]! * y * y > rounds[at + 7]!) return false;
  if (rounds[at + 4]! * x * x + rounds[at + 5]! * y * y <= rounds[at + 6]!) return true;
  const radius = columns.pieceSize[piece]!;
  return decidedDistance(rounds[at]!, rounds[at + 1]!, lon, lat, radius) <= radius;
}

/** Whether a position is within the half-width of an edge of a run. For the bounds see `flatMetric.ts`. */
function runContains(columns: ShapeColumns, piece: number, lon: number, lat: number): boolean {
  const { coords, rounds } = columns;
  const round = ROUND * columns.pieceTo[piece]!;
  const first = 2 * columns.pieceFrom[piece]!;
  const last = first + 2 * rounds[round]!;
  const halfWidth = columns.pieceSize[piece]!;
  for (let at = first; at === first || at < last; at += 2) {
    const to = at < last ? at + 2 : at;
    const ax = shortWay(coords[at]! - lon);
    const bx = ax + shortWay(coords[to]! - coords[at]!);
    const ay = coords[at + 1]! - lat;
    const by = coords[to + 1]! - lat;
    if (Math.abs(ax) <= FAR_DEGREES && Math.abs(bx) <= FAR_DEGREES) {
      if (squaredToSegment(ax, ay, bx, by, rounds[round + 2]!, rounds[round + 3]!) > rounds[round + 7]!)
        continue;
      if (squaredToSegment(ax, ay, bx, by, rounds[round + 4]!, rounds[round + 5]!) <= rounds[round + 6]!)
        return true;
    }
    const metres = edgeDistance(
      lon,
      lat,
      coords[at]!,
      coords[at + 1]!,
      coords[to]!,
      coords[to + 1]!,
      halfWidth,
    );
    if (metres <= halfWidth) return true;
  }
  return false;
}
