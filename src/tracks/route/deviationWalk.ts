/** Follows a unit along its fixes and collects its absences from the corridor around a line. */

import { DEGREES_TO_RADIANS, lonStep } from '../../core/angles.js';
import {
  type Edge,
  edgeCurvatureBound,
  edgeLat,
  edgeLon,
  edgePieceBound,
  LEAST_RADIUS,
  makeEdge,
} from '../../geodesy/edge.js';
import { edgeDistance } from '../../geodesy/edgeDistance.js';
import { MAX_RADIUS } from '../../geodesy/ellipsoid.js';
import { fractionsNear } from '../../geodesy/fractionsNear.js';
import type { LineTree } from '../../geodesy/lineTree.js';
import { edgeAtMost } from '../../geodesy/nearEdges.js';
import type { RouteLine } from './routeLine.js';

/** Tolerance of the answer, which may be too small by it: metres, and far away a share. */
const TOLERANCE_METERS = 0.01;
const TOLERANCE_SHARE = 1e-5;
/** A step that was halved this often counts as a point. */
const MAX_HALVINGS = 40;

/** A time that the unit spent outside the corridor of a line. */
export interface Deviation {
  /** Epoch ms: time at which the unit crosses the boundary outward, else the first fix outside. */
  readonly from: number;
  /** Epoch ms: time at which the unit comes back, else the last fix outside. */
  readonly to: number;
  /** The greatest distance from the line, not from the corridor. */
  readonly maxMeters: number;
}

/** Plain data: what is known of an absence that may still last. */
export interface Absence {
  /** When the unit left the corridor; `null` while it is inside. */
  outSince: number | null;
  maxMeters: number;
  /** Distance of the last fix from the line, and the edge that is nearest to it. */
  meters: number;
  edge: number;
}

export function noAbsence(): Absence {
  return { outSince: null, maxMeters: 0, meters: 0, edge: 0 };
}

interface DeviationRules {
  readonly halfWidth: number;
  readonly exitBufferMeters: number;
  readonly minMs: number;
}

/** Metres that a step is long at most: most steps inside a corridor are too short to leave it. */
function lengthAtMost(fromLon: number, fromLat: number, lon: number, lat: number): number {
  const [east, north] = [lonStep(fromLon, lon), lat - fromLat];
  return MAX_RADIUS * DEGREES_TO_RADIANS * Math.sqrt(east * east + north * north);
}

export class DeviationWalk {
  readonly #line: RouteLine;
  readonly #ruler: LineRuler;
  readonly #rules: DeviationRules;

  constructor(line: RouteLine, rules: DeviationRules) {
    this.#line = line;
    this.#ruler = new LineRuler(line.tree);
    this.#rules = rules;
  }

  /** At the first fix, or the first after a gap. `meters` and `edge` are the least distance from the line and its edge. */
  begin(state: Absence, time: number, meters: number, edge: number): void {
    state.meters = meters;
    state.edge = edge;
    const isInside = state.meters <= this.#rules.halfWidth;
    state.outSince = isInside ? null : time;
    state.maxMeters = isInside ? 0 : state.meters;
  }

  /** The absence, if it counts when it ends at `time`; `null` if there is none. */
  absenceUntil({ outSince, maxMeters }: Absence, time: number): Deviation | null {
    const { halfWidth, exitBufferMeters, minMs } = this.#rules;
    if (outSince === null || time - outSince < minMs || !(maxMeters > halfWidth + exitBufferMeters))
      return null;
    return { from: outSince, to: time, maxMeters };
  }

  /** Over one step, with the least distance of its end; `found` takes each absence that ends on it. */
  step(
    state: Absence,
    startTime: number,
    fromLon: number,
    fromLat: number,
    endTime: number,
    lon: number,
    lat: number,
    meters: number,
    edge: number,
    found: (deviation: Deviation) => void,
  ): void {
    if (lon === fromLon && lat === fromLat) return;
    const { halfWidth } = this.#rules;
    const start: Probe = { t: 0, meters: state.meters, edge: state.edge };
    state.meters = meters;
    state.edge = edge;
    if (
      state.outSince === null &&
      start.meters + meters + lengthAtMost(fromLon, fromLat, lon, lat) < 2 * halfWidth
    )
      return;
    const end: Probe = { t: 1, meters, edge };
    const step = makeEdge(fromLon, fromLat, lon, lat);
    const length = edgePieceBound(step, 0, 1);
    if (state.outSince === null) {
      if (end.meters <= halfWidth && this.#ruler.isWithin(step, start, end, halfWidth)) return;
    } else if (length < start.meters + end.meters - 2 * halfWidth) {
      // Most steps of an absence are too short to reach the corridor.
      state.maxMeters = this.#ruler.farthest(step, start, end, state.maxMeters);
      return;
    }
    const intervals = fractionsNear(this.#line.tree, step, halfWidth, start.meters, end.meters);
    const timeAt = (fraction: number): number => startTime + Math.round(fraction * (endTime - startTime));
    const outside = (from: number, to: number): void => {
      if (state.outSince === null) {
        state.outSince = timeAt(from);
        state.maxMeters = 0;
      }
      state.maxMeters = this.#ruler.farthest(
        step,
        from === 0 ? start : from,
        to === 1 ? end : to,
        state.maxMeters,
      );
    };
    let outFrom = 0;
    for (let k = 0; k < intervals.length; k += 2) {
      const [from, to] = [intervals[k]!, intervals[k + 1]!];
      const isTouch = from === to && from > 0 && to < 1;
      if (isTouch) continue;
      if (from > outFrom) outside(outFrom, from);
      const deviation = this.absenceUntil(state, timeAt(from));
      if (deviation !== null) found(deviation);
      state.outSince = null;
      outFrom = to;
    }
    if (outFrom < 1) outside(outFrom, 1);
  }
}

/** A position of the step, and the edge of the line that is nearest to it. */
interface Probe {
  readonly t: number;
  readonly meters: number;
  readonly edge: number;
}

/** Measures distances from one line. */
export class LineRuler {
  readonly #tree: LineTree;
  /** Bound of the geodesic curvature of its edges, 1/m. */
  readonly #curvature: number;
  /** The greatest distance that a search found so far. */
  #best = 0;

