/** Times of legs and stays of earlier runs, by hour of day. */

import { lonStep } from '../../core/angles.js';
import { CENTURY_SECONDS, HOUR_MS } from '../../core/durations.js';
import { expected, inputError, isArray, WayzoneError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { guarded, itemsOf, readNumber, readPositions } from '../../core/input.js';
import { type LocalClock, makeClock } from '../../core/localClock.js';
import { nearerEdgeDistance } from '../../geodesy/edgeDistance.js';
import { edgeLength } from '../../geodesy/edgeSums.js';
import { cosLat } from '../../geodesy/ellipsoid.js';
import type { PointReport, TripReport } from '../terms/tripReport.js';

/** Times of earlier runs for one leg or one stay. */
export interface LearnedSeconds {
  /** The median over all runs. */
  readonly seconds: number;
  /** Number of runs that gave the times. */
  readonly count: number;
  /**
   * For each hour of the day, 0 to 23 in the trip's time zone: the median of the runs in this hour. With few runs the value is closer to
   * `seconds`. Without runs it is `null`.
   */
  readonly hours: readonly (number | null)[];
}

/** What `learnLegs` learns: plain JSON. */
export interface LearnedLegs {
  /** `legs[i]` is the way from the departure at point `i` to the arrival at point `i + 1`. `null` if no run has these times. */
  readonly legs: readonly (LearnedSeconds | null)[];
  /** `dwell[i]` is the stay at point `i`; `null` if no run has this stay. */
  readonly dwell: readonly (LearnedSeconds | null)[];
}

/** Runs that the median over all counts for in the mean with the median of an hour. */
const PRIOR_RUNS = 3;

interface Sample {
  readonly seconds: number;
  readonly hour: number;
}

/**
 * Learns the times of legs and stays from reports of earlier runs of one trip, for the options `legs` and `dwell` of `predictByRoute` and
 * `predictByEngine`.
 *
 * A leg lasts from a departure to the next arrival, a stay from arrival to departure. The begin gives the hour. Only seen times count (both
 * bounds equal), at points with the status `passed`. A stay from before its planned arrival to its planned departure is a wait: it counts only
 * if there is no other stay. The value of an hour with n runs is (n · median of the hour + 3 · median of all) / (n + 3).
 *
 * Errors: `report-type` (`runs[2]`) for a value that is not a report, or a report with another number of points; `tz-unknown`;
 * `input-unreadable`. Cost: O(n log n) for n points of all runs.
 *
 * @example
 * import { learnLegs } from 'wayzone/trips';
 * const at = (arrival, departure) => ({ status: 'passed', arrival, departure, plannedArrival: null, plannedDeparture: null,
 *   arrivalBounds: [arrival, arrival], departureBounds: [departure, departure] });
 * const run = { timeZone: 'UTC', points: [at(0, 60_000), at(660_000, 960_000)] };
 * const { legs, dwell } = learnLegs([run]);
 * [legs[0].seconds, dwell[1].seconds]; // [600, 300]
 */
export function learnLegs(runs: Iterable<Pick<TripReport, 'timeZone' | 'points'>>): LearnedLegs {
  const clocks = new Map<string, LocalClock>();
  let [count, number] = [-1, 0];
  const legs: Sample[][] = [];
  const stays: Sample[][] = [];
  const waits: Sample[][] = [];
  for (const run of itemsOf(runs, 'runs')) {
    const field = `runs[${number++}]`;
    const { timeZone, points } = guarded(field, () => readRun(run, count, field));
    count = points.length;
    if (!clocks.has(timeZone)) clocks.set(timeZone, makeClock(timeZone));
    const hourOf = (time: number): number => new Date(clocks.get(timeZone)!.wallTimeOf(time)).getUTCHours();
    points.forEach((point, i) => {
      const { departure } = point;
      const next = points[i + 1];
      if (isSeen(point, 'departure') && next !== undefined && isSeen(next, 'arrival')) {
        put(legs, i, { seconds: (next.arrival! - departure!) / 1000, hour: hourOf(departure!) });
      }
      if (!isSeen(point, 'arrival') || !isSeen(point, 'departure')) return;
      const stay = { seconds: (departure! - point.arrival!) / 1000, hour: hourOf(point.arrival!) };
      put(hasWaited(point) ? waits : stays, i, stay);
    });
  }
  return {
    legs: Array.from({ length: Math.max(0, count - 1) }, (_, i) => summary(legs[i])),
    dwell: Array.from({ length: Math.max(0, count) }, (_, i) => summary(stays[i] ?? waits[i])),
  };
}

function readRun(run: unknown, count: number, field: string): Pick<TripReport, 'timeZone' | 'points'> {
  const { timeZone, points } = (run ?? {}) as TripReport;
  if (typeof timeZone !== 'string' || !isArray(points) || points.some((point) => typeof point !== 'object')) {
    throw inputError('report-type', field, 'a report of evaluateTrip', run);
  }
  if (count >= 0 && points.length !== count) {
    throw inputError('report-type', `${field}.points`, `${count} points, as the runs before`, points.length);
  }
  return { timeZone, points };
}

function isSeen(point: PointReport, which: 'arrival' | 'departure'): boolean {
  const bounds = which === 'arrival' ? point.arrivalBounds : point.departureBounds;
  return point.status === 'passed' && point[which] !== null && bounds !== null && bounds[0] === bounds[1];
}

function hasWaited({ arrival, departure, plannedArrival, plannedDeparture }: PointReport): boolean {
  if (plannedArrival === null || plannedDeparture === null) return false;
  return arrival! < plannedArrival && departure! >= plannedDeparture - 60_000;
}

function put(lists: Sample[][], i: number, sample: Sample): void {
  if (sample.seconds < 0) return;
  lists[i] ??= [];
  lists[i].push(sample);
}

function summary(samples: readonly Sample[] | undefined): LearnedSeconds | null {
  if (samples === undefined) return null;
  const seconds = median(samples);
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const own = samples.filter((sample) => sample.hour === hour);
    if (own.length === 0) return null;
    return (own.length * median(own) + PRIOR_RUNS * seconds) / (own.length + PRIOR_RUNS);
  });
  return { seconds, count: samples.length, hours };
}

