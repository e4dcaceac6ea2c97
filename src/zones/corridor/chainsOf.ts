/** The chains of a line to offset: the line itself or, if it repeats edges, trails that contain every edge once. */

import { partAt } from '../../core/numbers.js';
import type { Curves } from '../../planar/curves.js';
import { COMPACT_SHARE, type CorridorInput, SIMPLIFY_SHARE } from './readCorridor.js';
import type { CurvesAround } from './resolver.js';
import { compactedLine, isNearChord, straightened, withoutShort } from './straightened.js';
import { trailsOf } from './trailsOf.js';

/** Chains that together cover the same positions as the line. */
export interface Chains {
  /** Vertices `[lon0, lat0, …]` of all chains, simplified and densified. */
  readonly coords: Float64Array;
  /** By chain, its first vertex: chain p has the vertices `starts[p]` to `starts[p + 1] - 1`. */
  readonly starts: Int32Array;
  /** By vertex, the `ChainEnd` of a chain that ends there; 0 elsewhere. */
  readonly ends: Uint8Array;
}

/** An end with a half disc. */
export const ROUND_END = 0;
/** An end cut off at right angles, at a junction that other chains cover. */
export const JUNCTION_END = 1;
/** An end cut off at right angles, at a flat end of the line. */
export const FLAT_END = 2;
/** Form of a chain's end. */
export type ChainEnd = typeof ROUND_END | typeof JUNCTION_END | typeof FLAT_END;

/** Greatest distance of a junction from a trail that passes it without a vertex, as a share of the simplification's tolerance. */
const STRAIGHT_SHARE = 1e-3;

/** The chains of the input's line, each `densified`. A line of negligible length becomes one vertex. */
export function chainsOf(input: CorridorInput, densified: (line: Float64Array) => Float64Array): Chains {
  const share = SIMPLIFY_SHARE * input.tolerance;
  const coords = withoutShort(input.coords, share / 2);
  if (coords.length === 2) return joinedChains([{ coords, start: ROUND_END, end: ROUND_END }]);
  const once = input.cap === 'flat' ? betweenEnds(coords, input.radius) : { from: 0, to: coords.length };
  const trails = trailsOf(coords.subarray(once.from, once.to));
  const isFlat = input.cap === 'flat';
  // Next to a flat end the direction of the line matters.
  const compact = (line: Float64Array): Float64Array => {
    const dent = (COMPACT_SHARE / 2) * input.tolerance;
    const hulls = isFlat || input.omitsShortCuts ? line : compactedLine(line, input.radius, dent);
    return hulls === line || input.edges === 'geodesic' ? hulls : straightened(hulls, dent, null);
  };
  const shaped = (line: Float64Array, isKept: Uint8Array | null): Float64Array => {
    if (input.edges === 'geodesic') return densified(isKept === null ? compact(line) : line);
    const simple = straightened(line, share / 2, isKept);
    if (isKept === null) return densified(compact(simple));
    // A trail that ends at a junction needs no cap if the trail that continues there has that vertex, or runs straight through it.
    return densified(straightened(simple, STRAIGHT_SHARE * share, null));
  };
  if (trails === null) {
    const end = isFlat ? FLAT_END : ROUND_END;
    return joinedChains([{ coords: shaped(coords, null), start: end, end }]);
  }
  const chains: Chain[] = trails.map(({ coords: trail, isJunction }) => ({
    coords: shaped(trail, isJunction),
    start: isJunction[0] === 1 ? JUNCTION_END : ROUND_END,
    end: isJunction.at(-1) === 1 ? JUNCTION_END : ROUND_END,
  }));
  if (isFlat) {
    const first = shaped(coords.subarray(0, once.from + 2), null);
    const last = shaped(coords.subarray(once.to - 2), null);
    chains.unshift({ coords: first, start: FLAT_END, end: ROUND_END });
    chains.push({ coords: last, start: ROUND_END, end: FLAT_END });
  }
  return joinedChains(chains);
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

interface Chain {
  readonly coords: Float64Array;
  readonly start: ChainEnd;
  readonly end: ChainEnd;
}

function joinedChains(chains: readonly Chain[]): Chains {
  const starts = new Int32Array(chains.length + 1);
  chains.forEach(({ coords }, p) => {
    starts[p + 1] = starts[p]! + coords.length / 2;
  });
  const count = starts[chains.length]!;
  const coords = chains.length === 1 ? chains[0]!.coords : new Float64Array(2 * count);
  const ends = new Uint8Array(count);
  chains.forEach((chain, p) => {
    if (chains.length > 1) coords.set(chain.coords, 2 * starts[p]!);
    ends[starts[p]!] = chain.start;
    ends[starts[p + 1]! - 1] = chain.end;
  });
  return { coords, starts, ends };
}

/** Curves around the vertices `from` to `to` of one chain. The flags cut an end off at right angles where the chain continues. */
export type CurvesOfPiece<Curve> = (
  from: number,
  to: number,
  isFromCut: boolean,
  isToCut: boolean,
) => readonly Curve[];

/** The curves around all chains, or parts of chains, that lie among the given vertices, joined into one array. */
export function curvesAround<Curve extends ArrayLike<number>>(
  { starts }: Chains,
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
