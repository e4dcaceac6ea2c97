/** One unit's movement, fix by fix: two searches for stays, of parkings and of stops, and the ways between. State is plain JSON. */

import type { CleanFix } from '../fixReader.js';
import type { MovementRules } from '../movementRules.js';
import { QuietWindow } from '../stays/quietWindow.js';
import { StayMachine, type StayRules } from '../stays/stayMachine.js';
import {
  addFix,
  type FixRing,
  keepLast,
  markLast,
  noRing,
  noStayState,
  noTotals,
  type StayState,
  slotOf,
  type Totals,
} from '../stays/stayState.js';
import { type LastMileage, noMileage, StepTotals } from './stepTotals.js';
import { noWay, WayMachine, type WaySink, type WayState } from './wayMachine.js';

/** The movement of a unit. Plain JSON. */
export interface Movement {
  readonly ring: FixRing;
  readonly mileage: LastMileage;
  readonly totals: Totals;
  readonly parkings: StayState;
  readonly stops: StayState;
  readonly way: WayState;
}

export function noMovement(): Movement {
  return {
    ring: noRing(),
    mileage: noMileage(),
    totals: noTotals(),
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
  readonly #longMs: number;
  readonly #slotMs: number;

  constructor(rules: MovementRules, sink: WaySink) {
    this.rules = rules;
    this.#steps = new StepTotals(rules);
    this.#way = new WayMachine(rules, sink);
    const window = new QuietWindow();
    this.#parkings = new StayMachine(stayRules(rules, rules.minParkMs), this.#way, window);
    this.#stops =
      rules.minStopMs < rules.minParkMs
        ? new StayMachine(stayRules(rules, rules.minStopMs), this.#way.stopSink, window)
        : null;
    this.#longMs = (this.#stops ?? this.#parkings).longMs;
    this.#slotMs = Math.min(slotOf(this.#parkings.rules.dwellMs), rules.minStopMs / STOP_SLOTS);
  }

  /** Processes the next fix. */
  next(state: Movement, fix: CleanFix): void {
    const { ring, mileage, totals, parkings, stops, way } = state;
    const step = this.#steps.fix;
    this.#way.state = way;
    this.#steps.read(ring, mileage, fix);
    const isMarked = step.cut === 1 || (ring.hasFix && fix.time - ring.time >= this.#longMs);
    if (isMarked) this.#mark(state);
    this.#steps.add(ring, mileage, fix, totals);
    const isEntry = addFix(ring, step, this.#slotMs, isMarked, totals);
    if (this.#stops === null) stops.isUnderWay = false;
    else this.#stops.next(stops, ring, step, isEntry);
    this.#parkings.next(parkings, ring, step, isEntry);
    if (way.piece !== null && !way.isTrip && isEntry) this.#way.lookAhead(this.#parkings, parkings, ring);
    if (isEntry)
      ring.oldest = this.#stops === null ? parkings.oldest : Math.min(parkings.oldest, stops.oldest);
    keepLast(ring, step);
  }

  /** No fix came until `time`: a trip under way ends at its last fix if that is too long. */
  silence(state: Movement, time: number): void {
    if (time < this.silentAt(state)) return;
    this.#way.state = state.way;
    this.#mark(state);
    this.#stops?.silence(state.stops, state.ring);
    this.#parkings.silence(state.parkings, state.ring);
  }

  /** The first time at which `silence` changes the state. Infinity: at none. */
  silentAt({ ring, parkings }: Movement): number {
    const isEnding = parkings.isUnderWay && !(parkings.isStay && (parkings.isTold || parkings.isOut));
    return isEnding ? ring.time + this.rules.maxIntervalMs + 1 : Number.POSITIVE_INFINITY;
  }

  /** The end of the track. */
  end(state: Movement): void {
    this.#way.state = state.way;
    this.#mark(state);
    this.#stops?.close(state.stops, state.ring);
    this.#parkings.close(state.parkings, state.ring);
    this.#way.finish();
  }

  /** Makes the last fix an entry. */
  #mark({ ring, totals, parkings, stops }: Movement): void {
    if (!markLast(ring, totals)) return;
    this.#stops?.marked(stops, ring);
    this.#parkings.marked(parkings, ring);
  }
}

/** The least dwell: fewer seconds are no evidence of rest. */
const LEAST_DWELL_MS = 30_000;
const LEAST_RADIUS_METERS = 15;

/** M5: a place is at most `stayMeters` wide, and at most half of what the least speed covers in the dwell. */
function stayRules(rules: MovementRules, milliseconds: number): StayRules {
  const dwellMs = Math.max(LEAST_DWELL_MS, milliseconds);
  const half = ((rules.minSpeedKph * dwellMs) / 7_200_000) * 1000;
  return {
    dwellMs,
    radiusMeters: Math.max(LEAST_RADIUS_METERS, Math.min(rules.stayMeters, half)),
    leaveMeters: rules.minTripMeters,
    minSpeedKph: rules.minSpeedKph,
    sleepMeters: rules.maxStepMeters,
    maxGapMs: rules.maxIntervalMs,
    endsBySilence: true,
  };
}
