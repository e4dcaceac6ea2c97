/** Content of one tile: its drawn zones and its points. */

import type { IndexInternals } from '../zones/index/index.js';
import type { ShapeColumns } from '../zones/shapes/index.js';
import type { DrawnZone, ZonePen } from './drawZone.js';
import { labelPoint } from './labelPoint.js';
import { type PointGroup, PointGroups } from './pointGroups.js';
import { EXTENT, mercatorShare, PIXEL, roughShare, type TileFrame } from './tileFrame.js';
import type { TileLayer } from './tileOptions.js';
import { visitZones } from './tileZones.js';
import { anchorAt, anchorList, isSmall, MOST_STRETCH } from './zoneSize.js';

/** Latitude up to which the map is stretched by less than `MOST_STRETCH`, degrees. */
const MOST_LAT = 85;

/**
 * Largest zoom at which points are placed by a table and the middles of boxes, because one tile may have all zones; errors are below 0.3
 * units.
 */
const ROUGH_ZOOM = 6;

/** A position in a tile, units. */
export type TilePosition = readonly [x: number, y: number];

/** A zone in a tile. */
export interface TileZone extends DrawnZone {
  readonly ordinal: number;
  /** Position of the zone's label if it is in this tile; else null. */
  readonly label: TilePosition | null;
}

/** The content of a tile before it is drawn. */
export interface TileContent {
  /** The zones that are not small and whose boxes meet the tile, in ascending order. */
  readonly ordinals: readonly number[];
  readonly groups: readonly PointGroup[];
}

export function tileContent(internals: IndexInternals, frame: TileFrame): TileContent {
  const { columns } = internals;
  const ordinals: number[] = [];
  const points = new PointGroups();
  const isRough = frame.z <= ROUGH_ZOOM && !internals.includesDeleted;
  const others = isRough ? addTiny(columns, frame, points) : null;
  const add = (ordinal: number): void => {
    if (isSmall(columns, ordinal, frame)) addAnchor(columns, ordinal, frame, points);
    else ordinals.push(ordinal);
  };
  visitZones(internals, frame, add, others);
  return { ordinals, groups: points.groups() };
}

/** Draws a zone that is not small. Null if it does not reach the tile. */
export function drawOne(
  columns: ShapeColumns,
  ordinal: number,
  frame: TileFrame,
  pen: ZonePen,
  chosen: ReadonlySet<TileLayer>,
): TileZone | null {
  const { polygons, lines } = pen.draw(columns, ordinal, chosen.has('borders'));
  if (polygons.length === 0 && lines.length === 0) return null;
  if (!chosen.has('labels')) return { ordinal, polygons, lines, label: null };
  const [lon, lat] = labelPoint(columns, ordinal);
  return { ordinal, polygons, lines, label: unitAt(lon, lat, frame) };
}

/** Adds a small zone to the points of the tile if its position is in the tile. */
export function addAnchor(
  columns: ShapeColumns,
  ordinal: number,
  frame: TileFrame,
  points: Pick<PointGroups, 'add'>,
): void {
  let lon: number;
  let lat: number;
  const box = 4 * columns.zoneFrom[ordinal]!;
  const { pieceBoxes } = columns;
  const isRough = frame.z <= ROUGH_ZOOM && pieceBoxes[box + 2]! - pieceBoxes[box]! < 180;
  if (isRough) {
    lon = (pieceBoxes[box]! + pieceBoxes[box + 2]!) / 2;
    lat = (pieceBoxes[box + 1]! + pieceBoxes[box + 3]!) / 2;
  } else {
    const at = anchorAt(columns, ordinal);
    const list = anchorList(columns, ordinal);
    lon = list[at]!;
    lat = list[at + 1]!;
  }
  const x = columnAt(lon, frame);
  if (x < 0 || x >= EXTENT) return;
  const y = isRough ? Math.floor(roughShare(lat) * frame.world - frame.top) : rowAt(lat, frame);
  if (y >= 0 && y < EXTENT) points.add(ordinal, x, y);
}

/** A position in units of the tile; null if it is in another tile. */
export function unitAt(lon: number, lat: number, frame: TileFrame): TilePosition | null {
  const x = columnAt(lon, frame);
  const y = rowAt(lat, frame);
  return x >= 0 && x < EXTENT && y >= 0 && y < EXTENT ? [x, y] : null;
}

/** Units from the west side of a tile to a wrapped longitude. Longitude 180 counts as -180. */
function columnAt(lon: number, { perDegree, left }: TileFrame): number {
  return Math.floor((lon === 180 ? 0 : (lon + 180) * perDegree) - left);
}

/** Units from the north side of a tile to a latitude. */
function rowAt(lat: number, { world, top }: TileFrame): number {
  return Math.floor(mercatorShare(lat) * world - top);
}

/**
 * Adds the zones of one piece whose box is smaller than a pixel anywhere on the map, at the middles of their boxes, if these are in the
 * tile. Returns the ordinals of all other zones. Call it only up to the zoom at which the middle of a box is near enough.
 *
 * The loop calls only `add`, because at zoom 0 it runs over every zone of the index.
 */
function addTiny(columns: ShapeColumns, frame: TileFrame, points: Pick<PointGroups, 'add'>): Uint32Array {
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
