/** The options of a `TripTracker`, and their form in a snapshot. */

import { type OptionTable, OWN, pickOptions } from '../../core/options.js';
import { FIX_OPTIONS } from '../../tracks/fixReader.js';
import { type JsonOptions, STREAM_OPTIONS, type StreamOptions } from '../../tracks/streamOptions.js';
import type { TripOptions } from '../terms/tripReport.js';
import { TRIP_OPTIONS } from '../terms/tripRules.js';

/** Options of a `TripTracker`. */
export interface TripTrackerOptions
  extends Omit<TripOptions, 'now' | 'changes'>,
    Omit<StreamOptions, 'maxUnits'> {}

const { now: _now, changes: _changes, ...RUN_OPTIONS } = TRIP_OPTIONS;

export const TRIP_TRACKER_OPTIONS: OptionTable<TripTrackerOptions> = {
  ...RUN_OPTIONS,
  latenessSeconds: STREAM_OPTIONS.latenessSeconds,
  maxFutureSeconds: STREAM_OPTIONS.maxFutureSeconds,
  maxAheadSeconds: STREAM_OPTIONS.maxAheadSeconds,
  ...FIX_OPTIONS,
};

/** The table of the options of `TripTracker.restore`. */
export const TRIP_RESTORE_OPTIONS: OptionTable<Pick<TripTrackerOptions, 'predict'>> = { predict: OWN };

/** The given options as JSON, without the function `predict`. `Infinity`, which JSON lacks, is written as a text. */
export function trackerOptionsToJson(given: TripTrackerOptions): JsonOptions {
  const options: Record<string, number | string | boolean> = {};
  for (const [name, value] of Object.entries(pickOptions(given, TRIP_TRACKER_OPTIONS))) {
    if (name !== 'predict' && value !== null)
      options[name] = value === Number.POSITIVE_INFINITY ? 'Infinity' : (value as number | string | boolean);
  }
  return options;
}
