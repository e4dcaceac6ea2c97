/** The outline of any zone as rings on one plane of degrees, and the distance between the boundaries of two polygons. */

import { wrapLon } from '../core/angles.js';
import type { MultiPolygon, Polygon, Position } from '../core/geometry.js';
import type { WrittenShape, ZoneOptions, ZoneShape } from '../core/wire.js';
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
import type { NormalShape } from '../zones/kinds/index.js';
import { readShape } from '../zones/readShape.js';
import { zoneOutline } from '../zones/zoneOutline.js';
import type { MeshPoint } from './ringMesh.js';

/** Largest error by which the result may be too small: metres, and share of it. */
const TOLERANCE_METERS = 0.005;
const MAX_HALVINGS = 30;
/** Error of a distance to an edge, metres. */
const ROUNDING_METERS = 1e-7;

export interface Frame {
  /** Open rings: the shell of each polygon first, then its holes; the polygon is on their left. */
  readonly polygons: MeshPoint[][][];
  /** Degrees added to longitudes so that the zone does not meet the antimeridian. */
  readonly turned: 0 | 180;
  /** Whether rounding may have moved vertices. If so, the outline must grow a little to contain the zone. */
  readonly isInexact: boolean;
  /** Largest width by which the outline of a circle or line exceeds the zone, metres. */
  readonly slackMeters: number;
}

const LEAST_TOLERANCE = 0.01;

export function fitFrameOf(shape: ZoneShape, options: ZoneOptions): Frame {
  const normal = readShape(shape, options);
  const { plain, tolerance } = asShape(normal);
  const outlineOptions = tolerance === 0 ? {} : { toleranceMeters: tolerance };
  const outline = zoneOutline(plain(0), outlineOptions);
  const isCut = meetsBothSides(outline);
  const turnedOutline = isCut ? zoneOutline(plain(180), outlineOptions) : outline;
  const isTurned = isCut && !meetsBothSides(turnedOutline);
  const polygons = openRings(isTurned ? turnedOutline : outline);
  const isPolygon = normal.key === 'polygon';
  return {
    polygons,
    turned: isTurned ? 180 : 0,
    isInexact: isPolygon && (isTurned || (!isCut && hasNewVertex(polygons, normal))),
    slackMeters: 2 * tolerance,
  };
}

/**
 * Returns a function that makes the shape with its longitudes turned by some degrees. Circles and lines are wider by the tolerance, so that
 * their outline contains them.
 */
function asShape(normal: NormalShape): { plain: (degrees: number) => WrittenShape; tolerance: number } {
  const pairOf = (lon: number, lat: number, degrees: number): [number, number] => [
    wrapLon(lon + degrees),
    lat,
  ];
  const pairs = (coords: Float64Array, degrees: number): [number, number][] =>
    Array.from({ length: coords.length / 2 }, (_, i) => pairOf(coords[2 * i]!, coords[2 * i + 1]!, degrees));
  if (normal.key === 'polygon') {
    const plain = (degrees: number): WrittenShape => ({
      type: { key: 'polygon' },
      geometry: [],
      parts: normal.parts.map((part) => part.map(({ coords }) => pairs(coords, degrees))),
    });
    return { plain, tolerance: 0 };
  }
  const size = normal.key === 'line' ? normal.halfWidth : normal.radius;
  const tolerance = Math.max(LEAST_TOLERANCE, size * TOLERANCE_SHARE);
  // An empty zone stays empty; its outline then reports the error.
  const wide = size === 0 ? 0 : size + 1.01 * tolerance;
  const plain = (degrees: number): WrittenShape =>
    normal.key === 'line'
      ? { type: { key: 'line' }, geometry: pairs(normal.coords, degrees), width: 2 * wide }
      : { type: { key: 'circle' }, geometry: [pairOf(normal.lon, normal.lat, degrees)], width: wide };
  return { plain, tolerance };
}

function openRings(outline: Polygon | MultiPolygon): MeshPoint[][][] {
  const polygons = outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
  return polygons.map((rings) =>
    rings.map((ring: readonly Position[]) => ring.slice(0, -1).map(([x, y]): MeshPoint => [x, y])),
  );
}

function meetsBothSides(outline: Polygon | MultiPolygon): boolean {
  const xs = openRings(outline).flat(2);
  return xs.some(([x]) => x === 180) && xs.some(([x]) => x === -180);
}

/** Whether the outline has a vertex that is not one of the zone's: a crossing of rings. */
function hasNewVertex(polygons: readonly MeshPoint[][][], normal: NormalShape): boolean {
  if (normal.key !== 'polygon') return false;
  const own = new Set<string>();
  for (const { coords } of normal.parts.flat()) {
    for (let i = 0; i < coords.length; i += 2) own.add(`${coords[i]} ${coords[i + 1]}`);
  }
  return polygons.flat(2).some(([x, y]) => !own.has(`${x} ${y}`));
}

type Rings = readonly (readonly MeshPoint[])[];

const TOLERANCE_SHARE = 1e-3;

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
 * Branch and bound, as in `deviationWalk.ts`: along a straight piece, the distance to one edge is greatest at an end, apart from the bends of
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
