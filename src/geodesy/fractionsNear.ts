/**
 * Fractions of a step within a distance of a line.
 *
 * In space, the step and the edges near it are nearly straight, and for a straight step and a segment there is a formula. Evaluated with a
 * slightly larger distance it yields all of the fractions, with a slightly smaller one no others. Exact distances are measured only where
 * the two results differ.
 */

import { firstWhere } from '../core/numbers.js';
import {
  type Edge,
  edgeBulge,
  edgeCurvatureBound,
  edgeLat,
  edgeLon,
  LEAST_RADIUS,
  makeEdge,
  SPACE_ROUNDING_METERS,
} from './edge.js';
import { edgeDistance } from './edgeDistance.js';
import { BOX, LEAF_EDGES, type LineTree, putInSpace } from './lineTree.js';
import { capsuleSpan, type Sample, sublevelFractions, wayAlong } from './sublevelIntervals.js';

/**
 * Largest bulge of a piece of a step that counts as straight, metres (a piece of some 1,200 m). Alternatively, the bulge may be this share
 * of the limit.
 */
const PIECE_BULGE_METERS = 0.03;
const PIECE_BULGE_SHARE = 1e-3;
/** Share of a step below which pieces are not halved. */
const LEAST_PIECE = 2 ** -40;
/** Largest bulge of an edge, metres. Edges that bulge more are cut into parts; the bulge falls with the square of their number. */
const EDGE_BULGE_METERS = 0.01;
const MOST_PARTS = 64;
/** Radius below which the rounding of squares in space matters, metres. */
const LEAST_SPAN_METERS = 0.01;
/** Greatest length of a geodesic whose excess over its chord is bounded, metres. */
const ARC_METERS = 100_000;
/** Largest rise above a straight line, metres, with which the distance to an edge counts as convex. */
const MOST_RISE = 1e-4;

