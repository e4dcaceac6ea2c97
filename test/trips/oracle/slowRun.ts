/** Reads what is given into a run: the track up to `now`, its holes, and its visits by the library's `findVisits`. */

import type { Track } from '../../../src/core/fix.js';
import type { Trip } from '../../../src/core/trip.js';
import { signedDistanceMeters, ZoneIndex } from '../../../src/index.js';
import { findVisits, type Visit, type VisitOptions } from '../../../src/tracks/index.js';
import {
  DEFAULTS,
  type Hole,
  type Place,
  type Run,
  type Settings,
  type SlowFix,
  type SlowOptions,
  type SlowPoint,
} from './slowModel.js';
import { type HandedPart, partsUpTo, visitsOfParts } from './slowParts.js';
import { leadFrom, plannedPoints, windowOf } from './slowPlan.js';
import { holesOf } from './slowSteps.js';

/** T6. */
export interface GivenVisits {
  readonly visits: readonly Visit[];
  readonly gaps?: readonly {
    readonly from: number;
    readonly to: number;
    readonly start?: Place;
    readonly end?: Place;
  }[];
}

/** The codes of `Track.blind`. */
const BLIND = [null, 'jammed', 'frozen'] as const;
const known = (value: number | undefined): number | null => (value === undefined || value < 0 ? null : value);
const reasonAt = ({ blind }: Track, k: number): 'jammed' | 'frozen' | null => BLIND[blind?.[k] ?? 0]!;

export const fixesOf = (track: Track): SlowFix[] =>
  Array.from({ length: track.length }, (_, k) => ({
    time: track.time[k]!,
    place: [track.lon[k]!, track.lat[k]!],
    speed: known(track.speedKph?.[k]),
    ignition: track.ignition && track.ignition[k]! < 2 ? track.ignition[k] === 1 : null,
    mileage: known(track.mileageMeters?.[k]),
    mileageDelta: known(track.mileageDeltaMeters?.[k]),
    blind: reasonAt(track, k),
  }));

/** T41: later fixes are ignored. */
export function cut(track: Track, length: number, first = 0): Track {
  const part = <Column extends Float64Array | Uint8Array>(column: Column | null): Column | null =>
    column && (column.subarray(first, length) as Column);
  return {
    ...track,
    length: length - first,
    time: part(track.time)!,
    lon: part(track.lon)!,
    lat: part(track.lat)!,
    speedKph: part(track.speedKph),
    accuracyMeters: part(track.accuracyMeters),
    ignition: part(track.ignition),
    mileageMeters: part(track.mileageMeters),
    mileageDeltaMeters: part(track.mileageDeltaMeters),
    blind: part(track.blind),
    blindAfter: length < track.length ? reasonAt(track, length) : track.blindAfter,
  };
}

const DAY = 86_400_000;

/** The track without the fixes after a time, as if it ended there. */
function upTo(track: Track, time: number): Track {
  const length = [...track.time].filter((own) => own <= time).length;
  return length === track.length ? track : { ...cut(track, length), blindAfter: null };
}

/** The shape of each zone, as the trip's first point of it has it. */
export const shapesOf = (trip: Trip, points: readonly SlowPoint[], settings: Settings): object[] => {
  const zones = Math.max(...points.map(({ zone }) => zone)) + 1;
  return Array.from({ length: zones }, (_, zone) => {
    const { type, geometry, coordinates, width } = trip.points[points.find((p) => p.zone === zone)!.index]!;
    return { type, geometry: geometry ?? coordinates, width: width ?? settings.defaultWidthMeters };
  });
};

export function slowRun(
  trip: Trip,
  date: string,
  source: Track | GivenVisits | readonly HandedPart[],
  options: SlowOptions,
  givenWindow: Run['window'] | null = null,
): Run {
  const settings: Settings = { ...DEFAULTS, ...options };
  const window = givenWindow ?? windowOf(trip, date, settings);
  const now = settings.now ?? window.to;
  const points = plannedPoints(trip, date, settings);
  const shapes = shapesOf(trip, points, settings);
  const distances = new Map<string, number>();
  const metersTo = (zone: number, place: Place): number => {
    const key = `${zone} ${place[0]} ${place[1]}`;
    const before = distances.get(key);
    if (before !== undefined) return before;
    const meters = Math.max(0, signedDistanceMeters(shapes[zone] as never, [place[0], place[1]]));
    distances.set(key, meters);
    return meters;
  };
  const strict = trip.passage_order_type.key === 'strict';
  const given = {
    trip,
    date,
    settings,
    window,
    leadFrom: leadFrom(trip, date, settings),
    now,
    strict,
    points,
    metersTo,
    settled: points.map(() => null),
    taken: shapes.map(() => []),
    begun: null,
    eras: null,
    excused: points.map(() => false),
    excusedAt: Number.NEGATIVE_INFINITY,
    isCancelled: false,
    handOvers: [],
  };
  if ('visits' in source) {
    const holes = (source.gaps ?? [])
      .map(
        ({ from, to, start, end }): Hole => ({
          from,
          to: Math.min(to, now),
          reason: 'gap',
          start: start ?? null,
          end: end ?? null,
        }),
      )
      .filter(({ from, to }) => from < to)
      .sort((a, b) => a.from - b.from);
    const numbered = source.visits
      .filter(({ enter }) => enter <= now)
      .map((visit) => ({ zone: points[Number(visit.zoneId)]!.zone, visit: asKnown(visit, now) }));
    return { ...given, fixes: null, holes, visits: byZone(numbered, shapes.length) };
  }
  const parts = 'length' in source && !('time' in source) ? source : [{ at: null, track: source as Track }];
  // T46: no fix later than a day after the window is looked at.
  const seen = parts.map((part) => ({ ...part, track: upTo(part.track, window.to + DAY) }));
  const { fixes, next, blindAfter, handed } = partsUpTo(seen, now);
  const holes = holesOf(fixes, next, blindAfter, window.from, now, settings, handed);
  const index = new ZoneIndex(shapes.map((shape, zone) => ({ ...shape, id: String(zone) })) as never);
  const visits = visitsOfParts(seen, now, (track) => findVisits(track, index, visitOptions(settings)));
  const numbered = visits.map((visit) => ({ zone: Number(visit.zoneId), visit }));
  return { ...given, fixes, holes, visits: byZone(numbered, shapes.length) };
}

export function visitOptions(settings: Settings): VisitOptions {
  const { exitBufferMeters, maxGapSeconds, parkedMeters, maxCrossedMeters } = settings;
  return { exitBufferMeters, maxGapSeconds, parkedMeters, maxCrossedMeters };
}

/** A visit that is over after `now` is still open. */
const asKnown = (visit: Visit, now: number): Visit =>
  visit.exit === null || visit.exit <= now ? visit : { ...visit, end: 'open', exit: null, exitBounds: null };

const byZone = (visits: readonly { zone: number; visit: Visit }[], zones: number): Visit[][] =>
  Array.from({ length: zones }, (_, zone) =>
    visits
      .filter((other) => other.zone === zone)
      .map(({ visit }) => visit)
      .sort(
        (a, b) =>
          a.enter - b.enter || (a.exit ?? Number.POSITIVE_INFINITY) - (b.exit ?? Number.POSITIVE_INFINITY),
      ),
  );
