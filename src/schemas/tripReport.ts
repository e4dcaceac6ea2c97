/** What became of a trip, as `evaluateTrip` reports it. */

import { type TObject, type TSchema, Type } from 'typebox';
import { nullable } from './parts.js';
import { published, type WireSchema } from './wireSchema.js';

const Time = Type.Integer({ description: 'epoch milliseconds UTC' });
const TimeOrNull = nullable(Time);
const Seconds = nullable(Type.Number());
const Count = Type.Integer({ minimum: 0 });

/** One of a closed set of words. */
const words = (...list: string[]): TSchema => Type.Enum(list, { type: 'string' });
const Judgement = nullable(words('early', 'on_time', 'late', 'uncertain'));

/** `[from, to]`; null on a side that nothing bounds. */
const Bounds: TSchema = Type.Unsafe({
  type: 'array',
  items: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  minItems: 2,
  maxItems: 2,
});

const Visit: TObject = Type.Object({
  zoneId: Type.String(),
  seen: words('inside', 'crossed'),
  end: words('left', 'open', 'gap', 'zone-changed'),
  enter: Time,
  exit: TimeOrNull,
  enterBounds: Bounds,
  exitBounds: nullable(Bounds),
  fixCount: Count,
  hasGap: Type.Optional(Type.Boolean()),
});

const Point: TObject = Type.Object({
  index: Count,
  name: Type.String(),
  status: words('pending', 'inside', 'passed', 'skipped', 'missed', 'no_data'),
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
  predictedArrival: Type.Optional(TimeOrNull),
  outOfOrder: Type.Boolean(),
  visit: nullable(Visit),
});

const Totals: TObject = Type.Object({
  passed: Count,
  skipped: Count,
  missed: Count,
  noData: Count,
  onTime: Count,
  uncertain: Count,
  share: Type.Number({ minimum: 0, maximum: 1 }),
  distanceMeters: nullable(Type.Number({ minimum: 0 })),
});

const Violation: TObject = Type.Object({
  type: words('not_started', 'skipped', 'missed', 'out_of_order', 'early', 'late'),
  pointIndex: Count,
  which: nullable(words('arrival', 'departure')),
  seconds: Seconds,
});

const Event: TObject = Type.Object({
  type: words(
    'point_left',
    'departure_early',
    'departure_late',
    'trip_activated',
    'point_skipped',
    'point_entered',
    'arrival_early',
    'arrival_late',
    'arrival_overdue',
    'point_out_of_order',
    'trip_finished',
    'trip_aborted',
    'late_expected',
    'late_averted',
  ),
  time: Time,
  pointIndex: nullable(Count),
});

/**
 * What `evaluateTrip` and `TripTracker.report()` answer, `TripReport` of `wayzone/trips`. Its type here is any object: the interface
 * belongs to the trips, which these schemas do not load.
 */
export const TripReportSchema: WireSchema<object> = published(
  Type.Unsafe<object>(
    Type.Object({
      tripId: nullable(Type.String()),
      unitId: nullable(Type.String()),
      date: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
      timeZone: Type.String(),
      window: Type.Object({ from: Time, to: Time }),
      passageOrder: words('strict', 'arbitrary'),
      status: words(
        'scheduled',
        'not_started',
        'active',
        'finished',
        'finished_with_violations',
        'aborted',
        'no_data',
      ),
      activation: nullable(words('seen', 'planned', 'assumed')),
      activatedAt: TimeOrNull,
      finishedAt: TimeOrNull,
      lastFixAt: TimeOrNull,
      startedInside: Type.Boolean(),
      defaultWidthMeters: Type.Number({ minimum: 0 }),
      defaultDeviationMinutes: Type.Number({ minimum: 0 }),
      points: Type.Array(Point),
      totals: Totals,
      violations: Type.Array(Violation),
      events: Type.Array(Event),
    }),
  ),
);
