/** What one step adds to the totals of a unit: metres as its settings measure them, speeds, and what its witnesses contradict. */

import { lonStep } from '../../core/angles.js';
import { decidedDistance, geodesicDistance } from '../../geodesy/inverse.js';
import { type CleanFix, KPH_PER_METER_PER_MS, UNKNOWN, UNKNOWN_IGNITION } from '../fixReader.js';
import type { MovementRules } from '../movementRules.js';
import { grownMeters } from '../reading.js';
import { noStayFix, type StayFix } from '../stays/stayMachine.js';
import { type FixRing, type Totals, witnessOf } from '../stays/stayState.js';

/** The mileage and ignition of a unit's last fix; plain JSON. */
export interface LastMileage {
  /** 0 off, 1 on, 255 unknown. */
  ignition: number;
  mileageMeters: number;
  /** The last odometer reading of any fix, metres; -1: none. */
  reading: number;
  /** When the reading changed, and metres by position since a fix without one. */
  changedTime: number;
  behindMeters: number;
}

export function noMileage(): LastMileage {
  return {
    ignition: UNKNOWN_IGNITION,
    mileageMeters: UNKNOWN,
    reading: UNKNOWN,
    changedTime: 0,
    behindMeters: 0,
  };
}

/** Odometers may count whole kilometres, so a growth up to this is always plausible. */
const COARSE_METERS = 1000;
const MAX_KPH = 300;
/** Odometers whose readings are multiples of this are coarse. */
const MULTIPLE_METERS = 100;

/** What the step to a fix adds. Reused for all steps. */
export class StepTotals {
  /** What searches for stays need of the fix. */
  readonly fix: StayFix = noStayFix();
  #meters = 0;
  #isPlausibleJump = false;
  readonly #rules: MovementRules;

  constructor(rules: MovementRules) {
    this.#rules = rules;
  }

