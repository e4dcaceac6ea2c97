/** The way of a unit since its last parking: its state, its pieces between cuts, and the sums of a trip (M10, M17, M18). */

import type { MovementRules } from '../movementRules.js';
import type { Ruler } from '../stays/ruler.js';
import {
  CHANGED_AT,
  CHANGES,
  FINE,
  FIXES,
  KNOWN,
  LAT,
  LON,
  MICROMETERS,
  OFF_MS,
  OFF_STEPS,
  REST_STEPS,
  STRAIGHT,
  TIME,
  UNMEASURED,
  WAY_KPH,
  WIDTH,
  WITNESS,
} from '../stays/stayState.js';

/** Trips of this length, micrometres, are compared with the mileage. */
const COMPARED = 1e9;
const [LEAST, MOST] = [0.5, 2];
/** By so many micrometres the readings of a coarse odometer may be off. */
const COARSE = 1e9;

/** Why the time of a track is neither a trip nor a parking. */
export type UnknownReason = 'gap' | 'jump' | 'short' | 'open';

/** A parking that did not end, or a stop. Plain JSON. */
interface Rest {
  from: Mark;
  to: Mark;
  maxKph: number;
}

interface Parking extends Rest {
  lon: number;
  lat: number;
  /** The place of its last dwell, once its stay ended. */
  placeLon: number;
  placeLat: number;
}

/** Counts of the issues of a track. Plain JSON. */
export interface MovementCounts {
  trips: number;
  contradictedTrips: number;
  /** The quotients of these: the least and the greatest. */
  leastQuotient: number;
  mostQuotient: number;
  /** Steps of trips outside stops, and those of them whose speeds, or ignition, rest. */
  steps: number;
  restSteps: number;
  offSteps: number;
  /** Fixes in parkings, and those of them that report motion. */
  parkedFixes: number;
  movingFixes: number;
  unmeasured: number;
  jumps: number;
}

/** The way of a unit since its last parking. Plain JSON. */
export interface WayState {
  /** The last parking. Null as soon as a trip or an unknown time has followed it. */
  parking: Parking | null;
  /** Whether its stay lasts. */
  isParked: boolean;
  piece: Piece | null;
  /** Where the time before the piece begins that is not yet an item. */
  since: Mark | null;
  /** Whether that time holds a jump. */
  isJumped: boolean;
  /** Whether the way has a trip, and whether the piece is one. */
  hasTrip: boolean;
  isTrip: boolean;
  /** Of the whole way. */
  maxKph: number;
  changed: Piece['changed'];
  /** The last fix before a gap, and the first of the rest that ends there; `isOpen`: no fix was known to have left the last stay. */
  closed: Mark | null;
  rested: Mark | null;
  isOpen: boolean;
  /** Stops that are not yet known to be in a trip, and the sums of those of the trip. */
  stops: Rest[];
  stopped: Pick<TripSums, 'micrometers' | 'straight' | 'fixes' | 'restSteps' | 'offSteps'>;
  /** A stop under way. */
  stop: Rest | null;
  /** The piece as far as fixes were read, the next entry, and where it was a trip (-1: nowhere). */
  ahead: Piece | null;
  aheadNext: number;
  longAt: number;
  longLon: number;
  longLat: number;
  counts: MovementCounts;
}

export function noWay(): WayState {
  return {
    parking: null,
    isParked: false,
    piece: null,
    since: null,
    isJumped: false,
    hasTrip: false,
    isTrip: false,
    maxKph: -1,
    changed: null,
    closed: null,
    rested: null,
    isOpen: false,
    stops: [],
    stopped: noStopped(),
    stop: null,
    ahead: null,
    aheadNext: 0,
    longAt: -1,
    longLon: 0,
    longLat: 0,
    counts: {
      trips: 0,
      contradictedTrips: 0,
      leastQuotient: 0,
      mostQuotient: 0,
      steps: 0,
      restSteps: 0,
      offSteps: 0,
      parkedFixes: 0,
      movingFixes: 0,
      unmeasured: 0,
      jumps: 0,
    },
  };
}

export function noStopped(): WayState['stopped'] {
  return { micrometers: 0, straight: 0, fixes: 0, restSteps: 0, offSteps: 0 };
}

/** The numbers of one entry of a search for stays. */
export type Mark = readonly number[];

/** Plain JSON. */
export interface Piece {
  first: Mark;
  /** When its last entry was. */
  lastTime: number;
  /** The first of the entries at its end that rest at one place. */
  rest: Mark | null;
  /** Whether all entries so far rest where the first one, at `startTime`, does: `first` then follows. */
  isLeading: boolean;
  readonly startTime: number;
  /** Whether a fix was `minTripMeters` from the first. */
  isFar: boolean;
  maxKph: number;
  /** Of the first change of the odometer: micrometers counted, and by position. */
  changed: readonly [counted: number, at: number] | null;
}

export function markAt(recent: readonly number[], row: number): number[] {
  return recent.slice(row, row + WIDTH);
}

