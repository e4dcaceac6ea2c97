/** The options of a `TripTracker`, and their form in a snapshot. */

import type { JsonOptions, StreamOptions } from '../tracks/streamOptions.js';
import type { TripOptions } from './tripReport.js';

/** Options of a `TripTracker`. */
export interface TripTrackerOptions extends Omit<TripOptions, 'now'>, Omit<StreamOptions, 'maxUnits'> {}

/** Names of all options that a snapshot stores as JSON: all but the function `predict`. */
const OPTION_NAMES = Object.keys({
  timeZone: 0,
  windowBeforeSeconds: 0,
  windowAfterSeconds: 0,
  defaultDeviationMinutes: 0,
  policy: 0,
  finishOn: 0,
  holeSeconds: 0,
  reachSpeedKph: 0,
  serviceSeconds: 0,
  minStaySeconds: 0,
  acceptCrossed: 0,
  maxDeviationSeconds: 0,
  allowSharedVisit: 0,
  leaveConfirmSeconds: 0,
  predictionHoldSeconds: 0,
  axisOrder: 0,
  lineWidth: 0,
  defaultWidthMeters: 0,
  boundary: 0,
  exitBufferMeters: 0,
  accuracyCapMeters: 0,
  minInsideSeconds: 0,
  minOutsideSeconds: 0,
  maxGapSeconds: 0,
  maxGapMeters: 0,
  parkedMeters: 0,
  maxCrossedMeters: 0,
  latenessSeconds: 0,
  maxFutureSeconds: 0,
  maxAheadSeconds: 0,
  maxSpeedKph: 0,
  earliestTime: 0,
  latestTime: 0,
  keepZeroIsland: 0,
} satisfies Record<Exclude<keyof TripTrackerOptions, 'predict'>, 0>);

/** The given options as JSON. `Infinity`, which JSON lacks, is written as a text. */
export function trackerOptionsToJson(given: (name: string) => unknown): JsonOptions {
  const options: Record<string, number | string | boolean> = {};
  for (const name of OPTION_NAMES) {
    const value = given(name) as number | string | boolean | undefined | null;
    if (value !== undefined && value !== null) {
      options[name] = value === Number.POSITIVE_INFINITY ? 'Infinity' : value;
    }
  }
  return options;
}
