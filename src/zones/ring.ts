/**
 * Rings on the cylinder of longitudes. Every edge is straight in lon/lat and spans less than 180° of longitude, so the antimeridian needs no cut. A
 * ring whose unrolled longitudes do not close encloses a pole.
 */

import { crossesAntimeridian, wrapLon } from '../core/angles.js';
import { inputError, isArray, WayzoneError } from '../core/errors.js';
import { guarded, isLonLat, readLonLat, readPosition, unreadable } from '../core/input.js';
import { flushTiny } from '../core/numbers.js';
import { polarSide } from '../geodesy/edgeSums.js';
import { orient2d } from '../planar/orient2d.js';

export interface Ring {
  /** Vertices `[lon0, lat0, lon1, lat1, …]`, wrapped, without repeated neighbours, not closed. */
  readonly coords: Float64Array;
  /** Number of turns around the Earth eastwards: 0, or ±1 if the ring encloses a pole. A ring that crosses itself may have more. */
  readonly turns: number;
  /** The pole that the ring encloses; null for none. */
  readonly pole: 'north' | 'south' | null;
  readonly hole: boolean;
}

/**
 * Reads one ring, closed or not, in either direction. Returns one ring in most cases.
 *
 * - Repeated vertices are dropped. Errors: `ring-too-short` for fewer than three vertices, `ring-zero-area` for vertices on one straight line,
 *   `edge-ambiguous` for an edge of exactly 180° of longitude.
 * - A detour to a pole and back along one meridian, by which flat maps close a polar ring, is dropped. It determines which pole is inside.
 * - A ring with such detours to both poles, which otherwise goes around neither, contains both poles. The result is the whole Earth and a hole.
 * - A ring whose vertices all lie on one meridian, but 360° apart as written (`-180…180` boxes), is the band between two parallels. The result is the
 *   two rings of the band.
 */
export function readRing(
  list: ArrayLike<unknown>,
  field: string,
  axisOrder: 'lonlat' | 'latlon',
  hole: boolean,
): Ring[] {
  const { coords, rawWest, rawEast } = readVertices(list, field, axisOrder);
  if (
    coords.length > 0 &&
    rawEast - rawWest === 360 &&
    coords.every((value, i) => i % 2 === 1 || value === coords[0])
  ) {
    return band(coords, hole, field);
  }
  for (let i = 0; i < coords.length; i += 2) {
    const next = i + 2 < coords.length ? i + 2 : 0;
    if (isAmbiguous(coords[i]!, coords[i + 1]!, coords[next]!, coords[next + 1]!))
      throw ambiguousEdges(list, field, axisOrder)[0] ?? ambiguousEdge(field);
  }
  const outside = hole ? null : aroundBothPoles(coords);
  if (outside !== null) return [...wholeEarth(), { coords: outside, turns: 0, pole: null, hole: true }];
  let turns = turnsOf(coords);
  let pole: 'north' | 'south' | null = null;
  if (turns !== 0) {
    const touched = polesTouched(coords);
    if (touched.length > 0) {
      dropPolarSeams(coords);
      turns = turnsOf(coords);
    }
    // By the even-odd rule, a ring with an even number of turns encloses neither pole.
    if (turns % 2 !== 0) pole = touched.length === 1 ? touched[0]! : polarSide(new Float64Array(coords));
  }
  if (coords.length < 6 && turns === 0) {
    throw inputError('ring-too-short', field, 'at least three different vertices', coords.length / 2);
  }
  if (turns === 0 && isStraight(coords)) {
    throw new WayzoneError(
      'ring-zero-area',
      field,
      'expected a ring with an area, received vertices on one straight line',
    );
  }
  return [{ coords: new Float64Array(coords), turns, pole, hole }];
}

interface Vertices {
  /** Vertices, wrapped, without repeated neighbours, not closed. */
  readonly coords: number[];
  /** Least and greatest longitude as written, degrees. */
  readonly rawWest: number;
  readonly rawEast: number;
}

