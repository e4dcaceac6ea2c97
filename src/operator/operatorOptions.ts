/** Options of an operator: all options of its trackers, and their form in the state. */

import type { OptionTable } from '../core/options.js';
import { FIX_OPTIONS } from '../tracks/fixReader.js';
import { MOVEMENT_OPTIONS, type MovementOptions } from '../tracks/movementRules.js';
import { SPEEDING_OPTIONS, type SpeedingOptions } from '../tracks/speeding/speedingOptions.js';
import { STREAM_OPTIONS, type StreamOptions } from '../tracks/streamOptions.js';
import { VISIT_OPTIONS, type VisitOptions } from '../tracks/visitRules.js';
import { TRIP_TRACKER_OPTIONS, type TripTrackerOptions } from '../trips/follow/tripTrackerOptions.js';

/** Options of the trackers of visits, movement, speeding and trips. The time zone comes with the places. */
export interface OperatorOptions
  extends VisitOptions,
    MovementOptions,
    Pick<SpeedingOptions, 'overlap' | 'combine' | 'toleranceKph' | 'minSeconds' | 'trustSpeeds'>,
    Omit<StreamOptions, 'maxUnits'>,
    Omit<TripTrackerOptions, 'timeZone' | 'predict' | 'predictionHoldSeconds'> {}

const { maxUnits: _units, ...UNIT_OPTIONS } = STREAM_OPTIONS;
const {
  timeZone: _zone,
  predict: _predict,
  predictionHoldSeconds: _hold,
  ...RUN_OPTIONS
} = TRIP_TRACKER_OPTIONS;
const { overlap, combine, toleranceKph, minSeconds, trustSpeeds } = SPEEDING_OPTIONS;

/** Names and ranges only. Defaults differ by tracker: `exitBufferMeters` is 0 for visits but not for trips. */
export const OPERATOR_OPTIONS: OptionTable<OperatorOptions> = {
  ...VISIT_OPTIONS,
  ...MOVEMENT_OPTIONS,
  ...RUN_OPTIONS,
  ...UNIT_OPTIONS,
  ...FIX_OPTIONS,
  overlap,
  combine,
  toleranceKph,
  minSeconds,
  trustSpeeds,
};
