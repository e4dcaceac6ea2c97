/** Drops vertices where a line stays within a small part of its corridor's width, as the track of a unit at rest does. */

import { DEGREES_TO_RADIANS } from '../../core/angles.js';
import { cosLat, EQUATORIAL_RADIUS, meridianRadius, normalRadius } from '../../geodesy/ellipsoid.js';

/** Smallest number of vertices of a run that is replaced: the hull of a shorter run usually has as many vertices. */
const LEAST_RUN = 12;
/** Lower bound of the length of a degree of latitude, and of longitude at the equator, metres. */
const LEAST_PER_DEGREE = 110_000;
/** Span of latitude, degrees, within which one cosine, the smallest, is used. */
const SAME_COS_DEGREES = 0.25;
/** Ratio of a run's length to its diameter, and of its vertices to those of its hull, from which it is replaced. */
const BRAIDED = 4;

/**
 * The vertices `[lon0, lat0, …]` without the inner vertices of each run of small diameter D. The first and the last vertex of a run are
 * kept, and those of its convex hull in the order of the hull.
 *
 * The corridors of the run and of the vertices of its hull both contain the discs around these vertices, and both lie within the hull grown
 * by the radius r. So on the plane they are within D²/8r of each other. On the Earth an edge between two vertices leaves the hull by up to
 * D² tan φ / 8R; five times as much is allowed for. Together both stay within `meters`. About O(n log n).
 */
export function compactedLine(coords: Float64Array, radius: number, meters: number): Float64Array {
  const longest = Math.sqrt(8 * meters * radius) / LEAST_PER_DEGREE;
  let cos = 0;
  let cosAt = Number.NaN;
  let out: number[] | null = null;
  let from = 0;
  while (from < coords.length) {
    const next = from + 2 * (LEAST_RUN - 1);
    const lat = coords[from + 1]!;
    if (!(Math.abs(lat - cosAt) < SAME_COS_DEGREES)) {
      cosAt = lat;
      cos = cosLat(Math.min(90, Math.abs(lat) + SAME_COS_DEGREES));
    }
    const mayRun =
      next < coords.length &&
      Math.abs(coords[next + 1]! - lat) <= longest &&
      Math.abs(coords[next]! - coords[from]!) * cos <= longest;
    const run = mayRun ? runFrom(coords, from, radius, meters) : null;
    const last = run?.end ?? from + 2;
    const hull = last - from < 2 * LEAST_RUN ? null : hullOf(coords, from, last);
    if (hull !== null && (run?.isBraided === true || 4 * (hull.length + 2) <= last - from)) {
      out ??= Array.from(coords.subarray(0, from));
      for (const at of [from, ...hull, last - 2]) {
        const lon = coords[at]!;
        if (out.at(-2) !== lon || out.at(-1) !== coords[at + 1]) out.push(lon, coords[at + 1]!);
      }
    } else if (out !== null) {
      for (let at = from; at < last; at++) out.push(coords[at]!);
    }
    from = last;
  }
  return out === null ? coords : Float64Array.from(out);
}

/** The end of the longest run from `from` with a small enough diameter, and whether the run goes to and fro. */
function runFrom(
  coords: Float64Array,
  from: number,
  radius: number,
  meters: number,
): { readonly end: number; readonly isBraided: boolean } {
  const lon = coords[from]!;
  const lat = coords[from + 1]!;
  const sin = Math.sin(lat * DEGREES_TO_RADIANS);
  const cos = cosLat(lat);
  const perLon = normalRadius(sin) * cos * DEGREES_TO_RADIANS;
  const perLat = meridianRadius(sin) * DEGREES_TO_RADIANS;
  const mostSquared = (8 * meters) / (1 / radius + (5 * Math.abs(sin)) / (cos * EQUATORIAL_RADIUS));
  let west = 0;
  let east = 0;
  let south = 0;
  let north = 0;
  let beforeX = 0;
  let beforeY = 0;
  let path = 0;
  let end = from + 2;
  for (; end < coords.length; end += 2) {
    const x = (coords[end]! - lon) * perLon;
    const y = (coords[end + 1]! - lat) * perLat;
    if (x < west) west = x;
    else if (x > east) east = x;
    if (y < south) south = y;
    else if (y > north) north = y;
    if ((east - west) * (east - west) + (north - south) * (north - south) > mostSquared) break;
    path += Math.sqrt((x - beforeX) * (x - beforeX) + (y - beforeY) * (y - beforeY));
    beforeX = x;
    beforeY = y;
  }
  return { end, isBraided: path * path > BRAIDED * BRAIDED * mostSquared };
}

/** Indices in `coords` of a run's convex hull, counterclockwise (A. M. Andrew's chains, doi:10.1016/0020-0190(79)90072-3). */
function hullOf(coords: Float64Array, from: number, end: number): number[] {
  const order: number[] = [];
  for (let at = from; at < end; at += 2) order.push(at);
  order.sort((p, q) => coords[p]! - coords[q]! || coords[p + 1]! - coords[q + 1]!);
  const hull: number[] = [];
  for (const side of [order, order.toReversed()]) {
    const begin = hull.length;
    for (const at of side) {
      while (hull.length > begin + 1 && !turnsLeft(coords, hull.at(-2)!, hull.at(-1)!, at)) hull.pop();
      hull.push(at);
    }
    hull.pop();
  }
  return hull;
}

function turnsLeft(coords: Float64Array, a: number, b: number, c: number): boolean {
  const [aLon, aLat] = [coords[a]!, coords[a + 1]!];
  return (coords[b]! - aLon) * (coords[c + 1]! - aLat) > (coords[b + 1]! - aLat) * (coords[c]! - aLon);
}