/** Reads each item with `readPosition`, with one `try` around the loop. Paths are built only for errors, which keeps the loop fast. */
function readVertices(list: ArrayLike<unknown>, field: string, axisOrder: 'lonlat' | 'latlon'): Vertices {
  const lonIndex = axisOrder === 'latlon' ? 1 : 0;
  const coords: number[] = [];
  let rawWest = Number.POSITIVE_INFINITY;
  let rawEast = Number.NEGATIVE_INFINITY;
  let lastLon = Number.NaN;
  let lastLat = Number.NaN;
  let i = 0;
  try {
    for (; i < list.length; i++) {
      const pair = list[i];
      if (!(isArray(pair) && pair.length >= 2)) readPosition(pair, `${field}[${i}]`, axisOrder);
      const rawLon = (pair as readonly unknown[])[lonIndex];
      const rawLat = (pair as readonly unknown[])[1 - lonIndex];
      if (!isLonLat(rawLon, rawLat)) readLonLat(rawLon, rawLat, `${field}[${i}]`, lonIndex);
      rawWest = Math.min(rawWest, rawLon as number);
      rawEast = Math.max(rawEast, rawLon as number);
      const lon = flushTiny(wrapLon(rawLon as number));
      const lat = flushTiny(rawLat as number);
      if (lon === lastLon && lat === lastLat) continue;
      coords.push(lon, lat);
      lastLon = lon;
      lastLat = lat;
    }
  } catch (error) {
    throw unreadable(error, `${field}[${i}]`);
  }
  while (coords.length > 2 && samePoint(coords[0]!, coords[1]!, coords.at(-2)!, coords.at(-1)!))
    coords.length -= 2;
  return { coords, rawWest, rawEast };
}

/** An error for each edge of exactly 180° of longitude, at the position where it starts. The ring must be readable. */
export function ambiguousEdges(
  list: ArrayLike<unknown>,
  field: string,
  axisOrder: 'lonlat' | 'latlon',
): WayzoneError[] {
  const at = (i: number): [number, number] => {
    const path = `${field}[${i}]`;
    return readPosition(
      guarded(path, () => list[i]),
      path,
      axisOrder,
    );
  };
  const errors: WayzoneError[] = [];
  if (list.length === 0) return errors;
  const first = at(0);
  let from = first;
  for (let i = 0; i < list.length; i++) {
    const to = i + 1 < list.length ? at(i + 1) : first;
    if (isAmbiguous(...from, ...to)) errors.push(ambiguousEdge(`${field}[${i}]`));
    from = to;
  }
  return errors;
}

/** Whether an edge lies along a pole, where it is a single point. */
function isAmbiguous(fromLon: number, fromLat: number, toLon: number, toLat: number): boolean {
  const isAtPole = fromLat === toLat && Math.abs(fromLat) === 90;
  return !isAtPole && Math.abs(toLon - fromLon) === 180;
}

/** The error for an edge of 180°, whose direction is ambiguous. */
export function ambiguousEdge(field: string): WayzoneError {
  return new WayzoneError(
    'edge-ambiguous',
    field,
    'expected an edge that spans less than 180° of longitude, received exactly 180°',
  );
}

function samePoint(lonA: number, latA: number, lonB: number, latB: number): boolean {
  return lonA === lonB && latA === latB;
}

/** Number of eastward crossings of the antimeridian minus westward ones. Exact. */
export function turnsOf(coords: ArrayLike<number>): number {
  let turns = 0;
  for (let i = 0; i < coords.length; i += 2) {
    const from = coords[i]!;
    const to = coords[i + 2 < coords.length ? i + 2 : 0]!;
    if (crossesAntimeridian(from, to)) turns += from > to ? 1 : -1;
  }
  return turns;
}

function polesTouched(coords: readonly number[]): ('north' | 'south')[] {
  let [north, south] = [false, false];
  for (let i = 1; i < coords.length; i += 2) {
    if (coords[i] === 90) north = true;
    else if (coords[i] === -90) south = true;
  }
  const touched: ('north' | 'south')[] = [];
  if (north) touched.push('north');
  if (south) touched.push('south');
  return touched;
}

