/** What of a line is offset: the line itself, or, when it goes along its own edges again, every edge once. */

import { densifyGeodesic, densifyLonLat } from './densifyLine.js';
import { type CorridorPlan, SIMPLIFY_SHARE } from './plan.js';
import { straightened, withoutShort } from './simplifyLine.js';
import { trailsOf } from './streets.js';

/** Pieces of a line that together lie where it lies. */
export interface Pieces {
  /** Vertices `[lon0, lat0, …]` of all pieces, simplified and densified. */
  readonly coords: Float64Array;
  /** Piece p has the vertices `starts[p]` to `starts[p + 1] - 1`. */
  readonly starts: Int32Array;
  /** 1 for the ends of pieces that are cut off at right angles. */
  readonly isCut: Uint8Array;
}

/** Of the share for simplification: how far a junction may be from the street that goes on there without it. */
const STRAIGHT_SHARE = 1e-3;

/** The pieces of the plan's line on the map; a line with no length to speak of is one vertex. */
export function piecesOf(plan: CorridorPlan): Pieces {
  const share = SIMPLIFY_SHARE * plan.tolerance;
  const coords = withoutShort(plan.coords, share / 2);
  if (coords.length === 2) return joined([{ coords, isStartCut: false, isEndCut: false }]);
  const straight = (line: Float64Array, isKept: Uint8Array | null): Float64Array =>
    plan.edges === 'geodesic' ? line : straightened(line, share / 2, isKept);
  const dense = plan.edges === 'geodesic' ? densifyGeodesic : densifyLonLat;
  // Where a line with flat ends comes by them again, it matters which way it goes.
  const trails = plan.cap === 'flat' ? null : trailsOf(coords);
  if (trails === null) {
    const isCut = plan.cap === 'flat';
    return joined([{ coords: dense(plan, straight(coords, null)), isStartCut: isCut, isEndCut: isCut }]);
  }
  return joined(
    trails.map(({ coords: trail, isJunction }) => {
      // A trail that ends at a junction needs no cap if the one that goes on there has its vertex, or runs straight through it.
      const kept = straight(trail, isJunction);
      const simple = plan.edges === 'geodesic' ? kept : straightened(kept, STRAIGHT_SHARE * share, null);
      return {
        coords: dense(plan, simple),
        isStartCut: isJunction[0] === 1,
        isEndCut: isJunction.at(-1) === 1,
      };
    }),
  );
}

interface Piece {
  readonly coords: Float64Array;
  readonly isStartCut: boolean;
  readonly isEndCut: boolean;
}

function joined(pieces: readonly Piece[]): Pieces {
  const starts = new Int32Array(pieces.length + 1);
  pieces.forEach(({ coords }, p) => {
    starts[p + 1] = starts[p]! + coords.length / 2;
  });
  const count = starts[pieces.length]!;
  const coords = pieces.length === 1 ? pieces[0]!.coords : new Float64Array(2 * count);
  const isCut = new Uint8Array(count);
  pieces.forEach((piece, p) => {
    if (pieces.length > 1) coords.set(piece.coords, 2 * starts[p]!);
    if (piece.isStartCut) isCut[starts[p]!] = 1;
    if (piece.isEndCut) isCut[starts[p + 1]! - 1] = 1;
  });
  return { coords, starts, isCut };
}
