/** Totals of a unit by steps: metres as its settings measure them, speeds, and contradictions of its witnesses. */

import { decidedDistance } from '../../geodesy/distanceMeters.js';
import { StepDistances } from '../../geodesy/stepDistances.js';
import { KPH_PER_METER_PER_MS, UNKNOWN, UNKNOWN_IGNITION } from '../fixReader.js';
import type { MovementRules } from '../movementRules.js';
import type { FixColumns } from '../stays/stayRules.js';
import {
  addFix,
  BEHIND,
  CHANGED_AT,
  CHANGED_TIME,
  CHANGES,
  CUT,
  FINE,
  FIXES,
  type FixRing,
  IGNITION,
  JUMPS,
  KNOWN,
  LAT,
  LON,
  MICROMETERS,
  MOVING,
  markLast,
  OFF_MS,
  READING,
  RUN_CLAIMS,
  RUN_SLACK,
  SPEED,
  STAY_KPH,
  STRAIGHT,
  TIME,
  UNMEASURED,
  WAY_KPH,
  WITNESS,
  witnessOf,
} from '../stays/stayState.js';
import { claimsOf, countClaims, startRun } from './countClaims.js';

/** Steps that are measured at once. */
export const BLOCK = 128;
/** Changes by a fix, as bits: it is an entry; before it the fix before became one. */
export const ENTRY = 1;
const MARK = 2;

/** Odometers may count whole kilometres, so a growth up to this is always plausible. */
const COARSE_METERS = 1000;
const MAX_KPH = 300;
/** Odometers whose readings are multiples of this are coarse. */
const MULTIPLE_METERS = 100;

/** Adds fixes to the last one of a unit. Nothing is kept between two. */
export class StepTotals {
  readonly #distances = new StepDistances();
  /** Of the step to each fix of the block, from `#from` on. */
  readonly #meters = new Float64Array(BLOCK);
  #from = 0;
  readonly #rules: MovementRules;
  readonly #slotMs: number;
  readonly #longMs: number;

  /** A fix after a jump or a step of `longMs` is an entry, and the fix before it. */
  constructor(rules: MovementRules, slotMs: number, longMs: number) {
    this.#rules = rules;
    this.#slotMs = slotMs;
    this.#longMs = longMs;
  }

  /** Measures the steps to the fixes `from` to before `to`, at most `BLOCK`, which are to be added. */
  measure({ lon, lat }: FixColumns, from: number, to: number): void {
    // No step leads to the first fix of a unit.
    this.#from = Math.max(1, from);
    this.#distances.measure(lon, lat, this.#from, to, this.#meters);
  }

