/** Clips rings and lines to a tile with its buffer. Crossings are rounded to units, in the same way from both ends of an edge. */

import { HIGH, LOW } from './tileFrame.js';

/** Whether all points are inside the tile and its buffer. */
export function isInside(points: readonly number[]): boolean {
  for (let i = 0; i < points.length; i++) if (points[i]! < LOW || points[i]! > HIGH) return false;
  return true;
}

/**
 * The part of a ring inside the tile and its buffer (I. E. Sutherland, G. W. Hodgman, "Reentrant polygon clipping", 1974,
 * doi:10.1145/360767.360802). Its edges may run along the border several times.
 */
export function clipRing(ring: readonly number[]): number[] {
  if (isInside(ring)) return ring as number[];
  let clipped = clipSide(ring, 0, LOW, true);
  clipped = clipSide(clipped, 0, HIGH, false);
  clipped = clipSide(clipped, 1, LOW, true);
  return clipSide(clipped, 1, HIGH, false);
}

/** Keeps the part at or beyond `limit` along one axis (0: x, 1: y). */
function clipSide(ring: readonly number[], axis: 0 | 1, limit: number, isAbove: boolean): number[] {
  const out: number[] = [];
  const count = ring.length;
  if (count === 0) return out;
  let ax = ring[count - 2]!;
  let ay = ring[count - 1]!;
  let isIn = isAbove ? (axis === 0 ? ax : ay) >= limit : (axis === 0 ? ax : ay) <= limit;
  for (let i = 0; i < count; i += 2) {
    const bx = ring[i]!;
    const by = ring[i + 1]!;
    const place = axis === 0 ? bx : by;
    const isNextIn = isAbove ? place >= limit : place <= limit;
    if (isNextIn !== isIn) {
      if (axis === 0) push(out, limit, crossing(ax, ay, bx, by, limit));
      else push(out, crossing(ay, ax, by, bx, limit), limit);
    }
    if (isNextIn) push(out, bx, by);
    ax = bx;
    ay = by;
    isIn = isNextIn;
  }
  const end = out.length;
  if (end >= 4 && out[0] === out[end - 2] && out[1] === out[end - 1]) out.length = end - 2;
  return out;
}

function push(out: number[], x: number, y: number): void {
  const end = out.length;
  if (end >= 2 && out[end - 2] === x && out[end - 1] === y) return;
  out.push(x, y);
}

/** The second coordinate, rounded, at which the edge a–b has the first coordinate `limit`. */
function crossing(a: number, aOther: number, b: number, bOther: number, limit: number): number {
  if (a > b) return crossing(b, bOther, a, aOther, limit);
  return Math.round(aOther + ((limit - a) * (bOther - aOther)) / (b - a));
}

/** The parts of a line inside the tile and its buffer, each with at least two points. */
export function clipLine(points: readonly number[]): (readonly number[])[] {
  if (points.length >= 4 && isInside(points)) return [points];
  const lines: number[][] = [];
  let line: number[] = [];
  const end = (): void => {
    if (line.length >= 4) lines.push(line);
    line = [];
  };
  for (let i = 0; i + 3 < points.length; i += 2) {
    const piece = clipSegment(points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!);
    if (piece === null) {
      end();
      continue;
    }
    const [ax, ay, bx, by] = piece;
    if (line.length === 0 || line.at(-2) !== ax || line.at(-1) !== ay) {
      end();
      line = [ax, ay];
    }
    push(line, bx, by);
  }
  end();
  return lines;
}

type Segment = [ax: number, ay: number, bx: number, by: number];

function clipSegment(ax: number, ay: number, bx: number, by: number): Segment | null {
  let piece: Segment | null = [ax, ay, bx, by];
  for (const axis of [0, 1] as const) {
    for (const isAbove of [true, false]) piece = piece && clipEnd(piece, axis, isAbove);
  }
  return piece;
}

function clipEnd(piece: Segment, axis: 0 | 1, isAbove: boolean): Segment | null {
  const limit = isAbove ? LOW : HIGH;
  const [a, b] = [piece[axis], piece[axis + 2]!];
  const isIn = isAbove ? a >= limit : a <= limit;
  const isNextIn = isAbove ? b >= limit : b <= limit;
  if (isIn && isNextIn) return piece;
  if (!isIn && !isNextIn) return null;
  const [ax, ay, bx, by] = piece;
  const other = axis === 0 ? crossing(ax, ay, bx, by, limit) : crossing(ay, ax, by, bx, limit);
  const [x, y] = axis === 0 ? [limit, other] : [other, limit];
  return isIn ? [ax, ay, x, y] : [x, y, bx, by];
}
