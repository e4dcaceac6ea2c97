/**
 * Reads an engine's answer. It is foreign data: every field may be missing or of another type. Errors name the engine, its own code and, if
 * known, the point or the leg.
 */

import { describe, WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { isLonLat, type UnknownFields } from '../core/input.js';
import { lineMeters } from '../geodesy/edgeSums.js';

/** Seven groups of five bits hold every difference of two longitudes at a precision of 6. */
const MAX_SHIFT = 35;

export function fieldsOf(value: unknown, engine: string, where: string): UnknownFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badAnswer(engine, where, 'an object', value);
  }
  return value as UnknownFields;
}

/** A list of `count` entries, or of any length if `count` is null. */
export function answerList(
  value: unknown,
  engine: string,
  where: string,
  count: number | null = null,
): readonly unknown[] {
  if (!Array.isArray(value)) throw badAnswer(engine, where, 'an array', value);
  if (count !== null && value.length !== count) {
    throw badAnswer(engine, where, `${count} entries`, value.length);
  }
  return value as readonly unknown[];
}

/** A finite number that is not negative. */
export function amountOf(value: unknown, engine: string, where: string): number {
  if (typeof value !== 'number' || !(value >= 0 && value < Number.POSITIVE_INFINITY)) {
    throw badAnswer(engine, where, 'a number from 0', value);
  }
  return value;
}

export function answerText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A geometry as a polyline or a GeoJSON LineString. */
export function geometryOf(value: unknown, precision: 5 | 6, engine: string, where: string): Position[] {
  if (typeof value === 'string') {
    const positions = decodePolyline(value, precision);
    if (positions === null) throw badAnswer(engine, where, `a polyline of precision ${precision}`, value);
    return positions;
  }
  const { type, coordinates } = fieldsOf(value, engine, where);
  if (type !== 'LineString') throw badAnswer(engine, where, 'a LineString', type);
  return answerList(coordinates, engine, where).map((pair, i): Position => {
    const [lon, lat] = answerList(pair, engine, `${where}.coordinates[${i}]`);
    if (!isLonLat(lon, lat)) throw badAnswer(engine, `${where}.coordinates[${i}]`, 'a position', pair);
    return [lon as number, lat as number];
  });
}

/** From this length in metres on, a line must agree with the engine's distance. A polyline decoded with the wrong precision does not. */
const CHECKED_METERS = 1000;
const MOST_TIMES = 5;

/** The line of a leg, unchanged. Error: `engine-response` if the line's length contradicts the distance of the leg. */
export function checkedLine(
  line: Position[],
  distanceMeters: number,
  engine: string,
  where: string,
): Position[] {
  if (distanceMeters < CHECKED_METERS) return line;
  const meters = lineMeters(line.flat());
  if (meters * MOST_TIMES >= distanceMeters && meters <= distanceMeters * MOST_TIMES) return line;
  throw badAnswer(
    engine,
    where,
    `a line of about ${Math.round(distanceMeters)} m`,
    `${Math.round(meters)} m`,
  );
}

/** The rows of a table: null for a missing way, 0 from a point to itself. */
export function tableOf(value: unknown, size: number, engine: string, where: string): number[][] {
  return answerList(value, engine, where, size).map((row, from) =>
    answerList(row, engine, `${where}[${from}]`, size).map((cost, to) => {
      if (from === to) return 0;
      return cost === null ? Number.POSITIVE_INFINITY : amountOf(cost, engine, `${where}[${from}][${to}]`);
    }),
  );
}

/**
 * The positions `[lon, lat]` of an encoded text with `precision` decimals (5, or 6 for polyline6). Null when the text is cut off, holds
 * foreign characters or leaves the range of degrees. Cost: O(n), about 50 ns a position (bench/routing.ts).
 */
export function decodePolyline(text: string, precision: 5 | 6): Position[] | null {
  const factor = precision === 5 ? 1e5 : 1e6;
  const maxLat = 90 * factor;
  const maxLon = 180 * factor;
  const end = text.length;
  const positions: Position[] = [];
  let lat = 0;
  let lon = 0;
  // The bits of all groups together. A bit beyond the sixth, or the sign, shows a foreign character.
  let seen = 0;
  let i = 0;
  while (i < end) {
    // Past the end a group is NaN, which ends its number.
    let group = text.charCodeAt(i++) - 63;
    let bits = group & 31;
    let shift = 5;
    seen |= group;
    while (group >= 32) {
      group = text.charCodeAt(i++) - 63;
      seen |= group;
      bits |= (group & 31) << shift;
      shift += 5;
    }
    lat += (bits >>> 1) ^ -(bits & 1);
    let longest = shift;
    group = text.charCodeAt(i++) - 63;
    bits = group & 31;
    shift = 5;
    seen |= group;
    while (group >= 32) {
      group = text.charCodeAt(i++) - 63;
      seen |= group;
      bits |= (group & 31) << shift;
      shift += 5;
    }
    lon += (bits >>> 1) ^ -(bits & 1);
    if (shift > longest) longest = shift;
    if (longest > MAX_SHIFT || lat > maxLat || lat < -maxLat || lon > maxLon || lon < -maxLon) return null;
    positions.push([lon / factor, lat / factor]);
  }
  return i === end && (seen & ~63) === 0 ? positions : null;
}

/** HTTP status that a backend answers with, by error code. */
const STATUS = {
  'no-route': 422,
  'no-segment': 422,
  'engine-limit': 422,
  'engine-query': 422,
  'engine-busy': 503,
  'engine-timeout': 504,
  'engine-unreachable': 502,
  'engine-response': 502,
} as const;

export type EngineErrorCode = keyof typeof STATUS;

/** `own` is the engine's code (`NoRoute`, `442`, `HTTP 503`). */
export function engineError(
  code: EngineErrorCode,
  engine: string,
  own: string,
  message: string,
  field: string = 'points',
  cause?: unknown,
): WayzoneError {
  return new WayzoneError(code, field, `${engine}: ${own}: ${message}`, {
    status: STATUS[code],
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The error of an answer with a wrong or missing part; `where` is the path in the answer. */
export function badAnswer(engine: string, where: string, what: string, received: unknown): WayzoneError {
  return engineError('engine-response', engine, where, `expected ${what}, received ${describe(received)}`);
}
