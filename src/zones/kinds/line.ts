/** Lines: all positions within a half-width of a line. A piece is a run of up to 16 edges. */

import { crossesAntimeridian } from '../../core/angles.js';
import type { Bbox, Position } from '../../core/geometry.js';
import type { ShapeFields } from '../../core/wire.js';
import { edgeDistance, nearerEdgeDistance } from '../../geodesy/edgeDistance.js';
import { LineTree } from '../../geodesy/lineTree.js';
import { expandBbox } from '../../geodesy/lowerBounds.js';
import { type ErrorSink, note, positionAt, reportError } from '../errorList.js';
import { ambiguousEdge } from '../ring.js';
import {
  BOUNDS_STRIDE,
  FEW_EDGES,
  flatMetric,
  halfDiagonalMeters,
  LINE,
  RUN,
  type ShapeColumns,
  shortWay,
  squaredToSegment,
  surelyBeyond,
  surelyWithin,
} from '../shapes/index.js';
import { lonBoxes, unrolledRing } from '../unrolledRing.js';
import {
  type AxisOrder,
  type CellLattice,
  FAR_DEGREES,
  INSIDE,
  OUTSIDE,
  type ShapeRules,
  type SquareRange,
  UNDECIDED,
} from './kind.js';
import { boxAround, copyBounds, copyPiece, copyVertices, extent, setMetricBounds } from './metricBounds.js';
import { fewVertices, listAt, readMeters } from './readMeters.js';

/** Adds a line with the vertices from `first` on: cuts it into runs, each with its box. */
export function putRuns(columns: ShapeColumns, ordinal: number, first: number, halfWidth: number): void {
  const last = columns.vertexCount - 1;
  for (let from = first; from === first || from < last; from += RUN) {
    const to = Math.min(last, from + RUN);
    const bounds = columns.addBounds();
    columns.metricBounds[BOUNDS_STRIDE * bounds] = to - from;
    const piece = columns.piece(ordinal, LINE, from, bounds, halfWidth);
    boxRun(columns, piece, bounds, from, to, halfWidth);
  }
}

function boxRun(
  columns: ShapeColumns,
  piece: number,
  bounds: number,
  from: number,
  to: number,
  halfWidth: number,
): void {
  const { coords } = columns;
  let west = coords[2 * from]!;
  let south = coords[2 * from + 1]!;
  let [east, north] = [west, south];
  for (let i = 2 * from + 2; i <= 2 * to; i += 2) {
    const x = coords[i]!;
    const y = coords[i + 1]!;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  const reach = setMetricBounds(columns, bounds, south, north, halfWidth);
  if (reach !== null && east - west < 180 && west - reach[0] > -180 && east + reach[0] < 180) {
    columns.box(piece, west - reach[0], south - reach[1], east + reach[0], north + reach[1]);
  } else boxAround(columns, piece, runBoxes(coords.subarray(2 * from, 2 * to + 2), halfWidth));
}

/** Boxes that together contain all positions within `halfWidth` metres of a run of edges, each west ≤ east. */
function runBoxes(coords: Float64Array, halfWidth: number): Bbox[] {
  const lats = coords.filter((_, i) => i % 2 === 1);
  return lonBoxes(...extent(unrolledRing(coords)), ...extent(lats)).flatMap((box) =>
    expandBbox(box, halfWidth),
  );
}

/** A view of the vertices of a line whose runs are the pieces `first` to `last`. */
export function lineOf(columns: ShapeColumns, first: number, last: number): Float64Array {
  const to = columns.pieceFrom[last]! + columns.metricBounds[BOUNDS_STRIDE * columns.pieceTo[last]!]!;
  return columns.coords.subarray(2 * columns.pieceFrom[first]!, 2 * to + 2);
}

/** Distance to the nearest edge of the line whose runs are the pieces `first` to `last`, metres. */
export function runMeters(
  columns: ShapeColumns,
  first: number,
  last: number,
  lon: number,
  lat: number,
): number {
  const halfWidth = columns.pieceSize[first]!;
  const line = lineOf(columns, first, last);
  const isLong = line.length / 2 - 1 > FEW_EDGES;
  const tree = isLong ? columns.edgeTrees.of(first, () => new LineTree(line.slice())) : null;
  if (tree !== null) return tree.nearest(lon, lat, halfWidth);
  // A line of one position has one edge of length 0.
  const next = line.length === 2 ? 0 : 2;
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i + next < line.length; i += 2) {
    const [ax, ay, bx, by] = [line[i]!, line[i + 1]!, line[i + next]!, line[i + next + 1]!];
    best = nearerEdgeDistance(best, lon, lat, ax, ay, bx, by, halfWidth);
  }
  return best;
}

