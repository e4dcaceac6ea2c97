/**
 * A second implementation of the ways between stays, over whole lists: cut each way into pieces, judge the pieces, join parkings. The stays are those of
 * `StayMachine`, which has tests of its own; all else shares nothing with `src/tracks`, and measures by GeographicLib.
 */

import geographiclib from 'geographiclib-geodesic';
import type { Track } from '../../../src/core/fix.js';
import { StayMachine } from '../../../src/tracks/stays/stayMachine.js';
import {
  addFix,
  LAT,
  LON,
  markLast,
  noRing,
  noStayState,
  slotOf,
  TIME,
  WITNESS,
} from '../../../src/tracks/stays/stayState.js';

export interface SlowSettings {
  readonly minparktime: number;
  readonly minmovespeed: number;
  readonly mintripdist: number;
  readonly mintriptime: number;
  readonly maxdistancemsg: number;
  readonly maxintervalmsg: number;
  readonly mileagecoeff: number;
  readonly ignition: boolean;
  readonly gpscorrect: boolean;
  /** null: any step longer than `maxdistancemsg` is a jump. */
  readonly maxJumpSpeedKph: number | null;
  readonly mileage:
    | 'mileage_GPS'
    | 'mileage_GPS_ignition'
    | 'mileage_mileage_sensor'
    | 'mileage_relative_mileage';
}

/** Seconds since the first fix. */
export interface SlowItem {
  readonly from: number;
  readonly to: number;
  /** `null` if the twin does not measure it. */
  readonly distanceMeters: number | null;
  readonly reason?: string;
}

export interface SlowReport {
  readonly trips: SlowItem[];
  readonly parkings: SlowItem[];
  readonly stops: SlowItem[];
  readonly unknown: SlowItem[];
}

const STAY_METERS = 50;
const STOP_SECONDS = 60;

/** By numbers of fixes. */
interface Found {
  readonly what: 'start' | 'begin' | 'end' | 'close';
  readonly at: number;
  readonly centre?: readonly [number, number];
  readonly isOpen?: boolean;
}

