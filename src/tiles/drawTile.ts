/** Draws the zones of one tile. */

import type { Insides } from '../zones/index/index.js';
import type { ShapeColumns } from '../zones/shapes/index.js';
import { type DrawnZone, ZonePen } from './drawZone.js';
import { labelPoint } from './labelPoint.js';
import { mercatorShare } from './mercator.js';
import { type PointGroup, PointGroups } from './pointGroups.js';
import { EXTENT, type TileFrame } from './tileFrame.js';
import { visitZones } from './tileZones.js';
import { anchorAt, anchorList, isSmall } from './zoneSize.js';

/** A unit of a tile. */
export type Unit = readonly [x: number, y: number];

/** A zone in a tile. */
export interface TileZone extends DrawnZone {
  readonly ordinal: number;
  /** Where its label is, if it is in this tile. */
  readonly label: Unit | null;
}

/** A tile before it is written. */
export interface DrawnTile {
  /** By ordinal. */
  readonly zones: readonly TileZone[];
  readonly groups: readonly PointGroup[];
}

export function drawTile(insides: Insides, frame: TileFrame): DrawnTile {
  const { columns } = insides;
  const zones: TileZone[] = [];
  const points = new PointGroups();
  const pen = new ZonePen(frame);
  visitZones(insides, frame, (ordinal) => {
    if (isSmall(columns, ordinal, frame)) {
      addAnchor(columns, ordinal, frame, points);
      return;
    }
    const zone = drawOne(columns, ordinal, frame, pen);
    if (zone !== null) zones.push(zone);
  });
  return { zones, groups: points.groups() };
}

/** A zone that is not small. Null if it does not reach the tile. */
export function drawOne(
  columns: ShapeColumns,
  ordinal: number,
  frame: TileFrame,
  pen: ZonePen,
): TileZone | null {
  const { polygons, lines } = pen.draw(columns, ordinal);
  if (polygons.length === 0 && lines.length === 0) return null;
  const [lon, lat] = labelPoint(columns, ordinal);
  return { ordinal, polygons, lines, label: unitAt(lon, lat, frame) };
}

/** Adds a small zone to the points of the tile, if its position is in it. */
export function addAnchor(
  columns: ShapeColumns,
  ordinal: number,
  frame: TileFrame,
  points: PointGroups,
): void {
  const at = anchorAt(columns, ordinal);
  const list = anchorList(columns, ordinal);
  const x = columnAt(list[at]!, frame);
  if (x < 0 || x >= EXTENT) return;
  const y = rowAt(list[at + 1]!, frame);
  if (y >= 0 && y < EXTENT) points.add(ordinal, x, y);
}

/** The unit of a tile in which a position is. Null if it is in another tile. */
export function unitAt(lon: number, lat: number, frame: TileFrame): Unit | null {
  const x = columnAt(lon, frame);
  const y = rowAt(lat, frame);
  return x >= 0 && x < EXTENT && y >= 0 && y < EXTENT ? [x, y] : null;
}

/** Units from the west of a tile to a wrapped longitude. The longitude 180 is that of -180. */
function columnAt(lon: number, { perDegree, left }: TileFrame): number {
  return Math.floor((lon === 180 ? 0 : (lon + 180) * perDegree) - left);
}

/** Units from the north of a tile to a latitude. */
function rowAt(lat: number, { world, top }: TileFrame): number {
  return Math.floor(mercatorShare(lat) * world - top);
}