/** Whether a position is within the half-width of an edge of a run. For the bounds see `flatMetric.ts`. */
export function runContains(columns: ShapeColumns, piece: number, lon: number, lat: number): boolean {
  const { coords, metricBounds } = columns;
  const bounds = BOUNDS_STRIDE * columns.pieceTo[piece]!;
  const first = 2 * columns.pieceFrom[piece]!;
  const last = first + 2 * metricBounds[bounds]!;
  const halfWidth = columns.pieceSize[piece]!;
  for (let at = first; at === first || at < last; at += 2) {
    const to = at < last ? at + 2 : at;
    const ax = shortWay(coords[at]! - lon);
    const bx = ax + shortWay(coords[to]! - coords[at]!);
    const ay = coords[at + 1]! - lat;
    const by = coords[to + 1]! - lat;
    if (Math.abs(ax) <= FAR_DEGREES && Math.abs(bx) <= FAR_DEGREES) {
      if (
        squaredToSegment(ax, ay, bx, by, metricBounds[bounds + 2]!, metricBounds[bounds + 3]!) >
        metricBounds[bounds + 7]!
      )
        continue;
      if (
        squaredToSegment(ax, ay, bx, by, metricBounds[bounds + 4]!, metricBounds[bounds + 5]!) <=
        metricBounds[bounds + 6]!
      )
        return true;
    }
    const metres = edgeDistance(
      lon,
      lat,
      coords[at]!,
      coords[at + 1]!,
      coords[to]!,
      coords[to + 1]!,
      halfWidth,
    );
    if (metres <= halfWidth) return true;
  }
  return false;
}

export function drawRun(
  columns: ShapeColumns,
  piece: number,
  { west, south, perLon, perLat, side }: CellLattice,
  [fromX, toX, fromY, toY]: SquareRange,
  values: Uint8Array,
): boolean {
  const { coords, metricBounds } = columns;
  const halfWidth = columns.pieceSize[piece]!;
  const first = 2 * columns.pieceFrom[piece]!;
  const last = first + 2 * metricBounds[BOUNDS_STRIDE * columns.pieceTo[piece]!]!;
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
        value = isWhole ? INSIDE : UNDECIDED;
      }
      values[row * side + column] = value;
    }
  }
  return true;
}

/** Copies the line whose runs are the pieces `first` to `end - 1` to other columns. */
export function copyLine(old: ShapeColumns, columns: ShapeColumns, first: number, end: number): void {
  const from = old.pieceFrom[first]!;
  const last = old.pieceFrom[end - 1]! + old.metricBounds[BOUNDS_STRIDE * old.pieceTo[end - 1]!]!;
  const shift = copyVertices(old, columns, from, last + 1) - from;
  for (let piece = first; piece < end; piece++)
    copyPiece(
      old,
      columns,
      piece,
      old.pieceFrom[piece]! + shift,
      copyBounds(old, columns, old.pieceTo[piece]!),
    );
}

/** The largest total width of a corridor, metres. */
export const MAX_LINE_WIDTH_METERS = 2_000_000;

/** All positions within half the width of a line. */
export interface LineShape {
  readonly key: 'line';
  /** `[lon, lat, …]`, wrapped, without repeated neighbours. A line of one vertex is a disc. */
  readonly coords: Float64Array;
  readonly halfWidth: number;
}

/** Reads a line. Null if it has errors. */
export function readLine(
  given: ShapeFields,
  rules: ShapeRules,
  field: string,
  sink: ErrorSink,
): LineShape | null {
  const coords = readVertices(given.geometry, rules.axisOrder, `${field}geometry`, sink);
  const total = readTotal(given, rules, field, sink);
  return coords === null || total === null ? null : { key: 'line', coords, halfWidth: total / 2 };
}

/** The total width, metres. Null, with an error, if it is invalid. */
function readTotal(given: ShapeFields, rules: ShapeRules, field: string, sink: ErrorSink): number | null {
  const meters = readMeters('line', given, rules, field, sink);
  if (meters === null) return null;
  const total = rules.lineSides * meters;
  if (total > 0 && total <= MAX_LINE_WIDTH_METERS) return total;
  const what = `a corridor width above 0, up to ${MAX_LINE_WIDTH_METERS} m`;
  return reportError(sink, 'width-range', `${field}width`, what, total);
}

/** The total width of a plain row, metres; -1 for a row that needs `readLine`. */
export function plainTotal(width: unknown, { lineSides, defaultWidth }: ShapeRules): number {
  const meters = width ?? defaultWidth;
  if (typeof meters !== 'number') return -1;
  const total = lineSides * meters;
  return total > 0 && total <= MAX_LINE_WIDTH_METERS ? total : -1;
}

function readVertices(
  geometry: unknown,
  axisOrder: AxisOrder,
  path: string,
  sink: ErrorSink,
): Float64Array | null {
  const list = listAt(geometry, path, sink);
  if (list === null || !fewVertices(list.length, path, sink)) return null;
  if (list.length === 0) return reportError(sink, 'line-too-short', path, 'at least one position', 'none');
  const coords = new Float64Array(2 * list.length);
  let n = 0;
  let isValid = true;
  let last: Position | null = null;
  for (let i = 0; i < list.length; i++) {
    const position = positionAt(list, i, path, axisOrder, sink);
    if (position === null) isValid = false;
    else if (last === null || position[0] !== last[0] || position[1] !== last[1]) {
      if (last !== null && Math.abs(position[0] - last[0]) === 180) {
        isValid = false;
        note(sink, ambiguousEdge(`${path}[${i}]`));
      }
      coords[n++] = position[0];
      coords[n++] = position[1];
    }
    last = position;
  }
  return isValid ? coords.slice(0, n) : null;
}
