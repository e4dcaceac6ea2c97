/** Finds the zones that meet a box. */

import { splitBbox } from '../../../core/angles.js';
import type { Bbox } from '../../../core/geometry.js';
import { flushTiny } from '../../../core/numbers.js';
import type { PreparedZone } from '../../preparedZone.js';
import type { ShapeIndex } from './shapeIndex.js';

/** Largest length of a side, degrees. Longer sides are split, so that each part spans less than 180° of longitude. */
const MAX_SIDE_DEGREES = 90;

/** Ordinals of the zones that meet the closed box, ascending; west > east crosses the antimeridian. */
export function zonesInBox(shapes: ShapeIndex, bbox: Bbox): number[] {
  const found = new Set<number>();
  for (const part of splitBbox(bbox)) {
    const { candidates, columns } = shapes;
    const count = candidates.collect(...part);
    let last = -1;
    for (let i = 0; i < count; i++) {
      const ordinal = columns.pieceZone[candidates.pieces[i]!]!;
      // The pieces of a zone are consecutive.
      if (ordinal === last) continue;
      last = ordinal;
      if (!found.has(ordinal) && meetsBox(shapes.preparedAt(ordinal), part)) found.add(ordinal);
    }
  }
  return [...found].sort((p, q) => p - q);
}

/**
 * Whether the zone meets the box (west ≤ east). A polygon with its boundary is decided by its edges. Another zone meets the box if an
 * interval of a side of the box is inside the zone, or if a part of the zone lies in the box.
 */
export function meetsBox(zone: PreparedZone, bbox: Bbox): boolean {
  const [west, south, east, north] = bbox.map(flushTiny) as [number, number, number, number];
  const polygonMeets = zone.polygonMeetsBox(west, south, east, north);
  if (polygonMeets === false || (polygonMeets && !zone.halfOpen)) return polygonMeets;
  const inBox = zone.anchors.some(
    ([lon, lat]) =>
      lat >= south &&
      lat <= north &&
      ((lon >= west && lon <= east) || (lon === 180 && west === -180) || Math.abs(lat) === 90),
  );
  if (inBox) return true;
  const pieces = Math.max(1, Math.ceil((east - west) / MAX_SIDE_DEGREES));
  for (let i = 0; i < pieces; i++) {
    const from = i === 0 ? west : flushTiny(west + ((east - west) * i) / pieces);
    const to = i === pieces - 1 ? east : flushTiny(west + ((east - west) * (i + 1)) / pieces);
    if (meetsSegment(zone, from, south, to, south) || meetsSegment(zone, from, north, to, north)) return true;
  }
  const middle = flushTiny(south + (north - south) / 2);
  return [west, east].some(
    (lon) => meetsSegment(zone, lon, south, lon, middle) || meetsSegment(zone, lon, middle, lon, north),
  );
}

function meetsSegment(zone: PreparedZone, aLon: number, aLat: number, bLon: number, bLat: number): boolean {
  const from = aLon === -180 ? 180 : aLon;
  const to = bLon === -180 ? 180 : bLon;
  return zone.intervals(from, aLat, to, bLat).length > 0;
}
