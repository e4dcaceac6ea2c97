/** Tiles that a box touches. */

import type { Box } from './boxOf.js';

export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Share of a tile that it draws beyond its sides, with room. */
const BUFFER = 1 / 32;
/** With more tiles than this in one zoom all its tiles are refreshed anyway. */
const MOST = 4096;

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
