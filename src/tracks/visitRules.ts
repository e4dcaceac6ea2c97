/** Reads the options of visits: defaults, ranges, and seconds as milliseconds. */

import { readNumberOption, readOptions } from './readOptions.js';
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

export const VISIT_DEFAULTS: Required<VisitOptions> = {
  exitBufferMeters: 0,
  accuracyCapMeters: 0,
  minInsideSeconds: 0,
  minOutsideSeconds: 0,
  maxGapSeconds: 3600,
  maxGapMeters: Number.POSITIVE_INFINITY,
  parkedMeters: 200,
  maxCrossedMeters: 5000,
};

/** The rules; `option-type` or `option-value` for options that cannot be used. */
export function readVisitRules(options: VisitOptions | undefined): VisitRules {
  const given = readOptions(options);
  const value = (name: keyof VisitOptions): number => readNumberOption(given, name, VISIT_DEFAULTS[name]);
  return {
    exitBufferMeters: value('exitBufferMeters'),
    accuracyCapMeters: value('accuracyCapMeters'),
    minInsideMs: value('minInsideSeconds') * 1000,
    minOutsideMs: value('minOutsideSeconds') * 1000,
    maxGapMs: value('maxGapSeconds') * 1000,
    maxGapMeters: value('maxGapMeters'),
    parkedMeters: value('parkedMeters'),
    maxCrossedMeters: value('maxCrossedMeters'),
  };
}
