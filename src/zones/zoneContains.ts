/** Single queries of a shape. For many positions use `ZoneIndex`, which prepares its zones once. */

import type { Position } from '../core/geometry.js';
import { readPosition } from '../core/input.js';
import { checkOptions } from '../core/options.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneOptions.js';
import { prepareZone } from './preparedZone.js';

/**
 * Whether a position is in a zone.
 *
 * The boundary is inside. With `boundary: 'half-open'` each position of a tiling is in exactly one polygon. Polygons are tested exactly in
 * lon/lat, circles and lines by the geodesic distance. `position` is always `[lon, lat]`, also with another `axisOrder` of the shape.
 *
 * Errors: the errors of the shape (`ring-too-short`, `radius-range`, …) and of the position (`lat-range`, `coord-type`, …); `option-type`,
 * `option-unknown`, `option-value`.
 *
 * @example
 * ```ts
 * import { zoneContains } from 'wayzone';
 * zoneContains({ type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }, [37.601, 55.701]); // true
 * ```
 */
export function zoneContains(shape: ZoneShape, position: Position, options: ZoneOptions = {}): boolean {
  checkOptions(options, ZONE_OPTIONS);
  const [lon, lat] = readPosition(position, 'position');
  return prepareZone(shape, options).contains(lon, lat);
}

/**
 * Distance from a position to the boundary of a zone, metres: negative inside, 0 on the boundary.
 *
 * Accuracy: geodesic distances on WGS84 within 1 µm up to 1,000 km. For a polygon without a boundary (the whole Earth), the distance is half of
 * a meridian's circumference. Errors: as `zoneContains`.
 *
 * @example
 * ```ts
 * import { signedDistanceMeters } from 'wayzone';
 * signedDistanceMeters({ type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }, [37.6, 55.7]); // -500
 * ```
 */
export function signedDistanceMeters(
  shape: ZoneShape,
  position: Position,
  options: ZoneOptions = {},
): number {
  checkOptions(options, ZONE_OPTIONS);
  const [lon, lat] = readPosition(position, 'position');
  return prepareZone(shape, options).signedDistanceMeters(lon, lat);
}
