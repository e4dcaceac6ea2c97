/** Options of `matchRoute` and `RouteTracker`. */

import { inputError } from '../../core/errors.js';
import { guarded, MAX_TIME } from '../../core/input.js';
import { type OptionTable, OWN, valuesOf } from '../../core/options.js';
import { MAX_LINE_WIDTH_METERS } from '../../zones/kinds/index.js';
import { checkRunOptions } from '../checkRunOptions.js';

/** Options of `matchRoute`. */
export interface MatchOptions {
  /** Whole width of the corridor, metres. A fix within half of the width (≤) is on the route. */
  readonly widthMeters: number;
  /** Distance beyond the corridor that a deviation must exceed, metres. Default 0. */
  readonly exitBufferMeters?: number | undefined;
  /** Shorter deviations are left out (≥). Default 0. */
  readonly minSeconds?: number | undefined;
  /** Least move against the direction of a leg that counts, metres. Default: half of `widthMeters`. */
  readonly backMeters?: number | undefined;
  /** A longer step between fixes more than `parkedMeters` apart is a hole, seconds. Default 600. */
  readonly holeSeconds?: number | undefined;
  /** Fastest unseen way: a longer skipped stretch is `missed`. Default 130. */
  readonly reachSpeedKph?: number | undefined;
  /** Epoch ms: start of the run. Earlier fixes are left out. Default: the first fix. */
  readonly from?: number | undefined;
  /** As `holeSeconds`, and a longer step ends a deviation. Default 3600. */
  readonly maxGapSeconds?: number | undefined;
  /** A long step between fixes at most this far apart is a sleep, not a hole. Default 200. */
  readonly parkedMeters?: number | undefined;
}

export const MATCH_OPTIONS: OptionTable<MatchOptions, 'widthMeters' | 'backMeters' | 'from'> = {
  widthMeters: OWN,
  exitBufferMeters: { default: 0 },
  minSeconds: { default: 0 },
  backMeters: OWN,
  holeSeconds: { default: 600 },
  reachSpeedKph: { default: 130 },
  from: OWN,
  maxGapSeconds: { default: 3600 },
  parkedMeters: { default: 200 },
};

export interface RouteRules {
  readonly halfWidth: number;
  readonly exitBufferMeters: number;
  readonly minMs: number;
  readonly backMeters: number;
  readonly holeMs: number;
  /** Metres a millisecond. */
  readonly reach: number;
  readonly from: number | null;
  readonly maxGapMs: number;
  readonly parkedMeters: number;
}

/** Checked options with their defaults, as they are written to snapshots. */
export interface MatchValues extends Record<string, number | null> {
  readonly widthMeters: number;
  readonly backMeters: number;
  readonly from: number | null;
}

/** Errors: `option-type`, `option-unknown`, `option-value`. */
export function readMatchOptions(options: unknown, table: object): MatchValues {
  // Without an object `widthMeters` is missing.
  checkRunOptions(options ?? {}, table as typeof MATCH_OPTIONS);
  const { widthMeters, backMeters, from, ...values } = valuesOf(options ?? undefined, MATCH_OPTIONS);
  const width = numberIn(widthMeters, 'widthMeters', Number.MIN_VALUE, MAX_LINE_WIDTH_METERS);
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
  return {
    ...values,
    widthMeters: width,
    backMeters: isGiven(backMeters)
      ? numberIn(backMeters, 'backMeters', 0, Number.POSITIVE_INFINITY)
      : width / 2,
    from: isGiven(from) ? Math.round(numberIn(from, 'from', -MAX_TIME, MAX_TIME)) + 0 : null,
  };
}

export function routeRulesOf(values: MatchValues): RouteRules {
  const maxGapMs = values['maxGapSeconds']! * 1000;
  return {
    halfWidth: values.widthMeters / 2,
    exitBufferMeters: values['exitBufferMeters']!,
    minMs: values['minSeconds']! * 1000,
    backMeters: values.backMeters,
    holeMs: Math.min(values['holeSeconds']! * 1000, maxGapMs),
    reach: values['reachSpeedKph']! / 3600,
    from: values.from,
    maxGapMs,
    parkedMeters: values['parkedMeters']!,
  };
}

function numberIn(value: unknown, name: string, min: number, max: number): number {
  return guarded(`options.${name}`, () => {
    if (typeof value === 'number' && value >= min && value <= max) return value;
    const what = min > 0 ? `a number above 0, up to ${max}` : `a number from ${min} to ${max}`;
    throw inputError('option-value', `options.${name}`, what, value);
  });
}
