/** Options of `SpeedingTracker`, and their form in a snapshot. */

import { isArray } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import { defaultsOf, type OptionTable, OWN } from '../../core/options.js';
import type { MeterSettings } from '../meter/meterSettings.js';
import { asCorrupt } from '../stateReader.js';
import { optionsFromJson, optionsToJson, STREAM_OPTIONS, type StreamOptions } from '../streamOptions.js';
import type { PushOptions } from '../streamUnits.js';
import {
  readUnitSettings,
  SPEEDING_OPTIONS,
  type SpeedingOptions,
  UNIT_DEFAULTS,
} from './speedingOptions.js';
import type { LimitSources } from './speedLimits.js';

export interface SpeedingTrackerOptions extends SpeedingOptions, StreamOptions {}

/** Options of `SpeedingTracker.push`. */
export interface SpeedingPushOptions extends PushOptions {
  /** The unit's own limit from this fix to its next one, km/h; null: none. Default: that of the tracker or of `configure`. */
  readonly limitKph?: number | null;
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
  ...STREAM_OPTIONS,
};

export const LIMIT_SOURCES: OptionTable<LimitSources> = { index: OWN, zoneLimits: OWN, limitOf: OWN };

export const PUSH_OPTIONS: OptionTable<SpeedingPushOptions, 'receivedAt' | 'limitKph'> = {
  receivedAt: OWN,
  limitKph: OWN,
};

/** Of the options in a snapshot, which has the settings among them. */
export const TRACKER_DEFAULTS: Record<string, number | string | boolean> = jsonDefaults();

function jsonDefaults(): Record<string, number | string | boolean> {
  const { settings: _, ...plain } = defaultsOf(TRACKER_OPTIONS);
  return {
    ...(plain as Record<string, number | string | boolean>),
    ...UNIT_DEFAULTS,
    limitKph: -1,
    index: false,
    zoneLimits: false,
    limitOf: false,
  };
}

export function settingsToJson(settings: MeterSettings): MeterSettings {
  return optionsToJson(settings, UNIT_DEFAULTS);
}

export function settingsFromJson(json: MeterSettings): MeterSettings {
  return asCorrupt('snapshot.units', 'a setting of a tracker', () => readUnitSettings(optionsFromJson(json)));
}

/** The settings among the options of a snapshot. */
export const UNIT_ROWS: Record<string, typeof OWN> = Object.fromEntries(
  Object.keys(UNIT_DEFAULTS).map((name) => [name, OWN]),
);