/** `mayLead`: whether rest at its begin is left out. */
export function pieceFrom(mark: Mark, mayLead: boolean): Piece {
  return {
    first: mark,
    lastTime: mark[TIME]!,
    rest: mark[WITNESS]! > 0 ? mark : null,
    isLeading: mayLead && mark[WITNESS]! > 0,
    startTime: mark[TIME]!,
    isFar: false,
    maxKph: -1,
    changed: null,
  };
}

/** Adds an entry. */
export function growPiece(
  piece: Piece,
  recent: readonly number[],
  row: number,
  rules: MovementRules,
  ruler: Ruler,
): void {
  piece.lastTime = recent[row + TIME]!;
  if (recent[row + WITNESS]! <= 0) piece.rest = null;
  else if (piece.rest === null || metersTo(piece.rest, recent, row, ruler) > rules.stayMeters)
    piece.rest = markAt(recent, row);
  if (piece.isLeading) {
    if (piece.rest?.[TIME] === piece.startTime) {
      piece.first = markAt(recent, row);
      return;
    }
    piece.isLeading = false;
  }
  if (recent[row + WAY_KPH]! > piece.maxKph) piece.maxKph = recent[row + WAY_KPH]!;
  if (!piece.isFar) piece.isFar = metersTo(piece.first, recent, row, ruler) >= rules.minTripMeters;
  if (piece.changed === null && recent[row + CHANGES]! > piece.first[CHANGES]!)
    piece.changed = [recent[row + MICROMETERS]!, recent[row + CHANGED_AT]!];
}

/** Whether the piece is a trip if no stay follows: the rest at its end is left out. */
export function isTrip({ first, isFar, rest, lastTime }: Piece, rules: MovementRules): boolean {
  return isFar && isLong((rest === null ? lastTime : rest[TIME]!) - first[TIME]!, rules);
}

/** Whether the piece is a trip if it ends at an entry. */
export function isTripUntil({ first, isFar }: Piece, end: Mark, rules: MovementRules): boolean {
  return isFar && isLong(end[TIME]! - first[TIME]!, rules);
}

/** Every trip lasts some time, even if the settings allow 0. */
function isLong(milliseconds: number, { minTripMs }: MovementRules): boolean {
  return milliseconds > 0 && milliseconds >= minTripMs;
}

function metersTo(mark: Mark, recent: readonly number[], row: number, ruler: Ruler): number {
  return ruler.meters(mark[LON]!, mark[LAT]!, recent[row + LON]!, recent[row + LAT]!);
}

export interface TripSums {
  /** As the settings measure, without the coefficient, and by position. */
  micrometers: number;
  straight: number;
  /** Mileage divided by the distance by position. */
  quotient: number;
  unmeasured: number;
  /** `null` without an ignition. */
  offSeconds: number | null;
  /** Steps outside stops. */
  fixes: number;
  restSteps: number;
  offSteps: number;
}

/** Whether the mileage of a trip contradicts its positions. */
export function isContradicted({ quotient }: Pick<TripSums, 'quotient'>): boolean {
  return quotient < LEAST || quotient > MOST;
}

/** `stopped`: the sums of its stops. */
export function tripSums(
  from: Mark,
  to: Mark,
  changed: Piece['changed'],
  stopped: Pick<TripSums, 'micrometers' | 'straight' | 'fixes' | 'restSteps' | 'offSteps'>,
  rules: MovementRules,
): TripSums {
  const sum = (column: number): number => to[column]! - from[column]!;
  // A run of claims is counted where it ends, with steps of before the trip, or of a stop.
  const fixes = sum(FIXES) - stopped.fixes;
  const straight = sum(STRAIGHT);
  const counted = sum(MICROMETERS);
  const isReading = rules.mileage === 'mileage_mileage_sensor';
  const isCoarse = isReading && sum(FINE) === 0;
  const quotient =
    (isReading || rules.mileage === 'mileage_relative_mileage') && straight >= COMPARED
      ? quotientOf(counted, straight, isCoarse ? COARSE : 0)
      : 1;
  let micrometers = counted;
  let still = stopped.micrometers;
  if (isContradicted({ quotient }) || (isCoarse && changed === null)) {
    micrometers = straight;
    still = stopped.straight;
  } else if (isCoarse && changed !== null) {
    // From the first change to the last by the readings, before and after by position.
    const [first, at] = changed;
    micrometers = at - from[STRAIGHT]! + (to[MICROMETERS]! - first) + (to[STRAIGHT]! - to[CHANGED_AT]!);
  }
  return {
    micrometers: rules.pinsParked ? Math.max(0, micrometers - still) : micrometers,
    straight,
    quotient,
    unmeasured: sum(UNMEASURED),
    offSeconds: sum(KNOWN) === 0 ? null : sum(OFF_MS) / 1000,
    fixes,
    restSteps: between(0, sum(REST_STEPS) - stopped.restSteps, fixes),
    offSteps: between(0, sum(OFF_STEPS) - stopped.offSteps, fixes),
  };
}

function between(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

/** The quotient of the mileage, with the doubt in its favour. */
function quotientOf(counted: number, straight: number, doubt: number): number {
  const quotient = counted / straight;
  if (quotient < LEAST && counted + doubt >= LEAST * straight) return LEAST;
  if (quotient > MOST && counted - doubt <= MOST * straight) return MOST;
  return quotient;
}
