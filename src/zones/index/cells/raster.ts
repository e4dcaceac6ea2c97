/**
 * A lattice of squares over a place, in which each square is outside of a piece, inside, or holds its border: two bits each, 1 for inside (by
 * parity) and 2 for the border, which overrules. A place in a square without the border needs no exact test.
 */

import { crossesAntimeridian } from '../../../core/angles.js';
import {
  flatMetric,
  halfDiagonalMeters,
  squaredToSegment,
  surelyBeyond,
  surelyWithin,
} from '../../shapes/flatMetric.js';
import { LINE, POLYGON, ROUND, type ShapeColumns, WRAPS } from '../../shapes/shapeColumns.js';

export const OUTSIDE = 0;
export const INSIDE = 1;
export const BORDER = 2;

/** Squares in a word. */
export const WORD_SQUARES = 16;

/** Parts of a square by which what is beside it still counts as in it: far more than places are rounded by. */
const ROOM = 1e-6;

/** Squares narrower than this (degrees) are not made: coordinates are exact to 3e-14. */
export const LEAST_SQUARE = 1e-6;

const BORDERS = 0xaaaa_aaaa | 0;
const INSIDES = 0x5555_5555;

export interface Lattice {
  /** The south-west corner, and squares per degree. */
  readonly west: number;
  readonly south: number;
  readonly perLon: number;
  readonly perLat: number;
  /** Squares along a side, a multiple of 16. */
  readonly side: number;
}

/** Draws a piece into `words` from `at` on, which hold zeros: side × side squares, row by row. False when nothing can be said of it. */
export function drawPiece(
  columns: ShapeColumns,
  piece: number,
  lattice: Lattice,
  words: Uint32Array,
  at: number,
): boolean {
  const kind = columns.pieceKind[piece]!;
  if (kind === POLYGON) return drawPart(columns, piece, lattice, words, at);
  return kind === LINE
    ? drawRun(columns, piece, lattice, words, at)
    : drawDisc(columns, piece, lattice, words, at);
}

function drawPart(
  { coords, ringMarks, ringFrom, ringTo, pieceFrom, pieceTo }: ShapeColumns,
  piece: number,
  lattice: Lattice,
  words: Uint32Array,
  at: number,
): boolean {
  for (let ring = pieceFrom[piece]!; ring < pieceTo[piece]!; ring++)
    if ((ringMarks[ring]! & WRAPS) !== 0) return false;
  const { west, south, perLon, perLat, side } = lattice;
  for (let ring = pieceFrom[piece]!; ring < pieceTo[piece]!; ring++) {
    const end = 2 * ringTo[ring]!;
    let i = 2 * ringFrom[ring]!;
    let bx = (coords[i]! - west) * perLon;
    let by = (coords[i + 1]! - south) * perLat;
    for (; i < end; i += 2) {
      const ax = bx;
      const ay = by;
      bx = (coords[i + 2]! - west) * perLon;
      by = (coords[i + 3]! - south) * perLat;
      drawEdge(ax, ay, bx, by, side, words, at);
    }
  }
  return true;
}

function drawEdge(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  side: number,
  words: Uint32Array,
  at: number,
): void {
  const low = ay < by ? ay : by;
  const high = ay < by ? by : ay;
  if (high < -ROOM || low > side + ROOM) return;
  const left = ax < bx ? ax : bx;
  const right = ax < bx ? bx : ax;
  const lean = (bx - ax) / (by - ay);
  const isFlat = !(Math.abs(lean) < 1e6);
  const fromRow = Math.max(0, Math.floor(low - ROOM));
  const toRow = Math.min(side - 1, Math.floor(high + ROOM));
  const wordsOfRow = side / WORD_SQUARES;
  for (let row = fromRow; row <= toRow; row++) {
    const line = at + row * wordsOfRow;
    let from = left;
    let to = right;
    if (!isFlat) {
      const under = row - ROOM;
      const over = row + 1 + ROOM;
      const p = ax + ((low > under ? low : under) - ay) * lean;
      const q = ax + ((high < over ? high : over) - ay) * lean;
      from = p < q ? p : q;
      to = p < q ? q : p;
      if (from < left) from = left;
      if (to > right) to = right;
    }
    const first = Math.max(0, Math.floor(from - ROOM));
    const last = Math.min(side - 1, Math.floor(to + ROOM));
    if (first <= last) markRow(words, line, first, last, BORDERS);
    // The parallel through the middles of the row is crossed: from there eastwards is the other side.
    const middle = row + 0.5;
    if (ay > middle !== by > middle) {
      const place = Math.min(right, Math.max(left, ax + (middle - ay) * lean));
      const after = Math.max(0, Math.floor(place) + 1);
      if (after < side) turnRow(words, line, after, wordsOfRow);
    }
  }
}

