/** What steps add to the totals of a unit: metres as its settings measure them, speeds, and what its witnesses contradict. */

import { decidedDistance } from '../../geodesy/inverse.js';
import { StepDistances } from '../../geodesy/stepDistances.js';
import { KPH_PER_METER_PER_MS, UNKNOWN, UNKNOWN_IGNITION } from '../fixReader.js';
import type { MovementRules } from '../movementRules.js';
import type { FixColumns } from '../stays/stayRules.js';
import {
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
  makeRoom,
  OFF_MS,
  OFF_STEPS,
  READING,
  REST_STEPS,
  RUN_CLAIMS,
  RUN_SLACK,
  SPEED,
  STAY_KPH,
  STRAIGHT,
  TIME,
  UNMEASURED,
  WAY_KPH,
  WIDTH,
  WITNESS,
  witnessOf,
  writeLast,
} from '../stays/stayState.js';
import { claimsOf, countClaims, startRun } from './countClaims.js';

/** Fixes that are added at once: few enough for the processor's cache. */
export const BLOCK = 128;
/** What a fix changes, as bits: it is an entry; before it the fix before became one. */
export const ENTRY = 1;
const MARK = 2;

/** Odometers may count whole kilometres, so a growth up to this is always plausible. */
const COARSE_METERS = 1000;
const MAX_KPH = 300;
/** Odometers whose readings are multiples of this are coarse. */
const MULTIPLE_METERS = 100;

/** Adds fixes to the last one of a unit. Its numbers are scratch; nothing is kept between two blocks. */
export class StepTotals {
  /** Of each fix of the block. */
  readonly changes: Uint8Array = new Uint8Array(BLOCK);
  /** Of the step to each fix. */
  readonly #meters = new Float64Array(BLOCK);
  readonly #distances = new StepDistances();
  readonly #rules: MovementRules;
  readonly #slotMs: number;
  readonly #longMs: number;

  /** A fix after a jump or a step of `longMs` is an entry, and the fix before it. */
  constructor(rules: MovementRules, slotMs: number, longMs: number) {
    this.#rules = rules;
    this.#slotMs = slotMs;
    this.#longMs = longMs;
  }

  /** Adds the fixes `from` to before `to`, at most `BLOCK`. Their entries are written behind the newest one, which stays it. */
  add(ring: FixRing, fixes: FixColumns, from: number, to: number): void {
    makeRoom(ring, 2 * (to - from));
    const isFirst = ring.newest < 0;
    if (isFirst) this.#start(ring, fixes, from);
    const first = isFirst ? from + 1 : from;
    if (first < to) this.#addSteps(ring, fixes, first, to, isFirst ? 1 : 0);
  }

  /** The first fix of a unit. */
  #start(ring: FixRing, fixes: FixColumns, i: number): void {
    const { last } = ring;
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
    ring.slot = Math.floor(last[TIME]! / this.#slotMs);
    writeLast(ring, 0);
    this.changes[0] = ENTRY;
  }

