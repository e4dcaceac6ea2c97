/** The box of a zone's outline. */

import { type Pair, type ZoneShape, zoneOutline } from 'wayzone';

export type Box = [west: number, south: number, east: number, north: number];

/** `[west, south, east, north]`, west > east across the antimeridian; null for a shape without positions. */
export function boxOf(shape: ZoneShape): Box | null {
  const positions = positionsOf(shape);
  const [first] = positions;
  if (first === undefined) return null;
  // Longitudes are unrolled from the first position, so that a zone across the antimeridian has a narrow box.
  let [west, south, east, north] = [first[0], first[1], first[0], first[1]];
  for (const [lon, lat] of positions) {
    const near = lon - 360 * Math.round((lon - first[0]) / 360);
    west = Math.min(west, near);
    east = Math.max(east, near);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return [wrap(west), south, wrap(east), north];
}

function wrap(lon: number): number {
  return lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
}

function positionsOf(shape: ZoneShape): readonly Pair[] {
  try {
    const outline = zoneOutline(shape);
    const polygons = outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
    const rings = polygons.flat();
    if (rings.length > 0) return rings.flat() as [number, number][];
  } catch {
    // A shape without an area, or one that is not valid, has its positions alone.
  }
  return shape.geometry as readonly Pair[];
}
