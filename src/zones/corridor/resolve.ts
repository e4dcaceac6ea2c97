/** Raw curves become the rings of their union: at once where they cross little, by halves of the line where they are braided. */

import { joinRings } from '../../planar/curves.js';
import { windingRings } from '../../planar/windingRings.js';

/** How the work went, for tests and the bench. */
export interface ResolveCounts {
  /** Unions of curves made. */
  unions: number;
  /** Parts of the line that were split because their curve crossed itself too often. */
  splits: number;
  /** Times that everything was begun again with vertices moved otherwise. */
  retries: number;
  /** 1 when the library union had to help. */
  fallbacks: number;
}

/** The closed curve around the vertices `from` to `to` of the line. */
export type CurveAround = (from: number, to: number) => Float64Array;

/** Edges of the line that are always taken at once. */
const LEAF = 8;
/** Crossings per vertex of a curve, and compared pairs of edges, beyond which halves are faster. */
const CROSSINGS_PER_VERTEX = 1.5;
const WORK_PER_VERTEX = 60;

/** Rings around the union for the vertices `from` to `to`, or null when crossings do not agree. */
export function resolveCurve(
  curveAround: CurveAround,
  from: number,
  to: number,
  counts: ResolveCounts,
): readonly ArrayLike<number>[] | null {
  const isLeaf = to - from <= LEAF;
  const curve = curveAround(from, to);
  const vertices = curve.length / 2;
  const rings = windingRings(
    joinRings([curve]),
    isLeaf ? Number.POSITIVE_INFINITY : 200 + CROSSINGS_PER_VERTEX * vertices,
    isLeaf ? Number.POSITIVE_INFINITY : 2000 + WORK_PER_VERTEX * vertices,
  );
  counts.unions++;
  if (rings === 'inconsistent') return null;
  if (rings !== 'too-many-crossings') return rings;
  counts.splits++;
  const middle = (from + to) >> 1;
  const first = resolveCurve(curveAround, from, middle, counts);
  if (first === null) return null;
  const second = resolveCurve(curveAround, middle, to, counts);
  if (second === null) return null;
  const both = windingRings(
    joinRings([...first, ...second]),
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  );
  counts.unions++;
  return typeof both === 'string' ? null : both;
}
