/** Adds the zones whose boxes are smaller than a pixel of a coarse tile: most zones of a large index, in one plain loop. */

import type { ShapeColumns } from '../zones/shapes/index.js';
import { roughShare } from './mercator.js';
import type { PointGroups } from './pointGroups.js';
import { EXTENT, PIXEL, type TileFrame } from './tileFrame.js';
import { MOST_STRETCH } from './zoneSize.js';

/** Latitude up to which the map is stretched by less than `MOST_STRETCH`, degrees. */
const MOST_LAT = 85;

/**
 * Adds the zones of one piece whose box is smaller than a pixel anywhere on the map, at the middles of their boxes, if these are in the
 * tile. Returns the ordinals of all other zones. Call it only up to the zoom at which the middle of a box is near enough.
 *
 * The loop calls only `add`, because at zoom 0 it runs over every zone of the index.
 */
export function addTiny(
  columns: ShapeColumns,
  frame: TileFrame,
  points: Pick<PointGroups, 'add'>,
): Uint32Array {
  const { zoneFrom, zonePieces, zoneCount, pieceBoxes } = columns;
  const { perDegree, left, top, world } = frame;
  const mostWidth = PIXEL / perDegree;
  const mostHeight = mostWidth / MOST_STRETCH;
  const others = new Uint32Array(zoneCount);
  let count = 0;
  for (let ordinal = 0; ordinal < zoneCount; ordinal++) {
    const box = 4 * zoneFrom[ordinal]!;
    const west = pieceBoxes[box]!;
    const south = pieceBoxes[box + 1]!;
    const east = pieceBoxes[box + 2]!;
    const north = pieceBoxes[box + 3]!;
    const isTiny =
      zonePieces[ordinal] === 1 &&
      east - west < mostWidth &&
      north - south < mostHeight &&
      south > -MOST_LAT &&
      north < MOST_LAT &&
      east < 180;
    if (!isTiny) {
      others[count++] = ordinal;
      continue;
    }
    const x = Math.floor(((west + east) / 2 + 180) * perDegree - left);
    if (x < 0 || x >= EXTENT) continue;
    const y = Math.floor(roughShare((south + north) / 2) * world - top);
    if (y >= 0 && y < EXTENT) points.add(ordinal, x, y);
  }
  return others.subarray(0, count);
}
