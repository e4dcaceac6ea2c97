/** Converts between WGS84 degrees and the coordinate system of a file. */

import { expected, inputError, WayzoneError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { type PositionProblem, positionProblem } from '../../core/input.js';

/** A coordinate system: x is east (or the longitude), y is north (or the latitude). Use `loadCrs`, or an object of your own. */
export interface Crs {
  /** Name in files: `EPSG:32637`, or the definition of the system. */
  readonly name: string;
  /** Converts to `[lon, lat]` in WGS84 degrees. The result is not finite outside the domain of the projection. */
  toWgs84(x: number, y: number): Position;
  /** Converts to `[x, y]`; not finite outside the projection's domain. */
  fromWgs84(lon: number, lat: number): Position;
  /** Text of the warning `crs-datum`, if the shift of the datum is not exact. */
  readonly warning?: string | undefined;
}

/** WGS84 with the latitude first. */
export const LAT_FIRST: Crs = {
  name: 'latlon',
  toWgs84: (x, y) => [y, x],
  fromWgs84: (lon, lat) => [lat, lon],
};

const WGS84_NAMES: ReadonlySet<string> = new Set([
  'OGC:1.3:CRS84',
  'OGC::CRS84',
  'OGC:CRS84',
  'CRS84',
  'EPSG:4326',
  'WGS84',
]);

/** Short form of a system's name: `urn:ogc:def:crs:EPSG::32637` and addresses of opengis.net become `EPSG:32637`. */
export function plainCrsName(name: string): string {
  const plain = name.trim().replace(/^urn:(?:ogc|x-ogc):def:crs:/i, '');
  const address = /^https?:\/\/www\.opengis\.net\/def\/crs\/(OGC|EPSG)\/([\d.]+)\/(\w+)$/i.exec(plain);
  const spelled = address === null ? plain : address.slice(1).join(':');
  const epsg = /^EPSG:(?:[\d.]*:)?(\d+)$/i.exec(spelled);
  return epsg === null ? spelled : `EPSG:${epsg[1]}`;
}

export function isWgs84Name(name: string): boolean {
  return WGS84_NAMES.has(plainCrsName(name));
}

/**
 * Reads the option `crs` of a synchronous function. Null for WGS84.
 *
 * Throws `crs-not-loaded` for the name of another system, `option-value` for a value that is neither a name nor a `Crs`.
 */
export function readyCrs(crs: string | Crs | undefined): Crs | null {
  if (crs === undefined) return null;
  if (typeof crs === 'string') {
    if (isWgs84Name(crs)) return null;
    throw new WayzoneError(
      'crs-not-loaded',
      'crs',
      `${expected('a loaded system', crs)}; give await loadCrs(…)`,
    );
  }
  const given: unknown = crs;
  if (
    typeof given === 'object' &&
    given !== null &&
    typeof crs.name === 'string' &&
    typeof crs.toWgs84 === 'function' &&
    typeof crs.fromWgs84 === 'function'
  )
    return crs;
  throw inputError('option-value', 'crs', 'a name, a definition or a Crs', crs);
}

/** Checks the option `crs` of a format that is WGS84 by definition. Throws `crs-unsupported` for another system, `option-value` as `readyCrs`. */
export function onlyWgs84(crs: string | Crs | undefined, format: string): void {
  const name = typeof crs === 'string' ? crs : readyCrs(crs)?.name;
  if (name === undefined || isWgs84Name(name)) return;
  throw new WayzoneError(
    'crs-unsupported',
    'crs',
    `expected WGS84, the only system of ${format}, received ${plainCrsName(name)}`,
  );
}

/** Reads the option `crs` of a writer. Null for WGS84, also for a loaded system of that name. Errors as `readyCrs`. */
export function projected(crs: string | Crs | undefined): Crs | null {
  const ready = readyCrs(crs);
  return ready === null || isWgs84Name(ready.name) ? null : ready;
}

/** Converts a position to the system. Throws `crs-range` outside its domain. */
export function pairIn(crs: Crs, [lon, lat]: Position, field: string = 'geometry'): Position {
  const [x, y] = crs.fromWgs84(lon, lat);
  if (Number.isFinite(x) && Number.isFinite(y)) return [x, y];
  throw new WayzoneError(
    'crs-range',
    field,
    `expected a position in the domain of ${crs.name}, received ${lon}, ${lat}`,
  );
}

/** Converts a pair of numbers in a file to a WGS84 position, or returns its error (`crs-range` outside the system's domain). */
export function wgs84PlaceOf(x: number, y: number, crs: Crs | null): Position | PositionProblem {
  if (crs === null) return positionProblem(x, y) ?? [x, y];
  const [lon, lat] = crs.toWgs84(x, y);
  if (Number.isFinite(lon) && Number.isFinite(lat)) return positionProblem(lon, lat) ?? [lon, lat];
  return { code: 'crs-range', message: `expected a position of ${crs.name}, received ${x}, ${y}` };
}

export function isProblem(place: Position | PositionProblem): place is PositionProblem {
  return 'code' in place;
}
