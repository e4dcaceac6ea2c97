/**
 * Decides segments against lines by the two flat metrics (see `flatMetric.ts`), without geodesics.
 *
 * A segment that is farther than the half-width from the whole line by the lower metric is outside. By the upper metric, the set of positions
 * within a distance of an edge is convex, so a segment is inside if both of its ends are.
 */

import {
  A_LAT,
  A_LON,
  B_LAT,
  B_LON,
  BOUNDS_STRIDE,
  flatMetric,
  NORTH,
  type ShapeColumns,
  SOUTH,
  shortWay,
  squaredToSegment,
  surelyBeyond,
  surelyWithin,
} from '../shapes/index.js';
import { FAR_DEGREES, INSIDE, OUTSIDE, type PositionAnswer, UNDECIDED } from './kind.js';

/** Bounds 0 and infinity, which decide nothing. */
const NO_METRIC = { lonMin: 0, latMin: 0, lonMax: Infinity, latMax: Infinity };

/**
 * Decides a segment against a line. The runs `pieces[from]` … `pieces[end - 1]` include all runs whose boxes meet the segment's. If the answer is UNDECIDED,
 * the edges that may be within the half-width were added to `near` as `aLon, aLat, bLon, bLat, …`.
 */
export function lineMeetsSegment(
  columns: ShapeColumns,
  pieces: Uint32Array,
  from: number,
  end: number,
  segment: Float64Array,
  near?: number[],
): PositionAnswer {
  const { coords, metricBounds, pieceFrom, pieceTo } = columns;
  const halfWidth = columns.pieceSize[pieces[from]!]!;
  // Near a pole the metric decides nothing.
  const metric = flatMetric(segment[SOUTH]!, segment[NORTH]!, halfWidth) ?? NO_METRIC;
  const never = surelyBeyond(halfWidth);
  const sure = surelyWithin(halfWidth);
  const lonMin = metric.lonMin ** 2;
  const latMin = metric.latMin ** 2;
  const lonMax = metric.lonMax ** 2;
  const latMax = metric.latMax ** 2;
  const aLon = segment[A_LON]!;
  const aLat = segment[A_LAT]!;
  const lonSpan = shortWay(segment[B_LON]! - aLon);
  const span = segment[B_LAT]! - aLat;
  let answer: PositionAnswer = OUTSIDE;
  for (let i = from; i < end; i++) {
    const piece = pieces[i]!;
    const first = 2 * pieceFrom[piece]!;
    const last = first + 2 * metricBounds[BOUNDS_STRIDE * pieceTo[piece]!]!;
    for (let c = first; c === first || c < last; c += 2) {
      const d = c < last ? c + 2 : c;
      // Coordinates of the edge's ends relative to a, then to b.
      const cx = shortWay(coords[c]! - aLon);
      const dx = cx + shortWay(coords[d]! - coords[c]!);
      const ends = Math.max(Math.abs(cx), Math.abs(dx), Math.abs(cx - lonSpan), Math.abs(dx - lonSpan));
      const isFar = !(ends <= FAR_DEGREES);
      const cy = coords[c + 1]! - aLat;
      const dy = coords[d + 1]! - aLat;
      if (!isFar && squaredApart(lonSpan, span, cx, cy, dx, dy, lonMin, latMin) > never * never) continue;
      answer = UNDECIDED;
      near?.push(coords[c]!, coords[c + 1]!, coords[d]!, coords[d + 1]!);
      if (isFar) continue;
      const most = Math.max(
        squaredToSegment(cx, cy, dx, dy, lonMax, latMax),
        squaredToSegment(cx - lonSpan, cy - span, dx - lonSpan, dy - span, lonMax, latMax),
      );
      if (sure > 0 && most <= sure * sure) return INSIDE;
    }
  }
  return answer;
}

/** Squared distance, m², between the segment from (0, 0) to (x, y) and the segment from c to d; 0 if they may cross. */
function squaredApart(
  x: number,
  y: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
  lonSquare: number,
  latSquare: number,
): number {
  const c = x * cy - y * cx;
  const d = x * dy - y * dx;
  const a = (dx - cx) * -cy - (dy - cy) * -cx;
  const b = (dx - cx) * (y - cy) - (dy - cy) * (x - cx);
  if (c > 0 !== d > 0 && a > 0 !== b > 0) return 0;
  return Math.min(
    squaredToSegment(cx, cy, dx, dy, lonSquare, latSquare),
    squaredToSegment(cx - x, cy - y, dx - x, dy - y, lonSquare, latSquare),
    squaredToSegment(-cx, -cy, x - cx, y - cy, lonSquare, latSquare),
    squaredToSegment(-dx, -dy, x - dx, y - dy, lonSquare, latSquare),
  );
}
