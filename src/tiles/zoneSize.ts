/** The size of a zone on the map, which decides whether it is drawn as an outline or as a point. */

import { crossesAntimeridian } from '../core/angles.js';
import { cosLat } from '../geodesy/ellipsoid.js';
import { BOUNDS_STRIDE, LINE, POINT, POLYGON, type ShapeColumns } from '../zones/shapes/index.js';
import { discUnits, leastUnitMeters } from './drawDisc.js';
import { DRAWN_LAT, mercatorShare, PIXEL, type TileFrame } from './tileFrame.js';

/** Degrees by which boxes may exceed their pieces: 4 roundings to float32 at 180. */
const BOX_ROOM = 1e-4;
/** Share by which boxes of discs and runs may exceed their pieces, because their reach is only a bound. */
const REACH_SHARE = 0.02;

/** Stretch of the map at the latitude beyond which no tile draws, the greatest one. */
export const MOST_STRETCH = 13.1;

/** Whether a zone is smaller than a pixel in both directions, so that it is drawn as a point; true for a bare position. */
export function isSmall(columns: ShapeColumns, ordinal: number, frame: TileFrame): boolean {
  const first = columns.zoneFrom[ordinal]!;
  const end = first + columns.zonePieces[ordinal]!;
  if (columns.pieceKind[first] === POINT && columns.pieceSize[first] === 0) return true;
  const { pieceBoxes } = columns;
  let west = pieceBoxes[4 * first]!;
  let south = pieceBoxes[4 * first + 1]!;
  let east = pieceBoxes[4 * first + 2]!;
  let north = pieceBoxes[4 * first + 3]!;
  for (let piece = first + 1; piece < end; piece++) {
    west = Math.min(west, pieceBoxes[4 * piece]!);
    south = Math.min(south, pieceBoxes[4 * piece + 1]!);
    east = Math.max(east, pieceBoxes[4 * piece + 2]!);
    north = Math.max(north, pieceBoxes[4 * piece + 3]!);
  }
  const limit = PIXEL / frame.perDegree;
  const width = east - west;
  const height = north - south;
  if (width < limit && height < limit) {
    const high = Math.max(-south, north);
    if (high < DRAWN_LAT && (height * MOST_STRETCH < limit || height < limit * cosLat(high))) return true;
  }
  const isDrawn = (size: number): boolean => (size - BOX_ROOM) * (1 - REACH_SHARE) >= limit;
  // The box of a piece across the antimeridian has all longitudes.
  const isWrapped = width >= 360;
  if (isDrawn(height) || (!isWrapped && isDrawn(width))) return false;
  return sizeOf(columns, first, end, frame) < PIXEL;
}

/** Half the perimeter of the box of the zone's largest part, units. It ranks the zones of a tile by size. */
export function extentOf(
  { zoneFrom, zonePieces, pieceBoxes }: ShapeColumns,
  ordinal: number,
  { perDegree, world }: TileFrame,
): number {
  const first = zoneFrom[ordinal]!;
  let most = 0;
  for (let box = 4 * first; box < 4 * (first + zonePieces[ordinal]!); box += 4) {
    const width = pieceBoxes[box + 2]! - pieceBoxes[box]!;
    const height = mercatorShare(pieceBoxes[box + 1]!) - mercatorShare(pieceBoxes[box + 3]!);
    most = Math.max(most, width * perDegree + height * world);
  }
  return most;
}

/** The greater of the width and the height of the pieces on the map, units. */
function sizeOf(columns: ShapeColumns, first: number, end: number, frame: TileFrame): number {
  const { coords, pieceKind, pieceFrom, pieceTo, pieceSize, metricBounds } = columns;
  const box = new MapBox();
  let reach = 0;
  for (let piece = first; piece < end; piece++) {
    const kind = pieceKind[piece]!;
    const from = pieceFrom[piece]!;
    if (kind === POLYGON) {
      for (let ring = from; ring < pieceTo[piece]!; ring++)
        box.add(coords, columns.ringFrom[ring]!, columns.ringTo[ring]!);
      continue;
    }
    const at = kind === LINE ? from : (BOUNDS_STRIDE / 2) * from;
    const list = kind === LINE ? coords : metricBounds;
    box.add(list, at, kind === LINE ? from + metricBounds[BOUNDS_STRIDE * pieceTo[piece]!]! : at);
    const lat = Math.min(89, Math.abs(list[2 * at + 1]!));
    reach = Math.max(reach, ...discUnits(lat, pieceSize[piece]!, frame));
  }
  return Math.max(box.width * frame.perDegree, box.heightShare * frame.world) + 2 * reach;
}

/** A box of vertices; longitudes are unrolled from the first vertex. */
class MapBox {
  #west = Infinity;
  #south = Infinity;
  #east = -Infinity;
  #north = -Infinity;
  #first: number | null = null;

  /** Adds the vertices `from` to `to`. */
  add(coords: ArrayLike<number>, from: number, to: number): void {
    for (let i = 2 * from; i <= 2 * to; i += 2) {
      let lon = coords[i]!;
      const lat = coords[i + 1]!;
      this.#first ??= lon;
      if (crossesAntimeridian(this.#first, lon)) lon += lon < 0 ? 360 : -360;
      if (lon < this.#west) this.#west = lon;
      if (lon > this.#east) this.#east = lon;
      if (lat < this.#south) this.#south = lat;
      if (lat > this.#north) this.#north = lat;
    }
  }

  get width(): number {
    return this.#east - this.#west;
  }

  get heightShare(): number {
    return mercatorShare(this.#south) - mercatorShare(this.#north);
  }
}

/** Index in `anchorList` of the position by which a small zone is drawn (its longitude): the centre of a disc, or the first vertex. */
export function anchorAt(columns: ShapeColumns, ordinal: number): number {
  const piece = columns.zoneFrom[ordinal]!;
  const kind = columns.pieceKind[piece]!;
  const from = columns.pieceFrom[piece]!;
  if (kind === POLYGON) return 2 * columns.ringFrom[from]!;
  return kind === LINE ? 2 * from : BOUNDS_STRIDE * from;
}

export function anchorList(columns: ShapeColumns, ordinal: number): Float64Array {
  const kind = columns.pieceKind[columns.zoneFrom[ordinal]!]!;
  return kind === POLYGON || kind === LINE ? columns.coords : columns.metricBounds;
}

/** Whether a corridor is less than a pixel wide everywhere on the map, so that its centre line is drawn. */
export function isThin(columns: ShapeColumns, ordinal: number, frame: TileFrame): boolean {
  const { zoneFrom, zonePieces, pieceBoxes, pieceSize } = columns;
  const first = zoneFrom[ordinal]!;
  let high = 0;
  for (let box = 4 * first; box < 4 * (first + zonePieces[ordinal]!); box += 4)
    high = Math.max(high, -pieceBoxes[box + 1]!, pieceBoxes[box + 3]!);
  const unitMeters = leastUnitMeters(high, 0, frame);
  return 2 * pieceSize[first]! < PIXEL * unitMeters;
}
