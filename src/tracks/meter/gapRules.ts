/** The options by which a step from fix to fix is a gap, in which nothing is measured. */

import type { Filled, OptionTable } from '../../core/options.js';
import type { TripDetectorSettings } from '../../core/trackSettings.js';
import { VISIT_OPTIONS, type VisitOptions } from '../visitRules.js';

/** Options that decide which step between two fixes is a gap. */
export interface GapOptions extends Pick<VisitOptions, 'maxGapSeconds' | 'maxGapMeters' | 'parkedMeters'> {
  /** A longer time between two fixes is a gap. Default 3600; `Infinity`: never. */
  readonly maxGapSeconds?: number | undefined;
  /** A longer distance between two fixes is a gap. Default `Infinity`: off. */
  readonly maxGapMeters?: number | undefined;
  /**
   * Greatest distance between the fixes of a gap for which the unit was parked (a sleep), metres. By position and by the measured distance.
   * Default 200.
   */
  readonly parkedMeters?: number | undefined;
}

/** Gap options of a function that has no parameter for the unit's settings. */
export interface MeteredOptions extends GapOptions {
  /** The unit's custom fields. Their source of distances decides whether a gap is a sleep. Default: distances by position. */
  readonly settings?: TripDetectorSettings | undefined;
}

export const GAP_OPTIONS: OptionTable<GapOptions> = {
  maxGapSeconds: VISIT_OPTIONS.maxGapSeconds,
  maxGapMeters: VISIT_OPTIONS.maxGapMeters,
  parkedMeters: VISIT_OPTIONS.parkedMeters,
};

export interface GapRules {
  readonly maxGapMs: number;
  readonly maxGapMeters: number;
  readonly parkedMeters: number;
}

/** The rules of option values that were read. */
export function gapRules(values: Filled<GapOptions>): GapRules {
  const { maxGapSeconds, maxGapMeters, parkedMeters } = values;
  return { maxGapMs: maxGapSeconds * 1000, maxGapMeters, parkedMeters };
}
