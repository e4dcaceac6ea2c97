/**
 * Zones without columns, boxes or cells: each query tests every edge. Containment uses another test of an edge than the library
 * (`onEdge`, then `rayCrosses`). Distances use the library's geodesics, which have their own tests against GeographicLib.
 */

import { crossesAntimeridian, lonStep } from '../../../src/core/angles.js';
import { decidedDistance } from '../../../src/geodesy/distanceMeters.js';
import { edgeDistance } from '../../../src/geodesy/edgeDistance.js';
import { sublevelIntervals } from '../../../src/geodesy/sublevelIntervals.js';
import type { ZoneOptions, ZoneShape } from '../../../src/index.js';
import { rayCrosses } from '../../../src/planar/orient2d.js';
import { MAX_RADIUS_METERS } from '../../../src/zones/kinds/index.js';
import { prepareZone } from '../../../src/zones/preparedZone.js';
import { readShape } from '../../../src/zones/readShape.js';
import type { Ring } from '../../../src/zones/ring.js';
import { settleEnds } from '../../../src/zones/shapes/intervalUnion.js';
import { crossingFractions } from '../../planar/crossingFractions.js';
import { onEdge } from '../../planar/onEdge.js';
import { intervalsBetweenCuts } from './intervalsBetweenCuts.js';

export interface PlainZone {
  contains(lon: number, lat: number): boolean;
  signedDistanceMeters(lon: number, lat: number): number;
  intervals(aLon: number, aLat: number, bLon: number, bLat: number): number[];
}

type Edge = readonly [aLon: number, aLat: number, bLon: number, bLat: number];

export function plainZone(shape: ZoneShape, options: ZoneOptions = {}): PlainZone {
  const normal = readShape(shape, options);
  const boundary = options.boundary ?? 'closed';
  if (normal.key === 'polygon') return polygonZone(normal.parts, boundary === 'half-open');
  if (normal.key !== 'line') {
    const { radius } = normal;
    return sublevelZone((x, y) => decidedDistance(normal.lon, normal.lat, x, y, radius), radius);
  }
  // The last bits of a root that is searched for depend on the tested edges. The test that uses `everyEdgeZone` bounds the difference.
  const zone = everyEdgeZone(normal.coords, normal.halfWidth);
  return { ...zone, intervals: (...ends) => prepareZone(shape, options).intervals(...ends) };
}

/** A line zone that tests all edges for each distance. */
export function everyEdgeZone(coords: Float64Array, halfWidth: number): PlainZone {
  const edges: Edge[] = [];
  for (let i = 0; i + 3 < coords.length; i += 2)
    edges.push([coords[i]!, coords[i + 1]!, coords[i + 2]!, coords[i + 3]!]);
  if (edges.length === 0) edges.push([coords[0]!, coords[1]!, coords[0]!, coords[1]!]);
  return sublevelZone(
    (x, y) => Math.min(...edges.map((edge) => edgeDistance(x, y, ...edge, halfWidth))),
    halfWidth,
  );
}

/** The positions with `distance` ≤ `limit`. */
function sublevelZone(distance: (lon: number, lat: number) => number, limit: number): PlainZone {
  const contains = (lon: number, lat: number): boolean => distance(lon, lat) <= limit;
  return {
    contains,
    signedDistanceMeters: (lon, lat) => distance(lon, lat) - limit,
    intervals: (...ends) => {
      const found = sublevelIntervals(distance, limit, ...ends);
      return settleEnds(found, contains(ends[0], ends[1]), contains(ends[2], ends[3]));
    },
  };
}

interface Part {
  readonly edges: readonly Edge[];
  /** Whether the north pole is inside: even-odd over the rings that enclose it. */
  readonly north: boolean;
}

