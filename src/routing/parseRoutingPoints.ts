/** Parses the text of `/routing/{points}`. */

import { inputError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { readLonLat } from '../core/input.js';
import { DECIMAL } from '../core/numbers.js';
import { type OptionTable, readOptions } from '../core/options.js';

/** Limits of the text. */
export interface RoutingPointsOptions {
  /** Largest number of points, a whole number from 2. Default 10. */
  readonly maxPoints?: number | undefined;
}

export const ROUTING_POINTS_OPTIONS: OptionTable<RoutingPointsOptions> = {
  maxPoints: { default: 10, min: 2, isWhole: true },
};

/**
 * The positions `[lon, lat]` of a text `lat,lon;lat,lon;…`. In the text the latitude always comes first.
 *
 * Spaces around numbers, percent-encoding of any character (undone once), signs (`+` is a sign, never a space), exponents and one `;` after the
 * last point are accepted. Longitudes up to ±540 are wrapped into (-180, 180].
 *
 * Errors, with the index of the point, then 0 for the latitude or 1 for the longitude (`points[3][0]`): `routing-points` (no text, broken
 * percent-encoding, fewer than 2 points, a point that is not a pair), `limit-points` (more than `maxPoints`), `coord-type` (no decimal number),
 * `coord-not-finite`, `lat-range`, `lon-range`, `option-type`, `option-value`.
 *
 * @example
 * import { parseRoutingPoints } from 'wayzone/routing';
 * parseRoutingPoints('55.75,37.61;55.70,37.50'); // [[37.61, 55.75], [37.5, 55.7]]
 */
export function parseRoutingPoints(text: string, options: RoutingPointsOptions = {}): Position[] {
  const { maxPoints } = readOptions(options, ROUTING_POINTS_OPTIONS);
  const pairs = decode(text).split(';');
  if (pairs.at(-1)!.trim() === '') pairs.pop();
  if (pairs.length < 2) {
    throw inputError('routing-points', 'points', 'at least 2 points as lat,lon;lat,lon', pairs.length);
  }
  if (pairs.length > maxPoints) {
    throw inputError('limit-points', 'points', `at most ${maxPoints} points`, pairs.length);
  }
  return pairs.map((pair, i) => {
    const field = `points[${i}]`;
    const numbers = pair.split(',');
    if (numbers.length !== 2) {
      throw inputError('routing-points', field, 'a point as lat,lon', pair);
    }
    const lat = readDegrees(numbers[0]!, `${field}[0]`);
    return readLonLat(readDegrees(numbers[1]!, `${field}[1]`), lat, field, 1);
  });
}

function readDegrees(text: string, field: string): number {
  const trimmed = text.trim();
  if (!DECIMAL.test(trimmed)) {
    throw inputError('coord-type', field, 'a decimal number of degrees', text);
  }
  return Number(trimmed);
}

function decode(text: unknown): string {
  if (typeof text !== 'string') {
    throw inputError('routing-points', 'points', 'a text lat,lon;lat,lon', text);
  }
  try {
    return decodeURIComponent(text);
  } catch {
    throw inputError('routing-points', 'points', 'valid percent-encoding', text);
  }
}
