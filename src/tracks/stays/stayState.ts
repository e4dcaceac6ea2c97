/** State of a search for stays of a unit: its last fixes by slots of time, and the stay under way. */

import { UNKNOWN, UNKNOWN_IGNITION } from '../fixReader.js';

/** Columns of an entry, which is a row of numbers of a fix. */
export const TIME = 0;
export const LON = 1;
export const LAT = 2;
/** 1 the fix rests, -1 it moves, 0 it says nothing. */
export const WITNESS = 3;
/** 1 if the step to it is a jump. */
export const CUT = 4;
/** Greatest speed since the entry before, km/h: on a way, and in a stay. -1 if no speed is known. */
export const WAY_KPH = 5;
export const STAY_KPH = 6;
/** From here on totals over the steps of a unit: whole numbers, so a difference of two has no error, wherever the track began. */
export const MICROMETERS = 7;
/** Micrometres by position. */
export const STRAIGHT = 8;
/** `STRAIGHT` at the last change of the odometer, and what steps without a reading added since. */
export const CHANGED_AT = 9;
/** Changes of the odometer. */
export const CHANGES = 10;
/** Fixes with a reading finer than 100 m. */
export const FINE = 11;
/** Steps that count by position for want of a mileage. */
export const UNMEASURED = 12;
/** Jumps that may be drives. */
export const JUMPS = 13;
/** Milliseconds of steps that begin with the ignition off. */
export const OFF_MS = 14;
/** Steps that begin with a known ignition. */
export const KNOWN = 15;
/** Steps of a driven unit with the ignition off, and with speeds of a unit at rest: `movement/countClaims.ts`. */
export const OFF_STEPS = 16;
export const REST_STEPS = 17;
/** Fixes that report motion. */
export const MOVING = 18;
export const FIXES = 19;

/** Numbers of an entry. */
export const WIDTH = 20;

/** Further columns of the last fix: its speed as reported (-1 if unknown) and ignition (0 off, 1 on, 255 unknown). */
export const SPEED = 20;
export const IGNITION = 21;
/** The mileage of the last fix, metres; -1 if unknown. */
export const MILEAGE = 31;
/** The last odometer reading of any fix, metres (-1: none); when it changed; and metres by position since a fix without one. */
export const READING = 22;
export const CHANGED_TIME = 23;
export const BEHIND = 24;
/** The run of fixes that claim rest: its claims, where and when it began, its first of `FIXES`, and metres to drive before it is looked at. */
export const RUN_CLAIMS = 25;
export const RUN_TIME = 26;
export const RUN_LON = 27;
export const RUN_LAT = 28;
export const RUN_FIXES = 29;
export const RUN_SLACK = 30;
const LAST_WIDTH = 32;

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
  /** The last fix: a row of `LAST_WIDTH` numbers. Its greatest speeds count from the last entry. */
  last: number[];
  /** The first fix of each slot of time, as rows of `WIDTH` numbers: entry k is in row `k & mask`. */
  recent: number[];
  mask: number;
  /** The entries that are held. The first fix is entry 0. */
  oldest: number;
  newest: number;
  /** The slot of the last entry. */
  slot: number;
  /** Whether the last fix is no entry. */
  isWaiting: boolean;
}

export function noRing(): FixRing {
  const last = numbers(LAST_WIDTH);
  last[WAY_KPH] = last[STAY_KPH] = last[SPEED] = UNKNOWN;
  last[IGNITION] = UNKNOWN_IGNITION;
  last[READING] = last[MILEAGE] = UNKNOWN;
  return {
    last,
    recent: numbers(ROOM * WIDTH),
    mask: ROOM - 1,
    oldest: 0,
    newest: -1,
    slot: 0,
    isWaiting: false,
  };
}

/** Zeros, which the engine stores as doubles from the start. */
function numbers(count: number): number[] {
  const values: number[] = [];
  for (let i = 0; i < count; i++) values.push(0.5);
  return values.fill(0);
}

/** State of a search for stays of a unit. Plain JSON. Entries are numbered as in `FixRing`. */
export interface StayState {
  /** Whether a track is under way: false before the first fix, and after it was closed. */
  isUnderWay: boolean;
  /** Whether silence ended the track at the last fix. */
  isSilent: boolean;
  /** The first entry that is still needed. */
  oldest: number;
  /** The next entry that is not given to the sink. */
  next: number;
  /** The first entry that a stay may contain. */
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

/** Adds the last fix to its slot. Returns whether it is an entry: the first of its slot, or `isMarked`. */
export function addFix(ring: FixRing, slotMs: number, isMarked: boolean): boolean {
  const time = ring.last[TIME]!;
  if (!isMarked && ring.newest >= 0 && time < (ring.slot + 1) * slotMs) {
    ring.isWaiting = true;
    return false;
  }
  ring.slot = Math.floor(time / slotMs);
  addLast(ring);
  return true;
}

/** Makes the last fix an entry. Returns whether it was none. */
export function markLast(ring: FixRing): boolean {
  if (!ring.isWaiting) return false;
  addLast(ring);
  return true;
}

/** Adds the last fix as an entry. */
export function addLast(ring: FixRing): void {
  if (ring.newest - ring.oldest >= ring.mask) makeRoom(ring);
  const { last, recent } = ring;
  const row = rowOf(ring, ++ring.newest);
  // In words: a loop takes twice as long.
  recent[row + TIME] = last[TIME]!;
  recent[row + LON] = last[LON]!;
  recent[row + LAT] = last[LAT]!;
  recent[row + WITNESS] = last[WITNESS]!;
  recent[row + CUT] = last[CUT]!;
  recent[row + WAY_KPH] = last[WAY_KPH]!;
  recent[row + STAY_KPH] = last[STAY_KPH]!;
  recent[row + MICROMETERS] = last[MICROMETERS]!;
  recent[row + STRAIGHT] = last[STRAIGHT]!;
  recent[row + CHANGED_AT] = last[CHANGED_AT]!;
  recent[row + CHANGES] = last[CHANGES]!;
  recent[row + FINE] = last[FINE]!;
  recent[row + UNMEASURED] = last[UNMEASURED]!;
  recent[row + JUMPS] = last[JUMPS]!;
  recent[row + OFF_MS] = last[OFF_MS]!;
  recent[row + KNOWN] = last[KNOWN]!;
  recent[row + OFF_STEPS] = last[OFF_STEPS]!;
  recent[row + REST_STEPS] = last[REST_STEPS]!;
  recent[row + MOVING] = last[MOVING]!;
  recent[row + FIXES] = last[FIXES]!;
  last[WAY_KPH] = last[STAY_KPH] = UNKNOWN;
  ring.isWaiting = false;
}

/** Doubles the entries that are held. */
function makeRoom(ring: FixRing): void {
  const { recent, mask, oldest, newest } = ring;
  ring.mask = 2 * mask + 1;
  ring.recent = numbers((ring.mask + 1) * WIDTH);
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
