/**
 * Finds zones whose longitude and latitude seem swapped. A single pair may be valid in both orders; its distance from other zones reveals
 * the swap.
 */

import type { Position } from '../core/geometry.js';
import { geodesicDistance } from '../geodesy/distanceMeters.js';
import { distanceLowerBound } from '../geodesy/lowerBounds.js';

/** Default radius around `near` in which zones are expected, metres. */
const NEAR_METERS = 1_000_000;
/** Distance within which positions never seem swapped, metres. */
const CLOSE_METERS = 50_000;
/** Sum of differences in degrees below which two positions are within `CLOSE_METERS`: a degree is at most 111.7 km. */
const CLOSE_DEGREES = 0.4;
/** Lower bound of the length of a degree of latitude, metres. */
const LEAST_DEGREE_METERS = 110_500;
/** Factor by which the swapped position must be closer. */
const RATIO = 4;
/** Smallest set that is examined, and largest number of candidates for its centre. */
const LEAST_ZONES = 4;
const MAX_CENTRES = 64;
const MOST_SAMPLE_ZONES = 256;

/**
 * Whether a position is far from `near`, but close with its numbers swapped: within `reachMeters` (1,000 km) and 4 times closer. Returns false within
 * 50 km of `near`, and if the swapped pair is not a valid position.
 */
export function seemsSwapped(
  [lon, lat]: Position,
  near: Position,
  reachMeters: number = NEAR_METERS,
): boolean {
  if (Math.abs(lon - near[0]) + Math.abs(lat - near[1]) < CLOSE_DEGREES || Math.abs(lon) > 90) return false;
  // Fast path: most swapped positions are too far away too.
  if (Math.abs(lon - near[1]) * LEAST_DEGREE_METERS > reachMeters) return false;
  if (distanceLowerBound(lat, lon, ...near) > reachMeters) return false;
  const there = geodesicDistance(lon, lat, ...near);
  if (there <= CLOSE_METERS) return false;
  const swapped = geodesicDistance(lat, lon, ...near);
  return swapped <= reachMeters && RATIO * swapped < there;
}

/**
 * Indices of the positions that seem swapped compared with the others: far from their centre, but close with swapped numbers.
 *
 * The centre is the position with the smallest sum of distances. "Close" means within three times the median distance to the centre, at least 50 km.
 * The result is empty for fewer than 4 positions, for a set that spreads over more than 1,000 km, and if more than half of the set seems swapped: a
 * set that is swapped as a whole cannot be recognised. Cost: O(n); the centre is chosen among 64 candidates by a sample of 256.
 */
export function swappedAmong(positions: readonly Position[]): number[] {
  if (positions.length < LEAST_ZONES || isFarFromSwapped(positions)) return [];
  const sample = spread(positions, MOST_SAMPLE_ZONES);
  const centre = centreOf(spread(positions, MAX_CENTRES), sample);
  const distances = sample.map((position) => geodesicDistance(...position, ...centre)).sort((a, b) => a - b);
  const reach = Math.max(CLOSE_METERS, 3 * distances[(distances.length - 1) >> 1]!);
  if (reach > NEAR_METERS) return [];
  const found = positions.flatMap((position, i) =>
    seemsSwapped(position, centre, reach) && geodesicDistance(...position, ...centre) > reach ? [i] : [],
  );
  return 2 * found.length > positions.length ? [] : found;
}

/** Whether no longitude is near a latitude of the set. If so, no swapped position is within `NEAR_METERS` of another position. */
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

/** A sample of at most `most` positions, evenly spread over the list. */
function spread(positions: readonly Position[], most: number): readonly Position[] {
  if (positions.length <= most) return positions;
  return Array.from({ length: most }, (_, i) => positions[Math.floor((i * positions.length) / most)]!);
}

/** The first candidate with the smallest sum of distances to the sample. */
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