  /** Adds fix `i`, whose step is measured. Returns what that changes. */
  add(ring: FixRing, fixes: FixColumns, i: number): number {
    if (ring.newest < 0) {
      this.#start(ring.last, fixes, i);
      addFix(ring, this.#slotMs, true);
      return ENTRY;
    }
    const { last } = ring;
    const { minSpeedKph, needsIgnition, mileage, stayMeters, maxStepMeters, plausibleKph } = this.#rules;
    const time = fixes.time[i]!;
    const lon = fixes.lon[i]!;
    const lat = fixes.lat[i]!;
    const milliseconds = time - last[TIME]!;
    const turn = lon - last[LON]!;
    const meters = this.#meters[i - this.#from]!;
    const isLong = milliseconds >= this.#longMs;
    // Distances are accurate to far less than a part in a thousand.
    const mayJump = meters >= 0.999 * maxStepMeters || turn === 180 || turn === -180;
    const jumpKph = mayJump ? this.#jumpKph(last, time, lon, lat) : UNKNOWN;
    const isJump = jumpKph !== UNKNOWN;
    const change = (isLong || isJump) && markLast(ring) ? MARK : 0;
    if (isJump && jumpKph <= plausibleKph) last[JUMPS]! += 1;
    const speedBefore = last[SPEED]!;
    const ignitionBefore = last[IGNITION]!;
    const speedKph = fixes.speedKph?.[i] ?? UNKNOWN;
    const ignition = fixes.ignition?.[i] ?? UNKNOWN_IGNITION;
    // M19: the reported speeds where they explain the step, else displacement by time, which is 0 in a stay.
    const most = Math.max(speedBefore, speedKph);
    const least = Math.min(speedBefore, speedKph);
    const mean = least < 0 ? most : (least + most) / 2;
    const off = Math.abs((mean * milliseconds) / KPH_PER_METER_PER_MS - meters);
    const isExplained = most >= 0 && (off <= stayMeters || off <= meters / 2);
    const wayKph = isExplained ? most : (meters * KPH_PER_METER_PER_MS) / milliseconds;
    const stayKph = isExplained ? most : 0;
    if (wayKph > last[WAY_KPH]!) last[WAY_KPH] = wayKph;
    if (stayKph > last[STAY_KPH]!) last[STAY_KPH] = stayKph;
    const witness = witnessOf(speedKph, ignition, minSpeedKph, needsIgnition);
    last[TIME] = time;
    last[LON] = lon;
    last[LAT] = lat;
    last[WITNESS] = witness;
    last[CUT] = isJump ? 1 : 0;
    last[SPEED] = speedKph;
    last[IGNITION] = ignition;
    const micrometers = Math.round(meters * 1e6);
    last[STRAIGHT]! += micrometers;
    if (mileage === 'mileage_GPS') last[MICROMETERS]! += micrometers;
    else this.#addMileage(last, fixes, i, ignitionBefore, meters, milliseconds);
    last[FIXES]! += 1;
    if (witness < 0) last[MOVING]! += 1;
    if (ignitionBefore !== UNKNOWN_IGNITION) last[KNOWN]! += 1;
    if (ignitionBefore === 0) last[OFF_MS]! += milliseconds;
    const claims = claimsOf(speedKph, ignition, minSpeedKph);
    // A run goes on as long as the unit cannot be a place away from its begin.
    if ((claims & last[RUN_CLAIMS]!) !== 0 && meters <= last[RUN_SLACK]!) {
      last[RUN_CLAIMS] = claims & last[RUN_CLAIMS]!;
      last[RUN_SLACK]! -= meters;
    } else if (claims !== 0 || last[RUN_CLAIMS] !== 0) {
      const both = claims & claimsOf(speedBefore, ignitionBefore, minSpeedKph);
      countClaims(last, both, claims, meters, milliseconds, this.#rules);
    }
    return addFix(ring, this.#slotMs, isLong || isJump) ? change | ENTRY : change;
  }

  /** The first fix of a unit. */
  #start(last: Last, fixes: FixColumns, i: number): void {
    const { minSpeedKph, needsIgnition, stayMeters, mileage } = this.#rules;
    const speedKph = fixes.speedKph?.[i] ?? UNKNOWN;
    const ignition = fixes.ignition?.[i] ?? UNKNOWN_IGNITION;
    last[TIME] = fixes.time[i]!;
    last[LON] = fixes.lon[i]!;
    last[LAT] = fixes.lat[i]!;
    last[WITNESS] = witnessOf(speedKph, ignition, minSpeedKph, needsIgnition);
    last[SPEED] = last[WAY_KPH] = last[STAY_KPH] = speedKph;
    last[IGNITION] = ignition;
    last[FIXES] = 1;
    if (last[WITNESS]! < 0) last[MOVING] = 1;
    if (mileage === 'mileage_mileage_sensor')
      startOdometer(last, last[TIME]!, fixes.mileageMeters?.[i] ?? UNKNOWN);
    startRun(last, claimsOf(speedKph, ignition, minSpeedKph), stayMeters);
  }

  #addMileage(
    last: Last,
    { mileageMeters, mileageDeltaMeters }: FixColumns,
    i: number,
    ignition: number,
    meters: number,
    milliseconds: number,
  ): void {
    const { mileage } = this.#rules;
    const micrometers = Math.round(meters * 1e6);
    if (mileage === 'mileage_mileage_sensor') addReading(last, mileageMeters?.[i] ?? UNKNOWN, meters);
    else if (mileage === 'mileage_relative_mileage') {
      const delta = mileageDeltaMeters?.[i] ?? UNKNOWN;
      if (delta !== UNKNOWN && delta <= reachOf(milliseconds)) last[MICROMETERS]! += Math.round(delta * 1e6);
      else addUnmeasured(last, micrometers);
      last[FINE]! += 1;
    } else if (ignition === UNKNOWN_IGNITION) addUnmeasured(last, micrometers);
    else if (ignition !== 0) last[MICROMETERS]! += micrometers;
  }

  /** Speed of the step from the last fix if it is a jump; else -1. */
  #jumpKph(last: Last, time: number, lon: number, lat: number): number {
    const { maxStepMeters, maxStepKph } = this.#rules;
    const meters = decidedDistance(last[LON]!, last[LAT]!, lon, lat, maxStepMeters);
    const kph = (meters * KPH_PER_METER_PER_MS) / (time - last[TIME]!);
    const isHalfTurn = Math.abs(lon - last[LON]!) === 180;
    return isHalfTurn || (meters > maxStepMeters && kph > maxStepKph) ? kph : UNKNOWN;
  }
}

/** The row of the last fix of a unit. */
type Last = FixRing['last'];

function reachOf(milliseconds: number): number {
  return COARSE_METERS + (MAX_KPH * milliseconds) / KPH_PER_METER_PER_MS;
}

function addUnmeasured(last: Last, micrometers: number): void {
  last[MICROMETERS]! += micrometers;
  last[CHANGED_AT]! += micrometers;
  last[UNMEASURED]! += 1;
}

function startOdometer(last: Last, time: number, mileageMeters: number): void {
  last[READING] = mileageMeters;
  last[CHANGED_TIME] = time;
  last[BEHIND] = 0;
  if (mileageMeters !== UNKNOWN && !isCoarse(mileageMeters)) last[FINE]! += 1;
}

/** M17: a reading counts from one change to the next. */
function addReading(last: Last, mileageMeters: number, meters: number): void {
  const micrometers = Math.round(meters * 1e6);
  const reading = last[READING]!;
  const behind = last[BEHIND]!;
  if (mileageMeters === UNKNOWN) {
    addUnmeasured(last, micrometers);
    last[BEHIND] = behind + meters;
    return;
  }
  const growth = reading === UNKNOWN ? UNKNOWN : mileageMeters - reading;
  if (growth === 0) {
    if (!isCoarse(mileageMeters)) last[FINE]! += 1;
    return;
  }
  if (growth < 0 || growth - behind > reachOf(last[TIME]! - last[CHANGED_TIME]!))
    addUnmeasured(last, micrometers);
  else {
    last[MICROMETERS]! += Math.max(0, Math.round((growth - behind) * 1e6));
    last[CHANGED_AT] = last[STRAIGHT]!;
    last[CHANGES]! += 1;
  }
  startOdometer(last, last[TIME]!, mileageMeters);
}

function isCoarse(reading: number): boolean {
  return reading % MULTIPLE_METERS === 0;
}
