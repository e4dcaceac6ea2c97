/** Corridors: all positions within half a width of a line, as a polygon. */

import { wrapLon } from '../../core/angles.js';
import type { MultiPolygon, Polygon, Position } from '../../core/geometry.js';
import { flushTiny } from '../../core/numbers.js';
import { ringsMeet } from '../../planar/ringsMeet.js';
import { cutPart, geometryOf } from '../cutPart.js';
import { discRings } from '../discRings.js';
import { isInOnePiece, type Ring } from '../ring.js';
import type { CorridorPlan } from './corridorPlan.js';
import { globeCorridor } from './globeCorridor.js';
import { fitsMap, type MapRing, mapCorridor } from './mapCorridor.js';
import { offSheet } from './offSheet.js';
import { type CorridorOptions, readCorridor } from './readCorridor.js';
import { type ResolveCounts, Resolver } from './resolver.js';
import { withBorderVertices } from './withBorderVertices.js';

/**
 * All positions within half of `widthMeters` of a line, as a polygon. It has holes where loops of the line enclose free space.
 *
 * The line's edges are straight in lon/lat, or geodesics with `edges: 'geodesic'`; the result's edges are straight in lon/lat.
 * Every vertex and every position on an edge of the boundary is within `toleranceMeters` of the true ellipsoidal distance, everywhere
 * on the Earth, poles and the antimeridian included (test/zones/corridor.test.ts). Vertices are few: those on straight stretches are
 * dropped, and arcs are as coarse as the tolerance allows. Valid in the sense of OGC and RFC 7946: simple rings, holes inside,
 * right-hand rule, cut at ±180°. One position, or several equal ones, give a disc, also with flat caps.
 *
 * Cost: about O(n log n) for n vertices, however often the line retraces itself. The work is bounded (see `resolver.ts`): a line that
 * crosses itself too often for its width, or too fine a tolerance, throws `limit-vertices` on `line`.
 * Errors: those of a position on `line[i]`; `line-too-short` for an empty line; `limit-vertices`; `edge-ambiguous` for an edge of exactly
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
  return geometryOf(corridorRings(readCorridor(line, widthMeters, options)).cut);
}

/** A corridor on the map and on the cylinder of longitudes. */
export interface CorridorRings {
  /** Its polygons, cut at ±180°, with closed rings. */
  readonly cut: Position[][][];
  /** All rings, with the region on their left. Rings that do not go around the Earth are shells and holes. */
  readonly rings: () => readonly Ring[];
  readonly counts: ResolveCounts;
}

/** The rings of a plan. `isSnapping` resolves them all by snapping, so that tests can cover that rare path. */
export function corridorRings(plan: CorridorPlan, isSnapping: boolean = false): CorridorRings {
  const resolver = new Resolver(plan, isSnapping);
  const { counts } = resolver;
  const { coords, radius, tolerance } = plan;
  if (coords.length > 2 && fitsMap(plan)) {
    const onMap = mapCorridor(plan, resolver);
    const whole = polygonOnMap(onMap);
    if (whole !== null) return { cut: [whole], rings: () => onMap.map(wrappedRing), counts };
    const rings = onMap.map(wrappedRing);
    const isWhole =
      rings.every((ring) => isInOnePiece(ring.coords)) && !rings.slice(1).some(({ hole }) => !hole);
    const cut = isWhole ? [rings.map(({ coords: ring }) => closedRing(ring))] : cutPart(rings);
    if (isWhole || !meetsAtBorder(cut)) return { cut, rings: () => rings, counts };
  }
  const polygons = coords.length > 2 ? globeCorridor(plan, resolver) : null;
  if (polygons === null) {
    const rings = discRings(wrapLon(coords[0]!), coords[1]!, radius, tolerance).map((ring) => ({
      ...ring,
      coords: withBorderVertices(ring.coords),
    }));
    return { cut: cutPart(rings), rings: () => rings, counts };
  }
  return {
    cut: polygons.map((rings) => rings.map(closedRing)),
    rings: () => offSheet(polygons.flat()),
    counts,
  };
}

/** One shell and its holes, closed, if all longitudes are inside ±180; else null. */
function polygonOnMap(rings: readonly MapRing[]): Position[][] | null {
  const polygon: Position[][] = [];
  for (const { coords, isHole } of rings) {
    if (polygon.length > 0 && !isHole) return null;
    const ring: Position[] = [];
    for (let i = 0; i < coords.length; i += 2) {
      const lon = coords[i]!;
      if (!(lon < 180 && lon > -180)) return null;
      ring.push([flushTiny(lon), flushTiny(coords[i + 1]!)]);
    }
    ring.push([ring[0]![0], ring[0]![1]]);
    polygon.push(ring);
  }
  return polygon;
}

/** Whether rounding has made rings meet at ±180°. */
function meetsAtBorder(cut: readonly (readonly Position[][])[]): boolean {
  // Sorted from south to north, so that neighbours in the list are neighbours along the border.
  const rings = cut
    .flatMap((part) => part.map((ring) => ring.slice(1)))
    .toSorted((p, q) => p[0]![1] - q[0]![1]);
  return ringsMeet(
    rings.map((ring) => ring.flat()),
    rings.map((ring) => ring.flatMap(([lon], i) => (Math.abs(lon) === 180 ? [i] : []))),
  );
}

function closedRing(ring: ArrayLike<number>): Position[] {
  const positions: Position[] = [];
  for (let i = 0; i < ring.length; i += 2) positions.push([ring[i]!, ring[i + 1]!]);
  positions.push([ring[0]!, ring[1]!]);
  return positions;
}

function wrappedRing({ coords: ring, isHole }: MapRing): Ring {
  const wrapped = Array.from(ring, (value, i) => flushTiny(i % 2 === 0 ? wrapLon(value) : value));
  return { coords: withBorderVertices(wrapped), turns: 0, pole: null, hole: isHole };
}
