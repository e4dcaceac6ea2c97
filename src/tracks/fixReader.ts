/** Reads one fix of a caller: every field is checked and put in the units of a track. */

import { wrapLon } from '../core/angles.js';
import type { RejectReason } from '../core/errorCode.js';
import type { Fix } from '../core/fix.js';
import { MAX_LON_DEGREES, MAX_TIME } from '../core/input.js';
import { flushTiny } from '../core/numbers.js';
import type { Filled, OptionTable } from '../core/options.js';
import {
  accuracyFault,
  type Fault,
  invalidFault,
  satellitesFault,
  timeFault,
  zeroFault,
} from './rejection.js';

/** Stands for an unknown speed, accuracy or mileage. */
export const UNKNOWN = -1;

/** Stands for an unknown ignition (0 off, 1 on). */
export const UNKNOWN_IGNITION = 255;

/** A checked fix: wrapped degrees, unknown numbers as in a `Track`. */
export interface CleanFix {
  readonly time: number;
  readonly lon: number;
  readonly lat: number;
  readonly speedKph: number;
  readonly accuracyMeters: number;
  readonly ignition: number;
  readonly mileageMeters: number;
  readonly mileageDeltaMeters: number;
}

/** Limits of accepted fixes. */
export interface FixOptions {
  /** Greatest plausible speed between two fixes, km/h. Default 300; `Infinity`: every fix is plausible. */
  readonly maxSpeedKph?: number | undefined;
  /** Time after which a jump is believed if no fix returned from it, seconds. Default 3600; `Infinity`: never. */
  readonly maxJamSeconds?: number | undefined;
  /**
   * Speed from which an unchanged position is frozen, km/h: two fixes report at least this speed at exactly one position. Default 10;
   * `Infinity`: off.
   */
  readonly frozenSpeedKph?: number | undefined;
  /** Growth of the mileage from which an unchanged position is frozen, metres. Default 200; `Infinity`: off. */
  readonly parkedMeters?: number | undefined;
  /** Distance from the last good fix within which a plausible fix ends a jam, metres. Default 5000; `Infinity`: every plausible fix ends it. */
  readonly maxCrossedMeters?: number | undefined;
  /** Worst accuracy of a fix, metres. A fix with a worse accuracy is left out. An unknown accuracy passes. Default `Infinity`: off. */
  readonly maxAccuracyMeters?: number | undefined;
  /** Least number of satellites. A fix with fewer satellites is left out. An unknown number passes. Default 0: off. */
  readonly minSatellites?: number | undefined;
  /** Epoch ms; an earlier fix is `time-implausible`. Default 2000-01-01T00:00Z. */
  readonly earliestTime?: number | undefined;
  /** Epoch ms; a later fix is `time-implausible`. Default 2099-12-31T23:59:59.999Z. Pass the time of receipt if it is known. */
  readonly latestTime?: number | undefined;
  /** Whether fixes at exactly 0, 0 are kept. Units without a position report 0, 0. Default false. */
  readonly keepZeroIsland?: boolean | undefined;
}

export type FixRules = Filled<FixOptions>;

export const FIX_OPTIONS: OptionTable<FixOptions> = {
  maxSpeedKph: { default: 300 },
  maxJamSeconds: { default: 3600 },
  frozenSpeedKph: { default: 10 },
  parkedMeters: { default: 200 },
  maxCrossedMeters: { default: 5000 },
  maxAccuracyMeters: { default: Number.POSITIVE_INFINITY },
  minSatellites: { default: 0 },
  earliestTime: { default: Date.UTC(2000, 0, 1), min: -MAX_TIME, max: MAX_TIME },
  latestTime: { default: Date.UTC(2100, 0, 1) - 1, min: -MAX_TIME, max: MAX_TIME },
  keepZeroIsland: { default: false },
};

/** km/h for one metre in a millisecond. */
export const KPH_PER_METER_PER_MS = 3600;

/** Period in which fixes can have been received, epoch ms: from, to. */
export type RolloverWindow = readonly [from: number, to: number];

/** GPS counts weeks modulo 1024: a receiver that lost count is 7168 days early. */
export const ROLLOVER_MS: number = 7168 * 86_400_000;

type Unread = Record<keyof Fix, unknown>;

/** Reads fixes one at a time. Its fields are those of the last accepted fix, so that reading allocates nothing. */
export class FixReader implements CleanFix {
  time: number = 0;
  lon: number = 0;
  lat: number = 0;
  speedKph: number = UNKNOWN;
  accuracyMeters: number = UNKNOWN;
  ignition: number = UNKNOWN_IGNITION;
  mileageMeters: number = UNKNOWN;
  mileageDeltaMeters: number = UNKNOWN;
  /** Number of fixes whose time was moved by one rollover of the GPS weeks. */
  rolledOver: number = 0;
  /** Why the last rejected fix was rejected. */
  fault: Fault | null = null;
  readonly #rules: FixRules;
  readonly #window: RolloverWindow | null;

