/** Drops vertices that a corridor does not need: those that a straight lon/lat edge can replace, and those of a unit at rest. */

import { DEGREES_TO_RADIANS } from '../../core/angles.js';
import {
  cosLat,
  EQUATORIAL_RADIUS,
  MAX_METERS_PER_DEGREE,
  meridianRadius,
  normalRadius,
} from '../../geodesy/ellipsoid.js';

/** Greatest span of an edge, degrees, so that one scale holds along it. */
const MAX_DEGREES = 1;
/** Greatest span of an edge that replaces vertices exactly on it, degrees. */
const MAX_EXACT_DEGREES = 90;
/** Span of latitude within which the scale is reused, degrees. */
const SAME_SCALE_DEGREES = 0.01;
/** Share of the tolerance left by the change of the longitude scale along the edge; the scale at the anchor is used. */
const SCALE_SHARE = 0.98;
/** Smallest number of vertices of a run that is replaced: the hull of a shorter run usually has as many vertices. */
const LEAST_RUN = 12;
/** Lower bound of the length of a degree of latitude, and of longitude at the equator, metres. */
const LEAST_PER_DEGREE = 110_000;
/** Span of latitude, degrees, within which one cosine, the smallest, is used. */
const SAME_COS_DEGREES = 0.25;
/** Ratio of a run's length to its diameter, and of its vertices to those of its hull, from which it is replaced. */
const BRAIDED = 4;

/** Drops vertices closer than `least` metres to the previous one. The last vertex is kept; vertices too close to it are dropped. */
export function withoutShort(coords: Float64Array, least: number): Float64Array {
  if (!hasShort(coords, least)) return coords;
  const kept = new Float64Array(coords.length);
  let length = 0;
  for (let i = 0; i < coords.length; i += 2) {
    const isLast = i === coords.length - 2;
    while (
      length > 0 &&
      isNearChord(kept[length - 2]!, kept[length - 1]!, coords[i]!, coords[i + 1]!, least)
    ) {
      if (!isLast || length === 2) break;
      length -= 2;
    }
    if (length > 0 && isNearChord(kept[length - 2]!, kept[length - 1]!, coords[i]!, coords[i + 1]!, least))
      continue;
    kept[length++] = coords[i]!;
    kept[length++] = coords[i + 1]!;
  }
  return kept.slice(0, length);
}

function hasShort(coords: Float64Array, least: number): boolean {
  for (let i = 2; i < coords.length; i += 2) {
    if (isNearChord(coords[i - 2]!, coords[i - 1]!, coords[i]!, coords[i + 1]!, least)) return true;
  }
  return false;
}

/** Latitude from which a few metres are many degrees of longitude, so that dropping a vertex would turn the next edge. */
const POLAR_DEGREES = 80;

/** Whether two vertices are nearer than about `meters`. Beyond `POLAR_DEGREES`, longitudes are scaled as at the equator. */
export function isNearChord(aLon: number, aLat: number, bLon: number, bLat: number, meters: number): boolean {
  const north = (bLat - aLat) * MAX_METERS_PER_DEGREE;
  if (north > meters || north < -meters) return false;
  const scale = Math.abs(aLat) > POLAR_DEGREES ? 1 : cosLat(aLat);
  const east = (bLon - aLon) * MAX_METERS_PER_DEGREE * scale;
  return north * north + east * east < meters * meters;
}

