/** Finds units with exchanged latitudes and longitudes: far from all other units, but near them when exchanged. */

import type { TimedPosition } from '../../core/fix.js';
import { geodesicDistance } from '../../geodesy/inverse.js';

/** Distance from all others from which a unit is examined, metres. */
export const FAR_UNIT_METERS = 500_000;
/** Largest distance of its mirror image from the others, metres. */
const NEAR_METERS = 50_000;
/** Largest number of units that are compared. */
const MOST = 500;
/** Share of all units that must be around the mirror image: a fleet spread over the world proves nothing. */
const SHARE = 0.8;

/**
 * Units that seem exchanged, in order of appearance. Of two groups that are mirror images of each other, the smaller one is suspect; of
 * equal groups, the later one.
 */
export function suspectUnits(points: readonly (TimedPosition & { readonly unit: string })[]): string[] {
  const first = new Map<string, TimedPosition>();
  for (const point of points) if (!first.has(point.unit) && first.size < MOST) first.set(point.unit, point);
  const units = [...first];
  const mirrored = units.map(([, a]) => units.flatMap(([, b], k) => (isMirror(a, b) ? [k] : [])));
  if (mirrored.every((list) => list.length === 0)) return [];
  const counts = new Map<number, number>();
  const nearOf = (i: number): number => {
    const known = counts.get(i) ?? units.filter(([, b]) => !isFar(units[i]![1], b)).length;
    counts.set(i, known);
    return known;
  };
  return units.flatMap(([id], i) => {
    const others = mirrored[i]!;
    if (others.length === 0) return [];
    const near = nearOf(i);
    const around = Math.max(...others.map(nearOf));
    if (near + around < SHARE * units.length) return [];
    // For a unit far from the others: the units near it are probably exchanged too.
    const isFewer = others.every((k) => near < nearOf(k) || (near === nearOf(k) && i > k));
    return isFewer ? [id] : [];
  });
}

function isMirror(a: TimedPosition, b: TimedPosition): boolean {
  if (Math.abs(a.lon) > 90 || Math.abs(a.lon - b.lat) > 1 || Math.abs(a.lat - b.lon) > 2) return false;
  return isFar(a, b) && geodesicDistance(a.lat, a.lon, b.lon, b.lat) <= NEAR_METERS;
}

/** Whether two positions are far apart by latitude: a degree of latitude is never shorter than 110 km. */
function isFar(a: TimedPosition, b: TimedPosition): boolean {
  if (110_000 * Math.abs(a.lat - b.lat) > FAR_UNIT_METERS) return true;
  return geodesicDistance(a.lon, a.lat, b.lon, b.lat) > FAR_UNIT_METERS;
}
