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

/**
 * Totals over the steps of a unit up to a fix. All are whole numbers, so a difference of two has no error, wherever the track began. Plain JSON.
 */
export interface Totals {
  /** Distance as the settings measure, without the coefficient. */
  micrometers: number;
  /** Distance by position. */
  straight: number;
  /** `straight` at the last change of the odometer, and what steps without a reading added since. */
  changedAt: number;
  /** Changes of the odometer. */
  changes: number;
  /** Fixes with a reading finer than 100 m. */
  fine: number;
  /** Steps that count by position for want of a mileage. */
  unmeasured: number;
  /** Jumps that may be drives. */
  jumps: number;
  /** Milliseconds of steps that begin with the ignition off. */
  offMs: number;
  /** Steps that begin with a known ignition. */
  known: number;
  /** Steps longer than a place with the ignition off at both ends. */
  offSteps: number;
  /** Fast steps longer than a place between speeds of rest. */
  restSteps: number;
  /** Fixes that report motion. */
  moving: number;
  fixes: number;
}

/** Columns of the totals of an entry. */
export const MICROMETERS = 7;
export const STRAIGHT = 8;
export const CHANGED_AT = 9;
export const CHANGES = 10;
export const FINE = 11;
export const UNMEASURED = 12;
export const JUMPS = 13;
export const OFF_MS = 14;
export const KNOWN = 15;
export const OFF_STEPS = 16;
export const REST_STEPS = 17;
export const MOVING = 18;
export const FIXES = 19;

export function noTotals(): Totals {
  return {
    micrometers: 0,
    straight: 0,
    changedAt: 0,
    changes: 0,
    fine: 0,
    unmeasured: 0,
    jumps: 0,
    offMs: 0,
    known: 0,
    offSteps: 0,
    restSteps: 0,
    moving: 0,
    fixes: 0,
  };
}

/** Numbers of an entry. */
export const WIDTH = 20;
/** Slots of a dwell, and the least one. */
const SLOTS = 60;
const MIN_SLOT_MS = 2000;

/** Milliseconds of a slot, of which the first fix is an entry. */
export function slotOf(dwellMs: number): number {
  return Math.max(dwellMs / SLOTS, MIN_SLOT_MS);
}

/** Entries for which there is room at first: a power of 2. */
const ROOM = 1;

/** The last fixes of a unit, by which stays are found. Plain JSON. Entries are numbered from the first one of the unit. */
export interface FixRing {
  hasFix: boolean;
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
}

export function noRing(): FixRing {
  return {
    hasFix: false,
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
  };
}

/** What a search for stays knows of a unit. Plain JSON. Entries are those of a ring. */
export interface StayState {
  /** Whether a track is under way: false before the first fix, and after it was closed. */
  isUnderWay: boolean;
  /** Whether silence ended the track at the last fix. */
  isSilent: boolean;
  /** The first entry that is still needed. */
  oldest: number;
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
    isUnderWay: false,
    isSilent: false,
    oldest: 0,
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
export function rowOf(ring: FixRing, entry: number): number {
  return (entry & ring.mask) * WIDTH;
}

/** Adds a fix to its slot. Returns whether it is an entry: the first of its slot, or `isMarked`. `keepLast` follows. */
export function addFix(
  ring: FixRing,
  fix: RingFix,
  slotMs: number,
  isMarked: boolean,
  totals: Totals,
): boolean {
  const slot = Math.floor(fix.time / slotMs);
  if (slot === ring.slot && !isMarked && ring.hasFix) {
    if (fix.wayKph > ring.wayKph) ring.wayKph = fix.wayKph;
    if (fix.stayKph > ring.stayKph) ring.stayKph = fix.stayKph;
    ring.isWaiting = true;
    return false;
  }
  ring.slot = slot;
  pushEntry(ring, fix, fix.cut, totals);
  return true;
}

/** A fix, and the step to it. */
export interface RingFix {
  time: number;
  lon: number;
  lat: number;
  /** 1 it rests, -1 it moves, 0 it says nothing. */
  witness: number;
  /** As reported; -1 if unknown. */
  speedKph: number;
  /** Speed of the step on a way, and in a stay; -1 if unknown. */
  wayKph: number;
  stayKph: number;
  /** 1 if the step to it is a jump. */
  cut: number;
}

/** Makes the last fix an entry. Returns whether it was none. */
export function markLast(ring: FixRing, totals: Totals): boolean {
  if (!ring.isWaiting) return false;
  pushEntry(ring, ring, 0, totals);
  return true;
}

export function keepLast(ring: FixRing, { time, lon, lat, witness, speedKph }: RingFix): void {
  ring.hasFix = true;
  ring.time = time;
  ring.lon = lon;
  ring.lat = lat;
  ring.witness = witness;
  ring.speedKph = speedKph;
}

function pushEntry(ring: FixRing, fix: Omit<RingFix, 'cut'>, cut: number, totals: Totals): void {
  if (ring.newest - ring.oldest === ring.mask) enlarge(ring);
  ring.newest++;
  const { recent } = ring;
  const row = rowOf(ring, ring.newest);
  recent[row + TIME] = fix.time;
  recent[row + LON] = fix.lon;
  recent[row + LAT] = fix.lat;
  recent[row + WITNESS] = fix.witness;
  recent[row + CUT] = cut;
  recent[row + WAY_KPH] = Math.max(fix.wayKph, ring.wayKph);
  recent[row + STAY_KPH] = Math.max(fix.stayKph, ring.stayKph);
  ring.isWaiting = false;
  ring.wayKph = ring.stayKph = -1;
  recent[row + MICROMETERS] = totals.micrometers;
  recent[row + STRAIGHT] = totals.straight;
  recent[row + CHANGED_AT] = totals.changedAt;
  recent[row + CHANGES] = totals.changes;
  recent[row + FINE] = totals.fine;
  recent[row + UNMEASURED] = totals.unmeasured;
  recent[row + JUMPS] = totals.jumps;
  recent[row + OFF_MS] = totals.offMs;
  recent[row + KNOWN] = totals.known;
  recent[row + OFF_STEPS] = totals.offSteps;
  recent[row + REST_STEPS] = totals.restSteps;
  recent[row + MOVING] = totals.moving;
  recent[row + FIXES] = totals.fixes;
}

/** Twice the room. */
function enlarge(ring: FixRing): void {
  const { recent, mask, oldest, newest } = ring;
  ring.mask = 2 * mask + 1;
  ring.recent = new Array<number>(2 * recent.length).fill(0.5);
  for (let entry = oldest; entry <= newest; entry++) {
    const [from, to] = [(entry & mask) * WIDTH, (entry & ring.mask) * WIDTH];
    for (let k = 0; k < WIDTH; k++) ring.recent[to + k] = recent[from + k]!;
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
