/** Options of every stream of fixes, and their form in a snapshot. */

import { type OptionTable, valuesOf } from '../core/options.js';
import type { IntakeRules } from './fixIntake.js';
import { FIX_OPTIONS, type FixOptions } from './fixReader.js';

export interface StreamOptions extends FixOptions {
  /** Seconds by which a unit's fixes may arrive out of order. Events are delayed by the same time. Default 0. */
  readonly latenessSeconds?: number | undefined;
  /** Greatest time of a fix after its `receivedAt`, seconds. A later fix is `time-implausible`. Default 300. */
  readonly maxFutureSeconds?: number | undefined;
  /**
   * Greatest time of a fix without `receivedAt` after the unit's last fix, seconds. A later fix waits for the unit's next fix or for `advance`.
   * If that time is at most an hour before its own time, the fix counts. Otherwise it is `time-implausible`. Default 86400.
   */
  readonly maxAheadSeconds?: number | undefined;
  /** Greatest number of units followed at a time. One more unit throws `limit-units`. Default `Infinity`. */
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
