/** The way of a unit since its last parking, and what its issues count. */

import type { Mark, Piece } from './piece.js';
import type { TripSums } from './tripSums.js';

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
