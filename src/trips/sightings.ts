/** What is known of a unit by `now`, from its track or from visits found elsewhere. */

import { expected, WayzoneError } from '../core/errors.js';
import type { Track } from '../core/fix.js';
import { guarded } from '../core/gate.js';
import type { Trip } from '../core/trip.js';
import { checkTrack } from '../tracks/checkTrack.js';
import { findVisits } from '../tracks/findVisits.js';
import type { Visit } from '../tracks/visit.js';
import { readVisitRules } from '../tracks/visitOptions.js';
import { ZoneIndex } from '../zones/zoneIndex.js';
import type { Gap } from './gaps.js';
import { readGaps, readVisits } from './readTripVisits.js';
import { isGap, isUnseen, metersBetween, type Place } from './trackSteps.js';
import type { TripOptions, TripVisits } from './tripReport.js';
import { staysAt, type TripStay } from './tripStay.js';
import { tripZones } from './tripZones.js';

export interface Sightings {
  /** By `enter`, then by zone. */
  readonly stays: readonly TripStay[];
  readonly lastFixAt: number | null;
  /** `null`: none are known of. */
  gaps(): readonly Gap[] | null;
  /** Metres between two times, without gaps; `null` without a track. */
  distanceMeters(from: number, to: number): number | null;
}

export function readSightings(
  trip: Trip,
  source: Track | TripVisits,
  zones: readonly number[],
  now: number,
  options: TripOptions,
): Sightings {
  if (typeof source !== 'object' || source === null) {
    throw new WayzoneError('track-invalid', 'track', expected('a Track from readTrack, or {visits}', source));
  }
  const visits: unknown = guarded('track.visits', () => (source as Partial<TripVisits>).visits);
  return visits === undefined
    ? ofTrack(trip, source as Track, zones, now, options)
    : ofVisits(visits, source as TripVisits, zones, now);
}

function ofTrack(
  trip: Trip,
  whole: Track,
  zones: readonly number[],
  now: number,
  options: TripOptions,
): Sightings {
  const rules = readVisitRules(options);
  const track = trackUpTo(whole, now);
  const index = tripIndex(trip, zones, options);
  const visits = findVisits(track, index, options).map((visit) => ({ visit, zone: Number(visit.zoneId) }));
  const isThere = ({ zoneId, exitBounds }: Visit): boolean => {
    const time = exitBounds?.[1] ?? Number.NaN;
    const i = countUpTo(track, time) - 1;
    return track.time[i] === time && index.at([track.lon[i]!, track.lat[i]!]).includes(zoneId);
  };
  return {
    stays: staysAt(visits, now, isThere),
    lastFixAt: track.length === 0 ? null : track.time[track.length - 1]!,
    gaps: () => {
      const gaps: Gap[] = [];
      for (const [a, b] of stepsOf(track)) if (isUnseen(a, b, rules)) gaps.push({ from: a.time, to: b.time });
      return [...gaps, ...silences(track.time[0] ?? null, track.time[track.length - 1] ?? null, now)];
    },
    distanceMeters: (from, to) => {
      let sum = 0;
      for (const [a, b] of stepsOf(track)) {
        if (b.time > from && a.time < to && !isGap(a, b, rules)) sum += metersBetween(a, b, from, to);
      }
      return sum;
    },
  };
}

/** The index of a trip's zones, each once. */
export function tripIndex(trip: Trip, zones: readonly number[], options: TripOptions): ZoneIndex {
  return new ZoneIndex(
    tripZones(trip, options).filter((_, i) => zones[i] === i),
    options,
  );
}

/** The times before the first fix and after the last one, up to `now`. */
export function silences(first: number | null, last: number | null, now: number): Gap[] {
  if (first === null || last === null) return [{ from: Number.NEGATIVE_INFINITY, to: now }];
  return [
    { from: Number.NEGATIVE_INFINITY, to: first },
    { from: last, to: now },
  ];
}

function* stepsOf({ length, time, lon, lat }: Track): Generator<[Place, Place]> {
  for (let i = 1; i < length; i++) {
    yield [
      { time: time[i - 1]!, lon: lon[i - 1]!, lat: lat[i - 1]! },
      { time: time[i]!, lon: lon[i]!, lat: lat[i]! },
    ];
  }
}

/** The fixes up to `now`, on the columns of the track. */
function trackUpTo(track: Track, now: number): Track {
  if (!(track.time instanceof Float64Array)) {
    throw new WayzoneError('track-invalid', 'track', expected('a Track from readTrack, or {visits}', track));
  }
  checkTrack(track);
  const length = countUpTo(track, now);
  if (length === track.length) return track;
  return {
    ...track,
    length,
    time: track.time.subarray(0, length),
    lon: track.lon.subarray(0, length),
    lat: track.lat.subarray(0, length),
    speedKph: track.speedKph?.subarray(0, length) ?? null,
    accuracyMeters: track.accuracyMeters?.subarray(0, length) ?? null,
    ignition: track.ignition?.subarray(0, length) ?? null,
  };
}

/** How many fixes there are up to `time`. */
function countUpTo({ length, time: times }: Track, time: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ofVisits(list: unknown, source: TripVisits, zones: readonly number[], now: number): Sightings {
  const visits = readVisits(list, zones);
  const gaps = readGaps(guarded('track.gaps', () => source.gaps));
  let entries: Set<string> | null = null;
  const isThere = ({ exitBounds }: Visit, zone: number): boolean => {
    entries ??= new Set(visits.map((entry) => `${entry.zone} ${entry.visit.enter}`));
    return entries.has(`${zone} ${exitBounds?.[1]}`);
  };
  return {
    stays: staysAt(visits, now, isThere),
    lastFixAt: null,
    gaps: () => gaps?.map(({ from, to }) => ({ from, to: Math.min(to, now) })) ?? null,
    distanceMeters: () => null,
  };
}
