/** One unit's movement, fix by fix: two searches for stays, of parkings and of stops, and the ways between. State is plain JSON. */

import type { CleanFix } from '../fixReader.js';
import type { MovementRules } from '../movementRules.js';
import { QuietWindow } from '../stays/quietWindow.js';
import { StayMachine } from '../stays/stayMachine.js';
import { type FixColumns, placeRadius, type StayRules } from '../stays/stayRules.js';
import {
  type FixRing,
  LAT,
  LON,
  MILEAGE,
  markLast,
  noRing,
  noStayState,
  rowOf,
  SPEED,
  type StayState,
  slotOf,
  TIME,
  WIDTH,
} from '../stays/stayState.js';
import { BLOCK, ENTRY, StepTotals } from './stepTotals.js';
import { WayMachine, type WaySink } from './wayMachine.js';
import { noWay, type WayState } from './wayState.js';

/** Entries that one fix may add: itself, and the one before. */
const MOST_ADDED = 2;

/** The movement of a unit. Plain JSON. */
export interface Movement {
  readonly ring: FixRing;
  readonly parkings: StayState;
  readonly stops: StayState;
  readonly way: WayState;
}

export function noMovement(): Movement {
  return {
    ring: noRing(),
    parkings: noStayState(),
    stops: noStayState(),
    way: noWay(),
  };
}

/** A stop has at least so many slots. */
const STOP_SLOTS = 12;

export class MovementMachine {
  readonly rules: MovementRules;
  readonly #steps: StepTotals;
  readonly #way: WayMachine;
  readonly #parkings: StayMachine;
  /** `null`: a stop would be a parking. */
  readonly #stops: StayMachine | null;
  /** The last two fixes of a unit. */
  readonly #pair = twoFixes();

  constructor(rules: MovementRules, sink: WaySink) {
    this.rules = rules;
    this.#way = new WayMachine(rules, sink);
    const window = new QuietWindow();
    this.#parkings = new StayMachine(stayRules(rules, rules.minParkMs), this.#way, window);
    this.#stops =
      rules.minStopMs < rules.minParkMs
        ? new StayMachine(stayRules(rules, rules.minStopMs), this.#way.stopSink, window)
        : null;
    const slotMs = Math.min(slotOf(this.#parkings.rules.dwellMs), rules.minStopMs / STOP_SLOTS);
    this.#steps = new StepTotals(rules, slotMs, (this.#stops ?? this.#parkings).longMs);
  }

  /** Takes the next fix. */
  next(state: Movement, fix: CleanFix): void {
    const pair = this.#pair;
    const { last } = state.ring;
    const i = state.ring.newest < 0 ? 0 : 1;
    pair.time[0] = last[TIME]!;
    pair.lon[0] = last[LON]!;
    pair.lat[0] = last[LAT]!;
    pair.speedKph[0] = last[SPEED]!;
    pair.mileageMeters[0] = last[MILEAGE]!;
    pair.time[i] = fix.time;
    pair.lon[i] = fix.lon;
    pair.lat[i] = fix.lat;
    pair.speedKph[i] = fix.speedKph;
    pair.ignition[i] = fix.ignition;
    pair.mileageMeters[i] = fix.mileageMeters;
    pair.mileageDeltaMeters[i] = fix.mileageDeltaMeters;
    this.run(state, pair, i, i + 1);
    last[MILEAGE] = fix.mileageMeters;
  }

  /** Takes the fixes `from` to before `to`, which follow those before `from`. */
  run(state: Movement, fixes: FixColumns, from: number, to: number): void {
    const { ring, parkings, stops, way } = state;
    this.#way.state = way;
    this.#parkings.attach(ring, fixes);
    this.#stops?.attach(ring, fixes);
    for (let i = from; i < to; i++) {
      if ((i - from) % BLOCK === 0) this.#steps.measure(fixes, i, Math.min(to, i + BLOCK));
      const change = this.#steps.add(ring, fixes, i);
      if (change > ENTRY) this.#mark(state);
      // On a way a search reads entries alone.
      if (change === 0 && !parkings.isStay && !stops.isStay) continue;
      const isEntry = (change & ENTRY) !== 0;
      this.#find(state, i, isEntry);
      if (!isEntry) continue;
      if (way.piece !== null && !way.isTrip) this.#way.lookAhead(this.#parkings, parkings, ring);
      ring.oldest = stops.isUnderWay ? Math.min(parkings.oldest, stops.oldest) : parkings.oldest;
    }
  }

  /** Searches stays up to fix `i`. */
  #find({ parkings, stops, way }: Movement, i: number, isEntry: boolean): void {
    // Within a parking no stop is searched.
    if (isAtPlace(parkings)) {
      this.#parkings.next(parkings, i, isEntry);
      if (!isAtPlace(parkings)) this.#stops?.goOn(stops, parkings, i, isEntry);
      return;
    }
    this.#stops?.next(stops, i, isEntry);
    this.#parkings.next(parkings, i, isEntry);
    if (isAtPlace(parkings)) {
      stops.isUnderWay = stops.isSilent = stops.isStay = false;
      way.stop = null;
    }
  }

  /** No fix came until `time`: a trip under way ends at its last fix if that is too long. */
  silence(state: Movement, time: number): void {
    if (time < this.silentAt(state)) return;
    this.#way.state = state.way;
    this.#markLast(state);
    this.#stops?.silence(state.stops, state.ring);
    this.#parkings.silence(state.parkings, state.ring);
  }

  /** The first time at which `silence` changes the state. Infinity: at none. */
  silentAt({ ring, parkings }: Movement): number {
    const isEnding = parkings.isUnderWay && !(parkings.isStay && (parkings.isTold || parkings.isOut));
    return isEnding ? ring.last[TIME]! + this.rules.maxIntervalMs + 1 : Number.POSITIVE_INFINITY;
  }

  /** The end of the track. */
  end(state: Movement): void {
    this.#way.state = state.way;
    this.#markLast(state);
    this.#stops?.close(state.stops, state.ring);
    this.#parkings.close(state.parkings, state.ring);
    this.#way.finish();
  }

  /** Makes the last fix an entry. */
  #markLast(state: Movement): void {
    if (markLast(state.ring)) this.#mark(state);
  }

  /** The fix before became an entry. */
  #mark({ ring, parkings, stops }: Movement): void {
    this.#stops?.marked(stops, ring);
    this.#parkings.marked(parkings, ring);
  }
}

