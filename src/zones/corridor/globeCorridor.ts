/** Corridors over a pole, around the Earth, or too wide for a local series: made on the map, cut at ±180°. */

import { DEGREES_TO_RADIANS } from '../../core/angles.js';
import { cosLat, EQUATORIAL_RADIUS } from '../../geodesy/ellipsoid.js';
import { joinRings } from '../../planar/curves.js';
import type { RingsOfPolygon } from '../../planar/unionRings.js';
import { chainsOf, curvesAround } from './chainsOf.js';
import { cutAtAntimeridian, follow, type LonLat, PolarChart, SHEET } from './chart.js';
import { edgeArcs } from './edgeArcs.js';
import { GlobeCurve } from './globeCurve.js';
import type { CorridorInput } from './readCorridor.js';
import { DENSE, type IsDense, type Resolver, tooMany, type Union } from './resolver.js';

/** Cost of a vertex of a curve, in steps: geodesic edges take Karney's solution. */
const VERTEX_WORK = { lonlat: 150, geodesic: 400 } as const;
/** Cost of an arc, in steps. */
const ARC_WORK = 1000;
/** Share of the tolerance for straight edges of the map between positions of a polar chart. */
const MAP_SHARE = 0.1;

/** The corridor's polygons on the map; null for a line of negligible length. */
export function globeCorridor(input: CorridorInput, resolver: Resolver): readonly RingsOfPolygon[] | null {
  const chains = chainsOf(input, (line) => atArcs(input, line, resolver.left / ARC_WORK));
  resolver.spend((ARC_WORK * chains.coords.length) / 2);
  const curve = new GlobeCurve(input, chains);
  const vertexWork = VERTEX_WORK[input.edges];
  if (!curve.hasWay) return null;
  const isDense = densityOnGlobe(chains.coords, input.radius);
  const last = chains.coords.length / 2 - 1;
  const isFlat = input.cap === 'flat';
  const unions: Union[] = [];
  for (let from = 0; from < last; ) {
    const pole = curve.poleOf(from);
    let to = from + 1;
    while (to < last && curve.poleOf(to) === pole) to++;
    const chart = pole === null ? SHEET : new PolarChart(pole);
    const around = (first: number, end: number, isFromCut: boolean, isToCut: boolean): Float64Array => {
      const limit = resolver.left / vertexWork;
      const positions = curve.around(first, end, limit, chart, isFromCut, isToCut);
      resolver.spend((vertexWork * positions.length) / 2);
      return positions;
    };
    if (chart instanceof PolarChart) {
      // With flat caps, one more edge is taken at either end, because no round end is needed where the line continues.
      const { rings } = resolver.resolve(
        curvesAround(chains, (...ofChain) => [projected(around(...ofChain), chart)], joinRings),
        {
          from: isFlat ? Math.max(0, from - 1) : from,
          to: isFlat ? Math.min(last, to + 1) : to,
          isFromCut: isFlat && from > 0,
          isToCut: isFlat && to < last,
        },
        isDense,
      );
      const other = pole === 'north' ? 'south' : 'north';
      const mapped = rings.map((ring) => fromPolar(ring, chart, MAP_SHARE * input.tolerance));
      unions.push({ rings: mapped.flatMap((ring) => cutAtAntimeridian(ring, other)), cuts: null });
    } else {
      unions.push(
        resolver.resolve(
          curvesAround(
            chains,
            (first, end, isFromCut, isToCut) =>
              cutAtAntimeridian(
                around(first, end, isFromCut, isToCut),
                curve.freePole(first, end) ?? 'south',
              ),
            joinRings,
          ),
          { from, to, isFromCut: isFlat && from > 0, isToCut: isFlat && to < last },
          isDense,
          (first, end) => curve.freePole(first, end) === null,
        ),
      );
    }
    from = to;
  }
  const { rings } = resolver.merged(unions);
  // Drop tiny holes and shells that come from rounding.
  const least = input.tolerance * input.tolerance;
  const kept = rings.filter((ring) => {
    const area = squareMeters(ring);
    return area > 1e-3 * least || area < -least;
  });
  return resolver.polygons(kept);
}

