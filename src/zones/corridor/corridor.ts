/** Corridors: all positions within half a width of a line, as a polygon, or as the one flat ring of the platform's endpoint. */

import { crossesAntimeridian, lonStep, wrapLon } from '../../core/angles.js';
import { WayzoneError } from '../../core/errors.js';
import type { MultiPolygon, Polygon, Position } from '../../core/geometry.js';
import { guarded } from '../../core/input.js';
import { flushTiny } from '../../core/numbers.js';
import { checkOptions, type OptionTable } from '../../core/options.js';
import type { ZoneOptions, ZoneShape } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { joinBySeams } from '../../planar/joinBySeams.js';
import { pointInRing } from '../../planar/orient2d.js';
import { ringsMeet } from '../../planar/ringsMeet.js';
import { cutGeometry, cutPart } from '../cutPart.js';
import { discRings } from '../kinds/index.js';
import { readShape } from '../readShape.js';
import { isInOnePiece, type Ring } from '../ring.js';
import { unrolledRing } from '../unrolledRing.js';
import { globeCorridor } from './globeCorridor.js';
import { joinAcross } from './joinAcross.js';
import { densifyGeodesic, fitsMap, mapCorridor } from './mapCorridor.js';
import {
  CORRIDOR_OPTIONS,
  type CorridorInput,
  type CorridorOptions,
  corridorPlanOf,
  readCorridor,
} from './readCorridor.js';
import { type ResolveCounts, Resolver } from './resolver.js';
import { type MapRing, passesSpotCheck, SpotCheck } from './spotCheck.js';

/**
 * Degrees beyond which a ring is moved back, so that its middle is on the map. Doubles are coarser from 128 to 256 than below 128;
 * otherwise longitudes below 128 would be moved above 128 and rounded.
 */
const COARSE_DEGREES = 232;
const OPTIONS: OptionTable<LineToPolygonOptions, 'defaultWidthMeters' | 'toleranceMeters'> = {
  ...ZONE_OPTIONS,
  ...CORRIDOR_OPTIONS,
};

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
interface CorridorRings {
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

/** Options for reading the zone, and some of `corridor`. */
export type LineToPolygonOptions = ZoneOptions & Pick<CorridorOptions, 'toleranceMeters' | 'edges' | 'cap'>;

/**
 * The corridor of a line zone as `polygon_geometry` of the wire format: one closed ring of pairs in the caller's axis order.
 *
 * A seam of zero width connects each hole to the outer boundary. It runs due west from the westernmost vertex of the hole and back. So the
 * even-odd rule and the signed area both see the holes. At the antimeridian longitudes continue past ±180. A corridor over a pole or around the
 * Earth is closed along the edge of the map. Accuracy, validity and cost: as `corridor`. Errors: the errors of a line zone on `geometry` and
 * `width`; `tolerance-range`; `option-value`.
 *
 * @example
 * ```ts
 * import { lineToPolygon } from 'wayzone';
 * lineToPolygon({ width: 50, geometry: [[37.6, 55.7], [37.61, 55.7]] }, { cap: 'flat' }).polygon_geometry.length; // 5
 * ```
 */
export function lineToPolygon(
  line: Pick<ZoneShape, 'width' | 'geometry'>,
  options: LineToPolygonOptions = {},
): { polygon_geometry: [number, number][] } {
  checkOptions(options, OPTIONS);
  const shape = guarded('geometry', () => ({
    type: { key: 'line' as const },
    geometry: line.geometry,
    width: line.width ?? null,
  }));
  const normal = readShape(shape, options);
  if (normal.key !== 'line') throw new TypeError('a line reads as a line');
  const found = corridorRings(corridorPlanOf(normal.coords, normal.halfWidth, options));
  return { polygon_geometry: flatRing(found, options.axisOrder) };
}

/**
 * One closed ring of pairs in the axis order, counterclockwise, around the same region as all rings.
 *
 * A hole stays open: a seam runs from its westernmost vertex due west to the next boundary, and the ring follows it there and back. Across
 * the antimeridian longitudes continue past ±180. A corridor over a pole or all around the Earth is closed along the edge of the map.
 */
function flatRing(
  { rings: ringsOf, cut }: CorridorRings,
  axisOrder: 'lonlat' | 'latlon' | undefined,
): [number, number][] {
  const rings = ringsOf();
  // A corridor around the Earth is closed along the edge of the map.
  const isAround = rings.some(({ turns }) => turns !== 0) || rings.filter(({ hole }) => !hole).length !== 1;
  const joined = joinBySeams(
    isAround ? cut().flatMap((part) => part.map((ring) => ring.slice(1).flat())) : runningOn(rings),
  );
  const first = axisOrder === 'latlon' ? 1 : 0;
  const pairs: [number, number][] = [];
  for (let i = 0; i < joined.length; i += 2) pairs.push([joined[i + first]!, joined[i + 1 - first]!]);
  pairs.push([joined[first]!, joined[1 - first]!]);
  return pairs;
}

/** The shell with continuous longitudes, and the holes moved into it. */
function runningOn(rings: readonly Ring[]): Float64Array[] {
  const [shell, ...holes] = rings.map(({ coords }) => coords);
  const first = moved(shell!, 0);
  return [first, ...holes.map((hole) => placed(hole, first))];
}

/** Continuous longitudes, moved east by whole turns. A long ring is centred on the map instead. Each value is rounded once. */
function moved(coords: Float64Array, turns: number): Float64Array {
  if (turns === 0 && isInOnePiece(coords)) return coords;
  const lons = unrolledRing(coords);
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  for (const lon of lons) {
    if (lon < west) west = lon;
    if (lon > east) east = lon;
  }
  const back = Math.max(-west, east) < COARSE_DEGREES ? 0 : Math.round((west + east) / 720);
  return coords.map((value, i) =>
    i % 2 === 0 ? value + 360 * (Math.round((lons[i / 2]! - value) / 360) - back + turns) : value,
  );
}

/** Moves the hole east or west by whole turns until it is inside the shell. */
function placed(hole: Float64Array, shell: Float64Array): Float64Array {
  for (const turns of [0, 1, -1, 2, -2]) {
    const ring = moved(hole, turns);
    if (pointInRing(ring[0]!, ring[1]!, shell) >= 0) return ring;
  }
  return hole;
}
