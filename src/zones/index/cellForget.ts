/** Forgets what cells know of a box in which a zone has come or gone. */

import { type CellGrid, nodeOfSlot, partsOfSlot, REACH, UNKNOWN } from './cellGrid.js';
import { NODE_HEAD } from './cellRecord.js';

/** Sets the cells that a box reaches to unknown, the lowest ones; false, and none is set, when it reaches more than `limit` of the grid's. */
export function forgetBox(
  grid: CellGrid,
  words: Int32Array,
  west: number,
  south: number,
  east: number,
  north: number,
  limit: number,
): boolean {
  const { slots, columns, rows, perLon, perLat } = grid;
  const fromX = Math.max(0, Math.floor((west - grid.west) * perLon - REACH));
  const toX = Math.min(columns - 1, Math.floor((east - grid.west) * perLon + REACH));
  const fromY = Math.max(0, Math.floor((south - grid.south) * perLat - REACH));
  const toY = Math.min(rows - 1, Math.floor((north - grid.south) * perLat + REACH));
  if (toX < fromX || toY < fromY) return true;
  if ((toX - fromX + 1) * (toY - fromY + 1) > limit) return false;
  const [x, y] = [(west - grid.west) * perLon, (south - grid.south) * perLat];
  const [wide, high] = [(east - west) * perLon, (north - south) * perLat];
  for (let row = fromY; row <= toY; row++) {
    for (let column = fromX; column <= toX; column++) {
      const place = row * columns + column;
      const slot = slots[place]!;
      if ((slot & 1) === 0) slots[place] = UNKNOWN;
      else forgetBelow(words, slot, x - column, y - row, wide, high);
    }
  }
  return true;
}

/** The same in a node, with the box in units of it. */
function forgetBelow(
  words: Int32Array,
  slot: number,
  x: number,
  y: number,
  wide: number,
  high: number,
): void {
  const parts = partsOfSlot(slot);
  const first = nodeOfSlot(slot) + NODE_HEAD;
  const fromX = Math.max(0, Math.floor(x * parts - REACH));
  const toX = Math.min(parts - 1, Math.floor((x + wide) * parts + REACH));
  const fromY = Math.max(0, Math.floor(y * parts - REACH));
  const toY = Math.min(parts - 1, Math.floor((y + high) * parts + REACH));
  for (let row = fromY; row <= toY; row++) {
    for (let column = fromX; column <= toX; column++) {
      const place = first + row * parts + column;
      const below = words[place]!;
      if ((below & 1) === 0) words[place] = UNKNOWN;
      else forgetBelow(words, below, x * parts - column, y * parts - row, wide * parts, high * parts);
    }
  }
}
