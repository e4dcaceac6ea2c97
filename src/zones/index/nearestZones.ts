/** The zones nearest to a position. */

import { readNearest } from './indexRules.js';
import { NearSearch } from './near/index.js';
import type { ShapeIndex } from './shapeIndex.js';
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
  const { columns, candidates } = shapes;
  const search = new NearSearch(columns, lon, lat, maxMeters);
  for (const grid of candidates.layers) search.addGrid(grid);
  if (candidates.added > 0) search.addTree(candidates.tree.root);
  search.visit(
    (ordinal) => shapes.preparedAt(ordinal).distanceMeters(lon, lat),
    (ordinal, distanceMeters) => zones.push({ id: idOf(ordinal), distanceMeters }) < count,
  );
  return zones;
}
