/** The gaps of a track as trips see them. */

import { lonStep } from '../core/angles.js';
import { expected, WayzoneError } from '../core/errors.js';
import type { Track } from '../core/fix.js';
import { geodesicDistance } from '../geodesy/inverse.js';
import type { VisitRules } from '../tracks/visitOptions.js';
import type { Gap } from './gaps.js';

/** Upper bounds of a degree on WGS84, rounded up: along a meridian, along the equator. */
const MAX_METERS_PER_DEGREE_LAT = 111_695;
const MAX_METERS_PER_DEGREE_LON = 111_320;

interface Step {
  readonly from: number;
  readonly to: number;
  /** Whether the way between the two fixes is not known (the rule of `findVisits`). */
  isGap(rules: VisitRules): boolean;
  /** Whether it is longer than, or as long as, so many metres. */
  reaches(meters: number): boolean;
}

/** The step to fix `i` from the one before. */
export function stepOf(track: Track, i: number): Step {
  const [from, to] = [track.time[i - 1]!, track.time[i]!];
  const [lonA, latA, lonB, latB] = [track.lon[i - 1]!, track.lat[i - 1]!, track.lon[i]!, track.lat[i]!];
  const east = Math.abs(lonStep(lonA, lonB));
  const atMost = Math.abs(latB - latA) * MAX_METERS_PER_DEGREE_LAT + east * MAX_METERS_PER_DEGREE_LON;
  const exceeds = (meters: number, orEqual: boolean): boolean => {
    if (atMost < meters) return false;
    const exact = geodesicDistance(lonA, latA, lonB, latB);
    return exact > meters || (orEqual && exact === meters);
  };
  return {
    from,
    to,
    isGap: (rules) => to - from > rules.maxGapMs || east === 180 || exceeds(rules.maxGapMeters, false),
    reaches: (meters) => exceeds(meters, true),
  };
}

/**
 * The times before the first fix and after the last one up to `now`, the gaps between fixes, and the steps too long to say what lies
 * on them (`maxCrossedMeters`).
 */
export function trackGaps(track: Track, rules: VisitRules, now: number): Gap[] {
  if (track.length === 0) return [{ from: Number.NEGATIVE_INFINITY, to: now }];
  const gaps: Gap[] = [
    { from: Number.NEGATIVE_INFINITY, to: track.time[0]! },
    { from: track.time[track.length - 1]!, to: now },
  ];
  for (let i = 1; i < track.length; i++) {
    const step = stepOf(track, i);
    if (step.isGap(rules) || step.reaches(rules.maxCrossedMeters))
      gaps.push({ from: step.from, to: step.to });
  }
  return gaps;
}

/** The fixes up to `now`, on the columns of the track. */
export function trackUpTo(track: Track, now: number): Track {
  if (!(track.time instanceof Float64Array)) {
    throw new WayzoneError('track-invalid', 'track', expected('a Track from readTrack, or {visits}', track));
  }
  let [low, high] = [0, track.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (track.time[middle]! <= now) low = middle + 1;
    else high = middle;
  }
  if (low === track.length) return track;
  return {
    ...track,
    length: low,
    time: track.time.subarray(0, low),
    lon: track.lon.subarray(0, low),
    lat: track.lat.subarray(0, low),
    speedKph: track.speedKph?.subarray(0, low) ?? null,
    accuracyMeters: track.accuracyMeters?.subarray(0, low) ?? null,
    ignition: track.ignition?.subarray(0, low) ?? null,
  };
}
