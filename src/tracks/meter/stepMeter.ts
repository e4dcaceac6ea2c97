/**
 * Measures one step from fix to fix: whether it is a gap, whether the unit moved, how far it went. The one mechanism behind `meterTrack`,
 * measured visits, speeding and mileage by zone; batches and streams feed it fix by fix.
 */

import type { MileageKind } from '../../core/trackSettings.js';
import { decidedDistance, geodesicDistance } from '../../geodesy/distanceMeters.js';
import { isGapStep, SEEN } from '../blindStep.js';
import { KPH_PER_METER_PER_MS, UNKNOWN, UNKNOWN_IGNITION } from '../fixReader.js';
import { MOVEMENT_OPTIONS, type MovementRules } from '../movementRules.js';
import { placeRadius } from '../stays/stayRules.js';
import type { GapRules } from './gapRules.js';

/** Measure of a unit on one step. */
export const GAP = 0;
export const MOVING = 1;
export const IDLING = 2;
export const PARKED = 3;
/** Parked on a long step between two near fixes. Only the standing is known: what happened meanwhile was not seen. */
export const SLEEP = 4;
/** Odometers may count whole kilometres, so a growth up to this is always plausible. */
const COARSE_METERS = 1000;
const MAX_KPH = 300;

export type MeteredKind = typeof GAP | typeof MOVING | typeof IDLING | typeof PARKED | typeof SLEEP;

export interface MeterRules
  extends GapRules,
    Pick<MovementRules, 'minSpeedKph' | 'needsIgnition' | 'pinsParked' | 'mileage' | 'mileageFactor'> {}

/** The last fix of a unit as the meter needs it; plain JSON. */
export interface MeterState extends MileageState {
  /** False before the first fix. */
  hasFix: boolean;
  time: number;
  lon: number;
  lat: number;
  /** As reported; -1 if unknown. */
  speedKph: number;
  isMoving: boolean;
}

export function noMeterState(): MeterState {
  return { hasFix: false, time: 0, lon: 0, lat: 0, speedKph: UNKNOWN, isMoving: false, ...noMileage() };
}

/** Measures steps. Its fields describe the last step, so that a step allocates nothing. */
export class StepMeter implements MeasuredStep {
  rules: MeterRules;
  kind: MeteredKind = GAP;
  /** Metres that the step counts, of a gap too, times the coefficient. */
  meters: number = 0;
  /** Distance by position over time. */
  evenKph: number = 0;
  unmeasured: number = 0;
  milliseconds: number = 0;
  mileage: number = UNKNOWN;
  /** An odometer reading counts over the start of a trip. */
  readonly startsTrip = false;

  constructor(rules: MeterRules) {
    this.rules = rules;
  }

  /** Measures the step to the next fix. Returns false at the first fix, which ends no step. `mileage` is the result of `mileageOf`. */
  next(
    state: MeterState,
    time: number,
    lon: number,
    lat: number,
    speedKph: number,
    ignition: number,
    mileage: number,
    isBlind: boolean,
  ): boolean {
    const { rules } = this;
    const hadFix = state.hasFix;
    if (hadFix) this.#measure(state, time, lon, lat, speedKph, ignition, mileage, isBlind);
    else {
      startMileage(state, ignition, mileage);
      state.isMoving = isMovingAt(rules, speedKph, ignition);
    }
    state.hasFix = true;
    state.time = time;
    state.lon = lon;
    state.lat = lat;
    state.speedKph = speedKph;
    return hadFix;
  }

