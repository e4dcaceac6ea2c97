/** Corridors: all positions within half a width of a line, as a polygon. */

import { crossesAntimeridian, lonStep, wrapLon } from '../../core/angles.js';
import { WayzoneError } from '../../core/errors.js';
import type { MultiPolygon, Polygon, Position } from '../../core/geometry.js';
import { flushTiny } from '../../core/numbers.js';
import { ringsMeet } from '../../planar/ringsMeet.js';
import { cutGeometry, cutPart } from '../cutPart.js';
import { discRings } from '../kinds/index.js';
import { isInOnePiece, type Ring } from '../ring.js';
import type { CorridorInput } from './corridorInput.js';
import { densifyGeodesic } from './densifyLine.js';
import { globeCorridor } from './globeCorridor.js';
import { joinAcross } from './joinAcross.js';
import { fitsMap, mapCorridor } from './mapCorridor.js';
import { type CorridorOptions, readCorridor } from './readCorridor.js';
import { type ResolveCounts, Resolver } from './resolver.js';
import { type MapRing, passesSpotCheck, SpotCheck } from './spotCheck.js';

/**
 * All positions within half of `widthMeters` of a line, as a polygon valid by OGC and RFC 7946. Loops of the line that enclose free space make
 * holes. The boundary is accurate to `toleranceMeters` on the ellipsoid, everywhere on the Earth. Rules of ends and bends:
 * docs/rules/corridors.md.
 *
 * The edges of the line are straight in lon/lat, or geodesics with `edges: 'geodesic'`. The edges of the corridor are straight in lon/lat.
 *
 * Errors: the errors of a position on `line[i]`; `line-too-short` for an empty line; `limit-vertices`; `edge-ambiguous` for an edge of exactly
 * 180° of longitude; `width-range` outside 0 (exclusive) to 2,000 km; `tolerance-range`; `option-value`; `corridor-uncertified`. Cost: about O(n
 * log n) for n vertices, however often the line retraces itself.
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
  return cutGeometry(corridorRings(readCorridor(line, widthMeters, options)).cut());
}

/** A corridor as polygons on the map, and as rings on the cylinder of longitudes. */
export interface CorridorRings {
  /** The polygons, cut at ±180°, with closed rings. */
  readonly cut: () => Position[][][];
  /** All rings, with the region on their left. Rings that do not go around the Earth are shells and holes. */
  readonly rings: () => readonly Ring[];
  readonly counts: ResolveCounts;
}

/** Makes the rings of an input, and returns whether they pass the spot check. */
type RingMaker = (input: CorridorInput, isSnapping: boolean) => CorridorRings & { readonly passes: boolean };

/**
 * The rings of an input that pass the spot check. Rings that fail are made again in a slower way that cannot fail: without short cuts, and
 * snapped to a grid. `isSnapping` uses that way at once, so that tests can cover it. Errors: `limit-vertices`; `corridor-uncertified`.
 */
export function corridorRings(
  input: CorridorInput,
  isSnapping: boolean = false,
  make: RingMaker = ringsOf,
): CorridorRings {
  const quick = make(input, isSnapping);
  if (quick.passes) return quick;
  const slow = make({ ...input, omitsShortCuts: true }, true);
  if (!slow.passes) throw uncertified();
  return slow;
}

/** The rings of an input, and whether they pass the spot check. */
export function ringsOf(input: CorridorInput, isSnapping: boolean): ReturnType<RingMaker> {
  const resolver = new Resolver(input, isSnapping);
  const { counts } = resolver;
  const { coords, radius, tolerance } = input;
  const line =
    input.edges === 'geodesic' && coords.length > 2 && fitsMap(input)
      ? densifyGeodesic(input, coords, resolver)
      : coords;
  if (coords.length > 2 && fitsMap(input)) {
    const onMap = mapCorridor(input, resolver);
    const passes = passesSpotCheck(input, line, onMap, counts.work);
    if (isPolygonOnMap(onMap)) {
      const cut = (): Position[][][] => [onMap.map((ring) => closedRing(wrapped(ring)))];
      return { cut, rings: () => onMap.map(wrappedRing), counts, passes };
    }
    const rings = onMap.map(wrappedRing);
    const isWhole =
      rings.every((ring) => isInOnePiece(ring.coords)) && !rings.slice(1).some(({ hole }) => !hole);
    const cut = isWhole ? [rings.map(({ coords: ring }) => closedRing(ring))] : cutPart(rings);
    if (isWhole || !meetsAtBorder(cut)) return { cut: () => cut, rings: () => rings, counts, passes };
  }
  const polygons = coords.length > 2 ? globeCorridor(input, resolver) : null;
  if (polygons === null) {
    const disc = { lon: wrapLon(coords[0]!), lat: coords[1]!, radius };
    const rings = discRings(disc, tolerance).map((ring) => ({
      ...ring,
      coords: withBorderVertices(ring.coords),
    }));
    return { cut: () => cutPart(rings), rings: () => rings, counts, passes: true };
  }
  const flat = polygons.flatMap((rings) =>
    rings.map((ring, k): MapRing => ({ coords: ring, isHole: k > 0 })),
  );
  return {
    cut: () => polygons.map((rings) => rings.map(closedRing)),
    rings: () => joinAcross(polygons.flat()),
    counts,
    // Geodesics near a pole are not checked: straight lon/lat edges cannot replace them.
    passes: input.edges === 'geodesic' || new SpotCheck(input, coords, false, counts.work).fits(flat),
  };
}

/** The error for a corridor whose rings are wrong in both ways: a fault of this library. */
function uncertified(): WayzoneError {
  return new WayzoneError(
    'corridor-uncertified',
    'line',
    'expected a corridor whose boundary is at half the width from the line, received one that is not: no polygon is better than a wrong one; please report this line',
    { status: 500 },
  );
}

/** Whether the rings are one shell with holes, and all longitudes are inside ±180. */
function isPolygonOnMap(rings: readonly MapRing[]): boolean {
  for (let k = 0; k < rings.length; k++) {
    const { coords, isHole } = rings[k]!;
    if (k > 0 && !isHole) return false;
    for (let i = 0; i < coords.length; i += 2) if (!(Math.abs(coords[i]!) < 180)) return false;
  }
  return true;
}

/** Whether rings meet at ±180° because of rounding. */
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

function wrappedRing(ring: MapRing): Ring {
  return { coords: withBorderVertices(wrapped(ring)), turns: 0, pole: null, hole: ring.isHole };
}

function wrapped({ coords: ring }: MapRing): Float64Array {
  const coords = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    coords[i] = flushTiny(wrapLon(ring[i]!));
    coords[i + 1] = flushTiny(ring[i + 1]!);
  }
  return coords;
}

/**
 * The ring `[lon0, lat0, …]` (wrapped, not closed) with a vertex wherever an edge crosses ±180°. `cutPart` then cuts it at these vertices,
 * so that the cut ring and the ring with continuous longitudes have the same area to the last bit.
 */
function withBorderVertices(ring: Float64Array): Float64Array {
  if (isInOnePiece(ring)) return ring;
  const coords: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const lon = ring[i]!;
    const lat = ring[i + 1]!;
    coords.push(lon, lat);
    const next = i + 2 < ring.length ? i + 2 : 0;
    const nextLon = ring[next]!;
    if (!crossesAntimeridian(lon, nextLon) || lon === 180 || nextLon === 180) continue;
    const border = lon > 0 ? 180 : -180;
    coords.push(180, lat + (ring[next + 1]! - lat) * ((border - lon) / lonStep(lon, nextLon)));
  }
  return new Float64Array(coords);
}