/** Sets the bits of `pattern` in the squares from `first` to `last` of a row. */
function markRow(words: Uint32Array, line: number, first: number, last: number, pattern: number): void {
  const lastWord = last >> 4;
  for (let word = first >> 4; word <= lastWord; word++) {
    let mask = pattern;
    if (word === first >> 4) mask &= -1 << (2 * (first & 15));
    if (word === lastWord) mask &= -1 >>> (30 - 2 * (last & 15));
    words[line + word]! |= mask;
  }
}

/** Turns the sides of the squares from `first` on. */
function turnRow(words: Uint32Array, line: number, first: number, wordsOfRow: number): void {
  let word = first >> 4;
  words[line + word]! ^= INSIDES & (-1 << (2 * (first & 15)));
  for (word++; word < wordsOfRow; word++) words[line + word]! ^= INSIDES;
}

/** The squares that the piece's box meets, as [first column, last column, first row, last row]. */
function squaresOf(
  { pieceBoxes }: ShapeColumns,
  piece: number,
  lattice: Lattice,
): [number, number, number, number] {
  const { west, south, perLon, perLat, side } = lattice;
  const box = 4 * piece;
  const last = side - 1;
  return [
    Math.max(0, Math.floor((pieceBoxes[box]! - west) * perLon - ROOM)),
    Math.min(last, Math.floor((pieceBoxes[box + 2]! - west) * perLon + ROOM)),
    Math.max(0, Math.floor((pieceBoxes[box + 1]! - south) * perLat - ROOM)),
    Math.min(last, Math.floor((pieceBoxes[box + 3]! - south) * perLat + ROOM)),
  ];
}

function drawDisc(
  columns: ShapeColumns,
  piece: number,
  lattice: Lattice,
  words: Uint32Array,
  at: number,
): boolean {
  const { rounds } = columns;
  const round = ROUND * columns.pieceFrom[piece]!;
  const { west, south, perLon, perLat, side } = lattice;
  const lon = rounds[round]!;
  const lat = rounds[round + 1]!;
  // Nothing is sure near a pole, nor where the other way round the Earth may be nearer.
  const far = Math.max(Math.abs(west - lon), Math.abs(west + side / perLon - lon));
  if (rounds[round + 2] === 0 || far > 179) return false;
  const [fromX, toX, fromY, toY] = squaresOf(columns, piece, lattice);
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
      if (rounds[round + 2]! * nearX * nearX > out) continue;
      const farX = dx + halfX;
      const pattern = rounds[round + 4]! * farX * farX < inside ? INSIDES : BORDERS;
      markRow(words, at + row * (side / WORD_SQUARES), column, column, pattern);
    }
  }
  return true;
}

function drawRun(
  columns: ShapeColumns,
  piece: number,
  lattice: Lattice,
  words: Uint32Array,
  at: number,
): boolean {
  const { coords, rounds } = columns;
  const { west, south, perLon, perLat, side } = lattice;
  const halfWidth = columns.pieceSize[piece]!;
  const round = ROUND * columns.pieceTo[piece]!;
  const first = 2 * columns.pieceFrom[piece]!;
  const last = first + 2 * rounds[round]!;
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
  const [fromX, toX, fromY, toY] = squaresOf(columns, piece, lattice);
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
        const [ax, ay] = [coords[i]! - x, coords[i + 1]! - y];
        const [bx, by] = [coords[to]! - x, coords[to + 1]! - y];
        if (squaredToSegment(ax, ay, bx, by, lonMin, latMin) > beyond) continue;
        const isWhole = within > 0 && squaredToSegment(ax, ay, bx, by, lonMax, latMax) < within * within;
        value = isWhole ? INSIDE : BORDER;
      }
      if (value !== OUTSIDE)
        markRow(
          words,
          at + row * (side / WORD_SQUARES),
          column,
          column,
          value === INSIDE ? INSIDES : BORDERS,
        );
    }
  }
  return true;
}