export function slowMovement(track: Track, settings: SlowSettings): SlowReport {
  const { length } = track;
  const time = (i: number): number => track.time[i]! / 1000;
  const steps = Array.from({ length }, (_, i) => (i === 0 ? 0 : meters(track, i - 1, i)));
  const jumps = steps.map((step, i) => i > 0 && isJump(step, time(i) - time(i - 1), settings));
  const rests = Array.from({ length }, (_, i) => witness(track, i, settings) > 0);
  const dwell = Math.max(30, settings.minparktime);
  const parkings = findStays(track, dwell, settings, jumps, dwell);
  const stays =
    STOP_SECONDS < settings.minparktime ? findStays(track, STOP_SECONDS, settings, jumps, dwell) : [];

  /** Where the rest at the end of fixes from `first` on begins. */
  const restAt = (first: number, last: number): number => {
    let from: number | null = null;
    for (let i = first; i <= last; i++) {
      if (!rests[i]) from = null;
      else if (from === null || meters(track, from, i) > STAY_METERS) from = i;
    }
    return from ?? last;
  };
  /** The last of the fixes that rest where the first one does. */
  const leadAt = (first: number, last: number): number => {
    let at = first;
    while (rests[first] && at < last && rests[at + 1] && meters(track, first, at + 1) <= STAY_METERS) at++;
    return at;
  };
  const isFar = (first: number, last: number): boolean => {
    for (let i = first; i <= last; i++) if (meters(track, first, i) >= settings.mintripdist) return true;
    return false;
  };
  const isLong = (from: number, to: number): boolean =>
    to > from && time(to) - time(from) >= settings.mintriptime;

  const trips: [number, number][] = [];
  const rested: [number, number][] = [];
  const unknown: [number, number, string][] = [];
  const leave = (from: number, to: number, reason: string): void => {
    if (to > from) unknown.push([from, to, reason]);
  };

  // The last parking, and the centre of its last stay.
  let parking: { from: number; to: number; centre: readonly [number, number] } | null = null;
  let way: { first: number; isAfterParking: boolean } | null = null;
  let closed: { at: number; isOpen: boolean } | null = null;
  const endParking = (): void => {
    if (parking !== null) rested.push([parking.from, parking.to]);
    parking = null;
  };
  /** The trips of the way to `last`, and what is unknown; returns where the rest of it begins, and whether it has a trip. */
  const judge = (last: number, end: number, isToParking: boolean): { since: number; hasTrip: boolean } => {
    const cuts = [way!.first];
    for (let i = way!.first + 1; i <= last; i++) if (jumps[i]) cuts.push(i);
    let [since, hasTrip, hasJump] = [way!.first, false, false];
    cuts.forEach((cut, k) => {
      const isLast = k === cuts.length - 1;
      const final = isLast ? last : cuts[k + 1]! - 1;
      const first = k === 0 && way!.isAfterParking ? cut : leadAt(cut, final);
      const to = isLast ? end : restAt(cut, final);
      hasJump ||= k > 0;
      const until = isLast && isToParking ? end : restAt(cut, final);
      if (!isLong(first, until) || !isFar(first, final)) return;
      if (!hasTrip) endParking();
      leave(since, first, hasJump ? 'jump' : 'short');
      trips.push([first, to]);
      [since, hasTrip, hasJump] = [to, true, false];
    });
    return { since, hasTrip };
  };
  const reasonOf = (from: number, to: number): string =>
    jumps.some((jump, i) => jump && i > from && i <= to) ? 'jump' : 'short';

  for (const { what, at, centre, isOpen } of parkings) {
    if (what === 'start') {
      if (closed !== null) {
        const { at: before } = closed;
        const since: number = closed.isOpen
          ? way!.first
          : judge(before, restAt(way!.first, before), false).since;
        endParking();
        leave(since, before, closed.isOpen ? 'open' : reasonOf(since, before));
        leave(before, at, 'gap');
      }
      [closed, way] = [null, { first: at, isAfterParking: false }];
    } else if (what === 'begin') {
      let from = at;
      if (way !== null) {
        const pieces = [way.first];
        for (let i = way.first + 1; i <= at; i++) if (jumps[i]) pieces.push(i);
        if (closed !== null) from = restAt(pieces.at(-1)!, at);
        const isSilent: boolean = closed !== null && closed.isOpen;
        const before = parking as { from: number; to: number; centre: readonly [number, number] } | null;
        const { since, hasTrip } = judge(at, from, closed === null || isSilent);
        if (!hasTrip && before !== null) {
          const apart = metersBetween(before.centre, centre!);
          if (apart < settings.mintripdist) {
            before.centre = centre!;
            [closed, way] = [null, null];
            continue;
          }
          endParking();
          if (isLong(way.first, from)) trips.push([way.first, from]);
          else leave(since, from, reasonOf(since, from));
        } else leave(since, from, reasonOf(since, from));
      }
      endParking();
      parking = { from, to: from, centre: centre! };
      [closed, way] = [null, null];
    } else if (what === 'end') {
      parking!.to = at;
      way = { first: at, isAfterParking: true };
    } else closed = { at, isOpen: isOpen! };
  }
  if (closed !== null) {
    const { at, isOpen } = closed;
    const since = isOpen ? way!.first : judge(at, restAt(lastCut(jumps, way!.first, at), at), false).since;
    endParking();
    leave(since, at, isOpen ? 'open' : reasonOf(since, at));
  }

  const stops: [number, number][] = [];
  let from = 0;
  for (const { what, at } of stays) {
    if (what === 'begin') from = at;
    if (what === 'end' && trips.some(([first, last]) => from > first && at < last)) stops.push([from, at]);
  }
  const item = ([first, last]: readonly [number, number, ...string[]], isTrip: boolean): SlowItem => {
    let distance = 0;
    for (let i = first + 1; i <= last; i++) {
      const isIn = stops.some(([a, b]) => i > a && i <= b);
      if (settings.gpscorrect && (!isTrip || isIn)) continue;
      if (settings.mileage !== 'mileage_GPS_ignition' || track.ignition?.[i - 1] !== 0) distance += steps[i]!;
    }
    const isMeasured = settings.mileage === 'mileage_GPS' || settings.mileage === 'mileage_GPS_ignition';
    return {
      from: time(first) - time(0),
      to: time(last) - time(0),
      distanceMeters: isMeasured ? distance * settings.mileagecoeff : null,
    };
  };
  return {
    trips: trips.map((span) => item(span, true)),
    parkings: rested.map((span) => item(span, false)),
    stops: stops.map((span) => item(span, false)),
    unknown: unknown.map(([a, b, reason]) => ({ ...item([a, b], true), distanceMeters: null, reason })),
  };
}