  #measure(
    state: MeterState,
    time: number,
    lon: number,
    lat: number,
    speedKph: number,
    ignition: number,
    mileage: number,
    isBlind: boolean,
  ): void {
    const { rules } = this;
    const isStill = lon === state.lon && lat === state.lat;
    const straight = isStill ? 0 : geodesicDistance(state.lon, state.lat, lon, lat);
    this.milliseconds = time - state.time;
    this.meters = straight;
    this.evenKph = (straight * KPH_PER_METER_PER_MS) / this.milliseconds;
    const ignitionBefore = state.ignition;
    if (rules.mileage !== 'mileage_GPS') {
      this.mileage = mileage;
      measureStep(rules.mileage, state, this);
    }
    state.ignition = ignition;
    const isHalfTurn = !isStill && isGapStep(0, state.lon, lon, 0, SEEN);
    const isLong =
      this.milliseconds > rules.maxGapMs ||
      isFartherThan(rules.maxGapMeters, straight, state.lon, state.lat, lon, lat);
    const isSleep = isLong && !isHalfTurn && !isBlind && this.#isNear(state, lon, lat, straight);
    const isGap = isHalfTurn || isBlind || (isLong && !isSleep);
    const wasMoving = state.isMoving;
    // Without a speed a fix has that of the step to it; after a gap it rests, as the first one.
    state.isMoving = isMovingAt(rules, speedKph === UNKNOWN && !isGap ? this.evenKph : speedKph, ignition);
    const isMoving = wasMoving || state.isMoving || isDriven(rules, straight, this.milliseconds);
    this.kind = kindOfStep(isGap, isSleep, isMoving, ignitionBefore);
    if (rules.pinsParked && this.kind >= IDLING) this.meters = 0;
    this.meters *= rules.mileageFactor;
  }

  #isNear(state: MeterState, lon: number, lat: number, straight: number): boolean {
    const { parkedMeters } = this.rules;
    if (this.meters > parkedMeters && this.meters !== straight) return false;
    return decidedDistance(state.lon, state.lat, lon, lat, parkedMeters) <= parkedMeters;
  }
}

/** Whether a step of `straight` metres is longer than a limit; exact at the limit. */
export function isFartherThan(
  meters: number,
  straight: number,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): boolean {
  // Distances are accurate to far less than a part in a thousand.
  if (straight < 0.999 * meters) return false;
  return decidedDistance(aLon, aLat, bLon, bLat, meters) > meters;
}

/** Whether a step leads out of a place, whatever speeds and ignition claim. */
export function isDriven({ minSpeedKph }: MeterRules, meters: number, milliseconds: number): boolean {
  return meters > placeRadius(minSpeedKph, milliseconds, MOVEMENT_OPTIONS.stayMeters.default);
}

/** The kind of a step in a parking or stop. `kind` describes the step by itself; `ignition` belongs to the fix before. */
export function kindAtRest(kind: MeteredKind, ignition: number): MeteredKind {
  if (kind === GAP || kind === SLEEP) return SLEEP;
  return ignition === 1 ? IDLING : PARKED;
}

/** `ignition` is that of the fix before. */
export function kindOfStep(
  isGap: boolean,
  isSleep: boolean,
  isMoving: boolean,
  ignition: number,
): MeteredKind {
  if (isGap) return GAP;
  if (isSleep) return SLEEP;
  if (isMoving) return MOVING;
  return ignition === 1 ? IDLING : PARKED;
}

export function isMovingAt(
  { minSpeedKph, needsIgnition }: MeterRules,
  speedKph: number,
  ignition: number,
): boolean {
  return speedKph !== UNKNOWN && speedKph >= minSpeedKph && !(needsIgnition && ignition === 0);
}

/** The value of a column at a fix. */
export function speedAt(speeds: Float64Array | null, i: number): number {
  return speeds === null ? UNKNOWN : speeds[i]!;
}

export function ignitionAt(column: Uint8Array | null, i: number): number {
  return column === null ? UNKNOWN_IGNITION : column[i]!;
}

/** State of a unit after its earlier fixes; plain JSON. */
interface MileageState {
  /** Of the last fix: 0 off, 1 on, 255 unknown. */
  ignition: number;
  /** The last odometer reading, metres; -1: none. */
  mileage: number;
  /** Metres counted by position since that reading; `null` if the last fix had it. */
  behindMeters: number | null;
}

/** A step from one fix to the next. */
interface MeasuredStep {
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

function noMileage(): MileageState {
  return { ignition: UNKNOWN_IGNITION, mileage: UNKNOWN, behindMeters: null };
}

/** The first fix of a track, or after a cut. */
function startMileage(state: MileageState, ignition: number, mileage: number): void {
  state.ignition = ignition;
  state.mileage = mileage;
  state.behindMeters = null;
}

function measureStep(kind: MileageKind, state: MileageState, step: MeasuredStep): void {
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
