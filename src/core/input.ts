/** Reads the arguments of callers. Every public function reads positions, numbers and options here, each once. */

import { wrapLon } from './angles.js';
import type { ErrorCode } from './errorCode.js';
import { expected, inputError, isArray, WayzoneError } from './errors.js';
import { flushTiny } from './numbers.js';

const GEOJSON_TYPE = /^(?:Feature(?:Collection)?|(?:Multi)?(?:Point|LineString|Polygon)|GeometryCollection)$/;

/** Largest |longitude| that is wrapped, degrees; beyond it `lon-range`. */
export const MAX_LON_DEGREES = 540;

/** Greatest time of a `Date`, epoch milliseconds. */
export const MAX_TIME = 8.64e15;

/** Runs `read`; an error thrown by the caller's own getter or proxy becomes `input-unreadable` at `field`. */
export function guarded<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(error, field);
  }
}

/** The error itself if it is a `WayzoneError`, else `input-unreadable` at `field`. */
export function unreadable(error: unknown, field: string): WayzoneError {
  if (error instanceof WayzoneError) return error;
  return new WayzoneError(
    'input-unreadable',
    field,
    'expected a readable value, received one that throws when read',
    { cause: error },
  );
}

/** `source` as an iterable for `for of`. Throws `source-type` for a value that is not iterable. */
export function itemsOf<Item>(source: Iterable<Item>, field: string): Iterable<Item> {
  const given: unknown = source;
  if (typeof given === 'object' && given !== null && Symbol.iterator in given) return source;
  const hint = geoJsonHint(guarded(field, () => (given as { type?: unknown } | null | undefined)?.type));
  throw inputError('source-type', field, `an iterable${hint}`, source);
}

/**
 * A pair of degrees as a `[lon, lat]` position: longitude wrapped into (-180, 180], values within 1e-12° of 0 set to +0.
 *
 * Further numbers after the pair (altitude) are ignored.
 * Errors: `coord-type`, `coord-not-finite`, `lat-range`, `lon-range`, `input-unreadable`.
 */
export function readPosition(
  value: unknown,
  field: string,
  axisOrder: 'lonlat' | 'latlon' = 'lonlat',
): [number, number] {
  const lonIndex = axisOrder === 'latlon' ? 1 : 0;
  let lon: unknown;
  let lat: unknown;
  // Like `guarded`, without its closure, because every position of every call is read here.
  try {
    if (!isPair(value)) throw inputError('coord-type', field, 'a pair of degrees', value);
    lon = value[lonIndex];
    lat = value[1 - lonIndex];
  } catch (error) {
    throw unreadable(error, field);
  }
  return readLonLat(lon, lat, field, lonIndex);
}

/** Whether a value is a list of two values or more. */
export function isPair(value: unknown): value is ArrayLike<unknown> {
  return (
    (isArray(value) || value instanceof Float64Array || value instanceof Float32Array) && value.length >= 2
  );
}

/** `readPosition` for two separate values. `lonIndex` is the longitude's index in its pair, for the error's path. */
export function readLonLat(lon: unknown, lat: unknown, field: string, lonIndex: 0 | 1 = 0): [number, number] {
  if (isLonLat(lon, lat)) return [flushTiny(wrapLon(lon as number)), flushTiny(lat as number)];
  throw positionError(lon, lat, field, lonIndex);
}

/** Whether two values are numbers in the range of a position. */
export function isLonLat(lon: unknown, lat: unknown): boolean {
  return (
    typeof lon === 'number' &&
    typeof lat === 'number' &&
    lat >= -90 &&
    lat <= 90 &&
    lon >= -MAX_LON_DEGREES &&
    lon <= MAX_LON_DEGREES
  );
}

function positionError(lon: unknown, lat: unknown, field: string, lonIndex: 0 | 1): WayzoneError {
  const { of, code, message } = valueProblem(lon, lat)!;
  return new WayzoneError(code, `${field}[${of === 'lon' ? lonIndex : 1 - lonIndex}]`, message);
}

const RINGS_HINT = '; lists of rings go into parts';

/** The problem of a pair of values, with the wrong one; null for a position. Making an error would take a hundred times as long. */
export function valueProblem(
  lon: unknown,
  lat: unknown,
): (PositionProblem & { readonly of: 'lon' | 'lat' }) | null {
  if (isLonLat(lon, lat)) return null;
  for (const [of, value] of [
    ['lon', lon],
    ['lat', lat],
  ] as const) {
    if (typeof value !== 'number')
      return {
        of,
        code: 'coord-type',
        message: `${expected('a number of degrees', value)}${isArray(value) ? RINGS_HINT : ''}`,
      };
    if (!Number.isFinite(value))
      return { of, code: 'coord-not-finite', message: expected('a finite number of degrees', value) };
  }
  const problem = positionProblem(lon as number, lat as number)!;
  return { of: problem.code === 'lat-range' ? 'lat' : 'lon', ...problem };
}