/** Whether the unit is in a parking that was emitted. */
function isAtPlace({ isStay, isTold, isOut }: StayState): boolean {
  return isStay && isTold && !isOut;
}

/** The least dwell: fewer seconds are no evidence of rest. */
const LEAST_DWELL_MS = 30_000;

function stayRules(rules: MovementRules, milliseconds: number): StayRules {
  const dwellMs = Math.max(LEAST_DWELL_MS, milliseconds);
  return {
    dwellMs,
    radiusMeters: placeRadius(rules.minSpeedKph, dwellMs, rules.stayMeters),
    leaveMeters: rules.minTripMeters,
    minSpeedKph: rules.minSpeedKph,
    needsIgnition: rules.needsIgnition,
    sleepMeters: rules.maxStepMeters,
    maxGapMs: rules.maxIntervalMs,
    endsBySilence: true,
  };
}

function twoFixes() {
  return {
    time: new Float64Array(2),
    lon: new Float64Array(2),
    lat: new Float64Array(2),
    speedKph: new Float64Array(2),
    ignition: new Uint8Array(2),
    mileageMeters: new Float64Array(2),
    mileageDeltaMeters: new Float64Array(2),
  };
}

/**
 * The movement at an earlier fix, to which it may return. It shares the rows of the ring as long as none of them is overwritten: a copy of all at
 * each place would cost more than all else. Plain JSON.
 */
export interface MovementAtPlace extends Omit<Movement, 'ring'> {
  readonly ring: Omit<FixRing, 'recent'>;
  /** The entries of the ring; `null`: they are still in that of the unit. */
  rows: number[] | null;
  /** The stops of the way, whose list is shared with that of the unit: later ones follow them. */
  readonly stopCount: number;
}

/** The movement as it is. */
export function movementNow({ ring, parkings, stops, way }: Movement): MovementAtPlace {
  const { last, mask, oldest, newest, slot, isWaiting } = ring;
  return {
    ring: { last: last.slice(), mask, oldest, newest, slot, isWaiting },
    rows: null,
    parkings: { ...parkings },
    stops: { ...stops },
    way: copyOfWay(way),
    stopCount: way.stops.length,
  };
}

/** Copies the rows before the next fix may overwrite one. To be called before each fix. */
export function keepRows(saved: MovementAtPlace, ring: FixRing): void {
  if (saved.rows !== null) return;
  const { oldest, newest } = saved.ring;
  const added = ring.newest + MOST_ADDED;
  if (added - Math.min(oldest, ring.oldest) > ring.mask) saved.rows = rowsBetween(ring, oldest, newest);
}

/** The saved movement, which must not be used any more. `ring`: that of the unit. */
export function movementAt(
  { ring: saved, rows, parkings, stops, way, stopCount }: MovementAtPlace,
  ring: FixRing,
): Movement {
  const recent = rows === null ? ring.recent : new Array<number>((saved.mask + 1) * WIDTH).fill(0.5).fill(0);
  const restored: FixRing = { ...saved, recent };
  if (rows !== null)
    for (let entry = saved.oldest; entry <= saved.newest; entry++) {
      const [from, to] = [(entry - saved.oldest) * WIDTH, rowOf(restored, entry)];
      for (let k = 0; k < WIDTH; k++) recent[to + k] = rows[from + k]!;
    }
  return { ring: restored, parkings, stops, way: { ...way, stops: way.stops.slice(0, stopCount) } };
}

function rowsBetween(ring: FixRing, from: number, to: number): number[] {
  const rows: number[] = [];
  for (let entry = from; entry <= to; entry++) {
    const row = rowOf(ring, entry);
    for (let k = 0; k < WIDTH; k++) rows.push(ring.recent[row + k]!);
  }
  return rows;
}

/** Marks are never changed, and stops are only added to their list, so that copies share them. */
function copyOfWay(way: WayState): WayState {
  const { parking, piece, stopped, stop, ahead, counts } = way;
  return {
    ...way,
    parking: parking && { ...parking },
    piece: piece && { ...piece },
    stopped: { ...stopped },
    stop: stop && { ...stop },
    ahead: ahead && { ...ahead },
    counts: { ...counts },
  };
}
