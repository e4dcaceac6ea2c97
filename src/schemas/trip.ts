/** A trip. */

import { Type } from 'typebox';
import type {
  ActivationTypeKey,
  PassageOrderTypeKey,
  Trip,
  TripInput,
  TripPoint,
  TripPointTime,
} from '../core/trip.js';
import {
  Amount,
  closedEntry,
  DATE_PATTERN,
  DeleteMark,
  Id,
  list,
  Name,
  nullable,
  Pairs,
  Parts,
  Reference,
  TIME_PATTERN,
  ZoneTypeEntry,
} from './parts.js';
import { type WireSchema, wireSchema } from './wireSchema.js';

/** A hundred years: beyond it a planned time could leave the range of dates. */
const MAX_DAYS = 36_525;

const TripPointTimeSchema: WireSchema<TripPointTime> = wireSchema<TripPointTime>()(
  Type.Object({
    time: Type.String({ pattern: TIME_PATTERN, description: 'a time of day HH:mm, 00:00 to 23:59' }),
    after_days: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: MAX_DAYS }))),
    deviation_minutes: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: MAX_DAYS * 1440 }))),
  }),
);

const TripPointSchema: WireSchema<TripPoint> = wireSchema<TripPoint>()(
  Type.Object(
    {
      name: Name,
      type: ZoneTypeEntry,
      geometry: Type.Optional(Pairs),
      coordinates: Type.Optional(Pairs),
      parts: Type.Optional(nullable(Parts)),
      width: Type.Optional(nullable(Amount)),
      arrival: Type.Optional(nullable(TripPointTimeSchema)),
      departure: Type.Optional(nullable(TripPointTimeSchema)),
    },
    { anyOf: [{ required: ['geometry'] }, { required: ['coordinates'] }] },
  ),
);

const fields = {
  company_id: Type.Optional(Id),
  name: Name,
  unit: Reference,
  trailer: Type.Optional(nullable(Reference)),
  user_id: Type.Optional(nullable(Id)),
  activation_type: Type.Optional(
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
    Type.String({
      pattern: DATE_PATTERN,
      description: 'a date yyyy-MM-dd that exists; a time part after it is zeros',
    }),
    1,
  ),
  work_types: Type.Optional(nullable(list(Type.String()))),
  points: list(TripPointSchema, 1),
  is_delete: Type.Optional(DeleteMark),
  created: Type.Optional(Type.String()),
};

/** A stored trip. */
export const TripSchema: WireSchema<Trip> = wireSchema<Trip>()(Type.Object({ id: Id, ...fields }));

/** A trip as `validateTrip` takes it. */
export const TripInputSchema: WireSchema<TripInput> = wireSchema<TripInput>()(
  Type.Object({ id: Type.Optional(Id), ...fields }),
);
