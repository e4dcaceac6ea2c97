/** Deals discs and lines out to the parts of a cell: to those that their border may reach into, and to those that they cover. */

import { geodesicDistance } from '../../geodesy/inverse.js';
import { type CellContent, OPEN, ROUND, WHOLE } from './cellContent.js';
import { type CellParts, ROOM } from './cellParts.js';
import { squaredToSegment } from './cellRecord.js';
import { flatMetric, halfDiagonalMeters, surelyBeyond, surelyWithin } from './flatMetric.js';
import { DISC, type ShapeStore } from './shapeStore.js';

/** Beyond this radius the flat metrics leave too much open, and the middle's true distance decides what a cell is. */
const FLAT_RADIUS = 20_000;

export function dealDisc(cell: CellParts, store: ShapeStore, item: number, piece: number): void {
  const { discs, pieceFrom, pieceSize } = store;
  const at = DISC * pieceFrom[piece]!;
  const radius = pieceSize[piece]!;
  const lon = discs[at]!;
  const lat = discs[at + 1]!;
  const halfX = (0.5 + ROOM) * cell.width;
  const halfY = (0.5 + ROOM) * cell.height;
  const isFar = radius > FLAT_RADIUS;
  const leastX = discs[at + 2]!;
  const leastY = discs[at + 3]!;
  const mostX = discs[at + 4]!;
  const mostY = discs[at + 5]!;
  const inside = discs[at + 6]!;
  const outside = discs[at + 7]!;
  for (let row = cell.fromY; row <= cell.toY; row++) {
    const middleY = cell.y + (row + 0.5) * cell.height;
    const dy = Math.abs(middleY - lat);
    const nearY = dy > halfY ? dy - halfY : 0;
    for (let column = cell.fromX; column <= cell.toX; column++) {
      const part = row * cell.parts + column;
      const middleX = cell.x + (column + 0.5) * cell.width;
      if (isFar) {
        const meters = geodesicDistance(lon, lat, middleX, middleY);
        const reach = halfDiagonalMeters(middleY - halfY, middleY + halfY, halfX);
        if (meters + reach < surelyWithin(radius)) cell.add(part, item, WHOLE);
        else if (meters - reach <= surelyBeyond(radius)) cell.add(part, item, ROUND);
        continue;
      }
      let dx = Math.abs(middleX - lon);
      if (dx > 180) dx = 360 - dx;
      const nearX = dx > halfX ? dx - halfX : 0;
      const farX = dx + halfX;
      const farY = dy + halfY;
      if (farX < 180) {
        if (leastX * nearX * nearX + leastY * nearY * nearY > outside) continue;
        if (mostX * farX * farX + mostY * farY * farY < inside) {
          cell.add(part, item, WHOLE);
          continue;
        }
      }
      cell.add(part, item, ROUND);
    }
  }
}

/** The edges in [first, last) of the content's pairs, of a run of the line. */
export function dealLine(
  cell: CellParts,
  store: ShapeStore,
  content: CellContent,
  item: number,
  piece: number,
  first: number,
  last: number,
): void {
  const halfWidth = store.pieceSize[piece]!;
  const south = Math.max(-90, cell.y - ROOM * cell.height);
  const north = Math.min(90, cell.y + (cell.parts + ROOM) * cell.height);
  const metric = flatMetric(south, north, halfWidth);
  if (metric === null) {
    cell.dealBox(item, OPEN);
    return;
  }
  const { pairs, edges } = content;
  const { lonMin, latMin, lonMax, latMax } = metric;
  const halfX = (0.5 + ROOM) * cell.width * lonMax;
  const halfY = (0.5 + ROOM) * cell.height * latMax;
  const reach = Math.sqrt(halfX * halfX + halfY * halfY);
  const within = surelyWithin(halfWidth) - reach;
  const beyond = surelyBeyond(halfWidth) + reach;
  const wide = beyond / lonMin;
  const high = beyond / latMin;
  for (let pair = first; pair < last; pair += 2) {
    const edge = pairs[pair + 1]!;
    const ax = edges[4 * edge]!;
    const ay = edges[4 * edge + 1]!;
    const bx = edges[4 * edge + 2]!;
    const by = edges[4 * edge + 3]!;
    const fromX = partAt((Math.min(ax, bx) - wide - cell.x) / cell.width, cell.fromX, 1);
    const toX = partAt((Math.max(ax, bx) + wide - cell.x) / cell.width, cell.toX, -1);
    const fromY = partAt((Math.min(ay, by) - high - cell.y) / cell.height, cell.fromY, 1);
    const toY = partAt((Math.max(ay, by) + high - cell.y) / cell.height, cell.toY, -1);
    for (let row = fromY; row <= toY; row++) {
      const y = cell.y + (row + 0.5) * cell.height;
      for (let column = fromX; column <= toX; column++) {
        const x = cell.x + (column + 0.5) * cell.width;
        const near = squaredToSegment(
          (ax - x) * lonMin,
          (ay - y) * latMin,
          (bx - x) * lonMin,
          (by - y) * latMin,
        );
        if (near > beyond * beyond) continue;
        const far = squaredToSegment(
          (ax - x) * lonMax,
          (ay - y) * latMax,
          (bx - x) * lonMax,
          (by - y) * latMax,
        );
        const isWhole = within > 0 && far < within * within;
        cell.add(row * cell.parts + column, item, isWhole ? WHOLE : edge);
      }
    }
  }
}

/** The part at a place, no farther out than `bound` (1: not before it, -1: not after it). */
function partAt(place: number, bound: number, side: 1 | -1): number {
  const part = Math.floor(place - side * ROOM);
  return side === 1 ? Math.max(bound, part) : Math.min(bound, part);
}
