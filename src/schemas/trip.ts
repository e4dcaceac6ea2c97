/** Schemas of a trip, and of the report of `evaluateTrip`. */

import { CENTURY_DAYS } from '../core/durations.js';
import { MAX_TIME } from '../core/input.js';
import { POINT_STATUS_NAMES, TRIP_EVENT_TYPES } from '../core/pointStatus.js';
import type {
  ActivationTypeKey,
  PassageOrderTypeKey,
  Trip,
  TripInput,
  TripPoint,
  TripPointTime,
  TripRowChange,
} from '../core/trip.js';
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
} from './trackResults.js';
import {
  array,
  boolean,
  closedEntry,
  DATE_PATTERN,
  DeleteMark,
  Id,
  integer,
  list,
  MAX_ITEMS,
  Name,
  NOT_BLANK_PATTERN,
  nullable,
  number,
  object,
  oneOf,
  optional,
  pointFields,
  Reference,
  string,
  TIME_PATTERN,
  type WireSchema,
  wireSchema,
} from './wireSchema.js';

const TripPointTimeSchema: WireSchema<TripPointTime> = wireSchema<TripPointTime>()(
  object({
    time: string({ pattern: TIME_PATTERN, description: 'a time of day HH:mm, 00:00 to 23:59' }),
    after_days: optional(nullable(integer({ minimum: 0, maximum: CENTURY_DAYS }))),
    deviation_minutes: optional(nullable(integer({ minimum: 0, maximum: CENTURY_DAYS * 1440 }))),
  }),
);

const TripPointSchema: WireSchema<TripPoint> = wireSchema<TripPoint>()(
  object(
    {
      ...pointFields,
      arrival: optional(nullable(TripPointTimeSchema)),
      departure: optional(nullable(TripPointTimeSchema)),
    },
    { anyOf: [{ required: ['geometry'] }, { required: ['coordinates'] }] },
  ),
);

const fields = {
  company_id: optional(Id),
  name: Name,
  unit: Reference,
  trailer: optional(nullable(Reference)),
  user_id: optional(nullable(Id)),
  activation_type: optional(
    nullable(
      closedEntry<ActivationTypeKey>([
        'time_of_first_point',
        'entrance_to_first_point',
        'leaving_first_point',
      ]),
    ),
  ),
  passage_order_type: closedEntry<PassageOrderTypeKey>(['strict', 'arbitrary']),
  dates: list(
    string({
      pattern: DATE_PATTERN,
      description: 'a date yyyy-MM-dd that exists; a time part after it is zeros',
    }),
    1,
  ),
  work_types: optional(
    nullable(list(string({ pattern: NOT_BLANK_PATTERN, description: 'a work type that is not blank' }))),
  ),
  points: list(TripPointSchema, 1),
  is_delete: optional(DeleteMark),
  created: optional(string()),
};

const Index = integer({ minimum: 0, maximum: MAX_ITEMS });

/** A change of a run under way. */
const TripRowChangeSchema: WireSchema<TripRowChange> = wireSchema<TripRowChange>()(
  object({
    type: oneOf(['excuse', 'cancel', 'amend', 'handOver']),
    at: integer({ minimum: -MAX_TIME, maximum: MAX_TIME, description: 'epoch milliseconds UTC' }),
    date: optional(nullable(string({ pattern: DATE_PATTERN, description: 'one of the trip’s dates' }))),
    by: optional(nullable(string())),
    reason: optional(nullable(string())),
    pointIndex: optional(Index),
    unitId: optional(Name),
    trip: optional(wireSchema<Omit<TripInput, 'changes'>>()(object({ id: optional(Id), ...fields }))),
    from: optional(nullable(array(nullable(Index), { maxItems: MAX_ITEMS }))),
  }),
);

const withChanges = { ...fields, changes: optional(nullable(list(TripRowChangeSchema))) };

/** A stored trip. */
export const TripSchema: WireSchema<Trip> = wireSchema<Trip>()(object({ id: Id, ...withChanges }));

/** A trip as `validateTrip` accepts it. */
export const TripInputSchema: WireSchema<TripInput> = wireSchema<TripInput>()(
  object({ id: optional(Id), ...withChanges }),
);

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
