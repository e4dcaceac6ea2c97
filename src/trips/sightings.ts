/** What is known of a unit by `now`, from its track or from visits found elsewhere. */

import { lonStep } from '../core/angles.js';
import { expected, isArray, WayzoneError } from '../core/errors.js';
import type { Track } from '../core/fix.js';
import { guarded } from '../core/gate.js';
import type { Trip } from '../core/trip.js';
import { edgeLength } from '../geodesy/length.js';
import { findVisits } from '../tracks/findVisits.js';
import type { Visit } from '../tracks/visit.js';
import { readVisitRules } from '../tracks/visitOptions.js';
import { ZoneIndex } from '../zones/zoneIndex.js';
import type { Gap } from './gaps.js';
import { stepOf, trackGaps, trackUpTo } from './trackGaps.js';
import type { TripOptions, TripVisits } from './tripReport.js';
import { staysAt, type TripStay } from './tripStay.js';
import { tripZones } from './tripZones.js';
import { zoneOfId } from './zoneNumbers.js';

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
  const rows = tripZones(trip, options).filter((_, i) => zones[i] === i);
  const index = new ZoneIndex(rows, options);
  const visits = findVisits(track, index, options).map((visit) => ({ visit, zone: Number(visit.zoneId) }));
  const isThere = ({ zoneId, exitBounds }: Visit): boolean => {
    const i = track.time.indexOf(exitBounds?.[1] ?? Number.NaN);
    return i >= 0 && index.at([track.lon[i]!, track.lat[i]!]).includes(zoneId);
  };
  return {
    stays: staysAt(visits, now, isThere),
    lastFixAt: track.length === 0 ? null : track.time[track.length - 1]!,
    gaps: () => trackGaps(track, rules, now),
    distanceMeters: (from, to) => {
      let sum = 0;
      for (let i = 1; i < track.length; i++) {
        const step = stepOf(track, i);
        if (step.to <= from || step.from >= to || step.isGap(rules)) continue;
        const [start, end] = [Math.max(from, step.from), Math.min(to, step.to)];
        const [lonA, latA] = positionAt(track, i, start);
        const [lonB, latB] = positionAt(track, i, end);
        sum += edgeLength(lonA, latA, lonB, latB);
      }
      return sum;
    },
  };
}

/** Where the unit is at a time of the step to fix `i`: straight in lon/lat, linear in time. The longitude is not wrapped. */
function positionAt(track: Track, i: number, time: number): [number, number] {
  const [lon, lat] = [track.lon[i - 1]!, track.lat[i - 1]!];
  const fraction = (time - track.time[i - 1]!) / (track.time[i]! - track.time[i - 1]!);
  if (fraction === 1) return [track.lon[i]!, track.lat[i]!];
  return [lon + fraction * lonStep(lon, track.lon[i]!), lat + fraction * (track.lat[i]! - lat)];
}

function ofVisits(list: unknown, source: TripVisits, zones: readonly number[], now: number): Sightings {
  const visits = readVisits(list, zones);
  const gaps = readGaps(guarded('track.gaps', () => source.gaps));
  const entries = new Set(visits.map(({ visit, zone }) => `${zone} ${visit.enter}`));
  const isThere = ({ exitBounds }: Visit, zone: number): boolean => entries.has(`${zone} ${exitBounds?.[1]}`);
  return {
    stays: staysAt(visits, now, isThere),
    lastFixAt: null,
    gaps: () => gaps?.map(({ from, to }) => ({ from, to: Math.min(to, now) })) ?? null,
    distanceMeters: () => null,
  };
}

function readVisits(list: unknown, zones: readonly number[]): { visit: Visit; zone: number }[] {
  if (!isArray(list)) throw new WayzoneError('visits-type', 'visits', expected('a list of visits', list));
  return list.map((visit, i) => {
    const field = `visits[${i}]`;
    return guarded(field, () => {
      if (!isVisit(visit)) {
        throw new WayzoneError('visit-invalid', field, expected('a visit as findVisits gives it', visit));
      }
      return { visit, zone: zoneOfId(zones, visit.zoneId, `${field}.zoneId`) };
    });
  });
}

function isVisit(value: unknown): value is Visit {
  if (typeof value !== 'object' || value === null) return false;
  const { enter, exit, enterBounds, exitBounds } = value as Visit;
  if (!isTime(enter) || !isArray(enterBounds) || !isTime(enterBounds[1])) return false;
  if (exit === null) return true;
  if (!isTime(exit) || exit < enter || !isArray(exitBounds) || !isTime(exitBounds[0])) return false;
  return exitBounds[1] === null || isTime(exitBounds[1]);
}

function isTime(value: unknown): boolean {
  return Number.isInteger(value);
}

function readGaps(list: unknown): Gap[] | null {
  if (list === undefined || list === null) return null;
  if (!isArray(list)) throw new WayzoneError('gaps-type', 'gaps', expected('a list of gaps', list));
  return list.map((gap, i) => {
    const { from, to } = guarded(`gaps[${i}]`, () => ({ from: (gap as Gap)?.from, to: (gap as Gap)?.to }));
    if (typeof from === 'number' && typeof to === 'number' && from <= to) return { from, to };
    throw new WayzoneError('gap-invalid', `gaps[${i}]`, expected('{from, to} in epoch milliseconds', gap));
  });
}
