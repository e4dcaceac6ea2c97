/** The geodesic disc: area, perimeter and a ring of its boundary. */

import { DEGREES_TO_RADIANS, wrapLon } from '../core/angles.js';
import type { Position } from '../core/geometry.js';
import { flushTiny } from '../core/numbers.js';
import { CircleEdges } from './circleEdges.js';
import type { GeodesicEnd } from './destination.js';
import { cosLat, EARTH_AREA, MERIDIAN_HALF, meridianRadius, normalRadius } from './ellipsoid.js';
import { type GeodesicLine, geodesicLine, lengthOfArc, reducedLengthAt } from './karney.js';
import { GAUSS_12 } from './longEdge.js';

/** Radius in metres up to which the sphere with the Gaussian curvature at the centre is right to 1e-12 (next term: e² (r/R)⁴ / 20). */
const SPHERE_METERS = 20_000;
/** Number of steps of azimuth from 0° to 180°; the disc is symmetric about its meridian. */
const AZIMUTH_STEPS = 32;
const PANEL_METERS = 2_500_000;

export interface DiscMeasure {
  /** Area, m². */
  readonly area: number;
  /** Perimeter, m. */
  readonly perimeter: number;
}

/**
 * Area and perimeter of the set within `radiusMeters` of the centre, by geodesic distance on WGS84.
 *
 * ∫∫ m12 ds dα and ∫ m12 dα with Karney's reduced length m12; each geodesic ends where it stops being the
 * shortest (half a turn on the auxiliary sphere), so a radius of half the Earth gives the Earth and perimeter 0.
 * Accuracy: 1e-10 relative up to 19,900 km; beyond, where the cut locus is reached, 1e-6 of the Earth's area and
 * 12 km of perimeter. Radius 0 gives 0 and 0. Cost: up to 20 km O(1), beyond 33 geodesics (1 ms).
 */
export function discAreaPerimeter(lon: number, lat: number, radiusMeters: number): DiscMeasure {
  if (radiusMeters <= 0) return { area: 0, perimeter: 0 };
  if (radiusMeters >= MERIDIAN_HALF) return { area: EARTH_AREA, perimeter: 0 };
  if (radiusMeters <= SPHERE_METERS) {
    const sinLat = Math.sin(lat * DEGREES_TO_RADIANS);
    const radius = Math.sqrt(meridianRadius(sinLat) * normalRadius(sinLat));
    const halfChord = 2 * radius * Math.sin(radiusMeters / (2 * radius));
    return {
      area: Math.PI * halfChord * halfChord,
      perimeter: 2 * Math.PI * radius * Math.sin(radiusMeters / radius),
    };
  }
  let area = 0;
  let perimeter = 0;
  for (let i = 0; i <= AZIMUTH_STEPS; i++) {
    const line = geodesicLine(lon, lat, (180 * i) / AZIMUTH_STEPS);
    const weight = i === 0 || i === AZIMUTH_STEPS ? 1 : 2;
    const cut = lengthOfArc(line, 180) ?? MERIDIAN_HALF;
    const reach = Math.min(radiusMeters, cut);
    const panels = Math.ceil(reach / PANEL_METERS);
    const width = reach / panels;
    for (let panel = 0; panel < panels; panel++) {
      for (let k = 0; k < GAUSS_12.length; k += 2) {
        area += weight * width * GAUSS_12[k + 1]! * spread(line, (panel + GAUSS_12[k]!) * width);
      }
    }
    if (radiusMeters < cut) perimeter += weight * spread(line, radiusMeters);
  }
  const step = Math.PI / AZIMUTH_STEPS;
  return { area: Math.min(area * step, EARTH_AREA), perimeter: perimeter * step };
}

/** Reduced length at a distance, metres. Before the cut locus a negative value is only rounding. */
function spread(line: GeodesicLine, meters: number): number {
  return Math.max(0, reducedLengthAt(line, meters));
}

/** Share of the tolerance for the first guess of the step. */
const STEP_SHARE = 0.97;
const LEAST_POINTS = 8;
/** Smallest usable tolerance, metres: a few times the resolution of degrees as doubles. */
const RESOLUTION_METERS = 1e-8;
const MAX_HALVINGS = 30;
/** Length in metres up to which every geodesic from any position is the shortest path. */
const CUT_METERS = 19_900_000;

