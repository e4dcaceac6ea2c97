/** Reads the options of evaluation and the trip's dictionary entries. */

import { inputError, WayzoneError } from '../core/errors.js';
import { guarded, MAX_TIME, readChoice, readNumber } from '../core/input.js';
import {
  type ActivationTypeKey,
  DEFAULT_TRIP_WIDTH_METERS,
  type PassageOrderTypeKey,
  type Trip,
} from '../core/trip.js';
import { readNumberOption, readOptions } from '../tracks/readOptions.js';
import { VISIT_DEFAULTS } from '../tracks/visitRules.js';
import { MAX_RADIUS_METERS } from '../zones/readShape.js';
import type { Predict } from './predict.js';
import type { TripPlan } from './tripPlan.js';
import type { TripOptions } from './tripReport.js';

export interface TripRules {
  /** `null`: the window's end. */
  readonly now: number | null;
  readonly waits: boolean;
  readonly finishOnDeparture: boolean;
  readonly holeMs: number;
  readonly reachSpeedKph: number;
  readonly parkedMeters: number;
  readonly serviceMs: number;
  readonly minStayMs: number;
  readonly acceptCrossed: boolean;
  readonly maxDeviationMs: number;
  readonly allowSharedVisit: boolean;
  readonly leaveConfirmMs: number;
  readonly predict: Predict | null;
  readonly predictionHoldMs: number;
  readonly defaultWidthMeters: number;
  readonly defaultDeviationMinutes: number;
}

/** Errors: `option-type`, `option-value`. */
export function readTripRules(options: TripOptions): TripRules {
  const given = readOptions(options);
  const number = (name: keyof TripOptions, fallback: number, max?: number): number =>
    readNumberOption(given, name, fallback, max);
  const choice = <Word extends string>(name: keyof TripOptions, words: readonly [Word, ...Word[]]): Word =>
    readChoice(given(name), `options.${name}`, words, words[0]);
  const flag = (name: keyof TripOptions, fallback: boolean): boolean => {
    const value = given(name) ?? fallback;
    if (typeof value === 'boolean') return value;
    throw inputError('option-value', `options.${name}`, 'true or false', value);
  };
  return {
    now: readNow(given('now')),
    waits: choice('policy', ['skip', 'wait']) === 'wait',
    finishOnDeparture: choice('finishOn', ['arrival', 'departure']) === 'departure',
    holeMs: number('holeSeconds', 600) * 1000,
    reachSpeedKph: number('reachSpeedKph', 130),
    parkedMeters: number('parkedMeters', VISIT_DEFAULTS.parkedMeters),
    serviceMs: number('serviceSeconds', 60) * 1000,
    minStayMs: number('minStaySeconds', 0) * 1000,
    acceptCrossed: flag('acceptCrossed', true),
    maxDeviationMs: number('maxDeviationSeconds', Number.POSITIVE_INFINITY) * 1000,
    allowSharedVisit: flag('allowSharedVisit', false),
    leaveConfirmMs: number('leaveConfirmSeconds', 120) * 1000,
    predict: readPredict(given('predict')),
    predictionHoldMs: Math.round(number('predictionHoldSeconds', 120) * 1000),
    defaultWidthMeters: number('defaultWidthMeters', DEFAULT_TRIP_WIDTH_METERS, MAX_RADIUS_METERS),
    defaultDeviationMinutes: number('defaultDeviationMinutes', 0),
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
