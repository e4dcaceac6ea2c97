/** Options of speeding, for the batch and the stream. */

import { type OptionTable, OWN } from '../../core/options.js';
import type { UnitSettings } from '../../core/trackSettings.js';
import { GAP_OPTIONS, type GapOptions } from '../meter/gapRules.js';
import { METER_DEFAULTS, type MeterSettings, readMeterSettings } from '../meter/meterSettings.js';
import { readNumericSetting } from '../movementRules.js';
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
