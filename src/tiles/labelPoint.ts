/** A position inside a zone for its label, the same in every tile. */

import { crossesAntimeridian, wrapLon } from '../core/angles.js';
import type { Position } from '../core/geometry.js';
import {
  BOUNDS_STRIDE,
  LINE,
  POLYGON,
  partContains,
  type ShapeColumns,
  WRAPS,
} from '../zones/shapes/index.js';
import { MAP_LAT } from './tileFrame.js';

/** Heights at which a polygon is cut, as shares of its height, in the order of trial. */
const CUTS: readonly number[] = [1 / 2, 3 / 8, 5 / 8, 1 / 4, 3 / 4, 1 / 8, 7 / 8];
/** Least distance of a label from the edge of the map, degrees. */
const ROOM = 1e-9;

/**
 * A position inside the zone: the centre of a disc, the middle edge's middle of a line, the middle of the widest interval along a parallel
 * in the largest part of a polygon. O(vertices of that part). Beyond the edge of the map it is moved to the edge, if the zone reaches it
 * there.
 */
export function labelPoint(columns: ShapeColumns, ordinal: number): Position {
  const { coords, metricBounds, pieceKind, pieceFrom, pieceTo } = columns;
  const first = columns.zoneFrom[ordinal]!;
  const kind = pieceKind[first]!;
  if (kind === POLYGON) return polygonPoint(columns, largestPiece(columns, ordinal));
  if (kind !== LINE) {
    const at = BOUNDS_STRIDE * pieceFrom[first]!;
    return [metricBounds[at]!, onMap(metricBounds[at + 1]!)];
  }
  const last = first + columns.zonePieces[ordinal]! - 1;
  const from = pieceFrom[first]!;
  const edges = pieceFrom[last]! + metricBounds[BOUNDS_STRIDE * pieceTo[last]!]! - from;
  const at = 2 * (from + Math.max(0, (edges - 1) >> 1));
  const next = edges === 0 ? at : at + 2;
  const [lon, nextLon] = [coords[at]!, coords[next]!];
  const middle = (lon + nextLon) / 2;
  return [
    crossesAntimeridian(lon, nextLon) ? wrapLon(middle + 180) : middle,
    (coords[at + 1]! + coords[next + 1]!) / 2,
  ];
}

function onMap(lat: number): number {
  return Math.min(MAP_LAT - ROOM, Math.max(ROOM - MAP_LAT, lat));
}

/** The part with the largest box. */
function largestPiece({ zoneFrom, zonePieces, pieceBoxes }: ShapeColumns, ordinal: number): number {
  const first = zoneFrom[ordinal]!;
  let largest = first;
  let most = -1;
  for (let piece = first; piece < first + zonePieces[ordinal]!; piece++) {
    const box = 4 * piece;
    const size = (pieceBoxes[box + 2]! - pieceBoxes[box]!) * (pieceBoxes[box + 3]! - pieceBoxes[box + 1]!);
    if (size > most) {
      largest = piece;
      most = size;
    }
  }
  return largest;
}

function polygonPoint(columns: ShapeColumns, piece: number): Position {
  const { coords, ringFrom, pieceFrom, pieceTo, pieceBoxes } = columns;
  const [from, to] = [pieceFrom[piece]!, pieceTo[piece]!];
  let [south, north] = [Infinity, -Infinity];
  for (let i = 2 * ringFrom[from]! + 1; i < 2 * columns.ringTo[to - 1]! + 2; i += 2) {
    south = Math.min(south, coords[i]!);
    north = Math.max(north, coords[i]!);
  }
  // A ring around a pole reaches the pole, and so does its box.
  if (pieceBoxes[4 * piece + 3]! >= 90) north = MAP_LAT;
  if (pieceBoxes[4 * piece + 1]! <= -90) south = -MAP_LAT;
  const [low, high] = [onMap(south), onMap(north)];
  for (const cut of CUTS) {
    const lat = low + (high - low) * cut;
    const lon = widestMiddle(columns, piece, lat);
    if (lon !== null) return [lon, lat];
  }
  return [coords[2 * ringFrom[from]!]!, coords[2 * ringFrom[from]! + 1]!];
}

/** Longitude of the middle of the widest interval of a parallel inside a part; null for none. */
function widestMiddle(columns: ShapeColumns, piece: number, lat: number): number | null {
  const { coords, ringFrom, ringTo, pieceFrom, pieceTo } = columns;
  const lons: number[] = [];
  let wraps = false;
  for (let ring = pieceFrom[piece]!; ring < pieceTo[piece]!; ring++) {
    const marks = columns.ringMarks[ring]!;
    if ((marks & WRAPS) !== 0 || (marks & 3) !== 1) wraps = true;
    for (let i = 2 * ringFrom[ring]!; i < 2 * ringTo[ring]!; i += 2) {
      const [ay, by] = [coords[i + 1]!, coords[i + 3]!];
      if (ay > lat === by > lat) continue;
      const ax = coords[i]!;
      let bx = coords[i + 2]!;
      if (crossesAntimeridian(ax, bx)) bx += bx < ax ? 360 : -360;
      lons.push(ax + ((bx - ax) * (lat - ay)) / (by - ay));
    }
  }
  if (wraps) return aroundMiddle(columns, piece, lat, lons.map(wrapLon));
  if (lons.length === 2) return (lons[0]! + lons[1]!) / 2;
  lons.sort((p, q) => p - q);
  let best: number | null = null;
  let most = 0;
  for (let i = 0; i + 1 < lons.length; i += 2) {
    const width = lons[i + 1]! - lons[i]!;
    if (width > most) [best, most] = [lons[i]! + width / 2, width];
  }
  return best;
}

/** `widestMiddle` for a part that crosses the antimeridian or goes around the Earth: each interval between crossings is tested. */
function aroundMiddle(
  columns: ShapeColumns,
  piece: number,
  lat: number,
  lons: readonly number[],
): number | null {
  const sorted = [...lons].sort((p, q) => p - q);
  if (sorted.length === 0) return partContains(columns, piece, 0, lat, false) ? 0 : null;
  let best: number | null = null;
  let most = 0;
  for (const [i, lon] of sorted.entries()) {
    const width = i + 1 < sorted.length ? sorted[i + 1]! - lon : sorted[0]! + 360 - lon;
    const middle = wrapLon(lon + width / 2);
    if (width > most && partContains(columns, piece, middle, lat, false)) [best, most] = [middle, width];
  }
  return best;
}
