/** The text of KML's `coordinates` (OGC 07-147r2 §10.11 and annex): tuples between white space, commas within. */

import { describe, WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { type Crs, isProblem, placeOf } from './crs.js';
import { plainNumber } from './plainNumber.js';

export interface KmlCoordinates {
  readonly positions: Position[];
  /** How many tuples had an altitude other than 0. */
  readonly altitudes: number;
}

/**
 * The positions of a `coordinates` text; linear in its length.
 *
 * Throws `kml-coordinates` with the tuple's index for anything but `lon,lat` or `lon,lat,altitude` in plain decimal numbers, and for
 * none at all; `lat-range`, `lon-range`. An altitude that is no number counts as one.
 */
export function parseKmlCoordinates(text: string, field: string, crs: Crs | null): KmlCoordinates {
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

/** Adds the tuple's position; whether it had an altitude other than 0. */
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
  const place = placeOf(lon, lat, crs);
  if (isProblem(place)) throw new WayzoneError(place.code, field(), place.message);
  positions.push(place);
  return altitudeText !== undefined && altitudeText !== '' && plainNumber(altitudeText) !== 0;
}
