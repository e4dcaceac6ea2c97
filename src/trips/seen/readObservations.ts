/** Reads the observations of a unit up to `now` from its track, or from visits found elsewhere. */

import type { Track } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { guarded } from '../../core/input.js';
import { pickOptions } from '../../core/options.js';
import type { TripInput } from '../../core/trip.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { checkTrack, notATrack } from '../../tracks/checkTrack.js';
import { type CleanFix, UNKNOWN, UNKNOWN_IGNITION } from '../../tracks/fixReader.js';
import { internalsOf } from '../../zones/index/index.js';
import { ZoneIndex } from '../../zones/zoneIndex.js';
import { zonesOf } from '../plan/tripZones.js';
import { handedOn } from '../terms/readChanges.js';
import type { TripOptions, TripTracks, TripVisits } from '../terms/tripReport.js';
import { type Hole, Holes, type MetersTo } from './holes.js';
import type { JournalRules, WatchedVisit } from './journalRules.js';
import { readGaps, readVisits } from './readVisits.js';
import { NO_RESTS, type Rests } from './restFinder.js';
import type { RunUnit } from './runUnit.js';
import { isSleep, type Next } from './stepKind.js';
import { driftKnown, positionOf, type TripJournal } from './tripJournal.js';
import type { TripRun } from './tripRun.js';
import type { ObservedVisit } from './tripStay.js';

const TRACK_OR_VISITS = 'a Track from readTrack, or {visits}';

/** Whether a source has visits; else it is a track. */
export function hasVisits(source: Track | TripTracks | TripVisits): source is TripVisits {
  if (typeof source !== 'object' || source === null) throw notATrack(source, TRACK_OR_VISITS);
  return guarded('track.visits', () => (source as Partial<TripVisits>).visits) !== undefined;
}

/** Whether a source has the tracks of several units. */
export function hasTracks(source: Track | TripTracks): source is TripTracks {
  return guarded('track.tracks', () => (source as Partial<TripTracks>).tracks) !== undefined;
}

/** The track of a unit; `null` if the unit has none. Each track is checked when it is first asked for. Error: `track-invalid`. */
export function readTracks(source: TripTracks): (unitId: string | null) => Track | null {
  const tracks: unknown = guarded('track.tracks', () => source.tracks);
  if (typeof tracks !== 'object' || tracks === null) throw notATrack(tracks, '{tracks} by unit id');
  return (unitId) => {
    const isKnown = unitId !== null && Object.hasOwn(tracks, unitId);
    return isKnown ? readSource((tracks as Readonly<Record<string, Track>>)[unitId]!) : null;
  };
}

/** An index of a trip's different zones. */
export function tripIndex(trip: TripInput, zones: readonly number[], options: TripOptions): ZoneIndex {
  return new ZoneIndex(
    zonesOf(trip, options).filter((_, i) => zones[i] === i),
    pickOptions(options, ZONE_OPTIONS),
  );
}

/** Distances to the zones of an index. */
function metersTo(index: ZoneIndex): MetersTo {
  // The distances of a hole's ends are needed again at every fix.
  const known = new WeakMap<Position, Map<number, number>>();
  return (zone, position) => {
    let meters = known.get(position);
    if (meters === undefined) {
      meters = new Map();
      known.set(position, meters);
    }
    let distance = meters.get(zone);
    if (distance === undefined) {
      const [lon, lat] = position;
      const prepared = internalsOf(index)?.prepared(String(zone));
      distance = Math.max(0, prepared?.signedDistanceMeters(lon, lat) ?? 0);
      meters.set(zone, distance);
    }
    return distance;
  };
}

/** The track, checked. */
export function readSource(track: Track): Track {
  if (!(track.time instanceof Float64Array)) {
    throw notATrack(track, TRACK_OR_VISITS);
  }
  checkTrack(track);
  return track;
}

export function journalRules({ rules, plan }: TripRun, index: ZoneIndex): JournalRules {
  const { plannedArrival, plannedDeparture } = plan.points[0]!;
  const start = plannedArrival ?? plannedDeparture;
  return {
    index,
    metersTo: metersTo(index),
    window: plan.window,
    wayTimes: [plan.window.from, plan.window.to, ...(start === null ? [] : [start])],
    visitRules: rules.visitRules,
    holeMs: rules.holeMs,
    serviceMs: rules.serviceMs,
    parkedMeters: rules.parkedMeters,
    reachSpeedKph: rules.reachSpeedKph,
  };
}

