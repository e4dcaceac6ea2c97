/**
 * Finds reported speeds that the positions around them contradict.
 *
 * A unit with speed s (m/s) at a fix that brakes or accelerates at `BRAKING` covers within T seconds of it at least s²/8 metres, or
 * sT − 2T² where T is too short to stop (s > 4T). A shorter way to the fix T seconds away contradicts the speed.
 */

import type { TimedPosition } from '../../core/fix.js';
import { geodesicDistance } from '../../geodesy/distanceMeters.js';
import { UNKNOWN } from '../fixReader.js';
import type { SteppedTrack } from '../meter/stepColumns.js';
import { GAP } from '../meter/stepMeter.js';

/** m/s². */
const BRAKING = 4;
/** Metres that two positions may be wrong by. */
const NOISE_METERS = 30;
/** Shorter than each degree of latitude, metres. */
const LEAST_METERS_PER_DEGREE = 110_000;
/** A reference fix is at least so far away in time, if there is one. */
export const REFERENCE_MS = 10_000;
/** A speed that stops within `NOISE_METERS` is never contradicted, km/h. */
const LEAST_KPH = Math.sqrt(2 * BRAKING * NOISE_METERS) * 3.6;

/** Whether positions can contradict a speed at all. */
export function isDoubtful(speedKph: number): boolean {
  return speedKph > LEAST_KPH;
}

/** Whether the way from a fix to a reference fix, before or after it, is too short for the speed at the fix. */
export function isContradicted(speedKph: number, fix: TimedPosition, reference: TimedPosition): boolean {
  const speed = speedKph / 3.6;
  const seconds = Math.abs(fix.time - reference.time) / 1000;
  const stops = speed <= BRAKING * seconds;
  const least = stops ? speed ** 2 / (2 * BRAKING) : speed * seconds - (BRAKING / 2) * seconds ** 2;
  // The way is at least that between the parallels.
  if (Math.abs(fix.lat - reference.lat) * LEAST_METERS_PER_DEGREE + NOISE_METERS > least) return false;
  return geodesicDistance(fix.lon, fix.lat, reference.lon, reference.lat) + NOISE_METERS < least;
}

/**
 * The speeds of a track as they count: -1 where all sides contradict them. The reference before is the latest fix at least 10 s
 * earlier, else the first fix of the run; after likewise. Gaps divide the track into runs.
 */
export function judgeSpeeds(
  { length, time, speedKph, kind }: SteppedTrack,
  lon: Float64Array,
  lat: Float64Array,
): Float64Array | null {
  if (speedKph === null) return null;
  const judged = speedKph.slice();
  const place = (i: number): TimedPosition => ({ time: time[i]!, lon: lon[i]!, lat: lat[i]! });
  let [first, before, end, after] = [0, 0, -1, 0];
  for (let i = 0; i < length; i++) {
    if (i > end) {
      first = before = i;
      for (end = i; end + 1 < length && kind[end] !== GAP; ) end++;
    }
    if (!isDoubtful(speedKph[i]!)) continue;
    while (time[before + 1]! <= time[i]! - REFERENCE_MS) before++;
    while (after < end && time[after]! < time[i]! + REFERENCE_MS) after++;
    if (first === end) continue;
    if (i > first && !isContradicted(speedKph[i]!, place(i), place(before))) continue;
    if (i < end && !isContradicted(speedKph[i]!, place(i), place(after))) continue;
    judged[i] = UNKNOWN;
  }
  return judged;
}
