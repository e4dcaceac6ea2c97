/** Schema of the report of `evaluateTrip`. */

import { POINT_STATUS_NAMES } from '../core/pointStatus.js';
import { TRIP_EVENT_TYPES } from '../core/tripEventType.js';
import { Bounds, Count, Time, TimeOrNull, visitFields, words } from './visitFields.js';
import {
  array,
  boolean,
  nullable,
  number,
  object,
  optional,
  published,
  schemaOf,
  string,
  type WireSchema,
} from './wireSchema.js';

const Seconds = nullable(number());
const Judgement = nullable(words('early', 'on_time', 'late', 'uncertain'));
const Visit: WireSchema = object({ ...visitFields, hasGap: optional(boolean()) });

const Point: WireSchema = object({
  index: Count,
  name: string(),
  status: words(...POINT_STATUS_NAMES),
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
  share: number({ minimum: 0, maximum: 1 }),
  distanceMeters: nullable(number({ minimum: 0 })),
});

const Violation: WireSchema = object({
  type: words('not_started', 'skipped', 'missed', 'out_of_order', 'early', 'late'),
  pointIndex: Count,
  which: nullable(words('arrival', 'departure')),
  seconds: Seconds,
});

const Hole: WireSchema = object({
  from: Time,
  to: Time,
  reason: words('gap', 'jammed', 'frozen', 'not_started', 'silent'),
});

const HandedOver: WireSchema = object({ at: Time, from: nullable(string()), to: string() });

const Event: WireSchema = object({
  type: words(...TRIP_EVENT_TYPES),
  time: Time,
  pointIndex: nullable(Count),
});

/**
 * The result of `evaluateTrip` and `TripTracker.report()`: `TripReport` of `wayzone/trips`. The TypeScript type here is any object, because
 * `wayzone/schemas` does not load `wayzone/trips`.
 */
export const TripReportSchema: WireSchema<object> = published(
  schemaOf<object>(
    object({
      tripId: nullable(string()),
      unitId: nullable(string()),
      date: string({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
      timeZone: string(),
      window: object({ from: Time, to: Time }),
      passageOrder: words('strict', 'arbitrary'),
      status: words(
        'scheduled',
        'not_started',
        'active',
        'finished',
        'finished_with_violations',
        'aborted',
        'no_data',
        'cancelled',
      ),
      activation: nullable(words('seen', 'planned', 'assumed')),
      activatedAt: TimeOrNull,
      finishedAt: TimeOrNull,
      lastFixAt: TimeOrNull,
      startedInside: boolean(),
      defaultWidthMeters: number({ minimum: 0 }),
      defaultDeviationMinutes: number({ minimum: 0 }),
      points: array(Point),
      totals: Totals,
      violations: array(Violation),
      holes: array(Hole),
      events: array(Event),
      handOvers: optional(array(HandedOver)),
    }),
  ),
);
