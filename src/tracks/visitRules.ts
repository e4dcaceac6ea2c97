/** Reads the options of visits: defaults, ranges, and seconds as milliseconds. */

import { type OptionTable, valuesOf } from '../core/options.js';
import type { VisitOptions } from './visit.js';

/** The options as the state machine uses them. */
export interface VisitRules {
  readonly exitBufferMeters: number;
  readonly accuracyCapMeters: number;
  readonly minInsideMs: number;
  readonly minOutsideMs: number;
  readonly maxGapMs: number;
  readonly maxGapMeters: number;
  readonly parkedMeters: number;
  readonly maxCrossedMeters: number;
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

/** The rules of checked options; `option-value`. */
export function readVisitRules(options: VisitOptions | undefined): VisitRules {
  const { minInsideSeconds, minOutsideSeconds, maxGapSeconds, ...rest } = valuesOf(options, VISIT_OPTIONS);
  return {
    ...rest,
    minInsideMs: minInsideSeconds * 1000,
    minOutsideMs: minOutsideSeconds * 1000,
    maxGapMs: maxGapSeconds * 1000,
  };
}