/** The complement of a ring with detours to both poles along one meridian, by which flat maps close a ring around both poles. Null for other rings. */
function aroundBothPoles(coords: readonly number[]): Float64Array | null {
  if (polesTouched(coords).length < 2) return null;
  const left = coords.slice();
  dropPolarSeams(left);
  if (left.length < 6 || polesTouched(left).length > 0 || turnsOf(left) !== 0) return null;
  return new Float64Array(left);
}

/** Removes vertices at a pole that the ring reaches and leaves along the same meridian. */
function dropPolarSeams(coords: number[]): void {
  const n = coords.length / 2;
  let start = 0;
  while (start < n && Math.abs(coords[2 * start + 1]!) === 90) start++;
  if (start === n) return;
  const kept: number[] = [];
  for (let i = 0; i < n; ) {
    const at = (start + i) % n;
    const lon = coords[2 * at]!;
    const lat = coords[2 * at + 1]!;
    let run = 1;
    if (Math.abs(lat) === 90) {
      while (i + run < n && coords[2 * ((start + i + run) % n) + 1] === lat) run++;
      const last = (start + i + run - 1) % n;
      const before = coords[2 * ((at + n - 1) % n)]!;
      const after = coords[2 * ((last + 1) % n)]!;
      const seam = before === lon && after === coords[2 * last]! && before === after;
      if (!seam) for (let k = 0; k < run; k++) kept.push(coords[2 * ((at + k) % n)]!, lat);
    } else if (!samePoint(kept.at(-2) ?? Number.NaN, kept.at(-1) ?? Number.NaN, lon, lat)) {
      kept.push(lon, lat);
    }
    i += run;
  }
  while (kept.length > 2 && samePoint(kept[0]!, kept[1]!, kept.at(-2)!, kept.at(-1)!)) kept.length -= 2;
  coords.length = 0;
  for (const value of kept) coords.push(value);
}

/** Whether all vertices lie on one straight line, with unrolled longitudes. For most rings a few vertices decide. */
function isStraight(coords: readonly number[]): boolean {
  const [x, y] = [coords[0]!, coords[1]!];
  let shift = 0;
  let farX = x;
  let farY = y;
  for (let i = 2; i < coords.length; i += 2) {
    const lon = coords[i]!;
    const lat = coords[i + 1]!;
    const previous = coords[i - 2]!;
    if (crossesAntimeridian(previous, lon)) shift += previous > lon ? 360 : -360;
    if (farX === x && farY === y) {
      farX = lon + shift;
      farY = lat;
    } else if (orient2d(x, y, farX, farY, lon + shift, lat) !== 0) return false;
  }
  return true;
}

/** Whether no edge of a ring crosses the antimeridian. */
export function isInOnePiece(coords: ArrayLike<number>): boolean {
  let last = coords[coords.length - 2]!;
  for (let i = 0; i < coords.length; i += 2) {
    const lon = coords[i]!;
    if (crossesAntimeridian(last, lon)) return false;
    last = lon;
  }
  return true;
}

function band(coords: readonly number[], hole: boolean, field: string): Ring[] {
  let [south, north] = [90, -90];
  for (let i = 1; i < coords.length; i += 2) {
    south = Math.min(south, coords[i]!);
    north = Math.max(north, coords[i]!);
  }
  if (south === north) {
    throw new WayzoneError(
      'ring-zero-area',
      field,
      'expected a ring with an area, received vertices on one parallel',
    );
  }
  const parallel = (lat: number, turns: 1 | -1): Ring => ({
    coords: Float64Array.of(180, lat, -60 * turns, lat, 60 * turns, lat),
    turns,
    pole: null,
    hole,
  });
  return [parallel(south, 1), parallel(north, -1)];
}

/** The whole Earth as a band: two rings along the poles. */
export function wholeEarth(): Ring[] {
  return band([180, -90, 180, 90], false, '');
}
