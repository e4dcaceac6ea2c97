/** Reads KML's `coordinates` (OGC 07-147r2 §10.11 and annex): tuples separated by white space, numbers separated by commas. */

import { COMMA } from '../../core/ascii.js';
import { describe, WayzoneError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { MAX_LON_DEGREES } from '../../core/input.js';
import { utf8Encoder } from '../../core/utf8.js';
import { NumberScanner } from '../common/numberScanner.js';
import { plainNumber } from '../common/plainNumber.js';
import { type Crs, isProblem, wgs84PlaceOf } from '../crs/crs.js';

export interface KmlCoordinates {
  readonly positions: Position[];
  /** Number of tuples with an altitude other than 0. */
  readonly altitudes: number;
}

/**
 * The positions of a `coordinates` text, in linear time.
 *
 * Throws `kml-coordinates` with the tuple's index for a tuple other than `lon,lat` or `lon,lat,altitude` in plain decimal numbers, and for an empty
 * text; `lat-range`, `lon-range`. An altitude that is not a number counts as an altitude.
 */
export function parseKmlCoordinates(text: string, field: string, crs: Crs | null): KmlCoordinates {
  const plain = crs === null ? scanned(text) : null;
  if (plain !== null) return plain;
  try {
    return parsed(text, field, crs);
  } catch (error) {
    // Google Earth and GDAL accept spaces after the commas of a tuple. A comma between tuples makes a tuple with too many numbers.
    if (!/,\s/.test(text)) throw error;
    try {
      return parsed(text.replace(/,\s+/g, ','), field, crs);
    } catch {
      throw error;
    }
  }
}

/** Fast reader of plain numbers in the range of degrees. Null for any other text. */
function scanned(text: string): KmlCoordinates | null {
  const bytes = new Uint8Array(text.length + 1);
  const { read, written } = utf8Encoder.encodeInto(text, bytes.subarray(0, text.length));
  // A non-ASCII character takes several bytes.
  if (read !== written || read !== text.length) return null;
  const numbers = new NumberScanner();
  const positions: Position[] = [];
  let altitudes = 0;
  for (let i = afterSpace(bytes, 0); i < written; ) {
    const lon = numbers.read(bytes, i);
    // `!(… <= …)` is true for NaN too.
    if (!(Math.abs(lon) <= MAX_LON_DEGREES) || bytes[numbers.end] !== COMMA) return null;
    const lat = numbers.read(bytes, numbers.end + 1);
    if (!(Math.abs(lat) <= 90)) return null;
    if (bytes[numbers.end] === COMMA) {
      const altitude = numbers.read(bytes, numbers.end + 1);
      if (Number.isNaN(altitude)) return null;
      if (altitude !== 0) altitudes++;
    }
    i = afterSpace(bytes, numbers.end);
    if (i === numbers.end && i < written) return null;
    positions.push([lon, lat]);
  }
  return positions.length === 0 ? null : { positions, altitudes };
}

function afterSpace(bytes: Uint8Array, from: number): number {
  let i = from;
  for (let c = bytes[i]!; c === 0x20 || c === 0x0a || c === 0x09 || c === 0x0d; c = bytes[++i]!);
  return i;
}

function parsed(text: string, field: string, crs: Crs | null): KmlCoordinates {
  const positions: Position[] = [];
  let altitudes = 0;
  let start = -1;
  for (let i = 0; i <= text.length; i++) {
    const unit = i === text.length ? 0x20 : text.charCodeAt(i);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x09 && unit !== 0x0d) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      if (addTuple(text.slice(start, i), field, positions, crs)) altitudes++;
      start = -1;
    }
  }
  if (positions.length === 0) {
    throw new WayzoneError('kml-coordinates', field, 'expected at least one lon,lat tuple, received none');
  }
  return { positions, altitudes };
}

/** Adds the tuple's position. Returns whether it had an altitude other than 0. */
function addTuple(tuple: string, list: string, positions: Position[], crs: Crs | null): boolean {
  const [lonText = '', latText = '', altitudeText, ...more] = tuple.split(',', 5);
  const lon = plainNumber(lonText);
  const lat = plainNumber(latText);
  const field = (): string => `${list}[${positions.length}]`;
  if (lon === null || lat === null || more.length > 0) {
    throw new WayzoneError(
      'kml-coordinates',
      field(),
      `expected lon,lat or lon,lat,altitude, received ${describe(tuple)}`,
    );
  }
  const place = wgs84PlaceOf(lon, lat, crs);
  if (isProblem(place)) throw new WayzoneError(place.code, field(), place.message);
  positions.push(place);
  return altitudeText !== undefined && altitudeText !== '' && plainNumber(altitudeText) !== 0;
}