/** Reason why a pair of numbers is not a position. */
export interface PositionProblem {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The problem of a pair of finite degrees; null for a position. */
export function positionProblem(lon: number, lat: number): PositionProblem | null {
  if (isLonLat(lon, lat)) return null;
  if (lat <= 90 && lat >= -90)
    return { code: 'lon-range', message: expected('a longitude from -540 to 540', lon) };
  const swapped = Math.abs(lat) <= 180 && Math.abs(lon) <= 90 ? '; swapped?' : '';
  return { code: 'lat-range', message: `${expected('a latitude from -90 to 90', lat)}${swapped}` };
}

/** Reads a list of positions. Errors: `coord-type` if it is not an array, `limit-vertices` if it has more than `MAX_VERTICES`. */
export function readPositions(
  value: unknown,
  field: string,
  axisOrder: 'lonlat' | 'latlon' = 'lonlat',
): [number, number][] {
  const coords = readCoords(value, field, axisOrder);
  const positions: [number, number][] = [];
  for (let i = 0; i < coords.length; i += 2) positions.push([coords[i]!, coords[i + 1]!]);
  return positions;
}

/** `readPositions`, as `[lon0, lat0, …]`. */
export function readCoords(
  value: unknown,
  field: string,
  axisOrder: 'lonlat' | 'latlon' = 'lonlat',
  limit: number = MAX_VERTICES,
): Float64Array {
  const list = readList(value, field);
  const count = list.length;
  if (count > limit) {
    throw inputError('limit-vertices', field, `at most ${limit} positions`, count);
  }
  const lonIndex = axisOrder === 'latlon' ? 1 : 0;
  const coords = new Float64Array(2 * count);
  let i = 0;
  // One guard around the loop; paths are built only for errors.
  try {
    for (; i < count; i++) {
      const pair = list[i];
      const isPair = isArray(pair) && pair.length >= 2;
      const lon = isPair ? pair[lonIndex] : undefined;
      const lat = isPair ? pair[1 - lonIndex] : undefined;
      if (isLonLat(lon, lat)) {
        coords[2 * i] = flushTiny(wrapLon(lon as number));
        coords[2 * i + 1] = flushTiny(lat as number);
      } else {
        coords.set(readPosition(pair, `${field}[${i}]`, axisOrder), 2 * i);
      }
    }
  } catch (error) {
    throw unreadable(error, `${field}[${i}]`);
  }
  return coords;
}

/** Largest number of vertices of a zone or line. */
export const MAX_VERTICES = 1_000_000;

/** Largest number of rings of a zone. */
export const MAX_RINGS = 50_000;

/** Reads an array. Errors at `field`: `coord-type`; `input-unreadable` if reading its length throws. */
export function readList(value: unknown, field: string): ArrayLike<unknown> {
  return guarded(field, () => {
    // Callers read the length unguarded, so a proxy that throws must do so here.
    if (!(isArray(value) && value.length >= 0)) throw inputError('coord-type', field, 'an array', value);
    return value;
  });
}

/** Reads a finite number from `min` to `max`. Error: `code`. */
export function readNumber(value: unknown, field: string, code: ErrorCode, min: number, max: number): number {
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    throw inputError(code, field, `a number from ${min} to ${max}`, value);
  }
  return value;
}

/** Reads a box `[west, south, east, north]`, with wrapped longitudes. Error: `bbox-invalid`. */
export function readBbox(value: unknown, field: string): [number, number, number, number] {
  const list = readList(value, field);
  const invalid = (received: unknown): WayzoneError =>
    inputError('bbox-invalid', field, '[west, south, east, north] in degrees', received);
  if (list.length !== 4) throw invalid(value);
  const numbers: number[] = [];
  for (let i = 0; i < 4; i++) {
    const number = guarded(`${field}[${i}]`, () => list[i]);
    if (typeof number !== 'number' || !Number.isFinite(number)) throw invalid(number);
    numbers.push(number);
  }
  const [west, south, east, north] = numbers as [number, number, number, number];
  if (south > north || south < -90 || north > 90) throw invalid(`latitudes ${south} to ${north}`);
  if (Math.abs(west) > MAX_LON_DEGREES || Math.abs(east) > MAX_LON_DEGREES)
    throw invalid(`longitudes ${west} to ${east}`);
  if (east - west >= 360) return [-180, south, 180, north];
  // A west of -180 stays -180, unless east is -180 too: then the box is that meridian only.
  const wrappedWest = west === -180 && east !== -180 ? -180 : wrapLon(west);
  return [wrappedWest === 180 && east > west ? -180 : wrappedWest, south, wrapLon(east), north];
}

/** An object of the caller with unknown fields. */
export type UnknownFields = Readonly<Record<string, unknown>>;

/** Whether a field is absent; `null` counts as absent. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** The hint for the member `type` of a value, or '' for a type that GeoJSON (RFC 7946, section 1.4) does not name. */
export function geoJsonHint(type: unknown): string {
  return typeof type === 'string' && GEOJSON_TYPE.test(type)
    ? ` (a GeoJSON ${type} is read by fromGeoJson of wayzone/interchange)`
    : '';
}
