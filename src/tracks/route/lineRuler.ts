/** The greatest distance of a straight step from a line. */

import {
  type Edge,
  edgeCurvatureBound,
  edgeLat,
  edgeLon,
  edgePieceBound,
  LEAST_RADIUS,
} from '../../geodesy/edge.js';
import { edgeDistance } from '../../geodesy/edgeDistance.js';
import type { LineTree } from '../../geodesy/lineTree.js';
import { edgeAtMost } from '../../geodesy/nearEdges.js';

/** Tolerance of the answer, which may be too small by it: metres, and far away a share. */
const TOLERANCE_METERS = 0.01;
const TOLERANCE_SHARE = 1e-5;
/** A step that was halved this often counts as a point. */
const MAX_HALVINGS = 40;

/** A position of the step, and the edge of the line that is nearest to it. */
export interface Probe {
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
