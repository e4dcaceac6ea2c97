/** Options of `SpeedingTracker`, and their form in a snapshot. */

import { isArray } from '../../core/errors.js';
import { guarded, readNumber } from '../../core/input.js';
import { defaultsOf, type OptionTable, OWN } from '../../core/options.js';
import type { PushOptions } from '../stream/unitStream.js';
import { STREAM_OPTIONS, type StreamOptions } from '../streamOptions.js';
import type { SpeedingRules } from './speedingMachine.js';
import { SPEEDING_OPTIONS, type SpeedingOptions, UNIT_DEFAULTS } from './speedingOptions.js';
import type { LimitSources } from './speedLimits.js';

/** Values that replace `toleranceKph` and `minSeconds` for one unit. */
export interface SpeedingThresholds {
  /** Tolerance: the speed must exceed limit + tolerance, km/h. Default: the tolerance of the tracker. */
  readonly toleranceKph?: number;
  /** Least duration of an event (≥), seconds. Default: the duration of the tracker. */
  readonly minSeconds?: number;
}

/** Functions given to a tracker. They are not part of snapshots. */
export interface SpeedingSources extends LimitSources {
  /** The thresholds of a unit; null: the thresholds of the tracker. It is called at each fix. */
  readonly thresholdsOf?: ((unitId: string) => SpeedingThresholds | null) | undefined;
}

export interface SpeedingTrackerOptions
  extends SpeedingOptions,
    StreamOptions,
    Pick<SpeedingSources, 'thresholdsOf'> {}

/** Options of `SpeedingTracker.push`. */
export interface SpeedingPushOptions extends PushOptions {
  /** The unit's own limit from this fix to its next fix, km/h; null: no limit. Default: the limit of the tracker or of `configure`. */
  readonly limitKph?: number | null | undefined;
}

/** The sources with a copy of the limits, so that a later change of the caller's object changes nothing. */
export function copiedLimits(sources: LimitSources): LimitSources {
  const { index, zoneLimits, limitOf } = sources;
  const isTable = typeof zoneLimits === 'object' && zoneLimits !== null && !isArray(zoneLimits);
  return {
    ...(index !== undefined && { index }),
    ...(zoneLimits !== undefined && {
      zoneLimits: isTable ? guarded('options.zoneLimits', () => ({ ...zoneLimits })) : zoneLimits,
    }),
    ...(limitOf !== undefined && { limitOf }),
  };
}

export const TRACKER_OPTIONS: OptionTable<SpeedingTrackerOptions, 'limitKph'> = {
  ...SPEEDING_OPTIONS,
  thresholdsOf: OWN,
  ...STREAM_OPTIONS,
};

export const SOURCES: OptionTable<SpeedingSources> = {
  index: OWN,
  zoneLimits: OWN,
  limitOf: OWN,
  thresholdsOf: OWN,
};

export const PUSH_OPTIONS: OptionTable<SpeedingPushOptions, 'receivedAt' | 'limitKph'> = {
  receivedAt: OWN,
  limitKph: OWN,
};

/** Of the options in a snapshot, which has the settings among them. */
export const TRACKER_DEFAULTS: Record<string, number | string | boolean> = jsonDefaults();

function jsonDefaults(): Record<string, number | string | boolean> {
  const { settings: _, thresholdsOf: __, ...plain } = defaultsOf(TRACKER_OPTIONS);
  return {
    ...(plain as Record<string, number | string | boolean>),
    ...UNIT_DEFAULTS,
    limitKph: -1,
    index: false,
    zoneLimits: false,
    limitOf: false,
  };
}

/** The rules of one unit. Errors: `option-value`, `input-unreadable`. */
export function rulesOfUnit(
  unitId: string,
  rules: SpeedingRules,
  thresholdsOf: SpeedingSources['thresholdsOf'],
): SpeedingRules {
  if (thresholdsOf === undefined) return rules;
  const field = 'options.thresholdsOf';
  const given: unknown = guarded(field, () => thresholdsOf(unitId));
  if (given === undefined || given === null) return rules;
  return guarded(field, () => {
    const { toleranceKph, minSeconds } = given as SpeedingThresholds;
    const read = (value: unknown, name: string, absent: number): number =>
      value === undefined
        ? absent
        : readNumber(value, `${field}().${name}`, 'option-value', 0, Number.POSITIVE_INFINITY);
    return {
      toleranceKph: read(toleranceKph, 'toleranceKph', rules.toleranceKph),
      minMs: 1000 * read(minSeconds, 'minSeconds', rules.minMs / 1000),
    };
  });
}

/** The settings among the options of a snapshot. */
export const UNIT_ROWS: Record<string, typeof OWN> = Object.fromEntries(
  Object.keys(UNIT_DEFAULTS).map((name) => [name, OWN]),
);
