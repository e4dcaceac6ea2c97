/** Unions of raw curves: all curves at once if they cross little, else by halves of the line. */

import { WayzoneError } from '../../core/errors.js';
import { CROSSING_STEPS, type Tally } from '../../planar/crossings.js';
import { type Curves, joinRings } from '../../planar/curves.js';
import { ringsMeet } from '../../planar/ringsMeet.js';
import { type RingsOfPolygon, unionRings } from '../../planar/unionRings.js';
import { windingRings } from '../../planar/windingRings.js';
import { MAX_WORK, MAX_WORK_PER_VERTEX } from '../evenOddOutline.js';
import type { CorridorInput } from './readCorridor.js';

/** Counts of the work done, for tests and the bench. */
export interface ResolveCounts {
  /** Number of unions of curves. */
  unions: number;
  /** Number of parts of the line that were halved because their curve crossed itself too often. */
  splits: number;
  /** Number of unions snapped to a grid, because points lay on edges or crossings were too close to be ordered. */
  snapped: number;
  /** Number of steps of a few nanoseconds, such as comparing two edges. `limit-vertices` bounds them. */
  work: number;
}

/** Rings with a region on their left. */
export interface Union {
  readonly rings: readonly ArrayLike<number>[];
  /** By ring, the points whose edges may meet other edges; null if it is certain that no rings meet. */
  readonly cuts: readonly (readonly number[])[] | null;
}

/** A range of vertices of a line. The flags say at which ends it is cut off at right angles because the line continues. */
interface VertexRange {
  readonly from: number;
  readonly to: number;
  readonly isFromCut: boolean;
  readonly isToCut: boolean;
}

/** The closed curves around a part of the line; empty if the part has no edge. */
export type CurvesAround = (from: number, to: number, isFromCut: boolean, isToCut: boolean) => Curves;

/** Whether the curve around these vertices probably crosses itself too often for one union. */
export type IsDense = (from: number, to: number) => boolean;

/** Greatest share of a part's extent that its bands may cover. If a line that goes to and fro exceeds it, its bands cross too often. */
export const DENSE = 0.4;

interface Line {
  readonly curvesAround: CurvesAround;
  readonly isDense: IsDense;
  /** Whether a part of more than two vertices must be halved, for example because its curve may surround both poles. */
  readonly mustBeHalved: IsDense;
}

/** Number of edges up to which a part is never halved for its crossings. */
const LEAF = 8;
/** Number of crossings, or of compared pairs, per vertex of a curve beyond which halves are faster. */
const CROSSINGS_PER_VERTEX = 1.5;
const STEPS_PER_VERTEX = 160;
/** Cost of a vertex of a curve or union, in steps. */
export const VERTEX_STEPS = 10;
/** Cost of one vertex of the result, in steps. */
const OUTPUT_STEPS = 40;
/** Cost of a vertex of a snapped union, in steps. */
const SNAPPED_STEPS = 200;

/** Makes the unions of one corridor and counts their work. */
export class Resolver {
  readonly counts: ResolveCounts = { unions: 0, splits: 0, snapped: 0, work: 0 };
  /** Upper bound of `counts.work`. */
  readonly #maxWork: number;
  readonly #step: number;
  readonly #isSnapping: boolean;

  /** `isSnapping` snaps all unions, for tests. */
  constructor({ coords, tolerance }: CorridorInput, isSnapping: boolean) {
    this.#maxWork = MAX_WORK + (MAX_WORK_PER_VERTEX * coords.length) / 2;
    this.#step = gridStep(tolerance);
    this.#isSnapping = isSnapping;
  }

  /**
   * Rings around the union for a part of the line. Errors: `limit-vertices`.
   *
   * `windingRings` is tried first: its winding numbers are exact. If a point lies on an edge, or the numbers contradict each other,
   * `unionRings` makes the union on a grid instead. It fails only at the work limit.
   */
  resolve(
    curvesAround: CurvesAround,
    part: VertexRange,
    isDense: IsDense,
    mustBeHalved: IsDense = () => false,
  ): Union {
    return this.#part({ curvesAround, isDense, mustBeHalved }, part, false);
  }

  /** The rings, checked not to meet, and snapped if they do: `windingRings` rounds crossings, so edges that end there may cross others. */
  withoutMeetings({ rings, cuts }: Union): readonly ArrayLike<number>[] {
    let vertices = 0;
    for (const ring of rings) vertices += ring.length / 2;
    this.spend(OUTPUT_STEPS * vertices);
    return cuts === null || !ringsMeet(rings, cuts) ? rings : this.#snap(joinRings(rings)).rings;
  }

