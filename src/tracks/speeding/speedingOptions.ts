/** Options of speeding, for the batch and the stream. */

import { isArray } from '../../core/errors.js';
import { guarded, readNumber } from '../../core/input.js';
import { defaultsOf, type OptionTable, OWN } from '../../core/options.js';
import type { UnitSettings } from '../../core/trackSettings.js';
import { GAP_OPTIONS, type GapOptions } from '../meter/gapRules.js';
import { METER_DEFAULTS, type MeterSettings, readMeterSettings } from '../meter/meterSettings.js';
import { readNumericSetting } from '../movementRules.js';
import type { PushOptions } from '../stream/unitStream.js';
import { STREAM_OPTIONS, type StreamOptions } from '../streamOptions.js';
import type { SpeedingRules } from './speedingMachine.js';
import { type LimitSources, type LimitWords, readLimit, UNLIMITED } from './speedLimits.js';

/** Limits and thresholds of speeding. */
export interface SpeedingOptions extends GapOptions, LimitSources, LimitWords {
  /** The unit's limit, km/h, above 0. Default: none. */
  readonly limitKph?: number | undefined;
  /**
   * The unit's custom fields. `advanced_speedlimit` is the limit if `limitKph` is absent (absent, empty or 0: no limit). The other fields set
   * the distances, as in `meterTrack`.
   */
  readonly settings?: UnitSettings | undefined;
  /** Speed must exceed limit + tolerance. Default 0. */
  readonly toleranceKph?: number | undefined;
  /** Shorter events are dropped (≥ stays). Default 0. */
  readonly minSeconds?: number | undefined;
  /** Whether reported speeds count even if positions contradict them. Default false. */
  readonly trustSpeeds?: boolean | undefined;
}

export const SPEEDING_OPTIONS: OptionTable<SpeedingOptions, 'limitKph'> = {
  limitKph: OWN,
  settings: OWN,
  index: OWN,
  zoneLimits: OWN,
  overlap: { words: ['lowest', 'highest'] },
  combine: { words: ['zone', 'lowest'] },
  limitOf: OWN,
  toleranceKph: { default: 0 },
  minSeconds: { default: 0 },
  trustSpeeds: { default: false },
  ...GAP_OPTIONS,
};
/** The settings of a unit that speeding uses; plain JSON. */
export const UNIT_DEFAULTS: MeterSettings = { ...METER_DEFAULTS, advanced_speedlimit: 0 };

/** Errors: `settings-type`, `setting-value`. */
export function readUnitSettings(settings: unknown): MeterSettings {
  const limit = readNumericSetting(settings, 'advanced_speedlimit');
  return { ...readMeterSettings(settings), advanced_speedlimit: limit };
}

/** The unit's limit, -1: none. `limitKph` is that of the options. */
export function unitLimit(limitKph: unknown, settings: MeterSettings): number {
  const own = readLimit(limitKph, 'options.limitKph');
  const setting = Number(settings['advanced_speedlimit']);
  if (own !== UNLIMITED) return own;
  return setting > 0 ? setting : UNLIMITED;
}

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
