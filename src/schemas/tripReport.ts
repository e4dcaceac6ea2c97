/** Schema of the report of `evaluateTrip`. */

import { POINT_STATUS_NAMES } from '../core/pointStatus.js';
import { TRIP_EVENT_TYPES } from '../core/tripEventType.js';
import {
  Bounds,
  Count,
  LocalDate,
  NonNegative,
  resultSchema,
  TextOrNull,
  Time,
  TimeOrNull,
  visitFields,
} from './visitFields.js';
import {
  array,
  boolean,
  nullable,
  number,
  object,
  oneOf,
  optional,
  string,
  type WireSchema,
} from './wireSchema.js';

const Seconds = nullable(number());
const Judgement = nullable(oneOf(['early', 'on_time', 'late', 'uncertain']));
const Visit: WireSchema = object({ ...visitFields, hasGap: optional(boolean()) });

const Point: WireSchema = object({
  index: Count,
  name: string(),
  status: oneOf(POINT_STATUS_NAMES),
  plannedArrival: TimeOrNull,
  plannedDeparture: TimeOrNull,
  arrival: TimeOrNull,
  arrivalBounds: nullable(Bounds),
  departure: TimeOrNull,
  departureBounds: nullable(Bounds),
  arrivalDeviationSeconds: Seconds,
  departureDeviationSeconds: Seconds,
  arrivalStatus: Judgement,
  departureStatus: Judgement,
  overdueSeconds: Seconds,
  predictedArrival: optional(TimeOrNull),
  outOfOrder: boolean(),
  visit: nullable(Visit),
});

const Totals: WireSchema = object({
  passed: Count,
  skipped: Count,
  missed: Count,
  noData: Count,
  excused: Count,
  onTime: Count,
  uncertain: Count,
  distanceMeters: nullable(NonNegative),
});

const Violation: WireSchema = object({
  type: oneOf(['not_started', 'skipped', 'missed', 'out_of_order', 'early', 'late']),
  pointIndex: Count,
  which: nullable(oneOf(['arrival', 'departure'])),
  seconds: Seconds,
});

const Hole: WireSchema = object({
  from: Time,
  to: Time,
  reason: oneOf(['gap', 'jammed', 'frozen', 'not_started', 'silent']),
});

const HandedOver: WireSchema = object({ at: Time, from: TextOrNull, to: string() });

const Event: WireSchema = object({
  type: oneOf(TRIP_EVENT_TYPES),
  time: Time,
  pointIndex: nullable(Count),
});

/**
 * The result of `evaluateTrip` and `TripTracker.report()`: `TripReport` of `wayzone/trips`. The TypeScript type here is any object, because
 * `wayzone/schemas` does not load `wayzone/trips`.
 */
export const TripReportSchema: WireSchema<object> = resultSchema({
  tripId: TextOrNull,
  unitId: TextOrNull,
  date: LocalDate,
  timeZone: string(),
  window: object({ from: Time, to: Time }),
  passageOrder: oneOf(['strict', 'arbitrary']),
  status: oneOf([
    'scheduled',
    'not_started',
    'active',
    'finished',
    'finished_with_violations',
    'aborted',
    'no_data',
    'cancelled',
  ]),
  activation: nullable(oneOf(['seen', 'planned', 'assumed'])),
  activatedAt: TimeOrNull,
  finishedAt: TimeOrNull,
  lastFixAt: TimeOrNull,
  defaultWidthMeters: NonNegative,
  defaultDeviationMinutes: NonNegative,
  points: array(Point),
  totals: Totals,
  violations: array(Violation),
  holes: array(Hole),
  events: array(Event),
  handOvers: optional(array(HandedOver)),
});
