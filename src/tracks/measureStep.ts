/** The distance of a step, measured as `tripdetector_mileagedetect` says. */

import type { MileageKind } from '../core/trackSettings.js';
import { KPH_PER_METER_PER_MS, UNKNOWN, UNKNOWN_IGNITION } from './fixReader.js';

/** State of a unit after its earlier fixes; plain JSON. */
export interface MileageState {
  /** Of the last fix: 0 off, 1 on, 255 unknown. */
  ignition: number;
  /** The last odometer reading, metres; -1: none. */
  mileage: number;
  /** Metres counted by position since that reading; `null` if the last fix had it. */
  behindMeters: number | null;
}

/** A step from one fix to the next. */
export interface MeasuredStep {
  /** Metres by position, which `measureStep` replaces by the measured ones. */
  meters: number;
  /** 1 if the step has no mileage and counts by position, else 0. */
  unmeasured: number;
  readonly milliseconds: number;
  /** The mileage of the fix at its end: an odometer reading or a difference; -1: none. */
  readonly mileage: number;
  /** Whether the step begins a trip. Readings before its first fix are then ignored. */
  readonly startsTrip: boolean;
}

/** Odometers may count whole kilometres, so a growth up to this is always plausible. */
const COARSE_METERS = 1000;
const MAX_KPH = 300;

export function noMileage(): MileageState {
  return { ignition: UNKNOWN_IGNITION, mileage: UNKNOWN, behindMeters: null };
}

/** The first fix of a track, or after a cut. */
export function startMileage(state: MileageState, ignition: number, mileage: number): void {
  state.ignition = ignition;
  state.mileage = mileage;
  state.behindMeters = null;
}

export function measureStep(kind: MileageKind, state: MileageState, step: MeasuredStep): void {
  step.unmeasured = 0;
  if (kind === 'mileage_GPS_ignition') {
    if (state.ignition === 0) step.meters = 0;
    else if (state.ignition === UNKNOWN_IGNITION) step.unmeasured = 1;
  } else if (kind === 'mileage_relative_mileage') {
    if (isGrowth(step.mileage, step)) step.meters = step.mileage;
    else step.unmeasured = 1;
  } else if (kind === 'mileage_mileage_sensor') {
    readOdometer(state, step);
  }
}

/** The growth of the reading since the last one, less the metres already counted by position. */
function readOdometer(state: MileageState, step: MeasuredStep): void {
  const isOld = step.startsTrip && state.behindMeters !== null;
  const base = isOld ? UNKNOWN : state.mileage;
  const behind = isOld ? 0 : (state.behindMeters ?? 0);
  if (step.mileage === UNKNOWN) {
    step.unmeasured = 1;
    state.mileage = base;
    state.behindMeters = behind + step.meters;
    return;
  }
  if (base !== UNKNOWN && step.mileage >= base && step.mileage - base - behind <= reachOf(step)) {
    step.meters = Math.max(0, step.mileage - base - behind);
  } else step.unmeasured = 1;
  state.mileage = step.mileage;
  state.behindMeters = null;
}

function isGrowth(meters: number, step: MeasuredStep): boolean {
  return meters !== UNKNOWN && meters <= reachOf(step);
}

function reachOf({ milliseconds }: MeasuredStep): number {
  return COARSE_METERS + (MAX_KPH * milliseconds) / KPH_PER_METER_PER_MS;
}
