/** Reads the options of evaluation and the trip's dictionary entries. */

import { inputError, WayzoneError } from '../core/errors.js';
import { guarded, MAX_TIME, readNumber } from '../core/input.js';
import { type OptionTable, OWN, valuesOf } from '../core/options.js';
import {
  type ActivationTypeKey,
  DEFAULT_TRIP_WIDTH_METERS,
  type PassageOrderTypeKey,
  type Trip,
} from '../core/trip.js';
import { ZONE_OPTIONS } from '../core/zoneOptions.js';
import { readVisitRules, VISIT_OPTIONS, type VisitRules } from '../tracks/visitRules.js';
import { MAX_RADIUS_METERS } from '../zones/readShape.js';
import type { Predict } from './predict.js';
import { PLAN_OPTIONS, type TripPlan } from './tripPlan.js';
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
  readonly stopMeters: number;
  readonly minMoveSpeedKph: number;
  readonly frozenSpeedKph: number;
  readonly visitRules: VisitRules;
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

/** Positions scatter at a border: a truck that stands at one did not leave (T15). */
const TRIP_EXIT_BUFFER_METERS = 50;

export const TRIP_OPTIONS: OptionTable<TripOptions, 'now'> = {
  ...PLAN_OPTIONS,
  now: OWN,
  policy: { words: ['skip', 'wait'] },
  finishOn: { words: ['entry', 'departure'] },
  holeSeconds: { default: 600 },
  reachSpeedKph: { default: 130 },
  serviceSeconds: { default: 60 },
  stopMeters: { default: 50 },
  minMoveSpeedKph: { default: 3 },
  frozenSpeedKph: { default: 10 },
  minStaySeconds: { default: 0 },
  acceptCrossed: { default: true },
  maxDeviationSeconds: { default: Number.POSITIVE_INFINITY },
  allowSharedVisit: { default: false },
  leaveConfirmSeconds: { default: 120 },
  changes: OWN,
  predict: OWN,
  predictionHoldSeconds: { default: 120 },
  ...ZONE_OPTIONS,
  defaultWidthMeters: { default: DEFAULT_TRIP_WIDTH_METERS, max: MAX_RADIUS_METERS },
  ...VISIT_OPTIONS,
  exitBufferMeters: { default: TRIP_EXIT_BUFFER_METERS },
};

/** The rules of checked options. Errors: `option-value`. */
export function readTripRules(options: TripOptions): TripRules {
  const read = valuesOf(options, TRIP_OPTIONS);
  return {
    now: readNow(read.now),
    waits: read.policy === 'wait',
    finishOnDeparture: read.finishOn === 'departure',
    holeMs: read.holeSeconds * 1000,
    reachSpeedKph: read.reachSpeedKph,
    parkedMeters: read.parkedMeters,
    serviceMs: read.serviceSeconds * 1000,
    stopMeters: read.stopMeters,
    minMoveSpeedKph: read.minMoveSpeedKph,
    frozenSpeedKph: read.frozenSpeedKph,
    visitRules: { ...readVisitRules(options), exitBufferMeters: read.exitBufferMeters },
    minStayMs: read.minStaySeconds * 1000,
    acceptCrossed: read.acceptCrossed,
    maxDeviationMs: read.maxDeviationSeconds * 1000,
    allowSharedVisit: read.allowSharedVisit,
    leaveConfirmMs: read.leaveConfirmSeconds * 1000,
    predict: readPredict(read.predict),
    predictionHoldMs: Math.round(read.predictionHoldSeconds * 1000),
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
