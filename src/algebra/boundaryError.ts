/** Distance between the boundaries of two polygons. */

import {
  type Edge,
  edgeCurvatureBound,
  edgeLat,
  edgeLon,
  edgePieceBound,
  LEAST_RADIUS,
  makeEdge,
} from '../geodesy/edge.js';
import { edgeDistance } from '../geodesy/edgeDistance.js';
import { LineTree } from '../geodesy/lineTree.js';
import type { MeshPoint } from './ringMesh.js';

type Rings = readonly (readonly MeshPoint[])[];

/** Largest error by which the result may be too small: metres, and share of it. */
const TOLERANCE_METERS = 0.005;
export const TOLERANCE_SHARE = 1e-3;
const MAX_HALVINGS = 30;
/** Error of a distance to an edge, metres. */
const ROUNDING_METERS = 1e-7;

/** Greatest distance of a position of either boundary from the other (Hausdorff), metres. Longitudes must be within a turn. */
export function boundaryError(one: Rings, other: Rings): number {
  const [a, b] = [treesOf(one), treesOf(other)];
  const meters = Math.max(farthest(one, b), farthest(other, a));
  return meters < ROUNDING_METERS ? 0 : meters;
}

function treesOf(rings: Rings): LineTree[] {
  return rings.map((ring) => {
    const coords = ring.flat();
    return new LineTree(Float64Array.from([...coords, coords[0]!, coords[1]!]));
  });
}

/** A position of an edge, with its distance from the nearest other edge and that edge. */
interface Probe {
  readonly t: number;
  readonly meters: number;
  readonly coords: Float64Array;
  readonly at: number;
}

/**
 * Branch and bound, as in `lineRuler.ts`: along a straight piece, the distance to one edge is greatest at an end, apart from the bends of
 * both.
 */
function farthest(rings: Rings, trees: readonly LineTree[]): number {
  let best = 0;
  const probe = (edge: Edge, t: number): Probe => {
    const [lon, lat] = [edgeLon(edge, t), edgeLat(edge, t)];
    let [meters, coords, at] = [Number.POSITIVE_INFINITY, trees[0]!.coords, 0];
    for (const tree of trees) {
      const nearer = tree.nearest(lon, lat, undefined, meters);
      if (nearer < meters) [meters, coords, at] = [nearer, tree.coords, 2 * tree.edge];
    }
    best = Math.max(best, meters);
    return { t, meters, coords, at };
  };
  const toEdge = (edge: Edge, t: number, { coords, at }: Probe): number =>
    edgeDistance(
      edgeLon(edge, t),
      edgeLat(edge, t),
      coords[at]!,
      coords[at + 1]!,
      coords[at + 2]!,
      coords[at + 3]!,
    );
  const search = (edge: Edge, left: Probe, right: Probe, halvings: number): void => {
    const length = edgePieceBound(edge, left.t, right.t);
    const spread = (left.meters + right.meters + length) / 2;
    const enough = best + Math.max(TOLERANCE_METERS, TOLERANCE_SHARE * best);
    if (spread <= enough || halvings === 0) return;
    const convex = Math.min(
      Math.max(left.meters, toEdge(edge, right.t, left)),
      Math.max(right.meters, toEdge(edge, left.t, right)),
    );
    const highest = Math.max(Math.abs(edge.latA), Math.abs(edge.latB));
    const bend = 2 * edgeCurvatureBound(Math.min(89.9, highest + 1)) + (2 * spread) / LEAST_RADIUS ** 2;
    if (convex + (bend * length * length) / 8 <= enough) return;
    const middle = probe(edge, (left.t + right.t) / 2);
    search(edge, left, middle, halvings - 1);
    search(edge, middle, right, halvings - 1);
  };
  const edges = rings.flatMap((ring) => {
    const probes = ring.map((a, i) => {
      const b = ring[(i + 1) % ring.length]!;
      const edge = makeEdge(a[0], a[1], b[0], b[1]);
      return { edge, start: probe(edge, 0) };
    });
    return probes.map(({ edge, start }, i) => ({
      edge,
      start,
      end: { ...probes[(i + 1) % probes.length]!.start, t: 1 },
    }));
  });
  for (const { edge, start, end } of edges) search(edge, start, end, MAX_HALVINGS);
  return best;
}