  constructor(tree: LineTree) {
    this.#tree = tree;
    this.#curvature = edgeCurvatureBound(tree.highestLat);
  }

  /**
   * The greatest distance from the line between two fractions of a step, at most a centimetre (or 1e-5 of it) too small; `atLeast` if it is
   * not greater, which saves the search on most steps of an absence.
   *
   * Branch and bound. In the plane the distance d to one straight edge is convex along a straight piece: it is greatest at an end. Step
   * and edge bend by their geodesic curvature κ, which lets it rise above its ends by κL²/8 each, and the Earth by that of the sphere,
   * dL²/8R². So no position of a piece is farther than that above the greater of the two distances from one edge to its ends, nor
   * than half its length above their mean.
   */
  farthest(step: Edge, from: number | Probe, to: number | Probe, atLeast: number = 0): number {
    const start = typeof from === 'number' ? this.#probe(step, from) : from;
    const end = typeof to === 'number' ? this.#probe(step, to) : to;
    this.#best = Math.max(start.meters, end.meters, atLeast);
    this.#search(step, start, end, MAX_HALVINGS);
    return this.#best;
  }

  /** Raises `#best` to the greatest distance between two probes. */
  #search(step: Edge, left: Probe, right: Probe, halvings: number): void {
    const best = this.#best;
    const enough = best + Math.max(TOLERANCE_METERS, TOLERANCE_SHARE * best);
    const length = edgePieceBound(step, left.t, right.t);
    const spread = (left.meters + right.meters + length) / 2;
    if (spread <= enough || halvings === 0) return;
    const rise = this.#riseOf(step, spread, length);
    if (this.#convexAtMost(step, left, right) + rise <= enough) return;
    if (this.#convexBound(step, left, right) + rise <= enough) return;
    const middle = this.#probe(step, (left.t + right.t) / 2);
    this.#best = Math.max(best, middle.meters);
    const isLeftFirst = left.meters >= right.meters;
    if (isLeftFirst) this.#search(step, left, middle, halvings - 1);
    this.#search(step, middle, right, halvings - 1);
    if (!isLeftFirst) this.#search(step, left, middle, halvings - 1);
  }

  /** How far the distance to one edge may rise above the greater of its ends over a piece of `length`, at most `spread` away. */
  #riseOf(step: Edge, spread: number, length: number): number {
    const curvature =
      this.#curvature + edgeCurvatureBound(Math.max(Math.abs(step.latA), Math.abs(step.latB)));
    const bend = curvature + (2 * spread) / LEAST_RADIUS ** 2;
    return (bend * length * length) / 8;
  }

  /** Whether all of a step between two positions within `meters` surely is, by the bound of `farthest`. */
  isWithin(step: Edge, start: Probe, end: Probe, meters: number): boolean {
    const length = edgePieceBound(step, 0, 1);
    const spread = (start.meters + end.meters + length) / 2;
    if (spread < meters) return true;
    const rise = this.#riseOf(step, spread, length);
    return (
      this.#convexAtMost(step, start, end) + rise < meters ||
      this.#convexBound(step, start, end) + rise < meters
    );
  }

  /** An upper bound of `#convexBound`, by the cheap bounds of the tree. */
  #convexAtMost(step: Edge, left: Probe, right: Probe): number {
    const tree = this.#tree;
    const toLeft = edgeAtMost(tree, left.edge, edgeLon(step, right.t), edgeLat(step, right.t));
    const toRight = edgeAtMost(tree, right.edge, edgeLon(step, left.t), edgeLat(step, left.t));
    return Math.min(Math.max(left.meters, toLeft), Math.max(right.meters, toRight));
  }

  /** For each of the edges nearest to the two ends, the greater distance of an end from it; the lesser of these. */
  #convexBound(step: Edge, left: Probe, right: Probe): number {
    if (left.edge === right.edge) return Math.max(left.meters, right.meters);
    return Math.min(
      Math.max(left.meters, this.#toEdge(step, right.t, left.edge)),
      Math.max(right.meters, this.#toEdge(step, left.t, right.edge)),
    );
  }

  #probe(step: Edge, t: number): Probe {
    const meters = this.#tree.nearest(edgeLon(step, t), edgeLat(step, t));
    return { t, meters, edge: this.#tree.edge };
  }

  #toEdge(step: Edge, t: number, edge: number): number {
    const { coords } = this.#tree;
    const i = 2 * edge;
    return edgeDistance(
      edgeLon(step, t),
      edgeLat(step, t),
      coords[i] as number,
      coords[i + 1] as number,
      coords[i + 2] as number,
      coords[i + 3] as number,
    );
  }
}
