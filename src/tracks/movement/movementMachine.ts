/** One unit's movement, fix by fix: two searches for stays, of parkings and of stops, and the ways between. State is plain JSON. */

import type { CleanFix } from '../fixReader.js';
import type { MovementRules } from '../movementRules.js';
import { placeRadius } from '../stays/placeRadius.js';
import { QuietWindow } from '../stays/quietWindow.js';
import { StayMachine } from '../stays/stayMachine.js';
import type { FixColumns, StayRules } from '../stays/stayRules.js';
import {
  type FixRing,
  LAT,
  LON,
  MILEAGE,
  markLast,
  noRing,
  noStayState,
  SPEED,
  type StayState,
  slotOf,
  TIME,
} from '../stays/stayState.js';
import { BLOCK, ENTRY, StepTotals } from './stepTotals.js';
import { WayMachine, type WaySink } from './wayMachine.js';
import { noWay, type WayState } from './wayState.js';

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