/** Fractions of a step that may be near an edge. */
interface Span {
  readonly edge: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Fractions `[from0, to0, …]` of a step within `limit` metres of the edges of a tree, with the accuracy of `sublevelFractions`.
 * `startMeters` and `endMeters`: distances of the step's ends, on the exact side of the limit.
 *
 * Cost: O(log n + edges near the step), and some distances for each end of an interval.
 */
export function fractionsNear(
  tree: LineTree,
  step: Edge,
  limit: number,
  startMeters: number,
  endMeters: number,
): number[] {
  const way = wayAlong(step);
  const excessAt = (t: number): number => tree.nearest(edgeLon(step, t), edgeLat(step, t), limit) - limit;
  const { spans, sure } = spansOf(tree, step, limit);
  const near = unionOf(spans);
  const inside = unionOf(sure);
  const cuts = [...near, ...inside].filter((t) => t > 0 && t < 1).sort((one, other) => one - other);
  const curvature =
    2 * edgeCurvatureBound(Math.max(tree.highestLat, Math.abs(step.latA), Math.abs(step.latB)));
  const isNear = (edge: number, { t }: Sample): boolean => {
    const at = 2 * edge;
    const { coords } = tree;
    const [aLon, aLat, bLon, bLat] = [coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!];
    return edgeDistance(edgeLon(step, t), edgeLat(step, t), aLon, aLat, bLon, bLat, limit) <= limit;
  };
  /** By span, the greatest end of all spans up to it. */
  const reached = new Float64Array(spans.length);
  spans.forEach(({ to }, i) => {
    reached[i] = Math.max(i > 0 ? reached[i - 1]! : 0, to);
  });
  /** Whether `holds` is true for every edge that may be near between two fractions. */
  const every = (from: number, to: number, holds: (edge: number) => boolean): boolean => {
    for (
      let i = firstWhere(0, spans.length, (k) => spans[k]!.from >= to) - 1;
      i >= 0 && reached[i]! > from;
      i--
    ) {
      if (spans[i]!.to > from && !holds(spans[i]!.edge)) return false;
    }
    return true;
  };
  const proof = (left: Sample, right: Sample): boolean => {
    const [from, to] = [left.t, right.t];
    const [isLeft, isRight] = [left.excess <= 0, right.excess <= 0];
    if (!isLeft && !isRight) return !meets(near, from, to);
    if (isLeft && isRight && covers(inside, from, to)) return true;
    const length = way(from, to);
    const bend = curvature + (2 * (length + limit)) / LEAST_RADIUS ** 2;
    if ((bend * length * length) / 8 > MOST_RISE) return false;
    // Proved with equal signs if one edge is near at both ends; with different signs if every edge that may be near in between is near at
    // the end inside the limit, and so from there up to one fraction.
    return isLeft && isRight
      ? !every(from, to, (edge) => !(isNear(edge, left) && isNear(edge, right)))
      : every(from, to, (edge) => isNear(edge, isLeft ? left : right));
  };
  return sublevelFractions(excessAt, way, startMeters - limit, endMeters - limit, undefined, { proof, cuts });
}

/** Spans in which the step may be near each edge (`spans`) and surely is near it (`sure`), sorted by start. */
function spansOf(tree: LineTree, step: Edge, limit: number): { spans: Span[]; sure: Span[] } {
  const spans: Span[] = [];
  const sure: Span[] = [];
  const found: number[] = [];
  const ends = new Float64Array(6);
  const span = new Float64Array(2);
  const parts = new Float64Array(6);
  const arcMeters = arcOver(limit);
  const mostEdgeBulge = Math.max(EDGE_BULGE_METERS, PIECE_BULGE_SHARE * limit);
  const mostBulge = Math.max(PIECE_BULGE_METERS, PIECE_BULGE_SHARE * limit);
  const add = (from: number, to: number): void => {
    const [aLon, aLat, bLon, bLat] = [
      edgeLon(step, from),
      edgeLat(step, from),
      edgeLon(step, to),
      edgeLat(step, to),
    ];
    putInSpace(ends, 0, aLon, aLat);
    putInSpace(ends, 3, bLon, bLat);
    const stepBulge = edgeBulge(aLon, aLat, bLon, bLat);
    const count = edgesNearSegment(tree, ends, limit + stepBulge, found);
    if (count === 0) return;
    if (stepBulge > mostBulge && to - from > LEAST_PIECE) {
      const middle = (from + to) / 2;
      add(from, middle);
      add(middle, to);
      return;
    }
    for (let n = 0; n < count; n++) {
      const edge = found[n]!;
      const partCount = Math.min(MOST_PARTS, Math.ceil(Math.sqrt(tree.bulges[edge]! / mostEdgeBulge)));
      const bulge = stepBulge + tree.bulges[edge]! / partCount ** 2 + 3 * SPACE_ROUNDING_METERS;
      const most = Math.max(LEAST_SPAN_METERS, limit + bulge);
      const least = limit - arcMeters - bulge;
      for (let part = 0; part < partCount; part++) {
        if (partCount > 1) putEdgePart(tree, edge, part, partCount, parts);
        const [space, at] = partCount > 1 ? [parts, 0] : [tree.space, 3 * edge];
        if (!capsuleSpan(ends, space, at, most, span)) continue;
        spans.push(spanBetween(edge, from, to, span));
        if (least >= LEAST_SPAN_METERS && capsuleSpan(ends, space, at, least, span))
          sure.push(spanBetween(edge, from, to, span));
      }
    }
  };
  add(0, 1);
  const byFrom = (one: Span, other: Span): number => one.from - other.from;
  return { spans: spans.sort(byFrom), sure: sure.sort(byFrom) };
}

/** The span of an edge; `span` holds its fractions of the piece from `from` to `to`. */
function spanBetween(edge: number, from: number, to: number, span: Float64Array): Span {
  const at = (t: number): number => (t === 1 ? to : from + t * (to - from));
  return { edge, from: at(span[0]!), to: at(span[1]!) };
}

/** Upper bound of the length of a geodesic minus that of its chord, metres, as in `edgeAtMost`; `Infinity` if it is too long. */
function arcOver(meters: number): number {
  return meters < ARC_METERS ? meters ** 3 / (20 * LEAST_RADIUS ** 2) : Number.POSITIVE_INFINITY;
}

/** Writes both ends of a part of an edge, as points in space. */
function putEdgePart(
  { coords }: LineTree,
  edge: number,
  part: number,
  count: number,
  space: Float64Array,
): void {
  const at = 2 * edge;
  const whole = makeEdge(coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!);
  putInSpace(space, 0, edgeLon(whole, part / count), edgeLat(whole, part / count));
  putInSpace(space, 3, edgeLon(whole, (part + 1) / count), edgeLat(whole, (part + 1) / count));
}

/** Whether one of the ascending intervals meets the fractions `from` to `to`. */
function meets(intervals: readonly number[], from: number, to: number): boolean {
  const k = firstWhere(0, intervals.length / 2, (i) => intervals[2 * i + 1]! > from);
  return 2 * k < intervals.length && intervals[2 * k]! < to;
}

/** Whether one of the ascending intervals contains all fractions from `from` to `to`. */
function covers(intervals: readonly number[], from: number, to: number): boolean {
  const k = firstWhere(0, intervals.length / 2, (i) => intervals[2 * i + 1]! >= to);
  return 2 * k < intervals.length && intervals[2 * k]! <= from;
}

/** Union of intervals that are sorted by start: from, to, from, to, … */
function unionOf(intervals: readonly Span[]): number[] {
  const union: number[] = [];
  for (const { from, to } of intervals) {
    const last = union.length - 1;
    if (last > 0 && from <= union[last]!) union[last] = Math.max(union[last]!, to);
    else union.push(from, to);
  }
  return union;
}

/**
 * Finds the edges within `reach` metres of the segment between two positions in space (x, y, z, x, y, z). Writes all of them, and few
 * others, ascending to `found` and returns their number; elements beyond it are stale.
 */
export function edgesNearSegment(tree: LineTree, ends: Float64Array, reach: number, found: number[]): number {
  const { boxes, leaves, bulges } = tree;
  const stack = [1];
  let count = 0;
  let size = 1;
  while (size > 0) {
    const node = stack[--size]!;
    if (!segmentMeetsBox(ends, boxes, node * BOX, reach)) continue;
    if (node < leaves) {
      stack[size++] = 2 * node + 1;
      stack[size++] = 2 * node;
      continue;
    }
    const from = LEAF_EDGES * (node - leaves);
    const to = Math.min(from + LEAF_EDGES, tree.edgeCount);
    for (let i = from; i < to; i++) if (bulges[i]! >= 0) found[count++] = i;
  }
  return count;
}

/** Whether a segment in space meets a box enlarged by `reach` on every side; false for an empty box. */
function segmentMeetsBox(ends: Float64Array, boxes: Float64Array, box: number, reach: number): boolean {
  let from = 0;
  let to = 1;
  for (let axis = 0; axis < 3; axis++) {
    const start = ends[axis]!;
    const step = ends[axis + 3]! - start;
    const low = boxes[box + axis]! - reach - start;
    const high = boxes[box + 3 + axis]! + reach - start;
    if (!(low <= high)) return false;
    if (step === 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    from = Math.max(from, (step > 0 ? low : high) / step);
    to = Math.min(to, (step > 0 ? high : low) / step);
  }
  return from <= to;
}
