/** A trip. */

import { CENTURY_DAYS } from '../core/durations.js';
import { MAX_TIME } from '../core/input.js';
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
  closedEntry,
  DATE_PATTERN,
  DeleteMark,
  Id,
  list,
  MAX_ITEMS,
  Name,
  NOT_BLANK_PATTERN,
  pointFields,
  Reference,
  TIME_PATTERN,
} from './parts.js';
import {
  array,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  string,
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