  /** The union of unions: made at once or, if they cross too often, by halves. */
  merged(unions: readonly Union[]): Union {
    if (unions.length < 2) return unions[0] ?? NOTHING;
    const all = this.#union(joinRings(unions.flatMap(({ rings }) => rings)), unions.length === 2);
    if (all !== null) return all;
    const middle = unions.length >> 1;
    return this.#both(this.merged(unions.slice(0, middle)), this.merged(unions.slice(middle)));
  }

  #both(first: Union, second: Union): Union {
    if (first.rings.length === 0) return second;
    if (second.rings.length === 0) return first;
    return this.#union(joinRings([...first.rings, ...second.rings]), true)!;
  }

  /** The rings as snapped polygons. */
  polygons(rings: readonly ArrayLike<number>[]): RingsOfPolygon[] {
    return this.#polygons(joinRings(rings));
  }

  #part(line: Line, part: VertexRange, isHalf: boolean): Union {
    const { curvesAround, isDense, mustBeHalved } = line;
    const { from, to, isFromCut, isToCut } = part;
    const isLeaf = to - from <= LEAF && (to - from <= 1 || !mustBeHalved(from, to));
    // If the whole crossed too often, its halves are skipped and its quarters tried.
    const isTried = isLeaf || (!isHalf && !isDense(from, to) && !mustBeHalved(from, to));
    if (isTried) {
      const curves = curvesAround(from, to, isFromCut, isToCut);
      this.spend((VERTEX_STEPS * curves.xy.length) / 2);
      const union = curves.xy.length === 0 ? NOTHING : this.#union(curves, isLeaf);
      if (union !== null) return union;
    }
    this.counts.splits++;
    const middle = (from + to) >> 1;
    // The halves share an edge and are cut off at its ends, so that neither has a round end there. A part as short as a leaf has no edge to
    // share, so both of its halves have round ends.
    const isShared = to - from > LEAF;
    const first = { from, to: isShared ? middle + 1 : middle, isFromCut, isToCut: isShared };
    const second = { from: middle, to, isFromCut: isShared, isToCut };
    return this.#both(this.#part(line, first, isTried), this.#part(line, second, isTried));
  }

  /** The union of curves. Null if they cross so often that halves are faster and `isNeeded` is false. */
  #union(curves: Curves, isNeeded: boolean): Union | null {
    const vertices = curves.xy.length / 2;
    this.counts.unions++;
    this.spend(VERTEX_STEPS * vertices);
    const most = this.left / CROSSING_STEPS;
    const limit = isNeeded ? most : Math.min(most, 200 + CROSSINGS_PER_VERTEX * vertices);
    const usual = 2000 + STEPS_PER_VERTEX * vertices + CROSSING_STEPS * limit;
    const steps = isNeeded ? this.left : Math.min(this.left, usual);
    const tally: Tally = { steps: 0 };
    const found = this.#isSnapping ? 'inconsistent' : windingRings(curves, limit, steps, tally);
    this.spend(tally.steps);
    if (found === 'too-many-crossings') {
      if (isNeeded) throw tooMany();
      return null;
    }
    if (found === 'inconsistent' || found.touches) return this.#snap(curves);
    return found;
  }

  #snap(curves: Curves): Union {
    this.counts.snapped++;
    return { rings: this.#polygons(curves).flat(), cuts: null };
  }

  #polygons(curves: Curves): RingsOfPolygon[] {
    this.spend((SNAPPED_STEPS * curves.xy.length) / 2);
    const tally: Tally = { steps: 0 };
    const polygons = unionRings(curves, this.#step, this.left / SNAPPED_STEPS, this.left, tally);
    this.spend(tally.steps);
    if (polygons === null) throw tooMany();
    return polygons;
  }

  /** Number of steps left. */
  get left(): number {
    return this.#maxWork - this.counts.work;
  }

  /** Adds `work` steps. Errors: `limit-vertices` beyond the bound. */
  spend(work: number): void {
    this.counts.work += work;
    if (this.left < 0) throw tooMany();
  }
}

/** The error for a line whose corridor takes too much work. */
export function tooMany(): WayzoneError {
  return new WayzoneError(
    'limit-vertices',
    'line',
    `expected a line whose corridor takes at most ${MAX_WORK} steps, and ${MAX_WORK_PER_VERTEX} more for each vertex of the line, received one that takes more: it crosses itself too often, or its tolerance is too fine`,
  );
}

/** Share of the tolerance for rounding to a grid. */
const GRID_SHARE = 1e-3;
const FINEST_STEP: number = 2 ** -38;

/** Step of the grid in degrees, a power of two. */
function gridStep(tolerance: number): number {
  return Math.max(FINEST_STEP, 2 ** Math.floor(Math.log2((GRID_SHARE * tolerance) / 111_320)));
}

const NOTHING: Union = { rings: [], cuts: null };

/** Numbers from -1 to 1, by a linear congruential generator with the constants of Numerical Recipes. */
export function jitterSource(): () => number {
  let state = 0x9e3779b9 | 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 0x80000000;
  };
}
