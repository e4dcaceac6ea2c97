/** What a search for stays remembers of a unit: its last fixes by slots of time, and the stay under way. */

import { UNKNOWN_IGNITION } from '../fixReader.js';

/** Columns of an entry of `StayState.recent`. */
export const TIME = 0;
export const LON = 1;
export const LAT = 2;
/** 1 the fix rests, -1 it moves, 0 it says nothing. */
export const WITNESS = 3;
/** 1 if the step to it is a jump. */
export const CUT = 4;
/** The greatest speeds since the entry before, km/h; -1 if none is known: on a way, and in a stay. */
export const WAY_KPH = 5;
export const STAY_KPH = 6;
/** The first of the totals. */
export const TOTALS = 7;

/**
 * Totals over the steps of a unit up to a fix. All are whole numbers, so a difference of two has no error, wherever the track began. Plain JSON.
 */
export interface Totals {
  /** As the settings measure, without the coefficient. */
  micrometers: number;
  /** By position. */
  straight: number;
  /** Steps that count by position for want of a mileage. */
  unmeasured: number;
  /** Milliseconds of steps that begin with the ignition off. */
  offMs: number;
  /** Steps longer than a place with the ignition off at both ends. */
  offSteps: number;
  /** Fast steps longer than a place between speeds of rest. */
  restSteps: number;
  /** Fixes that report motion. */
  moving: number;
  fixes: number;
  /** Steps that begin with a known ignition. */
  known: number;
}

export function noTotals(): Totals {
  return {
    micrometers: 0,
    straight: 0,
    unmeasured: 0,
    offMs: 0,
    offSteps: 0,
    restSteps: 0,
    moving: 0,
    fixes: 0,
    known: 0,
  };
}

/** Numbers of an entry. */
export const WIDTH: number = TOTALS + 9;
/** Entries for which there is room at first: a power of 2. */
const ROOM = 16;

/** Plain JSON. Entries are numbered from the first one of the unit. */
export interface StayState {
  hasFix: boolean;
  /** Whether silence ended the track at the last fix. */
  isSilent: boolean;
  /** The last fix. */
  time: number;
  lon: number;
  lat: number;
  witness: number;
  /** As reported; -1 if unknown. */
  speedKph: number;
  /** The first fix of each slot of time, as rows of `WIDTH` numbers: entry k is in row `k & mask`. */
  recent: number[];
  mask: number;
  /** The entries that are held. */
  oldest: number;
  newest: number;
  /** The slot of the last entry. */
  slot: number;
  /** Whether the last fix is no entry, and the greatest speeds since the last entry. */
  isWaiting: boolean;
  wayKph: number;
  stayKph: number;
  /** The next entry that is not given to the sink. */
  next: number;
  /** The first entry of which a stay may be made. */
  since: number;
  /** When a window was last found not quiet, in turns. */
  turn: number;
  /** The first entry of the window, while no stay is under way. */
  first: number;
  /** Whether a stay is under way, and whether its begin was given to the sink. */
  isStay: boolean;
  isTold: boolean;
  /** Its place. */
  centreLon: number;
  centreLat: number;
  /** Its begin, and its first fix at the place. */
  begin: number;
  beginTime: number;
  origin: number;
  /** Its last entry in the place. */
  last: number;
  /** Whether fixes after that are outside; when the first of them was. */
  isOut: boolean;
  outTime: number;
  /** The first entry of them. */
  out: number;
  /** Of the steps since the place was left: metres, metres by the reported speeds (-1 if one is unknown), greatest distance, and whether all fixes rest. */
  outMeters: number;
  outBySpeed: number;
  outFarthest: number;
  outRests: boolean;
}

export function noStayState(): StayState {
  return {
    hasFix: false,
    isSilent: false,
    time: 0,
    lon: 0,
    lat: 0,
    witness: 0,
    speedKph: -1,
    // No whole numbers, so that the engine stores doubles from the start.
    recent: new Array<number>(ROOM * WIDTH).fill(0.5),
    mask: ROOM - 1,
    oldest: 0,
    newest: -1,
    slot: 0,
    isWaiting: false,
    wayKph: -1,
    stayKph: -1,
    next: 0,
    since: 0,
    turn: -1,
    first: 0,
    isStay: false,
    isTold: false,
    centreLon: 0,
    centreLat: 0,
    begin: 0,
    beginTime: 0,
    origin: 0,
    last: 0,
    isOut: false,
    outTime: 0,
    out: 0,
    outMeters: 0,
    outBySpeed: 0,
    outFarthest: 0,
    outRests: false,
  };
}

/** The first number of an entry. */
export function rowOf(state: StayState, entry: number): number {
  return (entry & state.mask) * WIDTH;
}

/** Adds an entry. */
export function pushEntry(
  state: StayState,
  time: number,
  lon: number,
  lat: number,
  witness: number,
  cut: number,
  wayKph: number,
  stayKph: number,
  totals: Totals,
): void {
  if (state.newest - state.oldest === state.mask) enlarge(state);
  state.newest++;
  const { recent } = state;
  const row = rowOf(state, state.newest);
  recent[row + TIME] = time;
  recent[row + LON] = lon;
  recent[row + LAT] = lat;
  recent[row + WITNESS] = witness;
  recent[row + CUT] = cut;
  recent[row + WAY_KPH] = wayKph;
  recent[row + STAY_KPH] = stayKph;
  recent[row + TOTALS] = totals.micrometers;
  recent[row + TOTALS + 1] = totals.straight;
  recent[row + TOTALS + 2] = totals.unmeasured;
  recent[row + TOTALS + 3] = totals.offMs;
  recent[row + TOTALS + 4] = totals.offSteps;
  recent[row + TOTALS + 5] = totals.restSteps;
  recent[row + TOTALS + 6] = totals.moving;
  recent[row + TOTALS + 7] = totals.fixes;
  recent[row + TOTALS + 8] = totals.known;
}

/** Twice the room. */
function enlarge(state: StayState): void {
  const { recent, mask, oldest, newest } = state;
  state.mask = 2 * mask + 1;
  state.recent = new Array<number>(2 * recent.length).fill(0.5);
  for (let entry = oldest; entry <= newest; entry++) {
    const [from, to] = [(entry & mask) * WIDTH, (entry & state.mask) * WIDTH];
    for (let k = 0; k < WIDTH; k++) state.recent[to + k] = recent[from + k]!;
  }
}

/** The witness of a fix: 1 it rests, -1 it moves, 0 it says nothing. */
export function witnessOf(
  speedKph: number,
  ignition: number,
  minSpeedKph: number,
  needsIgnition: boolean,
): number {
  if (needsIgnition && ignition !== UNKNOWN_IGNITION && ignition === 0) return 1;
  if (speedKph < 0) return 0;
  return speedKph < minSpeedKph ? 1 : -1;
}
