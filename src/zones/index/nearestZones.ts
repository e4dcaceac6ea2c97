/** The zones nearest to a position. */

import { readNearest } from './indexRules.js';
import type { ShapeIndex } from './shapeIndex.js';
import { visitNearest } from './tree/index.js';
import type { NearestOptions, ZoneDistance } from './types.js';

/** Zones by distance; zones at equal distance are in order of insertion. Error: `option-value`. */
export function nearestZones(
  shapes: ShapeIndex,
  lon: number,
  lat: number,
  options: NearestOptions,
  idOf: (ordinal: number) => string,
): ZoneDistance[] {
  const { count, maxMeters } = readNearest(options);
  const zones: ZoneDistance[] = [];
  visitNearest(
    shapes.columns,
    shapes.tree.root,
    lon,
    lat,
    maxMeters,
    (ordinal) => Math.max(0, shapes.preparedAt(ordinal).signedDistanceMeters(lon, lat)),
    (ordinal, distanceMeters) => zones.push({ id: idOf(ordinal), distanceMeters }) < count,
  );
  return zones;
}