  /** Sets `fix` to the next fix of a unit. `ring` has the last one. */
  read(ring: FixRing, last: LastMileage, next: CleanFix): void {
    const { fix } = this;
    const { minSpeedKph, needsIgnition } = this.#rules;
    fix.time = next.time;
    fix.lon = next.lon;
    fix.lat = next.lat;
    fix.speedKph = next.speedKph;
    fix.witness = witnessOf(next.speedKph, next.ignition, minSpeedKph, needsIgnition);
    fix.cut = 0;
    this.#meters = 0;
    fix.wayKph = fix.stayKph = next.speedKph;
    if (!ring.hasFix) return;
    fix.grownMeters =
      next.mileageMeters === UNKNOWN && next.mileageDeltaMeters === UNKNOWN ? 0 : grownMeters(last, next);
    if (next.lon !== ring.lon || next.lat !== ring.lat) {
      this.#meters = geodesicDistance(ring.lon, ring.lat, next.lon, next.lat);
      if (this.#isJump(ring, next)) fix.cut = 1;
    }
    this.#setSpeeds(ring, next);
  }

  /** Adds the step. */
  add(ring: FixRing, last: LastMileage, next: CleanFix, totals: Totals): void {
    totals.fixes++;
    if (this.fix.witness < 0) totals.moving++;
    if (ring.hasFix) this.#addStep(ring, last, next, totals);
    else if (this.#rules.mileage === 'mileage_mileage_sensor') startOdometer(last, next, totals);
    last.ignition = next.ignition;
    last.mileageMeters = next.mileageMeters;
  }

  #addStep(ring: FixRing, last: LastMileage, next: CleanFix, totals: Totals): void {
    const { stayMeters, minSpeedKph, mileage } = this.#rules;
    const meters = this.#meters;
    const milliseconds = next.time - ring.time;
    const micrometers = Math.round(meters * 1e6);
    totals.straight += micrometers;
    if (this.#isPlausibleJump && this.fix.cut === 1) totals.jumps++;
    if (last.ignition !== UNKNOWN_IGNITION) totals.known++;
    if (last.ignition === 0) totals.offMs += milliseconds;
    if (meters > stayMeters) {
      if (last.ignition === 0 && next.ignition === 0) totals.offSteps++;
      const isFast = meters * KPH_PER_METER_PER_MS > 2 * minSpeedKph * milliseconds;
      if (isFast && isRest(ring.speedKph, minSpeedKph) && isRest(next.speedKph, minSpeedKph))
        totals.restSteps++;
    }
    if (mileage === 'mileage_GPS') totals.micrometers += micrometers;
    else if (mileage === 'mileage_mileage_sensor') addReading(last, next, meters, totals);
    else if (mileage === 'mileage_relative_mileage') {
      const delta = next.mileageDeltaMeters;
      if (delta !== UNKNOWN && delta <= reachOf(milliseconds)) totals.micrometers += Math.round(delta * 1e6);
      else addUnmeasured(micrometers, totals);
      totals.fine++;
    } else if (last.ignition === UNKNOWN_IGNITION) addUnmeasured(micrometers, totals);
    else if (last.ignition !== 0) totals.micrometers += micrometers;
  }

  /** M19: the reported speeds where they explain the step, else displacement by time, which is 0 in a stay. */
  #setSpeeds(ring: FixRing, next: CleanFix): void {
    const { fix } = this;
    const milliseconds = next.time - ring.time;
    const most = Math.max(ring.speedKph, next.speedKph);
    if (most >= 0) {
      const least = Math.min(ring.speedKph, next.speedKph);
      const mean = least < 0 ? most : (least + most) / 2;
      const off = Math.abs((mean * milliseconds) / KPH_PER_METER_PER_MS - this.#meters);
      if (off <= Math.max(this.#rules.stayMeters, this.#meters / 2)) {
        fix.wayKph = fix.stayKph = most;
        return;
      }
    }
    fix.wayKph = (this.#meters * KPH_PER_METER_PER_MS) / milliseconds;
    fix.stayKph = 0;
  }

  #isJump(ring: FixRing, next: CleanFix): boolean {
    if (Math.abs(lonStep(ring.lon, next.lon)) === 180) return true;
    const { maxStepMeters, maxStepKph, plausibleKph } = this.#rules;
    // Distances are accurate to far less than a part in a thousand.
    if (this.#meters < 0.999 * maxStepMeters) return false;
    const meters = decidedDistance(ring.lon, ring.lat, next.lon, next.lat, maxStepMeters);
    const milliseconds = next.time - ring.time;
    this.#isPlausibleJump = meters * KPH_PER_METER_PER_MS <= plausibleKph * milliseconds;
    return meters > maxStepMeters && meters * KPH_PER_METER_PER_MS > maxStepKph * milliseconds;
  }
}

function isRest(speedKph: number, minSpeedKph: number): boolean {
  return speedKph >= 0 && speedKph < minSpeedKph;
}

function reachOf(milliseconds: number): number {
  return COARSE_METERS + (MAX_KPH * milliseconds) / KPH_PER_METER_PER_MS;
}

function addUnmeasured(micrometers: number, totals: Totals): void {
  totals.micrometers += micrometers;
  totals.changedAt += micrometers;
  totals.unmeasured++;
}

function startOdometer(last: LastMileage, { time, mileageMeters }: CleanFix, totals: Totals): void {
  last.reading = mileageMeters;
  last.changedTime = time;
  last.behindMeters = 0;
  if (mileageMeters !== UNKNOWN && !isCoarse(mileageMeters)) totals.fine++;
}

/** M17: a reading counts from one change to the next. */
function addReading(last: LastMileage, next: CleanFix, meters: number, totals: Totals): void {
  const micrometers = Math.round(meters * 1e6);
  const { mileageMeters } = next;
  const { reading, behindMeters } = last;
  if (mileageMeters === UNKNOWN) {
    addUnmeasured(micrometers, totals);
    last.behindMeters = behindMeters + meters;
    return;
  }
  const growth = reading === UNKNOWN ? UNKNOWN : mileageMeters - reading;
  if (growth === 0) {
    if (!isCoarse(mileageMeters)) totals.fine++;
    return;
  }
  if (growth < 0 || growth - behindMeters > reachOf(next.time - last.changedTime))
    addUnmeasured(micrometers, totals);
  else {
    totals.micrometers += Math.max(0, Math.round((growth - behindMeters) * 1e6));
    totals.changedAt = totals.straight;
    totals.changes++;
  }
  startOdometer(last, next, totals);
}

function isCoarse(reading: number): boolean {
  return reading % MULTIPLE_METERS === 0;
}