  constructor(rules: FixRules, rolloverWindow: RolloverWindow | null = null) {
    this.#rules = rules;
    this.#window = rolloverWindow;
  }

  /** Reads a fix into the fields, or returns the reason of its rejection. Each field is read once; its errors pass through. */
  read(fix: unknown): RejectReason | null {
    if (typeof fix !== 'object' || fix === null) return this.#invalid(fix, undefined, undefined, undefined);
    const { time, lon, lat, valid, speedKph, accuracyMeters, satellites, ignition } = fix as Unread;
    const { mileageMeters, mileageDeltaMeters } = fix as Unread;
    if (
      valid === false ||
      typeof lon !== 'number' ||
      typeof lat !== 'number' ||
      !(Math.abs(lat) <= 90 && Math.abs(lon) <= MAX_LON_DEGREES) ||
      typeof time !== 'number' ||
      !Number.isFinite(time)
    ) {
      return this.#invalid(fix, time, lon, lat);
    }
    const whole = Math.round(time);
    const isRolledOver = this.#window !== null && isOneRolloverBefore(whole, this.#window);
    const trueTime = isRolledOver ? whole + ROLLOVER_MS : whole + 0;
    if (trueTime < this.#rules.earliestTime || trueTime > this.#rules.latestTime)
      return this.#implausible(trueTime);
    if (lon === 0 && lat === 0 && !this.#rules.keepZeroIsland) return this.#atZero(trueTime);
    // 0 m is what receivers send that know no accuracy.
    const accuracy = known(accuracyMeters) || UNKNOWN;
    if (accuracy > this.#rules.maxAccuracyMeters) return this.#inaccurate(trueTime, accuracy);
    const inView = known(satellites);
    if (inView !== UNKNOWN && inView < this.#rules.minSatellites)
      return this.#fewSatellites(trueTime, inView);
    this.time = trueTime;
    this.lon = flushTiny(wrapLon(lon));
    this.lat = flushTiny(lat);
    this.speedKph = known(speedKph);
    this.accuracyMeters = accuracy;
    this.ignition = typeof ignition === 'boolean' ? Number(ignition) : UNKNOWN_IGNITION;
    this.mileageMeters = known(mileageMeters);
    this.mileageDeltaMeters = known(mileageDeltaMeters);
    if (isRolledOver) this.rolledOver++;
    return null;
  }

  // Apart from `read`, which stays small enough to be inlined.
  #invalid(fix: unknown, time: unknown, lon: unknown, lat: unknown): RejectReason {
    this.fault = invalidFault(fix, { time, lon, lat });
    return 'invalid';
  }

  #implausible(time: number): RejectReason {
    this.fault = timeFault(time, this.#rules.earliestTime, this.#rules.latestTime);
    return 'time-implausible';
  }

  #atZero(time: number): RejectReason {
    this.fault = zeroFault(time);
    return 'zero-island';
  }

  #inaccurate(time: number, accuracyMeters: number): RejectReason {
    this.fault = accuracyFault(time, accuracyMeters, this.#rules.maxAccuracyMeters);
    return 'accuracy';
  }

  #fewSatellites(time: number, satellites: number): RejectReason {
    this.fault = satellitesFault(time, satellites, this.#rules.minSatellites);
    return 'satellites';
  }
}

function isOneRolloverBefore(time: number, [from, to]: RolloverWindow): boolean {
  return (time < from || time > to) && time + ROLLOVER_MS >= from && time + ROLLOVER_MS <= to;
}

/**
 * The order in which fixes of one time are preferred: by accuracy (unknown last), lon, lat, then speed, ignition
 * and mileage. Every field takes part, so that the order of arrival never matters.
 */
export function comparePreference(a: CleanFix, b: CleanFix): number {
  return (
    unknownLast(a.accuracyMeters) - unknownLast(b.accuracyMeters) ||
    a.lon - b.lon ||
    a.lat - b.lat ||
    unknownLast(a.speedKph) - unknownLast(b.speedKph) ||
    a.ignition - b.ignition ||
    unknownLast(a.mileageMeters) - unknownLast(b.mileageMeters) ||
    unknownLast(a.mileageDeltaMeters) - unknownLast(b.mileageDeltaMeters)
  );
}

export function unknownLast(value: number): number {
  return value === UNKNOWN ? Number.MAX_VALUE : value;
}

function known(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY ? value + 0 : UNKNOWN;
}

/** The fix without what else its object may hold. */
export function copyOfClean(fix: CleanFix): CleanFix {
  const { time, lon, lat, speedKph, accuracyMeters, ignition, mileageMeters, mileageDeltaMeters } = fix;
  return { time, lon, lat, speedKph, accuracyMeters, ignition, mileageMeters, mileageDeltaMeters };
}