/** Drops vertices that a straight edge replaces, except where `isKept` is 1. No edge becomes shorter. */
export function straightened(
  coords: Float64Array,
  toleranceMeters: number,
  isKept: Uint8Array | null,
): Float64Array {
  const count = coords.length / 2;
  if (count < 3) return coords;
  const kept = new Float64Array(coords.length);
  kept[0] = coords[0]!;
  kept[1] = coords[1]!;
  let length = 2;
  let anchor = 0;
  let slack = 0;
  let perLon = 0;
  let perLat = 0;
  let scaleLat = Number.NaN;
  const cone = new Cone();
  let isExact = true;
  for (let i = 1; i + 1 < count; i++) {
    const lat = coords[2 * anchor + 1]!;
    if (!(Math.abs(lat - scaleLat) < SAME_SCALE_DEGREES)) {
      scaleLat = lat;
      const sin = Math.sin(lat * DEGREES_TO_RADIANS);
      const cos = cosLat(lat);
      perLon = normalRadius(sin) * cos * DEGREES_TO_RADIANS;
      perLat = meridianRadius(sin) * DEGREES_TO_RADIANS;
      // Over the whole span the scale changes by tan φ · span. Near the poles the slack is 0 and no vertex is dropped.
      const span = (MAX_DEGREES + SAME_SCALE_DEGREES) * DEGREES_TO_RADIANS;
      slack = SCALE_SHARE * toleranceMeters * Math.max(0, 1 - (2 * span) / cos);
    }
    const iLon = coords[2 * i]! - coords[2 * anchor]!;
    const iLat = coords[2 * i + 1]! - coords[2 * anchor + 1]!;
    const x = iLon * perLon;
    const y = iLat * perLat;
    const dLon = coords[2 * i + 2]! - coords[2 * anchor]!;
    const dLat = coords[2 * i + 3]! - coords[2 * anchor + 1]!;
    const nextX = dLon * perLon;
    const nextY = dLat * perLat;
    const size = nextX * nextX + nextY * nextY;
    const beside = x * nextY - y * nextX;
    // Fast path, because most vertices stay: the first vertex after an anchor needs no cone if it is too far from the edge to the next
    // vertex.
    const isBeside = anchor === i - 1 && beside * beside > slack * slack * size;
    // Vertices in order exactly on one lon/lat line, such as a parallel, can be dropped at any length.
    isExact =
      isExact &&
      iLon * dLat === iLat * dLon &&
      iLon * (dLon - iLon) >= 0 &&
      iLat * (dLat - iLat) >= 0 &&
      Math.abs(dLon) < MAX_EXACT_DEGREES;
    let fits = isExact;
    if (!isBeside && size > 0 && slack > 0) {
      // Only a vertex that would be skipped narrows the cone.
      cone.narrow(x, y, slack);
      fits ||=
        dLon < MAX_DEGREES &&
        dLon > -MAX_DEGREES &&
        dLat < MAX_DEGREES &&
        dLat > -MAX_DEGREES &&
        cone.holds(nextX, nextY, Math.sqrt(size));
    }
    if (fits && (isKept === null || isKept[i] === 0)) continue;
    kept[length++] = coords[2 * i]!;
    kept[length++] = coords[2 * i + 1]!;
    anchor = i;
    cone.open();
    isExact = true;
  }
  kept[length++] = coords[coords.length - 2]!;
  kept[length++] = coords[coords.length - 1]!;
  return kept.subarray(0, length);
}

/** Directions d from an anchor that pass within the slack of all skipped vertices: those with right × d ≥ 0 and d × left ≥ 0. */
class Cone {
  #rightX = 0;
  #rightY = 0;
  #leftX = 0;
  #leftY = 0;
  /** Distance of the farthest skipped vertex. */
  #farthest = 0;
  /** Whether the cone is limited: a skipped vertex is farther than the slack. */
  #isBound = false;

  /** Allows all directions. */
  open(): void {
    this.#farthest = 0;
    this.#isBound = false;
  }

  /** Allows only directions that pass within `slack` of a vertex. */
  narrow(x: number, y: number, slack: number): void {
    const distance = Math.sqrt(x * x + y * y);
    if (distance > slack) {
      const sin = slack / distance;
      const cos = Math.sqrt(1 - sin * sin);
      const rightX = x * cos + y * sin;
      const rightY = y * cos - x * sin;
      const leftX = x * cos - y * sin;
      const leftY = y * cos + x * sin;
      if (!this.#isBound || this.#rightX * rightY - this.#rightY * rightX > 0) {
        this.#rightX = rightX;
        this.#rightY = rightY;
      }
      if (!this.#isBound || this.#leftX * leftY - this.#leftY * leftX < 0) {
        this.#leftX = leftX;
        this.#leftY = leftY;
      }
      this.#isBound = true;
    }
    if (distance > this.#farthest) this.#farthest = distance;
  }

  /** Whether an edge to a vertex at the given distance passes all skipped vertices within the slack. */
  holds(x: number, y: number, distance: number): boolean {
    return (
      distance >= this.#farthest &&
      (!this.#isBound || (this.#rightX * y - this.#rightY * x >= 0 && x * this.#leftY - y * this.#leftX >= 0))
    );
  }
}

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