function lastCut(jumps: readonly boolean[], first: number, last: number): number {
  let cut = first;
  for (let i = first + 1; i <= last; i++) if (jumps[i]) cut = i;
  return cut;
}

function isJump(step: number, seconds: number, settings: SlowSettings): boolean {
  if (step <= settings.maxdistancemsg) return false;
  return settings.maxJumpSpeedKph === null || (step / seconds) * 3.6 > settings.maxJumpSpeedKph;
}

function witness(track: Track, i: number, { ignition, minmovespeed }: SlowSettings): number {
  if (ignition && track.ignition?.[i] === 0) return 1;
  const speed = track.speedKph?.[i] ?? -1;
  return speed < 0 ? 0 : speed < minmovespeed ? 1 : -1;
}

/** What the search for stays of a dwell tells, by numbers of fixes. */
function findStays(
  track: Track,
  dwell: number,
  settings: SlowSettings,
  jumps: readonly boolean[],
  parkSeconds: number,
): Found[] {
  const found: Found[] = [];
  const numbers = new Map(Array.from(track.time.subarray(0, track.length), (time, i) => [time, i]));
  const at = (recent: readonly number[], row: number): number => numbers.get(recent[row + TIME]!)!;
  const machine = new StayMachine(
    {
      dwellMs: dwell * 1000,
      radiusMeters: Math.max(15, Math.min(STAY_METERS, (settings.minmovespeed / 3.6) * (dwell / 2))),
      leaveMeters: settings.mintripdist,
      minSpeedKph: settings.minmovespeed,
      needsIgnition: settings.ignition,
      sleepMeters: settings.maxdistancemsg,
      maxGapMs: settings.maxintervalmsg * 1000,
      endsBySilence: true,
    },
    {
      takesWays: true,
      isWaiting: true,
      start: (recent, row) => found.push({ what: 'start', at: at(recent, row) }),
      step() {},
      begin: (recent, row, lon, lat) =>
        found.push({ what: 'begin', at: at(recent, row), centre: [lon, lat] }),
      end: (recent, row) => found.push({ what: 'end', at: at(recent, row) }),
      close: (recent, row, isOpen) => found.push({ what: 'close', at: at(recent, row), isOpen }),
    },
  );
  const [state, ring] = [noStayState(), noRing()];
  const slotMs = Math.min(slotOf(parkSeconds * 1000), (STOP_SECONDS * 1000) / 12);
  const longMs = Math.min(
    1000 * (STOP_SECONDS < settings.minparktime ? STOP_SECONDS : parkSeconds),
    1000 * settings.maxintervalmsg + 1,
  );
  for (let i = 0; i < track.length; i++) {
    const isMarked = i > 0 && (jumps[i]! || track.time[i]! - track.time[i - 1]! >= longMs);
    if (isMarked && markLast(ring)) machine.marked(state, ring);
    ring.last[TIME] = track.time[i]!;
    ring.last[LON] = track.lon[i]!;
    ring.last[LAT] = track.lat[i]!;
    ring.last[WITNESS] = witness(track, i, settings);
    machine.attach(ring, track);
    machine.next(state, i, addFix(ring, slotMs, isMarked));
    ring.oldest = state.oldest;
  }
  if (markLast(ring)) machine.marked(state, ring);
  machine.close(state, ring);
  return found;
}

const { WGS84 } = (
  geographiclib as unknown as {
    Geodesic: { WGS84: { Inverse(lat1: number, lon1: number, lat2: number, lon2: number): { s12: number } } };
  }
).Geodesic;

function metersBetween(a: readonly [number, number], b: readonly [number, number]): number {
  return WGS84.Inverse(a[1], a[0], b[1], b[0]).s12;
}

function meters({ lon, lat }: Track, i: number, j: number): number {
  return metersBetween([lon[i]!, lat[i]!], [lon[j]!, lat[j]!]);
}
