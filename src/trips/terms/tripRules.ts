/** Reads the options of evaluation and the trip's dictionary entries. */

import { inputError, WayzoneError } from '../../core/errors.js';
import { guarded, MAX_TIME, readNumber } from '../../core/input.js';
import {
  type InMilliseconds,
  inMilliseconds,
  type OptionTable,
  type OptionValues,
  OWN,
  pickOptions,
  valuesOf,
} from '../../core/options.js';
import {
  type ActivationTypeKey,
  DEFAULT_TRIP_WIDTH_METERS,
  type PassageOrderTypeKey,
  type Trip,
} from '../../core/trip.js';
import { TRIP_RULE_OPTIONS } from '../../core/tripRuleOptions.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { readVisitRules, VISIT_OPTIONS, type VisitRules } from '../../tracks/visitRules.js';
import { MAX_RADIUS_METERS } from '../../zones/kinds/index.js';
import { PLAN_OPTIONS, type TripPlan } from '../plan/planTrip.js';
import type { Predict } from './predict.js';
import type { TripOptions, TripVisitOptions } from './tripReport.js';

/** The rules of `TRIP_RULE_OPTIONS`, seconds as milliseconds, with what else the evaluation reads. */
export interface TripRules extends InMilliseconds<OptionValues<typeof TRIP_RULE_OPTIONS>> {
  /** `null`: the window's end. */
  readonly now: number | null;
  readonly parkedMeters: number;
  readonly visitRules: VisitRules;
  readonly predict: Predict | null;
  readonly defaultWidthMeters: number;
  readonly defaultDeviationMinutes: number;
}

/** Positions scatter at a border: a truck that stands at one did not leave (T15). */
const TRIP_EXIT_BUFFER_METERS = 50;

const {
  accuracyCapMeters: _cap,
  minInsideSeconds: _inside,
  minOutsideSeconds: _outside,
  maxGapMeters: _meters,
  ...BOTH_OPTIONS
} = VISIT_OPTIONS;
// The points of a trip are not a tiling.
const { boundary: _boundary, ...SHAPE_OPTIONS } = ZONE_OPTIONS;
const TRIP_VISIT_OPTIONS: OptionTable<TripVisitOptions> = {
  ...BOTH_OPTIONS,
  exitBufferMeters: { default: TRIP_EXIT_BUFFER_METERS },
};

export const TRIP_OPTIONS: OptionTable<TripOptions, 'now'> = {
  ...PLAN_OPTIONS,
  now: OWN,
  ...TRIP_RULE_OPTIONS,
  changes: OWN,
  predict: OWN,
  ...SHAPE_OPTIONS,
  defaultWidthMeters: { default: DEFAULT_TRIP_WIDTH_METERS, max: MAX_RADIUS_METERS },
  ...TRIP_VISIT_OPTIONS,
};

/** The rules of checked options. Errors: `option-value`. */
export function readTripRules(options: TripOptions): TripRules {
  const read = valuesOf(options, TRIP_OPTIONS);
  const rules = inMilliseconds(read, TRIP_RULE_OPTIONS);
  return {
    ...rules,
    now: readNow(read.now),
    parkedMeters: read.parkedMeters,
    visitRules: {
      ...readVisitRules(pickOptions(options, TRIP_VISIT_OPTIONS)),
      exitBufferMeters: read.exitBufferMeters,
    },
    predict: readPredict(read.predict),
    // Events are whole milliseconds.
    predictionHoldMs: Math.round(rules.predictionHoldMs),
    defaultWidthMeters: read.defaultWidthMeters,
    defaultDeviationMinutes: read.defaultDeviationMinutes,
  };
}

/** Reads a function; `null` if absent. Errors: `option-value`. */
export function readPredict(value: unknown): Predict | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'function') return value as Predict;
  throw inputError('option-value', 'options.predict', 'a function', value);
}

function readNow(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  const now = readNumber(value, 'options.now', 'option-value', -MAX_TIME, MAX_TIME);
  if (Number.isInteger(now)) return now;
  throw inputError('option-value', 'options.now', 'whole epoch milliseconds', now);
}

/** Errors: `dictionary-key`. */
export function readPassageOrder(trip: Pick<Trip, 'passage_order_type'>): PassageOrderTypeKey {
  const key: unknown = guarded('passage_order_type', () => trip.passage_order_type?.key);
  if (key === 'strict' || key === 'arbitrary') return key;
  throw inputError('dictionary-key', 'passage_order_type.key', 'strict or arbitrary', key);
}

/** Errors: `dictionary-key`, `activation-time`. */
export function readActivation(trip: Pick<Trip, 'activation_type'>, plan: TripPlan): ActivationTypeKey {
  const key: unknown = guarded('activation_type', () => trip.activation_type?.key) ?? null;
  const first = plan.points[0]!;
  const isTimed = first.plannedArrival !== null || first.plannedDeparture !== null;
  switch (key) {
    case null:
      return isTimed ? 'time_of_first_point' : 'entrance_to_first_point';
    case 'time_of_first_point':
      if (isTimed) return key;
      throw new WayzoneError(
        'activation-time',
        'points[0].arrival',
        'expected a time of arrival or departure of the first point, which activates the trip, received neither',
      );
    case 'entrance_to_first_point':
    case 'leaving_first_point':
      return key;
    default:
      throw inputError(
        'dictionary-key',
        'activation_type.key',
        'time_of_first_point, entrance_to_first_point or leaving_first_point',
        key,
      );
  }
}