/** The observations of a unit up to `now`. `next`: the step after the last fix, as far as it is known. */
export function knownBy(
  journal: TripJournal,
  unit: RunUnit,
  run: TripRun,
  next: Next | null,
  now: number,
): Observations {
  const { hasMotion } = journal;
  return {
    visits: [
      ...journal.visits.map((own) => observed(driftKnown(own, hasMotion), null)),
      ...journal.openVisits(unit).map((own) => observed(driftKnown(own, hasMotion), own.lastInside)),
    ],
    holes: holesOf(journal, run, next, now),
    rests: journal.rests.rests,
    lastFixAt: journal.last?.time ?? null,
    hasFixInWindow: journal.hasFixInWindow,
    distanceMeters: (from, to) => journal.odometer.between(from, to),
  };
}

function observed({ visit, evidence }: WatchedVisit, lastInside: number | null): ObservedVisit {
  return { visit, zone: Number(visit.zoneId), evidence, lastInside };
}

/** The holes between fixes, with those before the first one and after the last one. */
function holesOf(
  { first, last, holes: between, rules: { metersTo } }: TripJournal,
  { plan: { window }, rules, eras, handOvers }: TripRun,
  next: Next | null,
  now: number,
): Holes {
  const holes = [...between];
  const firstTime = first?.time ?? now;
  if (window.from < firstTime) {
    const end = first === null ? null : positionOf(first);
    holes.unshift({ from: window.from, to: firstTime, start: null, end, reason: 'not_started' });
  }
  if (last !== null && last.time < now && now > window.from) {
    const handed = handedOn(handOvers, last.time, now);
    const blind = handed === null ? (next?.blind ?? null) : null;
    const fix = handed === null ? (next?.fix ?? null) : null;
    const asleep = blind === null && fix !== null && isSleep(last, fix, rules.visitRules.parkedMeters);
    const reason = asleep ? null : (blind ?? 'silent');
    const span: Hole = { from: last.time, to: now, start: positionOf(last), end: null, reason };
    holes.push(handed === null ? span : { ...span, handed });
  }
  return new Holes(holes, rules.reachSpeedKph, metersTo, eras);
}

export function fixAt(track: Track, i: number): CleanFix {
  return {
    time: track.time[i]!,
    lon: track.lon[i]!,
    lat: track.lat[i]!,
    speedKph: track.speedKph?.[i] ?? UNKNOWN,
    accuracyMeters: track.accuracyMeters?.[i] ?? UNKNOWN,
    ignition: track.ignition?.[i] ?? UNKNOWN_IGNITION,
    mileageMeters: track.mileageMeters?.[i] ?? UNKNOWN,
    mileageDeltaMeters: track.mileageDeltaMeters?.[i] ?? UNKNOWN,
  };
}

/** The observations of given visits. */
export function readObservations(
  trip: TripInput,
  source: TripVisits,
  { zones, rules, plan: { window } }: TripRun,
  now: number,
  options: TripOptions,
): Observations {
  const visits = readVisits(
    guarded('track.visits', () => source.visits),
    zones,
  );
  const gaps = readGaps(guarded('track.gaps', () => source.gaps)) ?? [];
  const holes = gaps
    .filter(({ from }) => from < now)
    .map((gap) => (gap.to > now ? { ...gap, to: now, end: null } : gap))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  let toZone: MetersTo | null = null;
  return {
    visits: visits.map(({ visit, zone }) => ({
      visit,
      zone,
      evidence: null,
      lastInside: null,
    })),
    // The index is built only if a gap has positions.
    holes: new Holes(holes, rules.reachSpeedKph, (zone, position) => {
      toZone ??= metersTo(tripIndex(trip, zones, options));
      return toZone(zone, position);
    }),
    rests: NO_RESTS,
    lastFixAt: null,
    hasFixInWindow: !holes.some(({ from, to }) => from < window.from && to >= Math.min(window.to, now)),
    distanceMeters: () => null,
  };
}

export interface Observations {
  readonly visits: readonly ObservedVisit[];
  readonly holes: Holes;
  readonly rests: Rests;
  readonly lastFixAt: number | null;
  readonly hasFixInWindow: boolean;
  /** Metres between two times, without gaps; `null` without a track. */
  distanceMeters(from: number, to: number): number | null;
}
