/** Options of every stream of fixes, and their form in a snapshot. */

import { type OptionTable, valuesOf } from '../core/options.js';
import type { IntakeRules } from './fixIntake.js';
import { FIX_OPTIONS, type FixOptions } from './fixReader.js';

export interface StreamOptions extends FixOptions {
  /** A unit's fixes may arrive this much out of order; events are delayed by as much. Default 0. */
  readonly latenessSeconds?: number | undefined;
  /** A fix that is this much later than its `receivedAt` is `time-implausible`. Default 300. */
  readonly maxFutureSeconds?: number | undefined;
  /**
   * A fix without `receivedAt` that is this much later than the unit's last one waits for the unit's next fix or for `advance`: it
   * counts if that is at most an hour before it, else it is `time-implausible`. Default 86400.
   */
  readonly maxAheadSeconds?: number | undefined;
  /** How many units are followed at a time; one more throws `limit-units`. Default `Infinity`. */
  readonly maxUnits?: number | undefined;
}

export const STREAM_OPTIONS: OptionTable<StreamOptions> = {
  ...FIX_OPTIONS,
  latenessSeconds: { default: 0 },
  maxFutureSeconds: { default: 300 },
  maxAheadSeconds: { default: 86_400 },
  maxUnits: { default: Number.POSITIVE_INFINITY },
};

export interface StreamRules extends IntakeRules {
  readonly maxUnits: number;
}

/** The rules of checked options; `option-value`. */
export function readStreamRules(options: StreamOptions | undefined): StreamRules {
  const { latenessSeconds, maxFutureSeconds, maxAheadSeconds, maxUnits, ...fixRules } = valuesOf(
    options,
    STREAM_OPTIONS,
  );
  return {
    fixRules,
    latenessMs: latenessSeconds * 1000,
    maxFutureMs: maxFutureSeconds * 1000,
    maxAheadMs: maxAheadSeconds * 1000,
    maxUnits,
  };
}

/** Values that JSON lacks are written as texts. */
export type JsonOptions = Readonly<Record<string, number | string | boolean>>;

/** The values of the options that have defaults. `Infinity`, which JSON lacks, is written as a text. */
export function optionsToJson(values: JsonOptions, defaults: JsonOptions): JsonOptions {
  return Object.fromEntries(
    Object.keys(defaults).map((name) => [
      name,
      values[name] === Number.POSITIVE_INFINITY ? 'Infinity' : values[name]!,
    ]),
  );
}

/** As `optionsToJson`, without the values that are the defaults. */
export function othersToJson(values: JsonOptions, defaults: JsonOptions): JsonOptions {
  const entries = Object.entries(optionsToJson(values, defaults));
  return Object.fromEntries(entries.filter(([name]) => values[name] !== defaults[name]));
}

export function optionsFromJson(options: JsonOptions): Record<string, number | string | boolean> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      value === 'Infinity' ? Number.POSITIVE_INFINITY : value,
    ]),
  );
}
