/**
 * One unit's movement: the state machine that turns fixes, in order of time, into trips, parkings and stops.
 *
 * Each fix either moves or rests. A rest of `minParkMs` is a parking; trips lie between parkings. A trip begins at the last fix at rest
 * before it and ends at the first fix of the parking after it. A jump or a long gap cuts: the state before it is dropped. So a trip
 * depends on its own fixes, on the fix at rest that begins it and on the rest that ends it.
 */

import { lonStep } from '../core/angles.js';
import { decidedDistance, geodesicDistance } from '../geodesy/inverse.js';
import { KPH_PER_METER_PER_MS, UNKNOWN } from './fixReader.js';
import { type MeasuredStep, measureStep, startMileage } from './measureStep.js';
import type { Movement } from './movement.js';
import type { MovementRules } from './movementRules.js';
import { extendStretch, isParking, type Stretch, stretchFrom } from './stretch.js';

/** Metres. A unit at rest on both sides of a gap is asleep if it moved at most so far, as for visits. */
const ASLEEP_METERS = 200;

/** The items that have a beginning and an end. */
export type MovementKind = 'trip' | 'parking' | 'stop';

/** Receives the beginnings of confirmed trips and parkings, and complete trips, parkings and stops, each kind in order of time. */
export interface MovementSink {
  begin(kind: 'trip' | 'parking', stretch: Stretch): void;
  end(kind: MovementKind, stretch: Stretch): void;
}

/** The step to the current fix. */
interface Step extends MeasuredStep {
  time: number;
  lon: number;
  lat: number;
  speedKph: number;
  isMoving: boolean;
  milliseconds: number;
  mileage: number;
  startsTrip: boolean;
}

