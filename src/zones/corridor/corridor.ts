/** Corridors: all within half a width of a line, as a polygon. */

import { wrapLon } from '../../core/angles.js';
import type { MultiPolygon, Polygon, Position } from '../../core/geometry.js';
import { flushTiny } from '../../core/numbers.js';
import { cutPart, geometryOf } from '../cut.js';
import { discRings } from '../discRings.js';
import { isInOnePiece, type Ring } from '../ring.js';
import { fitsMap, mapCorridor } from './mapCorridor.js';
import type { CorridorPlan } from './plan.js';
import { type CorridorOptions, readCorridor } from './readLine.js';
import { ATTEMPTS, type Attempt, type ResolveCounts } from './resolve.js';
import { sphereCorridor } from './sphereCorridor.js';

/**
 * All positions within half of `widthMeters` of a line, as a polygon with holes where the line's loops leave room.
 *
 * The line's edges are straight in lon/lat, or shortest ways with `edges: 'geodesic'`; the result's edges are straight in lon/lat.
 * Every vertex and every position on an edge of the boundary is within `toleranceMeters` of the true ellipsoidal distance, everywhere
 * on the Earth, poles and the antimeridian included (test/zones/corridor.test.ts). Vertices are few: those of straight stretches are
 * dropped, arcs are cut as coarsely as the tolerance allows. Valid in the sense of OGC and RFC 7946: simple rings, holes inside,
 * right-hand rule, cut at ±180°. One position, or equal ones, give a disc, also with flat caps.
 *
 * Cost: about O(n log n) for n vertices, however often the line crosses or retraces itself.
 * Errors: those of a position on `line[i]`; `line-too-short` for no position; `limit-vertices`; `edge-ambiguous` for an edge of exactly
 * 180° of longitude; `width-range` outside 0 (exclusive) to 2,000 km; `tolerance-range`; `option-value`.
 *
 * @example
 * ```ts
 * import { corridor } from 'wayzone';
 * corridor([[37.6, 55.7], [37.61, 55.7]], 50).type; // 'Polygon'
 * corridor([[37.6, 55.7], [37.61, 55.7]], 50, { cap: 'flat' }).coordinates[0].length; // 5
 * corridor([[179.99, 0], [-179.99, 0]], 50).type; // 'MultiPolygon'
 * ```
 */
export function corridor(
  line: readonly Position[],
  widthMeters: number,
  options: CorridorOptions = {},
): Polygon | MultiPolygon {
  return polygonOf(corridorRings(readCorridor(line, widthMeters, options)).rings);
}

/** A corridor before it is cut at ±180°. */
export interface CorridorRings {
  /** All rings have the region on their left; those without a turn around the Earth are a shell and holes. */
  readonly rings: readonly Ring[];
  readonly counts: ResolveCounts;
}

/** The rings of a plan; `attempts` are for tests of the ways less travelled. */
export function corridorRings(plan: CorridorPlan, attempts: readonly Attempt[] = ATTEMPTS): CorridorRings {
  const counts: ResolveCounts = { unions: 0, splits: 0, retries: 0, fallbacks: 0 };
  const { coords, radius, tolerance } = plan;
  if (coords.length === 2) {
    return { rings: discRings(wrapLon(coords[0]!), coords[1]!, radius, tolerance), counts };
  }
  if (fitsMap(plan)) {
    const rings = mapCorridor(plan, attempts, counts);
    if (rings !== null) return { rings: rings.map(wrappedRing), counts };
  }
  const rings = sphereCorridor(plan, attempts, counts);
  if (rings !== null) return { rings, counts };
  throw new Error('expected rings that do not cross, received none from any attempt');
}

export function polygonOf(rings: readonly Ring[]): Polygon | MultiPolygon {
  const isWhole =
    rings.every(({ coords, turns }) => turns === 0 && isInOnePiece(coords)) &&
    rings.length > 0 &&
    !rings[0]!.hole;
  const parts = isWhole ? [rings.map(({ coords }) => closedRing(coords))] : cutPart(rings);
  return geometryOf(parts);
}

function closedRing(ring: ArrayLike<number>): Position[] {
  const positions: Position[] = [];
  for (let i = 0; i < ring.length; i += 2) positions.push([ring[i]!, ring[i + 1]!]);
  positions.push([ring[0]!, ring[1]!]);
  return positions;
}

function wrappedRing(ring: ArrayLike<number>, index: number): Ring {
  const coords = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    const lon = ring[i]!;
    coords[i] = flushTiny(lon <= 180 && lon > -180 ? lon : wrapLon(lon));
    coords[i + 1] = flushTiny(ring[i + 1]!);
  }
  return { coords, turns: 0, pole: null, hole: index > 0 };
}
