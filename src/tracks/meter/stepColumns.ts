/** The measured steps of a whole track in columns. */

import { lonStep } from '../../core/angles.js';
import type { Track } from '../../core/fix.js';
import { decidedDistance, geodesicDistance } from '../../geodesy/distanceMeters.js';
import { blindStep, isGapStep, SEEN } from '../blindStep.js';
import { KPH_PER_METER_PER_MS, UNKNOWN } from '../fixReader.js';
import { mileageColumn } from '../mileageColumn.js';
import {
  GAP,
  IDLING,
  ignitionAt,
  isDriven,
  isFartherThan,
  isMovingAt,
  kindAtRest,
  kindOfStep,
  type MeterRules,
  MOVING,
  noMeterState,
  SLEEP,
  StepMeter,
  speedAt,
} from './stepMeter.js';

/** Step `i` leads from fix `i` to fix `i + 1`. */
export interface SteppedTrack {
  readonly length: number;
  /** Epoch milliseconds of the fixes. */
  readonly time: Float64Array;
  /** Reported speeds of the fixes, -1 if unknown; null if none is known. */
  readonly speedKph: Float64Array | null;
  /** `StepKind` of the steps. */
  readonly kind: Uint8Array;
  /** Metres that a step counts. */
  readonly metersOf: (i: number) => number;
  /** Distance by position over time of a step. */
  readonly evenKphOf: (i: number) => number;
}

export interface StepColumns extends SteppedTrack {
  readonly meters: Float64Array;
  readonly evenKph: Float64Array;
  /** Measures the steps from fix `from` to fix `to`, unless they are: call it before the columns of these steps are read. */
  readonly measure: (from: number, to: number) => void;
}

/** Steps that are measured together. */
export const BLOCK = 16;

/** Measures every step of a checked track. Cost: O(n), one distance a step. `isRest` as of `stepsOf`. */
export function measureSteps(track: Track, rules: MeterRules, isRest: Uint8Array | null): StepColumns {
  const steps = stepsOf(track, rules, isRest);
  steps.measure(0, track.length);
  return steps;
}

/**
 * The steps of a checked track, which may change afterwards. Cost: a copy of the track, and one distance for each measured step.
 *
 * `isRest`: 1 for a step that lies in a parking or stop, of `restSteps`. `null`: each step is judged by itself, as a stream must.
 */
export function stepsOf(track: Track, rules: MeterRules, isRest: Uint8Array | null): StepColumns {
  return rules.mileage === 'mileage_GPS'
    ? new StepsByPosition(track, rules, isRest)
    : measureStepByStep(track, rules, isRest);
}

/** Measures of `measureStepByStep` where distances come from positions: the same rules without a state, only for the requested steps. */
class StepsByPosition implements StepColumns {
  readonly length: number;
  readonly time: Float64Array;
  readonly speedKph: Float64Array | null;
  readonly kind: Uint8Array;
  readonly meters: Float64Array;
  readonly evenKph: Float64Array;
  readonly metersOf = (i: number): number => this.meters[i]!;
  readonly evenKphOf = (i: number): number => this.evenKph[i]!;
  readonly #lon: Float64Array;
  readonly #lat: Float64Array;
  readonly #ignition: Uint8Array | null;
  readonly #blind: Track['blind'];
  readonly #rules: MeterRules;
  readonly #isRest: Uint8Array | null;
  /** Whether the steps of each block are measured. */
  readonly #isMeasured: Uint8Array;

  constructor(
    { length, time, lon, lat, speedKph, ignition, blind }: Track,
    rules: MeterRules,
    isRest: Uint8Array | null,
  ) {
    this.length = length;
    this.time = time.slice();
    this.speedKph = speedKph === null ? null : speedKph.slice();
    this.kind = new Uint8Array(length);
    this.meters = new Float64Array(length);
    this.evenKph = new Float64Array(length);
    this.#lon = lon.slice();
    this.#lat = lat.slice();
    this.#ignition = ignition === null ? null : ignition.slice();
    this.#blind = blind === null ? null : blind.slice();
    this.#rules = rules;
    this.#isRest = isRest;
    this.#isMeasured = new Uint8Array(Math.ceil(length / BLOCK));
  }