  /** Totals are local numbers on the way: `entries` are written behind the newest one already. */
  #addSteps(ring: FixRing, fixes: FixColumns, from: number, to: number, entries: number): void {
    const { minSpeedKph, needsIgnition, mileage, stayMeters, maxStepMeters, plausibleKph } = this.#rules;
    const { changes } = this;
    const slotMs = this.#slotMs;
    const longMs = this.#longMs;
    const isByPosition = mileage === 'mileage_GPS';
    const { last, recent, mask } = ring;
    const { time: times, lon: lons, lat: lats, speedKph: speeds, ignition: ignitions } = fixes;
    const steps = this.#meters;
    this.#distances.measure(lons, lats, from, to, steps);
    const offset = entries;
    let entry = ring.newest + entries;
    let { slot } = ring;
    let slotEnd = (slot + 1) * slotMs;
    let { isWaiting } = ring;
    let speedKph = last[SPEED]!;
    let ignition = last[IGNITION]!;
    let witness = last[WITNESS]!;
    let wayMost = last[WAY_KPH]!;
    let stayMost = last[STAY_KPH]!;
    let straight = last[STRAIGHT]!;
    let offMs = last[OFF_MS]!;
    let known = last[KNOWN]!;
    let moving = last[MOVING]!;
    let count = last[FIXES]!;
    let claims = claimsOf(speedKph, ignition, minSpeedKph);
    let runClaims = last[RUN_CLAIMS]!;
    let slack = last[RUN_SLACK]!;
    for (let i = from; i < to; i++) {
      const meters = steps[i - from]!;
      const time = times[i]!;
      const milliseconds = time - times[i - 1]!;
      const isLong = milliseconds >= longMs;
      const turn = lons[i]! - lons[i - 1]!;
      // Distances are accurate to far less than a part in a thousand.
      const mayJump = meters >= 0.999 * maxStepMeters || turn === 180 || turn === -180;
      const jumpKph = mayJump ? this.#jumpKph(fixes, i) : UNKNOWN;
      const isJump = jumpKph !== UNKNOWN;
      let change = 0;
      if ((isLong || isJump) && isWaiting) {
        saveFix(last, fixes, i - 1, witness, wayMost, stayMost);
        saveTotals(last, straight, isByPosition, offMs, known, moving, count);
        writeLast(ring, ++entry);
        wayMost = stayMost = UNKNOWN;
        isWaiting = false;
        change = MARK;
      }
      if (isJump && jumpKph <= plausibleKph) last[JUMPS]! += 1;
      const speedBefore = speedKph;
      const ignitionBefore = ignition;
      speedKph = speeds?.[i] ?? UNKNOWN;
      ignition = ignitions?.[i] ?? UNKNOWN_IGNITION;
      // M19: the reported speeds where they explain the step, else displacement by time, which is 0 in a stay.
      const most = Math.max(speedBefore, speedKph);
      const least = Math.min(speedBefore, speedKph);
      const mean = least < 0 ? most : (least + most) / 2;
      const off = Math.abs((mean * milliseconds) / KPH_PER_METER_PER_MS - meters);
      const isExplained = most >= 0 && (off <= stayMeters || off <= meters / 2);
      const wayKph = isExplained ? most : (meters * KPH_PER_METER_PER_MS) / milliseconds;
      const stayKph = isExplained ? most : 0;
      if (wayKph > wayMost) wayMost = wayKph;
      if (stayKph > stayMost) stayMost = stayKph;
      witness = witnessOf(speedKph, ignition, minSpeedKph, needsIgnition);
      straight += Math.round(meters * 1e6);
      count++;
      if (witness < 0) moving++;
      if (ignitionBefore !== UNKNOWN_IGNITION) known++;
      if (ignitionBefore === 0) offMs += milliseconds;
      if (!isByPosition) {
        last[TIME] = time;
        last[STRAIGHT] = straight;
        this.#addMileage(last, fixes, i, ignitionBefore, meters, milliseconds);
      }
      const claimsBefore = claims;
      claims = claimsOf(speedKph, ignition, minSpeedKph);
      // A run goes on as long as the unit cannot be a place away from its begin.
      if ((runClaims & claims) !== 0 && meters <= slack) {
        runClaims &= claims;
        slack -= meters;
      } else if ((claims | claimsBefore | runClaims) !== 0) {
        saveFix(last, fixes, i, witness, wayMost, stayMost);
        last[FIXES] = count;
        last[RUN_CLAIMS] = runClaims;
        last[RUN_SLACK] = slack;
        countClaims(last, claims & claimsBefore, claims, meters, milliseconds, this.#rules);
        runClaims = last[RUN_CLAIMS]!;
        slack = last[RUN_SLACK]!;
      }
      if (isLong || isJump || time >= slotEnd) {
        slot = Math.floor(time / slotMs);
        slotEnd = (slot + 1) * slotMs;
        const row = (++entry & mask) * WIDTH;
        recent[row + TIME] = time;
        recent[row + LON] = lons[i]!;
        recent[row + LAT] = lats[i]!;
        recent[row + WITNESS] = witness;
        recent[row + CUT] = isJump ? 1 : 0;
        recent[row + WAY_KPH] = wayMost;
        recent[row + STAY_KPH] = stayMost;
        recent[row + STRAIGHT] = straight;
        recent[row + MICROMETERS] = straight;
        if (!isByPosition) {
          recent[row + MICROMETERS] = last[MICROMETERS]!;
          recent[row + CHANGED_AT] = last[CHANGED_AT]!;
          recent[row + CHANGES] = last[CHANGES]!;
          recent[row + FINE] = last[FINE]!;
          recent[row + UNMEASURED] = last[UNMEASURED]!;
        }
        recent[row + JUMPS] = last[JUMPS]!;
        recent[row + OFF_MS] = offMs;
        recent[row + KNOWN] = known;
        recent[row + OFF_STEPS] = last[OFF_STEPS]!;
        recent[row + REST_STEPS] = last[REST_STEPS]!;
        recent[row + MOVING] = moving;
        recent[row + FIXES] = count;
        wayMost = stayMost = UNKNOWN;
        isWaiting = false;
        change |= ENTRY;
      } else isWaiting = true;
      changes[i - from + offset] = change;
    }
    saveFix(last, fixes, to - 1, witness, wayMost, stayMost);
    saveTotals(last, straight, isByPosition, offMs, known, moving, count);
    last[SPEED] = speedKph;
    last[IGNITION] = ignition;
    last[RUN_CLAIMS] = runClaims;
    last[RUN_SLACK] = slack;
    ring.slot = slot;
    ring.isWaiting = isWaiting;
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

  /** Speed of the step if it is a jump; else -1. */
  #jumpKph({ time, lon, lat }: FixColumns, i: number): number {
    const { maxStepMeters, maxStepKph } = this.#rules;
    const meters = decidedDistance(lon[i - 1]!, lat[i - 1]!, lon[i]!, lat[i]!, maxStepMeters);
    const kph = (meters * KPH_PER_METER_PER_MS) / (time[i]! - time[i - 1]!);
    const isHalfTurn = Math.abs(lon[i]! - lon[i - 1]!) === 180;
    return isHalfTurn || (meters > maxStepMeters && kph > maxStepKph) ? kph : UNKNOWN;
  }
}

/** The row of the last fix of a unit. */
type Last = FixRing['last'];

function saveFix(
  last: Last,
  { time, lon, lat }: FixColumns,
  i: number,
  witness: number,
  wayKph: number,
  stayKph: number,
): void {
  last[TIME] = time[i]!;
  last[LON] = lon[i]!;
  last[LAT] = lat[i]!;
  last[WITNESS] = witness;
  last[WAY_KPH] = wayKph;
  last[STAY_KPH] = stayKph;
}

function saveTotals(
  last: Last,
  straight: number,
  isByPosition: boolean,
  offMs: number,
  known: number,
  moving: number,
  fixes: number,
): void {
  last[STRAIGHT] = straight;
  if (isByPosition) last[MICROMETERS] = straight;
  last[OFF_MS] = offMs;
  last[KNOWN] = known;
  last[MOVING] = moving;
  last[FIXES] = fixes;
}

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
