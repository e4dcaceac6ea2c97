/** The pieces of a line to offset: the line itself or, if it repeats edges, trails that contain every edge once. */

import { partAt } from '../../core/numbers.js';
import type { Curves } from '../../planar/curves.js';
import { compactedLine } from './compactedLine.js';
import { COMPACT_SHARE, type CorridorPlan, SIMPLIFY_SHARE } from './corridorPlan.js';
import type { CurvesAround } from './resolver.js';
import { isNearChord, straightened, withoutShort } from './straightened.js';
import { trailsOf } from './trailsOf.js';

/** Pieces that together cover the same positions as the line. */
export interface Pieces {
  /** Vertices `[lon0, lat0, …]` of all pieces, simplified and densified. */
  readonly coords: Float64Array;
  /** By piece, its first vertex: piece p has the vertices `starts[p]` to `starts[p + 1] - 1`. */
  readonly starts: Int32Array;
  /** By vertex, the `PieceEnd` of a piece that ends there; 0 elsewhere. */
  readonly ends: Uint8Array;
}

/** An end with a half disc. */
export const ROUND_END = 0;
/** An end cut off at right angles, at a junction that other pieces cover. */
export const JUNCTION_END = 1;
/** An end cut off at right angles, at a flat end of the line. */
export const FLAT_END = 2;
/** Form of a piece's end. */
export type PieceEnd = typeof ROUND_END | typeof JUNCTION_END | typeof FLAT_END;

/** Greatest distance of a junction from a trail that passes it without a vertex, as a share of the simplification's tolerance. */
const STRAIGHT_SHARE = 1e-3;

/** The pieces of the plan's line, each `densified`. A line of negligible length becomes one vertex. */
export function piecesOf(plan: CorridorPlan, densified: (line: Float64Array) => Float64Array): Pieces {
  const share = SIMPLIFY_SHARE * plan.tolerance;
  const coords = withoutShort(plan.coords, share / 2);
  if (coords.length === 2) return joinedPieces([{ coords, start: ROUND_END, end: ROUND_END }]);
  const once = plan.cap === 'flat' ? betweenEnds(coords, plan.radius) : { from: 0, to: coords.length };
  const trails = trailsOf(coords.subarray(once.from, once.to));
  const isFlat = plan.cap === 'flat';
  // Next to a flat end the direction of the line matters.
  const compact = (line: Float64Array): Float64Array => {
    const dent = (COMPACT_SHARE / 2) * plan.tolerance;
    const hulls = isFlat || plan.isPlain ? line : compactedLine(line, plan.radius, dent);
    return hulls === line || plan.edges === 'geodesic' ? hulls : straightened(hulls, dent, null);
  };
  const shaped = (line: Float64Array, isKept: Uint8Array | null): Float64Array => {
    if (plan.edges === 'geodesic') return densified(isKept === null ? compact(line) : line);
    const simple = straightened(line, share / 2, isKept);
    if (isKept === null) return densified(compact(simple));
    // A trail that ends at a junction needs no cap if the trail that continues there has that vertex, or runs straight through it.
    return densified(straightened(simple, STRAIGHT_SHARE * share, null));
  };
  if (trails === null) {
    const end = isFlat ? FLAT_END : ROUND_END;
    return joinedPieces([{ coords: shaped(coords, null), start: end, end }]);
  }
  const pieces: Piece[] = trails.map(({ coords: trail, isJunction }) => ({
    coords: shaped(trail, isJunction),
    start: isJunction[0] === 1 ? JUNCTION_END : ROUND_END,
    end: isJunction.at(-1) === 1 ? JUNCTION_END : ROUND_END,
  }));
  if (isFlat) {
    const first = shaped(coords.subarray(0, once.from + 2), null);
    const last = shaped(coords.subarray(once.to - 2), null);
    pieces.unshift({ coords: first, start: FLAT_END, end: ROUND_END });
    pieces.push({ coords: last, start: ROUND_END, end: FLAT_END });
  }
  return joinedPieces(pieces);
}

/** Distance from a flat end, as a share of the radius, at which a round cap covers nothing beyond that end. */
const CLEAR_SHARE = 2.2;

/**
 * The range of `coords` that is clear of both ends of the line, from its first to its last vertex. Nearer to a flat end the direction of
 * the line matters, so edges are left unchanged there.
 */
function betweenEnds(coords: Float64Array, radius: number): { readonly from: number; readonly to: number } {
  const length = coords.length;
  const clear = CLEAR_SHARE * radius;
  const isClear = (i: number): boolean =>
    !isNearChord(coords[0]!, coords[1]!, coords[i]!, coords[i + 1]!, clear) &&
    !isNearChord(coords[length - 2]!, coords[length - 1]!, coords[i]!, coords[i + 1]!, clear);
  let from = 0;
  while (from < length && !isClear(from)) from += 2;
  let last = length - 2;
  while (last > from && !isClear(last)) last -= 2;
  return { from, to: Math.max(from, last + 2) };
}

interface Piece {
  readonly coords: Float64Array;
  readonly start: PieceEnd;
  readonly end: PieceEnd;
}

function joinedPieces(pieces: readonly Piece[]): Pieces {
  const starts = new Int32Array(pieces.length + 1);
  pieces.forEach(({ coords }, p) => {
    starts[p + 1] = starts[p]! + coords.length / 2;
  });
  const count = starts[pieces.length]!;
  const coords = pieces.length === 1 ? pieces[0]!.coords : new Float64Array(2 * count);
  const ends = new Uint8Array(count);
  pieces.forEach((piece, p) => {
    if (pieces.length > 1) coords.set(piece.coords, 2 * starts[p]!);
    ends[starts[p]!] = piece.start;
    ends[starts[p + 1]! - 1] = piece.end;
  });
  return { coords, starts, ends };
}

/** Curves around the vertices `from` to `to` of one piece. The flags cut an end off at right angles where the piece continues. */
export type CurvesOfPiece<Curve> = (
  from: number,
  to: number,
  isFromCut: boolean,
  isToCut: boolean,
) => readonly Curve[];

/** The curves around all pieces, or parts of pieces, that lie among the given vertices, joined into one array. */
export function curvesAround<Curve extends ArrayLike<number>>(
  { starts }: Pieces,
  around: CurvesOfPiece<Curve>,
  join: (curves: readonly Curve[]) => Curves,
): CurvesAround {
  return (from, to, isFromCut, isToCut) => {
    const curves: Curve[] = [];
    for (let p = partAt(starts, from); p + 1 < starts.length && starts[p]! < to; p++) {
      const first = Math.max(from, starts[p]!);
      const last = Math.min(to, starts[p + 1]! - 1);
      if (first >= last) continue;
      const isFirstCut = isFromCut && first > starts[p]!;
      const isLastCut = isToCut && last < starts[p + 1]! - 1;
      for (const curve of around(first, last, isFirstCut, isLastCut)) curves.push(curve);
    }
    return join(curves);
  };
}
