/** The measured steps of a whole track in columns. */

import { lonStep } from '../../core/angles.js';
import type { Track } from '../../core/fix.js';
import { decidedDistance, geodesicDistance } from '../../geodesy/inverse.js';
import { blindStep, SEEN } from '../blindStep.js';
import { KPH_PER_METER_PER_MS, UNKNOWN } from '../fixReader.js';
import { mileageColumn } from '../mileageColumn.js';
import { GAP, IDLING, ignitionAt, isFartherThan, isMovingAt, kindOfStep, type MeterRules, noMeterState, StepMeter, speedAt } from './stepMeter.js'; // biome-ignore format: one line

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
}

/** Measures every step of a checked track. Cost: O(n), one distance a step. */
export function measureSteps(track: Track, rules: MeterRules): StepColumns {
  return rules.mileage === 'mileage_GPS' ? measureByPosition(track, rules) : measureStepByStep(track, rules);
}

/** What `measureStepByStep` gives where distances come from positions: the same rules without a state, at half the cost. */
function measureByPosition(track: Track, rules: MeterRules): StepColumns {
  const { length, lon, lat, ignition, blind } = track;
  const { maxGapMs, maxGapMeters, parkedMeters, pinsParked, mileageFactor, minSpeedKph, needsIgnition } =
    rules;
  // A shorter step is surely not longer than `maxGapMeters`.
  const leastFar = 0.999 * maxGapMeters;
  const time = track.time.slice();
  const speedKph = track.speedKph === null ? null : track.speedKph.slice();
  const kind = new Uint8Array(length);
  const meters = new Float64Array(length);
  const evenKph = new Float64Array(length);
  let wasMoving = length > 0 && isMovingAt(rules, speedAt(speedKph, 0), ignitionAt(ignition, 0));
  let bLon = length > 0 ? lon[0]! : 0;
  let bLat = length > 0 ? lat[0]! : 0;
  for (let i = 0; i + 1 < length; i++) {
    const aLon = bLon;
    const aLat = bLat;
    bLon = lon[i + 1]!;
    bLat = lat[i + 1]!;
    const milliseconds = time[i + 1]! - time[i]!;
    const straight = aLon === bLon && aLat === bLat ? 0 : geodesicDistance(aLon, aLat, bLon, bLat);
    const even = (straight * KPH_PER_METER_PER_MS) / milliseconds;
    let isGap = Math.abs(lonStep(aLon, bLon)) === 180 || (blind !== null && blindStep(track, i + 1) !== SEEN);
    let isSleep = false;
    if (!isGap && (milliseconds > maxGapMs || straight >= leastFar)) {
      const isLong = milliseconds > maxGapMs || isFartherThan(maxGapMeters, straight, aLon, aLat, bLon, bLat);
      isSleep = isLong && decidedDistance(aLon, aLat, bLon, bLat, parkedMeters) <= parkedMeters;
      isGap = isLong && !isSleep;
    }
    const own = speedKph === null ? UNKNOWN : speedKph[i + 1]!;
    const speed = own === UNKNOWN && !isGap ? even : own;
    const isOff = needsIgnition && ignitionAt(ignition, i + 1) === 0;
    const isMoving = speed !== UNKNOWN && speed >= minSpeedKph && !isOff;
    const kindNow = kindOfStep(isGap, isSleep, wasMoving || isMoving, ignitionAt(ignition, i));
    kind[i] = kindNow;
    meters[i] = pinsParked && kindNow >= IDLING ? 0 : straight * mileageFactor;
    evenKph[i] = even;
    wasMoving = isMoving;
  }
  return columnsOf(length, time, speedKph, kind, meters, evenKph);
}

function columnsOf(
  length: number,
  time: Float64Array,
  speedKph: Float64Array | null,
  kind: Uint8Array,
  meters: Float64Array,
  evenKph: Float64Array,
): StepColumns {
  return {
    length,
    time,
    speedKph,
    kind,
    meters,
    evenKph,
    metersOf: (i) => meters[i]!,
    evenKphOf: (i) => evenKph[i]!,
  };
}

/** The steps as a stream measures them. */
export function measureStepByStep(track: Track, rules: MeterRules): StepColumns {
  const { length, lon, lat, ignition } = track;
  const time = track.time.slice();
  const speedKph = track.speedKph === null ? null : track.speedKph.slice();
  const kind = new Uint8Array(length);
  const meters = new Float64Array(length);
  const evenKph = new Float64Array(length);
  const column = mileageColumn(rules.mileage);
  const mileage = column === null || column === 'ignition' ? null : (track[column] ?? null);
  const meter = new StepMeter(rules);
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
    kind[i - 1] = meter.kind;
    meters[i - 1] = meter.meters;
    evenKph[i - 1] = meter.evenKph;
  }
  return columnsOf(length, time, speedKph, kind, meters, evenKph);
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