/**
 * Points of the circle of `radiusMeters` in order of azimuth (0° first, clockwise, not closed), dense enough that the straight lon/lat
 * edges between neighbours stay within `toleranceMeters` (10 nm at least, half the radius at most) of the true circle.
 *
 * The step follows from the sagitta in the plane and the bend of lon/lat edges. Then every edge is halved until its bound is proved
 * (`CircleEdges`). Near a pole this can give many edges. An edge that would span 180° of longitude is halved too. The points are within 1 %
 * of the tolerance, or within 60 nm, of the circle, and are symmetric about the meridian of the centre. The result may enclose a pole;
 * `polarSide` returns which. Beyond 19,900 km not every geodesic is a shortest path. The result then has only positions at the exact
 * distance, which form two arcs that meet opposite the centre. Radius 0 gives only the centre; a radius that covers the Earth gives an
 * empty list. Deterministic; O(points).
 */
export function discRing(
  lon: number,
  lat: number,
  radiusMeters: number,
  toleranceMeters: number,
): Position[] {
  if (radiusMeters <= 0) return [[lon, lat]];
  const tolerance = Math.max(Math.min(toleranceMeters, radiusMeters / 2), RESOLUTION_METERS);
  const open = openAzimuth(lon, lat, radiusMeters);
  if (open === 0) return [];
  const east = eastHalf(lat, radiusMeters, tolerance, open);
  const ring = east.map(([step, endLat]) => positionOf(lon + step, endLat));
  for (let i = east.length - 2; i > 0; i--) ring.push(positionOf(lon - east[i]![0], east[i]![1]));
  return ring;
}

function positionOf(lon: number, lat: number): Position {
  return [flushTiny(wrapLon(lon)), flushTiny(lat)];
}

/** The points with azimuths from 0° to 180°. Longitudes count from the centre. */
function eastHalf(lat: number, radiusMeters: number, tolerance: number, open: number): GeodesicEnd[] {
  const edges = new CircleEdges(lat, radiusMeters, tolerance);
  const points: GeodesicEnd[] = [];
  const fill = (
    fromAzimuth: number,
    from: GeodesicEnd,
    toAzimuth: number,
    to: GeodesicEnd,
    depth: number,
  ): void => {
    if (depth >= MAX_HALVINGS || edges.fits(from, to)) {
      points.push(from);
      return;
    }
    const azimuth = (fromAzimuth + toAzimuth) / 2;
    const middle = edges.at(azimuth);
    fill(fromAzimuth, from, azimuth, middle, depth + 1);
    fill(azimuth, middle, toAzimuth, to, depth + 1);
  };
  const count = firstCount(lat, radiusMeters, tolerance);
  // The azimuths whose geodesics are shortest paths: all, or those around north and around south.
  const arcs: readonly (readonly [number, number])[] =
    open === 90 ? [[0, 180]] : [[0, open], [180 - open, 180]]; // biome-ignore format: arcs
  let from = edges.at(0);
  for (const [first, last] of arcs) {
    const steps = Math.max(LEAST_POINTS / 2 / arcs.length, Math.ceil((count * (last - first)) / 360));
    for (let i = 0; i < steps; i++) {
      const fromAzimuth = first + ((last - first) * i) / steps;
      const toAzimuth = first + ((last - first) * (i + 1)) / steps;
      const to = edges.at(toAzimuth);
      fill(fromAzimuth, from, toAzimuth, to, 0);
      from = to;
    }
  }
  points.push(from);
  return points;
}

/**
 * Degrees from due north, and from due south, within which geodesics of this length are shortest paths: 90 for all azimuths, 0 for none.
 *
 * A geodesic stops being the shortest path where it meets its mirror image, half a turn from its start on the auxiliary sphere. That point
 * lies on the opposite parallel. Geodesics that start closer to due east or west reach it sooner. The geodesics of azimuths α and 180° − α
 * meet there.
 */
function openAzimuth(lon: number, lat: number, radiusMeters: number): number {
  if (radiusMeters <= CUT_METERS) return 90;
  const isOpen = (azimuth: number): boolean =>
    (lengthOfArc(geodesicLine(lon, lat, azimuth), 180) ?? MERIDIAN_HALF) >= radiusMeters;
  if (isOpen(90)) return 90;
  if (!isOpen(0)) return 0;
  let low = 0;
  let high = 90;
  for (let round = 0; round < 50; round++) {
    const middle = (low + high) / 2;
    if (isOpen(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Number of equal steps of azimuth that keep the sagitta, including the bend of lon/lat edges, within the tolerance. */
function firstCount(lat: number, radiusMeters: number, tolerance: number): number {
  const highLat = Math.min(80, Math.abs(lat) + radiusMeters / 111_000);
  const bend = Math.sin(highLat * DEGREES_TO_RADIANS) / (cosLat(highLat) * 6.37e6);
  const share = (STEP_SHARE * tolerance) / (radiusMeters * Math.min(3, 1 + radiusMeters * bend));
  return Math.max(LEAST_POINTS, Math.ceil(Math.PI / Math.acos(1 - Math.min(share, 1))));
}
