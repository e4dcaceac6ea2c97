/** Reads a unit's settings of the trip detector, as the platform stores them, into rules. */

import { inputError, isArray } from '../core/errors.js';
import { guarded, readNumber } from '../core/input.js';
import { defaultsOf, type OptionTable, valuesOf } from '../core/options.js';
import type { MileageKind, TripDetectorFields } from '../core/trackSettings.js';

/** Options of movement detection besides the unit's settings. */
export interface MovementOptions {
  /**
   * Condition of a jump. `distance` (default): the step is longer than `tripdetector_maxdistancemsg`. `speed`: the step is also faster than
   * `maxJumpSpeedKph`, so that a motorway drive with a fix each minute stays one trip.
   */
  readonly jump?: 'distance' | 'speed' | undefined;
  /** Default 200. */
  readonly maxJumpSpeedKph?: number | undefined;
  /** Radius of the place of a parking or stop, metres. Default 50, at least 15. */
  readonly stayMeters?: number | undefined;
  /** The least duration of a stop. Default 60, at least 30. */
  readonly minStopSeconds?: number | undefined;
}

export interface MovementRules {
  readonly minParkMs: number;
  readonly minSpeedKph: number;
  readonly minTripMeters: number;
  readonly minTripMs: number;
  readonly maxStepMeters: number;
  readonly maxStepKph: number;
  /** A jump up to this speed may be a drive that is seldom reported. */
  readonly plausibleKph: number;
  readonly maxIntervalMs: number;
  readonly stayMeters: number;
  readonly minStopMs: number;
  readonly mileageFactor: number;
  readonly needsIgnition: boolean;
  readonly pinsParked: boolean;
  readonly mileage: MileageKind;
}

/** Greatest factor on distances: the longest drive times it is still a finite number. */
const MAX_MILEAGE_FACTOR = 1e6;

const NUMBERS = {
  tripdetector_minparktime: 300,
  tripdetector_minmovespeed: 3,
  tripdetector_mintripdist: 100,
  tripdetector_mintriptime: 60,
  tripdetector_maxdistancemsg: 1000,
  advanced_maxintervalmsg: 3600,
  advanced_mileagecoeff: 1,
} as const;

export const MOVEMENT_OPTIONS: OptionTable<MovementOptions> = {
  jump: { words: ['distance', 'speed'] },
  maxJumpSpeedKph: { default: 200 },
  stayMeters: { default: 50, min: 15 },
  minStopSeconds: { default: 60, min: 30 },
};

const MOVE_KINDS = ['speedkph', 'ignition'] as const;

const MILEAGE_KINDS: readonly MileageKind[] = [
  'mileage_GPS',
  'mileage_GPS_ignition',
  'mileage_mileage_sensor',
  'mileage_relative_mileage',
];

/** Every setting and option by name. */
export type MovementValues = {
  readonly [name in keyof (TripDetectorFields & MovementOptions)]-?: number | string | boolean;
};

export const MOVEMENT_DEFAULTS: MovementValues = {
  ...NUMBERS,
  key_tripdetector_movedetect: 'speedkph',
  tripdetector_gpscorrect: false,
  tripdetector_mileagedetect: 'mileage_GPS',
  ...defaultsOf(MOVEMENT_OPTIONS),
};

/** Settings and checked options, with their defaults; errors `settings-type`, `setting-value`, `option-value`. */
export function readMovement(settings: unknown, options: MovementOptions | undefined): MovementValues {
  const setting = settingsByName(settings);
  const number = (name: keyof typeof NUMBERS): number => readNumeric(setting(name), name, NUMBERS[name]);
  return {
    tripdetector_minparktime: number('tripdetector_minparktime'),
    tripdetector_minmovespeed: number('tripdetector_minmovespeed'),
    tripdetector_mintripdist: number('tripdetector_mintripdist'),
    tripdetector_mintriptime: number('tripdetector_mintriptime'),
    tripdetector_maxdistancemsg: number('tripdetector_maxdistancemsg'),
    advanced_maxintervalmsg: number('advanced_maxintervalmsg'),
    advanced_mileagecoeff: number('advanced_mileagecoeff'),
    key_tripdetector_movedetect: readWord(setting, 'key_tripdetector_movedetect', MOVE_KINDS),
    tripdetector_gpscorrect: readFlag(setting('tripdetector_gpscorrect')),
    tripdetector_mileagedetect: readWord(setting, 'tripdetector_mileagedetect', MILEAGE_KINDS),
    ...valuesOf(options, MOVEMENT_OPTIONS),
  };
}