function median(samples: readonly Sample[]): number {
  const sorted = samples.map(({ seconds }) => seconds).sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Seconds by index and time; `null` where nothing was learned. */
type Learned = (index: number, time: number, timeZone: string | undefined) => number | null;

/** Reads the option `legs` or `dwell`. Errors: `option-value`. */
export function readLearned(given: unknown, field: string, count: number | null): Learned | null {
  if (given === undefined || given === null) return null;
  const rows = guarded(field, () => {
    if (!isArray(given) || (count !== null && given.length !== count)) {
      const wanted = `a list of ${count === null ? '' : `${count} `}learned times, as of learnLegs`;
      throw inputError('option-value', field, wanted, isArray(given) ? given.length : given);
    }
    return Array.from(given, (row: unknown, i) => readRow(row, `${field}[${i}]`));
  });
  let clock: LocalClock | null = null;
  return (index, time, timeZone = 'UTC') => {
    const row = rows[index] ?? null;
    if (row === null) return null;
    if (clock?.timeZone !== timeZone) clock = makeClock(timeZone);
    const hour = Math.floor(clock.wallTimeOf(time) / HOUR_MS) % 24;
    return row.hours[(hour + 24) % 24] ?? row.seconds;
  };
}

function readRow(row: unknown, field: string): LearnedSeconds | null {
  if (row === null) return null;
  const { seconds, count, hours } = (row ?? {}) as LearnedSeconds;
  if (!isArray(hours) || hours.length !== 24) {
    throw inputError('option-value', `${field}.hours`, 'a list of 24 hours', hours);
  }
  const read = (value: unknown, at: string): number =>
    readNumber(value, at, 'option-value', 0, CENTURY_SECONDS);
  return {
    seconds: read(seconds, `${field}.seconds`),
    count,
    hours: Array.from(hours, (value, i) => (value === null ? null : read(value, `${field}.hours[${i}]`))),
  };
}

/** A leg of an engine's route: the way from one point of a trip to the next. */
export interface PredictionLeg {
  /** Planned duration in seconds. */
  readonly durationSeconds: number;
  /** The line of the leg, `[lon, lat]` in degrees; at least two positions. */
  readonly geometry: readonly Position[];
}

/** A hundred years. Greater values are taken for mistakes. */
export const MAX_LEG_SECONDS: number = 36_525 * 86_400;

export function readLegs(legs: unknown): Way[] {
  if (!isArray(legs) || legs.length === 0) {
    throw inputError('legs-type', 'legs', 'a list of at least one leg', legs);
  }
  return Array.from(legs as readonly PredictionLeg[], readLeg);
}

export interface Way {
  readonly durationSeconds: number;
  readonly line: readonly Position[];
  /** Metres from each position of the line to its end. */
  readonly metersLeft: readonly number[];
}

function readLeg(leg: PredictionLeg, i: number): Way {
  const field = `legs[${i}]`;
  const { duration, geometry } = guarded(field, () => {
    if (typeof leg !== 'object' || leg === null) {
      throw inputError('leg-invalid', field, 'a leg {durationSeconds, geometry}', leg);
    }
    return { duration: leg.durationSeconds, geometry: leg.geometry };
  });
  const durationSeconds = readNumber(duration, `${field}.durationSeconds`, 'leg-invalid', 0, MAX_LEG_SECONDS);
  if (!isArray(geometry) || geometry.length < 2) {
    const wanted = expected('at least two positions [lon, lat]', geometry);
    throw new WayzoneError('leg-invalid', `${field}.geometry`, wanted);
  }
  const line = readPositions(geometry, `${field}.geometry`);
  const metersLeft = new Array<number>(line.length).fill(0);
  for (let k = line.length - 1; k > 0; k--) {
    const [[aLon, aLat], [bLon, bLat]] = [line[k - 1]!, line[k]!];
    metersLeft[k - 1] = metersLeft[k]! + edgeLength(aLon, aLat, bLon, bLat);
  }
  return { durationSeconds, line, metersLeft };
}

/** The position of a unit relative to a leg. */
export interface BesideLeg {
  /** Metres to the leg's line. */
  readonly meters: number;
  /** Metres along the line from the nearest position to its end. */
  readonly metersLeft: number;
}

export function placeOn({ line, metersLeft }: Way, [lon, lat]: Position): BesideLeg {
  let [meters, edge] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i + 1 < line.length; i++) {
    const [[aLon, aLat], [bLon, bLat]] = [line[i]!, line[i + 1]!];
    const nearer = nearerEdgeDistance(meters, lon, lat, aLon, aLat, bLon, bLat);
    if (nearer < meters) [meters, edge] = [nearer, i];
  }
  const fraction = fractionOf(line[edge]!, line[edge + 1]!, lon, lat);
  const [before, after] = [metersLeft[edge]!, metersLeft[edge + 1]!];
  return { meters, metersLeft: before - fraction * (before - after) };
}

/** The share of a leg that is left, with the way to the leg; above 1 far from it. */
export function shareLeft({ metersLeft: [total] }: Way, place: BesideLeg): number {
  return total === 0 ? 1 : (place.metersLeft + place.meters) / total!;
}

/** The fraction, from 0 to 1, of the position on an edge that is nearest to another position. */
function fractionOf([aLon, aLat]: Position, [bLon, bLat]: Position, lon: number, lat: number): number {
  const shrink = cosLat((Math.max(aLat, bLat) + Math.min(aLat, bLat)) / 2);
  const [x, y] = [lonStep(aLon, bLon) * shrink, bLat - aLat];
  const along = (x * lonStep(aLon, lon) * shrink + y * (lat - aLat)) / (x * x + y * y);
  // An edge without length is nearest at its start.
  return along > 0 ? Math.min(along, 1) : 0;
}