function projected(positions: Float64Array, chart: PolarChart): Float64Array {
  const out = new Float64Array(positions.length);
  for (let i = 0; i < out.length; i += 2) {
    const [x, y] = chart.project(positions[i]!, positions[i + 1]!);
    out[i] = x;
    out[i + 1] = y;
  }
  return out;
}

/** A ring of a polar chart as wrapped positions. Vertices are added until straight edges of the map are near enough. */
function fromPolar(ring: ArrayLike<number>, chart: PolarChart, meters: number): Float64Array {
  const out: number[] = [];
  const push = (lon: number, lat: number): void => {
    out.push(lon, lat);
  };
  for (let i = 0; i < ring.length; i += 2) {
    const j = i + 2 < ring.length ? i + 2 : 0;
    const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[j]!, ring[j + 1]!];
    const at = (share: number): LonLat => chart.unproject(ax + share * (bx - ax), ay + share * (by - ay));
    const start = chart.unproject(ax, ay);
    push(...start);
    follow(at, start, chart.unproject(bx, by), meters, SHEET, push);
  }
  return Float64Array.from(out);
}

/** The line with a vertex at the end of every arc. It is later halved at vertices; no arc's corridor contains both poles. */
export function atArcs(input: CorridorInput, coords: Float64Array, limit: number): Float64Array {
  const out: number[] = [coords[0]!, coords[1]!];
  for (let i = 2; i < coords.length; i += 2) {
    const arcs = edgeArcs(input, coords[i - 2]!, coords[i - 1]!, coords[i]!, coords[i + 1]!);
    for (const { end } of arcs.slice(0, -1)) out.push(end.lon, end.lat);
    out.push(coords[i]!, coords[i + 1]!);
    if (out.length > 2 * limit) throw tooMany();
  }
  return Float64Array.from(out);
}

/** Like `densityOf` of `mapCorridor.ts`, but by chords in space. */
function densityOnGlobe(coords: Float64Array, radius: number): IsDense {
  const space = new Float64Array((3 * coords.length) / 2);
  for (let i = 0; i < coords.length / 2; i++) {
    const lon = coords[2 * i]! * DEGREES_TO_RADIANS;
    const lat = coords[2 * i + 1]!;
    space[3 * i] = EQUATORIAL_RADIUS * cosLat(lat) * Math.cos(lon);
    space[3 * i + 1] = EQUATORIAL_RADIUS * cosLat(lat) * Math.sin(lon);
    space[3 * i + 2] = EQUATORIAL_RADIUS * Math.sin(lat * DEGREES_TO_RADIANS);
  }
  return (from, to) => {
    let length = 0;
    const extents = [0, 1, 2].map((axis) => {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let i = from; i <= to; i++) {
        low = Math.min(low, space[3 * i + axis]!);
        high = Math.max(high, space[3 * i + axis]!);
      }
      return high - low;
    });
    for (let i = from; i < to; i++) {
      length += Math.hypot(
        space[3 * i + 3]! - space[3 * i]!,
        space[3 * i + 4]! - space[3 * i + 1]!,
        space[3 * i + 5]! - space[3 * i + 2]!,
      );
    }
    const [, middle, large] = extents.sort((p, q) => p - q) as [number, number, number];
    return (
      length > 2 * (middle + large) &&
      2 * radius * length > DENSE * (middle + 2 * radius) * (large + 2 * radius)
    );
  };
}

/** Signed area of a ring of the map on a sphere, m². It recognises tiny rings also near a pole. */
function squareMeters(ring: ArrayLike<number>): number {
  const lat0 = ring[1]!;
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = i + 2 < ring.length ? i + 2 : 0;
    const middle = (ring[i + 1]! + ring[j + 1]!) / 2;
    const height = 2 * Math.sin(((middle - lat0) / 2) * DEGREES_TO_RADIANS) * cosLat((middle + lat0) / 2);
    sum -= (ring[j]! - ring[i]!) * height;
  }
  return sum * DEGREES_TO_RADIANS * EQUATORIAL_RADIUS * EQUATORIAL_RADIUS;
}
