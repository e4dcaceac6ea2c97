import { edgeCurvatureBound, edgeLat, edgeLon, LEAST_RADIUS, makeEdge } from '../geodesy/edge.js';
import { nearerEdgeDistance } from '../geodesy/edgeDistance.js';
import {
  RESOLUTION_METERS,
  type Sample,
  sublevelFractions,
  sublevelIntervals,
  wayAlong,
} from '../geodesy/sublevelIntervals.js';
import { discExcess, INSIDE, UNDECIDED, zoneContainsAt, zoneMeetsSegment } from './kinds/index.js';
import { A_LAT, A_LON, B_LAT, B_LON, LINE, type ShapeColumns, settleEnds } from './shapes/index.js';

/** Largest length of a part of a segment on which the convexity is used, metres; longer ones are cut. */
const MOST_METERS = 20_000;

/**
 * Fractions of a segment inside a zone without rings, as in `PreparedZone.intervals`. `pieces` must contain all pieces of the zone whose
 * boxes meet the segment's.
 */
export function levelIntervals(
  columns: ShapeColumns,
  kind: number,
  pieces: Uint32Array,
  segment: Float64Array,
): number[] {
  const edges: number[] = [];
  const answer = zoneMeetsSegment(columns, kind, pieces, 0, pieces.length, segment, edges);
  if (answer !== UNDECIDED) return answer === INSIDE ? [0, 1] : [];
  const first = pieces[0]!;
  const [aLon, aLat, bLon, bLat] = [segment[A_LON]!, segment[A_LAT]!, segment[B_LON]!, segment[B_LAT]!];
  const excess = (lon: number, lat: number): number => discExcess(columns, first, lon, lat);
  const found =
    kind === LINE
      ? fractionsNearEdges(edges, columns.pieceSize[first]!, aLon, aLat, bLon, bLat)
      : sublevelIntervals(excess, 0, aLon, aLat, bLon, bLat);
  const contains = (lon: number, lat: number): boolean =>
    zoneContainsAt(columns, kind, pieces, lon, lat, false);
  return settleEnds(found, contains(aLon, aLat), contains(bLon, bLat));
}

/**
 * Fractions of the segment a → b within `limit` metres of one of `edges` (`aLon, aLat, bLon, bLat, …`).
 *
 * In the plane the distance to one edge is convex along the segment, so between two positions within the limit of one edge all are. Segment
 * and edge bend by their geodesic curvature κ, which lets the distance rise by κL²/8 each over a piece of length L, and the Earth by that
 * of the sphere, dL²/8R² (as `LineRuler.farthest`; twice as much is allowed for here). Without this proof a long segment in a narrow
 * corridor would need a sample every corridor width. Where the samples do not suffice, the result is the union of the fractions of all
 * edges.
 */
function fractionsNearEdges(
  edges: readonly number[],
  limit: number,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): number[] {
  const segment = makeEdge(aLon, aLat, bLon, bLat);
  const way = wayAlong(segment);
  let highest = Math.max(Math.abs(aLat), Math.abs(bLat));
  for (let i = 1; i < edges.length; i += 2) highest = Math.max(highest, Math.abs(edges[i]!));
  const curvature = 2 * edgeCurvatureBound(highest);
  /**
   * Largest distance of both ends of a piece from one edge, metres, at which the whole piece is within the limit; -1 if the piece is too
   * long.
   */
  const mostOver = (left: Sample, right: Sample): number => {
    const length = way(left.t, right.t);
    const bend = curvature + (2 * (length + limit)) / LEAST_RADIUS ** 2;
    return length <= MOST_METERS ? limit - (bend * length * length) / 4 : -1;
  };
  const metersTo = (i: number, t: number, best = Number.POSITIVE_INFINITY): number => {
    const [lon, lat] = [edgeLon(segment, t), edgeLat(segment, t)];
    const [cLon, cLat, dLon, dLat] = [edges[i]!, edges[i + 1]!, edges[i + 2]!, edges[i + 3]!];
    return nearerEdgeDistance(best, lon, lat, cLon, cLat, dLon, dLat, limit);
  };
  const fractionsOf = (i: number): number[] => {
    const excessAt = (t: number): number => metersTo(i, t) - limit;
    const proof = (left: Sample, right: Sample): boolean =>
      Math.max(left.excess, right.excess) + limit <= mostOver(left, right);
    return sublevelFractions(excessAt, way, excessAt(0), excessAt(1), undefined, { proof });
  };
  const ofEach = (): number[] =>
    unionOf(
      Array.from({ length: edges.length / 4 }, (_, k) => fractionsOf(4 * k)),
      way,
    );

  const nearest = new Map<number, number>();
  const excessAt = (t: number): number => {
    let [best, edge] = [Number.POSITIVE_INFINITY, 0];
    for (let i = 0; i < edges.length; i += 4) {
      const meters = metersTo(i, t, best);
      if (meters < best) [best, edge] = [meters, i];
    }
    nearest.set(t, edge);
    return best - limit;
  };
  const proof = (left: Sample, right: Sample): boolean => {
    const most = mostOver(left, right);
    const [i, k] = [nearest.get(left.t)!, nearest.get(right.t)!];
    return (
      (left.excess + limit <= most && metersTo(i, right.t) <= most) ||
      (right.excess + limit <= most && metersTo(k, left.t) <= most)
    );
  };
  return sublevelFractions(excessAt, way, excessAt(0), excessAt(1), undefined, { proof, otherwise: ofEach });
}

/** Union of lists of fractions. Gaps below the resolution are closed. */
function unionOf(lists: readonly number[][], way: (from: number, to: number) => number): number[] {
  const found = lists.flatMap((own) =>
    own.flatMap((from, k) => (k % 2 === 0 ? [[from, own[k + 1]!] as const] : [])),
  );
  const union: number[] = [];
  for (const [from, to] of found.sort((one, other) => one[0] - other[0])) {
    const last = union.length - 1;
    if (last > 0 && (from <= union[last]! || way(union[last]!, from) < RESOLUTION_METERS))
      union[last] = Math.max(union[last]!, to);
    else union.push(from, to);
  }
  return union;
}