export function movementRules(read: MovementValues): MovementRules {
  return {
    minParkMs: Number(read.tripdetector_minparktime) * 1000,
    minSpeedKph: Number(read.tripdetector_minmovespeed),
    minTripMeters: Number(read.tripdetector_mintripdist),
    minTripMs: Number(read.tripdetector_mintriptime) * 1000,
    maxStepMeters: Number(read.tripdetector_maxdistancemsg),
    maxStepKph: read.jump === 'speed' ? Number(read.maxJumpSpeedKph) : 0,
    plausibleKph: Number(read.maxJumpSpeedKph),
    maxIntervalMs: Number(read.advanced_maxintervalmsg) * 1000,
    stayMeters: Number(read.stayMeters),
    minStopMs: Number(read.minStopSeconds) * 1000,
    mileageFactor: Number(read.advanced_mileagecoeff),
    needsIgnition: read.key_tripdetector_movedetect === 'ignition',
    pinsParked: read.tripdetector_gpscorrect === true,
    mileage: read.tripdetector_mileagedetect as MileageKind,
  };
}

/** The value of a setting that is a number, 0 if it is absent or empty; `settings-type`, `setting-value`. */
export function readNumericSetting(settings: unknown, name: string): number {
  return readNumeric(settingsByName(settings, { [name]: 0 })(name), name, 0);
}

/** Each of `known` may be given once. */
function settingsByName(
  settings: unknown,
  known: Readonly<Record<string, unknown>> = MOVEMENT_DEFAULTS,
): (name: string) => unknown {
  if (settings === undefined) return () => undefined;
  if (typeof settings !== 'object' || settings === null) {
    throw inputError(
      'settings-type',
      'settings',
      'an object of settings, or a list of {key, value}',
      settings,
    );
  }
  if (!isArray(settings)) {
    return (name) =>
      guarded(`settings.${name}`, () =>
        Object.hasOwn(settings, name) ? (settings as Record<string, unknown>)[name] : undefined,
      );
  }
  return guarded('settings', () => {
    const byName = new Map<unknown, unknown>();
    settings.forEach((field: unknown, i) => {
      if (typeof field !== 'object' || field === null) {
        throw inputError('settings-type', `settings[${i}]`, 'a {key, value}', field);
      }
      const { key, value } = field as { key?: unknown; value?: unknown };
      if (byName.has(key) && Object.hasOwn(known, String(key))) {
        throw inputError('setting-value', `settings[${i}]`, 'each setting once', key);
      }
      byName.set(key, value);
    });
    return (name: string) => byName.get(name);
  });
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function readNumeric(value: unknown, name: string, fallback: number): number {
  if (isAbsent(value)) return fallback;
  const isNumeric = typeof value === 'string' && /^\s*\+?(?:\d+(?:\.\d*)?|\.\d+)\s*$/.test(value);
  return readNumber(
    isNumeric ? Number(value) : value,
    `settings.${name}`,
    'setting-value',
    0,
    name === 'advanced_mileagecoeff' ? MAX_MILEAGE_FACTOR : Number.POSITIVE_INFINITY,
  );
}

/** One of the words; the first if the setting is absent. */
function readWord(
  setting: (name: string) => unknown,
  name: keyof TripDetectorFields,
  words: readonly string[],
): string {
  const value = setting(name);
  if (isAbsent(value)) return words[0]!;
  if (typeof value === 'string' && words.includes(value)) return value;
  throw inputError('setting-value', `settings.${name}`, words.join(' or '), value);
}

function readFlag(value: unknown): boolean {
  const flag = typeof value === 'string' ? value.trim() : value;
  if (isAbsent(flag) || flag === false || flag === 0 || flag === '0' || flag === 'false') return false;
  if (flag === true || flag === 1 || flag === '1' || flag === 'true') return true;
  throw inputError('setting-value', 'settings.tripdetector_gpscorrect', 'true, false, 1 or 0', value);
}
