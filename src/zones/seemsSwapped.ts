/** Zones whose pairs make sense only the other way round: one pair that is legal both ways cannot tell, a set of them can. */

import type { Position } from '../core/geometry.js';
import { geodesicDistance } from '../geodesy/inverse.js';
import { distanceLowerBound } from '../geodesy/lowerBounds.js';

/** A fleet works within so many metres of a place that its caller names. */
const NEAR_METERS = 1_000_000;
/** What is no farther away than this is where it should be. */
const CLOSE_METERS = 50_000;
/** Latitude and longitude steps whose sum is less than this are closer than `CLOSE_METERS`: a degree is at most 111.7 km. */
const CLOSE_DEGREES = 0.4;
/** No degree of latitude is shorter. */
const LEAST_DEGREE_METERS = 110_500;
/** The other way round it must be so many times closer. */
const RATIO = 4;
/** Fewer zones make no set. */
const LEAST_ZONES = 4;
const MAX_CENTRES = 64;
const MAX_SAMPLE = 256;

/**
 * Whether a position is far from `near`, and with its numbers swapped close: within `reachMeters` (1,000 km), and 4 times closer.
 * Never within 50 km of `near`, nor where the swapped pair is no position.
 */
export function seemsSwapped(
  [lon, lat]: Position,
  near: Position,
  reachMeters: number = NEAR_METERS,
): boolean {
  if (Math.abs(lon - near[0]) + Math.abs(lat - near[1]) < CLOSE_DEGREES || Math.abs(lon) > 90) return false;
  // Most are too far away the other way round too, which is known at once.
  if (Math.abs(lon - near[1]) * LEAST_DEGREE_METERS > reachMeters) return false;
  if (distanceLowerBound(lat, lon, ...near) > reachMeters) return false;
  const there = geodesicDistance(lon, lat, ...near);
  if (there <= CLOSE_METERS) return false;
  const swapped = geodesicDistance(lat, lon, ...near);
  return swapped <= reachMeters && RATIO * swapped < there;
}

/**
 * The numbers of the positions that seem swapped beside the others: far from their centre, and among them the other way round.
 *
 * The centre is the position of least distance to all; the others' reach is three times the median distance to it, at least 50 km.
 * Nothing is said of fewer than 4 positions, of a set spread over more than 1,000 km, nor of more than half of a set: a set that is
 * swapped as a whole looks like one that is not. Cost O(n); the centre is sought among 64 by a sample of 256.
 */
export function swappedAmong(positions: readonly Position[]): number[] {
  if (positions.length < LEAST_ZONES || isFarFromSwapped(positions)) return [];
  const sample = spread(positions, MAX_SAMPLE);
  const centre = centreOf(spread(positions, MAX_CENTRES), sample);
  const distances = sample.map((position) => geodesicDistance(...position, ...centre)).sort((a, b) => a - b);
  const reach = Math.max(CLOSE_METERS, 3 * distances[(distances.length - 1) >> 1]!);
  if (reach > NEAR_METERS) return [];
  const found = positions.flatMap((position, i) =>
    seemsSwapped(position, centre, reach) && geodesicDistance(...position, ...centre) > reach ? [i] : [],
  );
  return 2 * found.length > positions.length ? [] : found;
}

/** Whether no position, swapped, can be within `NEAR_METERS` of any of them: no longitude is near a latitude. */
function isFarFromSwapped(positions: readonly Position[]): boolean {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [lon, lat] of positions) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return Math.max(south - east, west - north) * LEAST_DEGREE_METERS > NEAR_METERS;
}

/** At most `most` of the positions, from all over the list. */
function spread(positions: readonly Position[], most: number): readonly Position[] {
  if (positions.length <= most) return positions;
  return Array.from({ length: most }, (_, i) => positions[Math.floor((i * positions.length) / most)]!);
}

/** The first candidate of the least sum of distances to the sample. */
function centreOf(candidates: readonly Position[], sample: readonly Position[]): Position {
  let [best, least] = [candidates[0]!, Number.POSITIVE_INFINITY];
  for (const candidate of candidates) {
    let bound = 0;
    for (const position of sample) bound += distanceLowerBound(...candidate, ...position);
    if (bound > least) continue;
    let sum = 0;
    for (const position of sample) sum += geodesicDistance(...candidate, ...position);
    if (sum < least) [best, least] = [candidate, sum];
  }
  return best;
}