export class MovementMachine {
  /** Number of jumps that are not faster than `plausibleKph`. */
  plausibleJumps: number = 0;
  readonly rules: MovementRules;
  /** Number of calls of the sink so far. */
  told: number = 0;
  readonly #sink: MovementSink;
  /** Reused for all steps, so that a step allocates nothing. */
  readonly #step: Step = {
    time: 0,
    lon: 0,
    lat: 0,
    meters: 0,
    speedKph: UNKNOWN,
    isMoving: false,
    unmeasured: 0,
    milliseconds: 0,
    mileage: UNKNOWN,
    startsTrip: false,
  };

  constructor(rules: MovementRules, sink: MovementSink) {
    this.rules = rules;
    this.#sink = {
      begin: (kind, stretch) => {
        this.told++;
        sink.begin(kind, stretch);
      },
      end: (kind, stretch) => {
        this.told++;
        sink.end(kind, stretch);
      },
    };
  }

  /**
   * Processes the next fix. Without a speed it gets that of the step to it, unless the step is a jump; without an ignition its speed
   * decides. `mileage` is the fix's value of the field that measures distances: see `mileageOf`.
   */
  next(
    state: Movement,
    time: number,
    lon: number,
    lat: number,
    speedKph: number,
    ignition: number,
    mileage: number,
  ): void {
    const { minSpeedKph, needsIgnition, maxIntervalMs } = this.rules;
    const step = this.#step;
    step.time = time;
    step.lon = lon;
    step.lat = lat;
    step.meters = 0;
    step.speedKph = speedKph;
    let isJump = false;
    if (state.hasFix) {
      if (lon !== state.lon || lat !== state.lat) {
        step.meters = geodesicDistance(state.lon, state.lat, lon, lat);
        isJump = this.#isJump(state, step);
      }
      if (speedKph === UNKNOWN && !isJump) {
        step.speedKph = (step.meters * KPH_PER_METER_PER_MS) / (time - state.time);
      }
    }
    const isFast = step.speedKph !== UNKNOWN && step.speedKph >= minSpeedKph;
    step.isMoving = isFast && !(needsIgnition && ignition === 0);
    if (state.hasFix && (isJump || (time - state.time > maxIntervalMs && !isAsleep(state, step)))) {
      this.end(state);
    }
    if (this.rules.mileage !== 'mileage_GPS') this.#measure(state, step, ignition, mileage);
    if (!state.hasFix) this.#begin(state, step);
    else if (state.trip !== null) this.#onTrip(state, state.trip, step);
    else if (state.rest !== null) this.#fromRest(state, state.rest, step);
    state.hasFix = true;
    state.time = time;
    state.lon = lon;
    state.lat = lat;
    state.speedKph = step.speedKph;
    state.isMoving = step.isMoving;
  }

  #measure(state: Movement, step: Step, ignition: number, mileage: number): void {
    if (!state.hasFix) {
      startMileage(state, ignition, mileage);
      return;
    }
    step.milliseconds = step.time - state.time;
    step.mileage = mileage;
    step.startsTrip = state.trip === null && step.isMoving;
    measureStep(this.rules.mileage, state, step);
    state.ignition = ignition;
  }

  /** Ends the track, or the part before a cut. */
  end(state: Movement): void {
    if (state.trip !== null) this.#endTrip(state, state.trip, state.pause);
    if (state.rest !== null && isParking(state.rest, this.rules)) this.#sink.end('parking', state.rest);
    state.rest = null;
    state.restTold = false;
    state.hasFix = false;
  }

  /**
   * Ends the trip of a unit without a fix until `time`, if no later fix can continue it. The trip ends at its last fix, or at the rest
   * that follows it.
   */
  endBefore(state: Movement, time: number): void {
    const { trip, pause } = state;
    if (trip === null || !state.tripTold || time - state.time <= this.rules.maxIntervalMs) return;
    if (pause === null || time - pause.from >= this.rules.minParkMs) this.#endTrip(state, trip, pause);
  }

  /** The first time at which `endBefore` ends the trip. Infinity without a trip. */
  endsAt({ trip, tripTold, pause, time }: Movement): number {
    if (trip === null || !tripTold) return Number.POSITIVE_INFINITY;
    const parkedAt = pause === null ? Number.NEGATIVE_INFINITY : pause.from + this.rules.minParkMs;
    return Math.max(time + this.rules.maxIntervalMs + 1, parkedAt);
  }

  /** The first fix of the track or after a cut. */
  #begin(state: Movement, step: Step): void {
    const alone = stretchFrom(step.time, step.lon, step.lat, step.speedKph);
    if (step.isMoving) {
      this.#beginTrip(state, alone);
    } else {
      state.rest = alone;
      this.#confirmParking(state, alone);
    }
  }

  /** A fix after others at rest. */
  #fromRest(state: Movement, rest: Stretch, step: Step): void {
    if (step.isMoving) {
      const trip = stretchFrom(state.time, state.lon, state.lat, state.speedKph);
      extendStretch(trip, step, step.meters);
      this.#beginTrip(state, trip);
    } else {
      extendStretch(rest, step, this.rules.pinsParked ? 0 : step.meters);
      this.#confirmParking(state, rest);
    }
  }

  #onTrip(state: Movement, trip: Stretch, step: Step): void {
    const { pause } = state;
    if (pause === null) {
      extendStretch(trip, step, step.meters);
      if (!step.isMoving) state.pause = stretchFrom(step.time, step.lon, step.lat, step.speedKph);
    } else if (step.isMoving) {
      if (state.tripTold) this.#sink.end('stop', pause);
      else state.stops.push(pause);
      extendStretch(trip, step, pause.meters + step.meters);
      trip.unmeasured += pause.unmeasured;
      trip.maxSpeedKph = Math.max(trip.maxSpeedKph, pause.maxSpeedKph);
      state.pause = null;
    } else {
      extendStretch(pause, step, this.rules.pinsParked ? 0 : step.meters);
    }
    this.#confirmTrip(state, trip);
    if (state.pause !== null && isParking(state.pause, this.rules)) {
      this.#endTrip(state, trip, state.pause);
    }
  }

  #beginTrip(state: Movement, trip: Stretch): void {
    state.trip = trip;
    this.#confirmTrip(state, trip);
  }

  /** Confirms the trip once it is long enough. */
  #confirmTrip(state: Movement, trip: Stretch): void {
    if (state.tripTold || !this.#isTrip(trip)) return;
    state.tripTold = true;
    if (state.rest !== null && isParking(state.rest, this.rules)) this.#sink.end('parking', state.rest);
    state.rest = null;
    state.restTold = false;
    this.#sink.begin('trip', trip);
    for (const stop of state.stops) this.#sink.end('stop', stop);
    state.stops = [];
  }

  #confirmParking(state: Movement, rest: Stretch): void {
    if (state.restTold || !isParking(rest, this.rules)) return;
    state.restTold = true;
    this.#sink.begin('parking', rest);
  }

  /** Ends the trip where `pause` begins. A trip that is too short is dropped, and the rests around it become one. */
  #endTrip(state: Movement, trip: Stretch, pause: Stretch | null): void {
    if (state.tripTold) this.#sink.end('trip', trip);
    state.rest = state.tripTold ? pause : this.#joined(state.rest, trip, pause);
    state.trip = null;
    state.pause = null;
    state.stops = [];
    state.tripTold = false;
    if (state.rest !== null) this.#confirmParking(state, state.rest);
  }

  #joined(rest: Stretch | null, trip: Stretch, pause: Stretch | null): Stretch {
    const joined = rest ?? { ...trip, meters: 0, unmeasured: 0 };
    for (const { to, toLon, toLat, meters, maxSpeedKph, unmeasured } of pause === null
      ? [trip]
      : [trip, pause]) {
      joined.to = to;
      joined.toLon = toLon;
      joined.toLat = toLat;
      joined.meters += this.rules.pinsParked ? 0 : meters;
      joined.unmeasured += unmeasured;
      joined.maxSpeedKph = Math.max(joined.maxSpeedKph, maxSpeedKph);
    }
    return joined;
  }

  #isTrip({ from, to, meters }: Stretch): boolean {
    const { minTripMs, minTripMeters, mileageFactor } = this.rules;
    return to - from >= minTripMs && meters * mileageFactor >= minTripMeters;
  }

  #isJump(state: Movement, step: Step): boolean {
    if (Math.abs(lonStep(state.lon, step.lon)) === 180) return true;
    const { maxStepMeters, maxStepKph, plausibleKph } = this.rules;
    // Distances are accurate to far less than a part in a thousand.
    if (step.meters < 0.999 * maxStepMeters) return false;
    const meters = decidedDistance(state.lon, state.lat, step.lon, step.lat, maxStepMeters);
    const milliseconds = step.time - state.time;
    const isJump = meters > maxStepMeters && meters * KPH_PER_METER_PER_MS > maxStepKph * milliseconds;
    if (isJump && meters * KPH_PER_METER_PER_MS <= plausibleKph * milliseconds) this.plausibleJumps++;
    return isJump;
  }
}

/** Whether a unit that rests before the step still rests nearby after it. */
function isAsleep(state: Movement, step: Step): boolean {
  return (
    !state.isMoving &&
    !step.isMoving &&
    decidedDistance(state.lon, state.lat, step.lon, step.lat, ASLEEP_METERS) <= ASLEEP_METERS
  );
}
