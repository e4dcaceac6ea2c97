/** Finds the squares of a cell that a disc or a run of a line covers, and those that its border may enter. */

import { crossesAntimeridian } from '../../../core/angles.js';
import {
  flatMetric,
  halfDiagonalMeters,
  LINE,
  ROUND,
  type ShapeColumns,
  squaredToSegment,
  surelyBeyond,
  surelyWithin,
} from '../../shapes/index.js';
import { BORDER, INSIDE, OUTSIDE } from './cellFrame.js';

/** Margin of a square as a share of it, far greater than rounding errors. */
const ROOM = 1e-6;

export interface Lattice {
  /** The south-west corner in degrees, and squares per degree. */
  readonly west: number;
  readonly south: number;
  readonly perLon: number;
  readonly perLat: number;
  /** Squares along a side. */
  readonly side: number;
}

/** First and last column, first and last row. */
export type SquareRange = readonly [fromX: number, toX: number, fromY: number, toY: number];

/**
 * Writes OUTSIDE, INSIDE or BORDER for each square of the range (row by row, `side` per row). Returns false if nothing is certain: near a
 * pole, or where the other direction around the Earth may be shorter.
 */
export function drawRound(
  columns: ShapeColumns,
  piece: number,
  lattice: Lattice,
  range: SquareRange,
  values: Uint8Array,
): boolean {
  return columns.pieceKind[piece] === LINE
    ? drawRun(columns, piece, lattice, range, values)
    : drawDisc(columns, piece, lattice, range, values);
}

function drawDisc(
  columns: ShapeColumns,
  piece: number,
  { west, south, perLon, perLat, side }: Lattice,
  [fromX, toX, fromY, toY]: SquareRange,
  values: Uint8Array,
): boolean {
  const { rounds } = columns;
  const round = ROUND * columns.pieceFrom[piece]!;
  const lon = rounds[round]!;
  const lat = rounds[round + 1]!;
  const far = Math.max(Math.abs(west - lon), Math.abs(west + side / perLon - lon));
  if (rounds[round + 2] === 0 || far > 179) return false;
  const halfX = (0.5 + ROOM) / perLon;
  const halfY = (0.5 + ROOM) / perLat;
  for (let row = fromY; row <= toY; row++) {
    const dy = Math.abs(south + (row + 0.5) / perLat - lat);
    const nearY = Math.max(0, dy - halfY);
    const farY = dy + halfY;
    const out = rounds[round + 7]! - rounds[round + 3]! * nearY * nearY;
    const inside = rounds[round + 6]! - rounds[round + 5]! * farY * farY;
    for (let column = fromX; column <= toX; column++) {
      const dx = Math.abs(west + (column + 0.5) / perLon - lon);
      const nearX = Math.max(0, dx - halfX);
      const farX = dx + halfX;
      values[row * side + column] =
        rounds[round + 2]! * nearX * nearX > out
          ? OUTSIDE
          : rounds[round + 4]! * farX * farX < inside
            ? INSIDE
            : BORDER;
    }
  }
  return true;
}

function drawRun(
  columns: ShapeColumns,
  piece: number,
  { west, south, perLon, perLat, side }: Lattice,
  [fromX, toX, fromY, toY]: SquareRange,
  values: Uint8Array,
): boolean {
  const { coords, rounds } = columns;
  const halfWidth = columns.pieceSize[piece]!;
  const first = 2 * columns.pieceFrom[piece]!;
  const last = first + 2 * rounds[ROUND * columns.pieceTo[piece]!]!;
  const east = west + side / perLon;
  for (let i = first; i <= last; i += 2) {
    if (Math.max(Math.abs(coords[i]! - west), Math.abs(coords[i]! - east)) > 169) return false;
    if (i > first && crossesAntimeridian(coords[i - 2]!, coords[i]!)) return false;
  }
  const metric = flatMetric(Math.max(-90, south), Math.min(90, south + side / perLat), halfWidth);
  if (metric === null) return false;
  const lonMin = metric.lonMin ** 2;
  const latMin = metric.latMin ** 2;
  const lonMax = metric.lonMax ** 2;
  const latMax = metric.latMax ** 2;
  for (let row = fromY; row <= toY; row++) {
    const y = south + (row + 0.5) / perLat;
    const reach = halfDiagonalMeters(y - 0.51 / perLat, y + 0.51 / perLat, 0.51 / perLon);
    const beyond = (surelyBeyond(halfWidth) + reach) ** 2;
    const within = surelyWithin(halfWidth) - reach;
    for (let column = fromX; column <= toX; column++) {
      const x = west + (column + 0.5) / perLon;
      let value = OUTSIDE;
      for (let i = first; value !== INSIDE && (i === first || i < last); i += 2) {
        const to = i < last ? i + 2 : i;
        const ax = coords[i]! - x;
        const ay = coords[i + 1]! - y;
        const bx = coords[to]! - x;
        const by = coords[to + 1]! - y;
        if (squaredToSegment(ax, ay, bx, by, lonMin, latMin) > beyond) continue;
        const isWhole = within > 0 && squaredToSegment(ax, ay, bx, by, lonMax, latMax) < within * within;
        value = isWhole ? INSIDE : BORDER;
      }
      values[row * side + column] = value;
    }
  }
  return true;
}
