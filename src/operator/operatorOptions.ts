/** Options of an operator, checked and in the form of its state, and the zones and trips of a company at one version. */

import { type OptionTable, pickOptions } from '../core/options.js';
import type { Trip } from '../core/trip.js';
import type { HoursOf } from '../core/zoneHours.js';
import { checkRunOptions } from '../tracks/checkRunOptions.js';
import { FIX_OPTIONS, type FixRules } from '../tracks/fixReader.js';
import { MOVEMENT_OPTIONS, type MovementOptions, readMovement } from '../tracks/movementRules.js';
import type { PreparedRoute } from '../tracks/route/prepareRoute.js';
import type { MatchOptions } from '../tracks/route/routeRules.js';
import {
  SPEEDING_OPTIONS,
  type SpeedingOptions,
  type SpeedingThresholds,
} from '../tracks/speeding/speedingOptions.js';
import { speedingRun } from '../tracks/speeding/speedingTracker.js';
import { readStreamRules, STREAM_OPTIONS, type StreamOptions } from '../tracks/streamOptions.js';
import { textHash } from '../tracks/textHash.js';
import { readVisitRules, VISIT_OPTIONS, type VisitOptions } from '../tracks/visitRules.js';
import type { ZoneIndexLike } from '../tracks/zoneIndexLike.js';
import { TRIP_TRACKER_OPTIONS, type TripTrackerOptions } from '../trips/follow/tripSnapshot.js';
import type { TripOptions } from '../trips/terms/tripReport.js';
import { readTripRules } from '../trips/terms/tripRules.js';

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

export interface OperatorSettings {
  readonly options: OperatorOptions;
  readonly latenessMs: number;
  readonly fixRules: FixRules;
  /** A hash of the options. */
  readonly hash: string;
}

/** Errors: `option-type`, `option-unknown`, `option-value`. */
export function operatorSettings(given: OperatorOptions): OperatorSettings {
  checkRunOptions(given, OPERATOR_OPTIONS);
  const options = pickOptions(given, OPERATOR_OPTIONS) as OperatorOptions;
  const { latenessMs, fixRules } = readStreamRules(options);
  readVisitRules(options);
  readTripRules(options as TripOptions);
  readMovement(undefined, options);
  speedingRun(options);
  const entries = Object.entries(options);
  const hash = textHash(
    JSON.stringify(entries, (_, value: unknown) => (value === Infinity ? 'Infinity' : value)),
  );
  return { options, latenessMs, fixRules, hash };
}

/** The route of a trip, and the corridor along it. */
export interface TripRoute extends Omit<MatchOptions, 'from'> {
  /** Made by `prepareRoute`. Pass the same object in every step, so that the route is prepared once. */
  readonly route: PreparedRoute;
}

/**
 * The data of a company at one version that an operator needs. Pass the same objects for the same version, because plans are cached by
 * object. The result of every function must depend on its argument and the version alone.
 */
export interface OperatorPlaces {
  /** The zones. Their order must be the same in every process. */
  readonly zones: ZoneIndexLike;
  /** The opening hours of a zone, made by `prepareHours`; `null`: always open. Default: every zone is always open. */
  readonly hoursOf?: HoursOf | undefined;
  /** The speed limit of a zone, km/h; `null`: no limit. Leave the function out if no zone has a limit. */
  readonly speedLimitOf?: ((zoneId: string) => number | null) | undefined;
  /** Tolerance and shortest duration of speeding for a unit. `null`: the values of the options. Default: `null` for every unit. */
  readonly thresholdsOf?: ((unitId: string) => SpeedingThresholds | null) | undefined;
  /** The unit's planned trips. Default: none. */
  readonly trips?: ((unitId: string) => readonly Trip[]) | undefined;
  /** The route that the runs of a trip follow; `null`: no route. Default: no trip has a route. */
  readonly routeOf?: ((trip: Trip) => TripRoute | null) | undefined;
  /** The company's time zone, an IANA name. Default `UTC`. */
  readonly timeZone?: string | undefined;
}
