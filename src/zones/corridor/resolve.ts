/** Raw curves become the rings of their union: at once where they cross little, by halves of the line where they are braided. */

import { joinRings } from '../../planar/curves.js';
import { type RingsOrReason, type WindingRings, windingRings } from '../../planar/windingRings.js';

/** How the work went, for tests and the bench. */
export interface ResolveCounts {
  /** Unions of curves made. */
  unions: number;
  /** Parts of the line that were split because their curve crossed itself too often. */
  splits: number;
  /** Attempts that failed: vertices were moved otherwise and everything begun again. */
  retries: number;
  /** Attempts by single edges. */
  fallbacks: number;
}

/** One way to try: how vertices are moved, and whether the line is taken edge by edge. */
export interface Attempt {
  readonly seed: number;
  readonly byEdges: boolean;
}

/** Edge by edge every curve is a convex capsule; whatever a raw curve does that was not foreseen, it does not do. */
export const FALLBACKS: readonly Attempt[] = [4, 5, 6, 7].map((seed) => ({ seed, byEdges: true }));
export const ATTEMPTS: readonly Attempt[] = [
  ...[1, 2, 3].map((seed) => ({ seed, byEdges: false })),
  ...FALLBACKS,
];

/** The closed curves around the vertices `from` to `to` of the line; none where it has no edge. */
export type CurvesAround = (from: number, to: number) => readonly Float64Array[];

/** Whether the curve around these vertices is not worth a try: it crosses itself too often. */
export type IsDense = (from: number, to: number) => boolean;

/** Edges of the line whose crossings are never too many. */
const LEAF = 4;
/** Crossings per vertex of a curve, and compared pairs of edges, beyond which halves are faster. */
const CROSSINGS_PER_VERTEX = 1.5;
const WORK_PER_VERTEX = 60;

const NO_RINGS: WindingRings = { rings: [], cuts: [], touches: false };

/** Rings around the union for the vertices `from` to `to`, or null when crossings do not agree. */
export function resolveCurve(
  curvesAround: CurvesAround,
  from: number,
  to: number,
  isDense: IsDense,
  counts: ResolveCounts,
  isHalf: boolean = false,
): WindingRings | null {
  const isLeaf = to - from <= LEAF;
  // Where the whole was too much, its halves are not tried either, but its quarters.
  const isTried = to - from <= 1 || ((isLeaf || !isHalf) && !isDense(from, to));
  if (isTried) {
    const rings = resolveAtOnce(curvesAround(from, to), isLeaf);
    counts.unions++;
    if (rings === 'inconsistent') return null;
    if (rings !== 'too-many-crossings') return rings;
  }
  counts.splits++;
  const middle = (from + to) >> 1;
  const first = resolveCurve(curvesAround, from, middle, isDense, counts, isTried);
  if (first === null) return null;
  const second = resolveCurve(curvesAround, middle, to, isDense, counts, isTried);
  if (second === null) return null;
  if (first.rings.length === 0) return second;
  if (second.rings.length === 0) return first;
  const both = windingRings(
    joinRings([...first.rings, ...second.rings]),
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  );
  counts.unions++;
  return typeof both === 'string' ? null : both;
}

function resolveAtOnce(around: readonly Float64Array[], whatever: boolean): RingsOrReason {
  if (around.length === 0) return NO_RINGS;
  const curves = joinRings(around);
  const vertices = curves.xy.length / 2;
  return windingRings(
    curves,
    whatever ? Number.POSITIVE_INFINITY : 200 + CROSSINGS_PER_VERTEX * vertices,
    whatever ? Number.POSITIVE_INFINITY : 2000 + WORK_PER_VERTEX * vertices,
  );
}
