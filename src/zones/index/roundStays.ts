/**
 * Segments against circles and lines by the two flat metrics (see `flatMetric.ts`): what they prove needs no geodesic.
 *
 * In the lesser metric a segment that stays farther than half the width from all of a line is outside. In the greater one all within a
 * distance of a segment is convex: where both ends are surely within it, the way between them is.
 */

import { flatMetric, squaredMeters, surelyBeyond, surelyWithin } from './flatMetric.js';
import { DISC, type ShapeStore } from './shapeStore.js';
import { A_LAT, A_LON, B_LAT, B_LON, NORTH, SOUTH } from './surroundings.js';

/** Relative longitudes beyond this may be nearer the other way round: nothing is sure of them. */
const FAR_DEGREES = 170;

/** 0: no point of a→b is in the disc; 1: all of it is; 2: only the exact test can say. */
export function discStaysAt(store: ShapeStore, piece: number, segment: Float64Array): 0 | 1 | 2 {
  const { discs } = store;
  const at = DISC * store.pieceFrom[piece]!;
  const lonLeast = discs[at + 2]!;
  const latLeast = discs[at + 3]!;
  if (lonLeast === 0) return 2;
  const ax = shortWay(segment[A_LON]! - discs[at]!);
  const bx = ax + (segment[B_LON]! - segment[A_LON]!);
  if (!(Math.abs(ax) <= FAR_DEGREES && Math.abs(bx) <= FAR_DEGREES)) return 2;
  const ay = segment[A_LAT]! - discs[at + 1]!;
  const by = segment[B_LAT]! - discs[at + 1]!;
  const dx = bx - ax;
  const dy = by - ay;
  const square = lonLeast * dx * dx + latLeast * dy * dy;
  let t = square === 0 ? 0 : -(lonLeast * ax * dx + latLeast * ay * dy) / square;
  if (t > 1) t = 1;
  else if (!(t > 0)) t = 0;
  const px = ax + t * dx;
  const py = ay + t * dy;
  if (lonLeast * px * px + latLeast * py * py > discs[at + 7]!) return 0;
  const [lonMost, latMost, sure] = [discs[at + 4]!, discs[at + 5]!, discs[at + 6]!];
  const isWithin =
    lonMost * ax * ax + latMost * ay * ay <= sure && lonMost * bx * bx + latMost * by * by <= sure;
  return isWithin ? 1 : 2;
}

/** The same for the runs `pieces[first]` … `pieces[end - 1]` of a line, which are all whose boxes meet the segment's. */
export function lineStaysAt(
  store: ShapeStore,
  pieces: Uint32Array,
  first: number,
  end: number,
  segment: Float64Array,
): 0 | 1 | 2 {
  const { coords, pieceFrom, pieceTo } = store;
  const halfWidth = store.pieceSize[pieces[first]!]!;
  const metric = flatMetric(segment[SOUTH]!, segment[NORTH]!, halfWidth);
  if (metric === null) return 2;
  const never = surelyBeyond(halfWidth);
  const sure = surelyWithin(halfWidth);
  const aLon = segment[A_LON]!;
  const aLat = segment[A_LAT]!;
  const lonSpan = segment[B_LON]! - aLon;
  const span = segment[B_LAT]! - aLat;
  let answer: 0 | 2 = 0;
  for (let i = first; i < end; i++) {
    const piece = pieces[i]!;
    const last = pieceTo[piece]!;
    for (let from = pieceFrom[piece]!, isFirst = true; isFirst || from < last; from++, isFirst = false) {
      const c = 2 * from;
      const d = 2 * Math.min(from + 1, last);
      // The edge as seen from a, and from b.
      const cx = shortWay(coords[c]! - aLon);
      const dx = cx + shortWay(coords[d]! - coords[c]!);
      const ends = Math.max(Math.abs(cx), Math.abs(dx), Math.abs(cx - lonSpan), Math.abs(dx - lonSpan));
      if (!(ends <= FAR_DEGREES)) {
        answer = 2;
        continue;
      }
      const cy = coords[c + 1]! - aLat;
      const dy = coords[d + 1]! - aLat;
      if (squaredApart(lonSpan, span, cx, cy, dx, dy, metric.lonMin, metric.latMin) > never * never) continue;
      answer = 2;
      const most = Math.max(
        squaredMeters(cx, cy, dx, dy, metric.lonMax, metric.latMax),
        squaredMeters(cx - lonSpan, cy - span, dx - lonSpan, dy - span, metric.lonMax, metric.latMax),
      );
      if (sure > 0 && most <= sure * sure) return 1;
    }
  }
  return answer;
}

/** Squared metres between the segment from (0, 0) to (x, y) and the one from c to d; 0 where they may cross. */
function squaredApart(
  x: number,
  y: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
  lonMeters: number,
  latMeters: number,
): number {
  const c = x * cy - y * cx;
  const d = x * dy - y * dx;
  const a = (dx - cx) * -cy - (dy - cy) * -cx;
  const b = (dx - cx) * (y - cy) - (dy - cy) * (x - cx);
  if (c > 0 !== d > 0 && a > 0 !== b > 0) return 0;
  return Math.min(
    squaredMeters(cx, cy, dx, dy, lonMeters, latMeters),
    squaredMeters(cx - x, cy - y, dx - x, dy - y, lonMeters, latMeters),
    squaredMeters(-cx, -cy, x - cx, y - cy, lonMeters, latMeters),
    squaredMeters(-dx, -dy, x - dx, y - dy, lonMeters, latMeters),
  );
}

function shortWay(lon: number): number {
  if (lon > 180) return lon - 360;
  return lon < -180 ? lon + 360 : lon;
}