  measure(from: number, to: number): void {
    if (from >= to) return;
    for (let block = Math.floor(from / BLOCK); block * BLOCK < to; block++) {
      if (this.#isMeasured[block] === 1) continue;
      this.#isMeasured[block] = 1;
      const first = block * BLOCK;
      this.#measure(first, Math.min(this.length - 1, first + BLOCK));
    }
  }

  #measure(from: number, to: number): void {
    const { time, speedKph, kind, meters, evenKph } = this;
    const [lon, lat, ignition, isRest] = [this.#lon, this.#lat, this.#ignition, this.#isRest];
    const { pinsParked, mileageFactor, minSpeedKph, needsIgnition } = this.#rules;
    let wasMoving = this.#isMovingAt(from);
    let bLon = lon[from]!;
    let bLat = lat[from]!;
    for (let i = from; i < to; i++) {
      const aLon = bLon;
      const aLat = bLat;
      bLon = lon[i + 1]!;
      bLat = lat[i + 1]!;
      const milliseconds = time[i + 1]! - time[i]!;
      const straight = aLon === bLon && aLat === bLat ? 0 : geodesicDistance(aLon, aLat, bLon, bLat);
      const even = (straight * KPH_PER_METER_PER_MS) / milliseconds;
      const long = this.#longKind(i, straight);
      const own = speedKph === null ? UNKNOWN : speedKph[i + 1]!;
      const speed = own === UNKNOWN && long !== GAP ? even : own;
      const isOff = needsIgnition && ignitionAt(ignition, i + 1) === 0;
      const isMoving = speed !== UNKNOWN && speed >= minSpeedKph && !isOff;
      const isOnTheWay = wasMoving || isMoving || isDriven(this.#rules, straight, milliseconds);
      const kindAlone = kindOfStep(long === GAP, long === SLEEP, isOnTheWay, ignitionAt(ignition, i));
      const isAtRest = isRest === null ? kindAlone >= IDLING : isRest[i] === 1;
      kind[i] = isRest !== null && isAtRest ? kindAtRest(kindAlone, ignitionAt(ignition, i)) : kindAlone;
      meters[i] = pinsParked && isAtRest ? 0 : straight * mileageFactor;
      evenKph[i] = even;
      wasMoving = isMoving;
    }
  }

  /** Whether a step is a gap or a sleep; `null`: neither. */
  #longKind(i: number, straight: number): typeof GAP | typeof SLEEP | null {
    const [lon, lat, blind] = [this.#lon, this.#lat, this.#blind];
    const { maxGapMs, maxGapMeters, parkedMeters } = this.#rules;
    if (Math.abs(lonStep(lon[i]!, lon[i + 1]!)) === 180 || (blind !== null && blind[i + 1] !== SEEN))
      return GAP;
    // A shorter step is surely not longer than `maxGapMeters`.
    const isLate = this.time[i + 1]! - this.time[i]! > maxGapMs;
    if (!isLate && straight < 0.999 * maxGapMeters) return null;
    const [aLon, aLat, bLon, bLat] = [lon[i]!, lat[i]!, lon[i + 1]!, lat[i + 1]!];
    if (!isLate && !isFartherThan(maxGapMeters, straight, aLon, aLat, bLon, bLat)) return null;
    return decidedDistance(aLon, aLat, bLon, bLat, parkedMeters) <= parkedMeters ? SLEEP : GAP;
  }

  /** Whether a fix moves. Without a speed it has that of the step to it; after a gap it rests, as the first one. */
  #isMovingAt(i: number): boolean {
    const [lon, lat, rules] = [this.#lon, this.#lat, this.#rules];
    const ignition = ignitionAt(this.#ignition, i);
    const own = speedAt(this.speedKph, i);
    if (own !== UNKNOWN || i === 0) return isMovingAt(rules, own, ignition);
    const isStill = lon[i - 1] === lon[i] && lat[i - 1] === lat[i];
    const straight = isStill ? 0 : geodesicDistance(lon[i - 1]!, lat[i - 1]!, lon[i]!, lat[i]!);
    if (this.#longKind(i - 1, straight) === GAP) return isMovingAt(rules, own, ignition);
    return isMovingAt(
      rules,
      (straight * KPH_PER_METER_PER_MS) / (this.time[i]! - this.time[i - 1]!),
      ignition,
    );
  }
}

/** The steps as a stream measures them; `isRest` as of `stepsOf`. */
export function measureStepByStep(track: Track, rules: MeterRules, isRest: Uint8Array | null): StepColumns {
  const { length, lon, lat, ignition } = track;
  const time = track.time.slice();
  const speedKph = track.speedKph === null ? null : track.speedKph.slice();
  const kind = new Uint8Array(length);
  const meters = new Float64Array(length);
  const evenKph = new Float64Array(length);
  const column = mileageColumn(rules.mileage);
  const mileage = column === null || column === 'ignition' ? null : (track[column] ?? null);
  const meter = new StepMeter(isRest === null ? rules : { ...rules, pinsParked: false });
  const state = noMeterState();
  for (let i = 0; i < length; i++) {
    const hasStep = meter.next(
      state,
      time[i]!,
      lon[i]!,
      lat[i]!,
      speedAt(speedKph, i),
      ignitionAt(ignition, i),
      mileage === null ? UNKNOWN : mileage[i]!,
      blindStep(track, i) !== SEEN,
    );
    if (!hasStep) continue;
    const isAtRest = isRest !== null && isRest[i - 1] === 1;
    kind[i - 1] = isAtRest ? kindAtRest(meter.kind, ignitionAt(ignition, i - 1)) : meter.kind;
    meters[i - 1] = isAtRest && rules.pinsParked ? 0 : meter.meters;
    evenKph[i - 1] = meter.evenKph;
  }
  return {
    length,
    time,
    speedKph,
    kind,
    meters,
    evenKph,
    metersOf: (i) => meters[i]!,
    evenKphOf: (i) => evenKph[i]!,
    // A step depends on those before it: all are measured.
    measure: () => {},
  };
}

/** Speed at the ends of a step: linear between reported ones, else `evenKphOf`; -1 in a gap. */
export function startKph({ kind, speedKph, evenKphOf }: SteppedTrack, i: number): number {
  if (kind[i] === GAP) return UNKNOWN;
  const isLinear = speedKph !== null && speedKph[i] !== UNKNOWN && speedKph[i + 1] !== UNKNOWN;
  return isLinear ? speedKph[i]! : evenKphOf(i);
}

export function endKph({ kind, speedKph, evenKphOf }: SteppedTrack, i: number): number {
  if (kind[i] === GAP) return UNKNOWN;
  const isLinear = speedKph !== null && speedKph[i] !== UNKNOWN && speedKph[i + 1] !== UNKNOWN;
  return isLinear ? speedKph[i + 1]! : evenKphOf(i);
}

/** The steps of a checked track, which must not change meanwhile. `kind` tells gaps and sleeps from other steps only. */
export function gapSteps(track: Track, rules: MeterRules): SteppedTrack {
  const isByPosition = rules.mileage === 'mileage_GPS' && !rules.pinsParked;
  if (!isByPosition || rules.maxGapMeters < Number.POSITIVE_INFINITY) return measureSteps(track, rules, null);
  const { length, time, lon, lat, speedKph } = track;
  const kind = new Uint8Array(length).fill(MOVING);
  for (let i = 0; i + 1 < length; i++) {
    const milliseconds = time[i + 1]! - time[i]!;
    const blind = blindStep(track, i + 1);
    if (!isGapStep(milliseconds, lon[i]!, lon[i + 1]!, rules.maxGapMs, blind)) continue;
    const isSleep = !isGapStep(0, lon[i]!, lon[i + 1]!, 0, blind) && isNear(track, i, rules.parkedMeters);
    kind[i] = isSleep ? SLEEP : GAP;
  }
  const straight = (i: number): number => geodesicDistance(lon[i]!, lat[i]!, lon[i + 1]!, lat[i + 1]!);
  return {
    length,
    time,
    speedKph,
    kind,
    metersOf: (i) => straight(i) * rules.mileageFactor,
    evenKphOf: (i) => (straight(i) * KPH_PER_METER_PER_MS) / (time[i + 1]! - time[i]!),
  };
}

function isNear({ lon, lat }: Track, i: number, meters: number): boolean {
  return decidedDistance(lon[i]!, lat[i]!, lon[i + 1]!, lat[i + 1]!, meters) <= meters;
}
