import { makeEdge } from '../geodesy/edge.js';
import { fractionsNear } from '../geodesy/fractionsNear.js';
import { LineTree } from '../geodesy/lineTree.js';
import { sublevelIntervals } from '../geodesy/sublevelIntervals.js';
import { discExcess, INSIDE, UNDECIDED, zoneContainsAt, zoneMeetsSegment } from './kinds/index.js';
import { settleEnds } from './settleEnds.js';
import { A_LAT, A_LON, B_LAT, B_LON, LINE, type ShapeColumns } from './shapes/index.js';

/**
 * Fractions of a segment inside a zone without rings, as `PreparedZone.intervals` has them. `pieces` are at least those of the zone whose boxes
 * meet the segment's.
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

/** The edges near the last segment. Their memory is kept for the next one. */
const NEAR_EDGES = new LineTree(new Float64Array(4));
/** The tree of more edges is not kept. */
const MOST_KEPT_EDGES = 10_000;

/** Fractions of the segment a → b within `limit` metres of one of `edges` (`aLon, aLat, bLon, bLat, …`). */
function fractionsNearEdges(
  edges: readonly number[],
  limit: number,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): number[] {
  const tree = edges.length <= 4 * MOST_KEPT_EDGES ? NEAR_EDGES : new LineTree(new Float64Array(4));
  tree.refill(edges);
  const step = makeEdge(aLon, aLat, bLon, bLat);
  const start = tree.nearest(aLon, aLat, limit);
  return fractionsNear(tree, step, limit, start, tree.nearest(bLon, bLat, limit));
}