function polygonZone(rings: readonly (readonly Ring[])[], halfOpen: boolean): PlainZone {
  const parts = rings.map(
    (part): Part => ({
      edges: part.flatMap(edgesOf),
      north: part.filter((ring) => ring.pole === 'north').length % 2 === 1,
    }),
  );
  const edges = parts.flatMap((part) => part.edges);
  const inClosed = (lon: number, lat: number): boolean => parts.some((part) => inPart(part, lon, lat));
  const inHalfOpen = (lon: number, lat: number): boolean =>
    parts.some((part) => inPartHalfOpen(part, lon, lat));
  const contains = halfOpen ? inHalfOpen : inClosed;
  return {
    contains,
    signedDistanceMeters: (lon, lat) => {
      const meters = borderMeters(edges, lon, lat);
      return meters !== 0 && inClosed(lon, lat) ? -meters : meters;
    },
    intervals: (...ends) => polygonIntervals(edges, contains, !halfOpen, ...ends),
  };
}

function edgesOf({ coords }: Ring): Edge[] {
  const edges: Edge[] = [];
  for (let i = 0; i < coords.length; i += 2) {
    const next = i + 2 < coords.length ? i + 2 : 0;
    edges.push([coords[i]!, coords[i + 1]!, coords[next]!, coords[next + 1]!]);
  }
  return edges;
}

/** The edge on the side of `lon`, continued beyond ±180. */
function edgeBeside([ax, ay, bx, by]: Edge, lon: number): Edge {
  if (!crossesAntimeridian(ax, bx)) return [ax, ay, bx, by];
  const beside = (x: number): number => (lon > 0 ? (x < 0 ? x + 360 : x) : x > 0 ? x - 360 : x);
  return [beside(ax), ay, beside(bx), by];
}

function inPart(part: Part, lon: number, lat: number): boolean {
  let inside = part.north;
  for (const edge of part.edges) {
    if (Math.abs(lat) === 90 && edge[1] === lat) return true;
    const beside = edgeBeside(edge, lon);
    if (onEdge(lon, lat, ...beside)) return true;
    if (rayCrosses(lon, lat, ...beside, false)) inside = !inside;
  }
  return inside;
}

/** The half-open rule. Poles are looked up at longitude 0, from their own hemisphere. */
function inPartHalfOpen(part: Part, lon: number, lat: number): boolean {
  const x = Math.abs(lat) === 90 ? 0 : lon;
  let inside = part.north;
  for (const edge of part.edges) if (rayCrosses(x, lat, ...edgeBeside(edge, x), lat === 90)) inside = !inside;
  return inside;
}

/** Metres to the nearest edge; without edges (the whole Earth) half of a meridian's circumference. */
function borderMeters(edges: readonly Edge[], lon: number, lat: number): number {
  return edges
    .filter(([, ay, , by]) => ay !== by || Math.abs(ay) !== 90)
    .reduce((best, edge) => Math.min(best, edgeDistance(lon, lat, ...edge)), MAX_RADIUS_METERS);
}

/** Fractions of a→b inside: cut at each edge that it meets; the middle of each piece decides. */
function polygonIntervals(
  edges: readonly Edge[],
  contains: (lon: number, lat: number) => boolean,
  closed: boolean,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): number[] {
  const behind = (from: number, to: number): number =>
    crossesAntimeridian(from, to) ? from + lonStep(from, to) : to;
  const endLon = behind(aLon, bLon);
  const cuts: number[] = [];
  const along: [number, number][] = [];
  for (const [cLon, cy, dLon, dy] of edges) {
    for (const shift of [-360, 0, 360]) {
      const meets = crossingFractions(
        ...([aLon, aLat, endLon, bLat] as const),
        ...([cLon + shift, cy, behind(cLon, dLon) + shift, dy] as const),
      );
      if (meets === null) continue;
      cuts.push(meets[0]);
      if (meets[1] === meets[0]) continue;
      cuts.push(meets[1]);
      along.push(meets);
    }
  }
  return intervalsBetweenCuts(cuts, along, closed, contains, aLon, aLat, bLon, bLat, endLon);
}
