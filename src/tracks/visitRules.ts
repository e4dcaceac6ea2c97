/** The options of visits: type, default and range of each, and the rules that the state machine reads. */

import {
  type InMilliseconds,
  inMilliseconds,
  type OptionTable,
  type OptionValues,
  valuesOf,
} from '../core/options.js';

/** Options that decide when a zone is entered and left. */
export interface VisitOptions {
  /** Metres beyond the boundary at which the zone counts as left. Default 0. */
  readonly exitBufferMeters?: number | undefined;
  /** Greatest part of a fix's accuracy that is added to `exitBufferMeters`, metres. Default 0. */
  readonly accuracyCapMeters?: number | undefined;
  /** A dwell inside must last this long to be a visit (≥). Default 0. */
  readonly minInsideSeconds?: number | undefined;
  /** An absence must last this long to end a visit (≥). Default 0. */
  readonly minOutsideSeconds?: number | undefined;
  /** A longer time between two fixes is a gap. Default 3600; `Infinity`: never. */
  readonly maxGapSeconds?: number | undefined;
  /** A longer distance between two fixes is a gap. Default `Infinity`: off. */
  readonly maxGapMeters?: number | undefined;
  /** Greatest distance between the two fixes of a gap for which the unit was parked, metres. The visit of a parked unit goes on. Default 200. */
  readonly parkedMeters?: number | undefined;
  /** A zone between two fixes counts as crossed only if the fixes are less than this many metres apart. Default 5000; `Infinity`: always. */
  readonly maxCrossedMeters?: number | undefined;
}

export const VISIT_OPTIONS: OptionTable<VisitOptions> = {
  exitBufferMeters: { default: 0 },
  accuracyCapMeters: { default: 0 },
  minInsideSeconds: { default: 0 },
  minOutsideSeconds: { default: 0 },
  maxGapSeconds: { default: 3600 },
  maxGapMeters: { default: Number.POSITIVE_INFINITY },
  parkedMeters: { default: 200 },
  maxCrossedMeters: { default: 5000 },
};

/** The options as the state machine reads them: `minInsideMs`, `maxGapMs`. */
export type VisitRules = InMilliseconds<OptionValues<typeof VISIT_OPTIONS>>;

/** The rules of checked options; `option-value`. */
export function readVisitRules(options: VisitOptions | undefined): VisitRules {
  return inMilliseconds(valuesOf(options, VISIT_OPTIONS), VISIT_OPTIONS);
}
