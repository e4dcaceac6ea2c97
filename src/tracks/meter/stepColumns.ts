/** The measured steps of a whole track in columns. */

import type { Track } from '../../core/fix.js';
import { blindStep, SEEN } from '../blindStep.js';
import { UNKNOWN } from '../fixReader.js';
import { mileageColumn } from '../mileageColumn.js';
import { GAP, ignitionAt, type MeterRules, noMeterState, StepMeter, speedAt } from './stepMeter.js';

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
}

/** Measures every step of a checked track. Cost: O(n), one distance a step. */
export function measureSteps(track: Track, rules: MeterRules): StepColumns {
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
  return {
    length,
    time,
    speedKph,
    kind,
    meters,
    metersOf: (i) => meters[i]!,
    evenKphOf: (i) => evenKph[i]!,
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
