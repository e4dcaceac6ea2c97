/** The boxes of zones and of positions. */

import { type Pair, type ZoneShape, zoneOutline } from 'wayzone';

/** Share of a tile that it draws beyond its sides, with room. */
const BUFFER = 1 / 32;
/** With more tiles than this in one zoom all its tiles are refreshed anyway. */
const MOST = 4096;

/** West > east across the antimeridian. */
export type Box = [west: number, south: number, east: number, north: number];

/** No degree of a meridian or of the equator is shorter, metres: 110,574 m at the equator. */
const LEAST_DEGREE = 110_500;
/** An outline has its vertices within a centimetre of where they belong. */
const ROOM = 0.05;
/** Above this latitude a corridor may reach every longitude. */
const POLAR = 89;

/** The box of a zone's outline; null for a shape without positions. A corridor's box may be larger than needed: computing its outline takes too long. */
export function boxOf(shape: ZoneShape): Box | null {
  if (shape.type.key === 'line') {
    const box = boxOfRings([shape.geometry as readonly Pair[]]);
    return box === null ? null : padded(box, (shape.width ?? 0) / 2);
  }
  return boxOfRings(ringsOf(shape));
}

/** The narrowest box of positions in any order; null if there are none. */
export function boxOfPositions(positions: readonly Pair[]): Box | null {
  if (positions.length === 0) return null;
  const lons = Float64Array.from(positions, ([lon]) => lon).sort();
  let [south, north] = [90, -90];
  for (const [, lat] of positions) {
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  // The widest gap between neighbours is outside.
  let [west, east, gap] = [lons[0]!, lons.at(-1)!, 360 - (lons.at(-1)! - lons[0]!)];
  for (let i = 1; i < lons.length; i++) {
    const own = lons[i]! - lons[i - 1]!;
    if (own > gap) [west, east, gap] = [lons[i]!, lons[i - 1]!, own];
  }
  return [west, south, east, north];
}

/** Lines and rings, in which each longitude follows the one before by the short way. */
function boxOfRings(rings: readonly (readonly Pair[])[]): Box | null {
  let [west, south, east, north] = [Number.POSITIVE_INFINITY, 90, Number.NEGATIVE_INFINITY, -90];
  for (const ring of rings) {
    let last = ring[0]?.[0] ?? 0;
    // Rings on both sides of the antimeridian lie beside each other.
    if (west <= east) last = near(last, (west + east) / 2);
    for (const [lon, lat] of ring) {
      last = near(lon, last);
      west = Math.min(west, last);
      east = Math.max(east, last);
      south = Math.min(south, lat);
      north = Math.max(north, lat);
    }
  }
  if (west > east) return null;
  return east - west >= 360 ? [-180, south, 180, north] : [wrap(west), south, wrap(east), north];
}

function padded([west, south, east, north]: Box, meters: number): Box {
  const degrees = (meters + ROOM) / LEAST_DEGREE;
  const [bottom, top] = [Math.max(-90, south - degrees), Math.min(90, north + degrees)];
  const most = Math.max(-bottom, top);
  const side = most > POLAR ? 180 : degrees / Math.cos((most * Math.PI) / 180);
  const width = (east < west ? east + 360 : east) - west;
  return width + 2 * side >= 360
    ? [-180, bottom, 180, top]
    : [wrap(west - side), bottom, wrap(east + side), top];
}

/** `lon`, plus or minus full turns, so that it is within 180° of `other`. */
function near(lon: number, other: number): number {
  return lon - 360 * Math.round((lon - other) / 360);
}

function wrap(lon: number): number {
  return lon >= -180 && lon <= 180 ? lon : lon - 360 * Math.round(lon / 360);
}

function ringsOf(shape: ZoneShape): readonly (readonly Pair[])[] {
  try {
    const outline = zoneOutline(shape);
    const polygons = outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
    const rings = polygons.flat() as unknown as readonly (readonly Pair[])[];
    if (rings.length > 0) return rings;
  } catch {
    // A shape without an area, or one that is not valid, has its positions alone.
  }
  return [shape.geometry as readonly Pair[]];
}

export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** The tiles of the zooms `0` to `maxZoom` that the box, or their buffer, touches; null for more than 4,096 in one zoom. */
export function touchedTiles([west, south, east, north]: Box, maxZoom: number): Tile[] | null {
  const tiles: Tile[] = [];
  for (let z = 0; z <= maxZoom; z++) {
    const count = 2 ** z;
    const columnOf = (lon: number): number => ((lon + 180) / 360) * count;
    const rowOf = (lat: number): number => {
      const y = Math.asinh(Math.tan((Math.max(-85.06, Math.min(85.06, lat)) * Math.PI) / 180));
      return ((1 - y / Math.PI) / 2) * count;
    };
    const [left, right] = [
      Math.floor(columnOf(west) - BUFFER),
      Math.floor(columnOf(east < west ? east + 360 : east) + BUFFER),
    ];
    const [top, bottom] = [
      Math.max(0, Math.floor(rowOf(north) - BUFFER)),
      Math.min(count - 1, Math.floor(rowOf(south) + BUFFER)),
    ];
    if ((right - left + 1) * (bottom - top + 1) > MOST) return null;
    for (let x = left; x <= Math.min(right, left + count - 1); x++)
      for (let y = top; y <= bottom; y++) tiles.push({ z, x: ((x % count) + count) % count, y });
  }
  return tiles;
}
