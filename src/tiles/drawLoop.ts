/**
 * Draws rings on the cylinder of longitudes, clipped to a tile with its buffer, in each copy of the world that it shows. Crossings are rounded
 * to units.
 */

import { crossesAntimeridian } from '../core/angles.js';
import type { PathBuilder } from './pathBuilder.js';
import { HIGH, LOW, type TileFrame } from './tileFrame.js';

/** A ring: `count` vertices of `coords` (wrapped longitudes and latitudes) from the index `first` on. */
interface Loop {
  readonly coords: ArrayLike<number>;
  readonly first: number;
  readonly count: number;
  /** Turns around the Earth eastwards; only the sign counts. */
  readonly turns: number;
  /**
   * Whether a ring with turns encloses the south pole. The others are closed in the north; by the even-odd rule two of them bound a band.
   */
  readonly isSouth: boolean;
  /** Whether an edge crosses the antimeridian. */
  readonly wraps: boolean;
}

/** Number of copies of the world, before and after the middle one, through which a ring around the Earth is led. */
const COPIES = 2;

/** Adds the clipped rings of the loop in each copy of the world to `rings`. */
export function drawLoop(loop: Loop, frame: TileFrame, path: PathBuilder, rings: number[][]): void {
  if (loop.turns !== 0) {
    keep(aroundTheEarth(loop, frame, path), rings);
    return;
  }
  if (!loop.wraps && frame.west >= -180 && frame.east <= 180) {
    keep(once(loop, 0, path), rings);
    return;
  }
  const [west, east] = lonsOf(loop);
  const from = Math.ceil((frame.west - east) / 360);
  const to = Math.floor((frame.east - west) / 360);
  for (let copy = from; copy <= to; copy++) keep(once(loop, copy, path), rings);
}

function keep(ring: readonly number[], rings: number[][]): void {
  const clipped = clipRing(ring);
  if (clipped.length >= 4) rings.push(clipped);
}

function once(loop: Loop, copy: number, path: PathBuilder): number[] {
  const turn = addVertices(loop, copy, path);
  path.vertex(loop.coords[2 * loop.first]!, loop.coords[2 * loop.first + 1]!, turn);
  return path.ring();
}

/** Adds each vertex once. Returns the turns at the first vertex when it is reached again. */
function addVertices({ coords, first, count }: Loop, turn: number, path: PathBuilder): number {
  let turns = turn;
  let before = coords[2 * first]!;
  for (let i = 2 * first; i < 2 * (first + count); i += 2) {
    const lon = coords[i]!;
    if (crossesAntimeridian(before, lon)) turns += before > lon ? 1 : -1;
    path.vertex(lon, coords[i + 1]!, turns);
    before = lon;
  }
  const lon = coords[2 * first]!;
  return crossesAntimeridian(before, lon) ? turns + (before > lon ? 1 : -1) : turns;
}

/** A ring that goes around the Earth, led through several copies of the world and closed far above or below the map. */
function aroundTheEarth(loop: Loop, { world, top }: TileFrame, path: PathBuilder): number[] {
  const way = Math.sign(loop.turns);
  let turn = -way * COPIES;
  for (let copy = -COPIES; copy <= COPIES; copy++) turn = addVertices(loop, turn, path);
  path.vertex(loop.coords[2 * loop.first]!, loop.coords[2 * loop.first + 1]!, turn);
  const points = path.line();
  const y = loop.isSouth ? 2 * world - top : -world - top;
  points.push(points.at(-2)!, y, points[0]!, y);
  return points;
}

/** Range of the unrolled longitudes of a loop, unrolled as by `addVertices`. */
function lonsOf({ coords, first, count }: Loop): [west: number, east: number] {
  let turn = 0;
  let before = coords[2 * first]!;
  let [west, east] = [before, before];
  for (let i = 2 * first; i < 2 * (first + count); i += 2) {
    const lon = coords[i]!;
    if (crossesAntimeridian(before, lon)) turn += before > lon ? 360 : -360;
    if (lon + turn < west) west = lon + turn;
    if (lon + turn > east) east = lon + turn;
    before = lon;
  }
  return [west, east];
}

/** Whether all points are inside the tile and its buffer. */
function isInside(points: readonly number[]): boolean {
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
