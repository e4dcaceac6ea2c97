/** Schemas of results of tracks and their parts: times, bounds, visits, hours, measures, meetings, routes, speeding, stays. */

import {
  Amount,
  array,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  PositionSchema,
  published,
  type SchemaFields,
  schemaOf,
  string,
  type WireSchema,
} from './wireSchema.js';

export const Time: WireSchema<number> = integer({ description: 'epoch milliseconds UTC' });

export const TimeOrNull: WireSchema<number | null> = nullable(Time);

export const Count: WireSchema<number> = integer({ minimum: 0 });

/** An amount of seconds, metres or km/h. */
export const NonNegative: WireSchema<number> = number({ minimum: 0 });

export const TextOrNull: WireSchema<string | null> = nullable(string());

/** A date `yyyy-MM-dd` on a local clock. */
export const LocalDate: WireSchema<string> = string({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });

/** `[from, to]`; null on an unbounded side. */
export const Bounds: WireSchema = array(nullable(integer()), { minItems: 2, maxItems: 2 });

/** The fields of a `Visit`. */
export const visitFields: SchemaFields = {
  zoneId: string(),
  seen: oneOf(['inside', 'crossed']),
  end: oneOf(['left', 'open', 'gap', 'zone-changed', 'handed-over']),
  enter: Time,
  exit: TimeOrNull,
  enterBounds: Bounds,
  exitBounds: nullable(Bounds),
  fixCount: Count,
};

/** The published schema of a result. Its TypeScript type is any object: `wayzone/schemas` does not load the subpath of the result's type. */
export function resultSchema(fields: SchemaFields): WireSchema<object> {
  return published(schemaOf<object>(object(fields)));
}

const From = string({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });

const To = string({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$' });

const Ranges = array(object({ from: From, to: To }));

/**
 * Opening hours as `prepareHours` reads them: `Hours` of `wayzone/hours`. `prepareHours` also refuses unknown fields, dates that do not exist or
 * occur twice, and `validFrom` after `validTo`. The TypeScript type is any object, as in `MeasureSchema`.
 */
export const HoursSchema: WireSchema<object> = resultSchema({
  weekly: optional(
    array(object({ days: array(integer({ minimum: 1, maximum: 7 }), { minItems: 1 }), from: From, to: To })),
  ),
  holidayHours: optional(Ranges),
  dates: optional(array(object({ date: LocalDate, hours: Ranges }))),
  validFrom: optional(LocalDate),
  validTo: optional(LocalDate),
});

/** Distance and times of a unit in a span: `Measure` of `wayzone/tracks`. */
export const MeasureSchema: WireSchema<object> = resultSchema({
  durationSeconds: NonNegative,
  movingSeconds: NonNegative,
  idlingSeconds: NonNegative,
  parkedSeconds: NonNegative,
  unmeasuredSeconds: NonNegative,
  distanceMeters: NonNegative,
  unmeasuredMeters: NonNegative,
  maxSpeedKph: nullable(NonNegative),
  meanSpeedKph: nullable(NonNegative),
});

/** A visit of `measureVisits`. */
export const MeasuredVisitSchema: WireSchema<object> = resultSchema({
  ...visitFields,
  measure: MeasureSchema,
  secondsSinceLast: nullable(NonNegative),
});

/** A run of `splitByZone`. */
export const ZoneRunSchema: WireSchema<object> = resultSchema({ zoneId: TextOrNull, from: Time, to: Time });

/** A row of `sumByZone`. */
export const ZoneSumSchema: WireSchema<object> = resultSchema({
  zoneId: TextOrNull,
  period: nullable(string({ pattern: '^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$' })),
  count: Count,
  measure: MeasureSchema,
});

/** A ride of `findRides`. */
export const RideSchema: WireSchema<object> = resultSchema({
  fromZoneId: string(),
  toZoneId: string(),
  from: Time,
  to: Time,
  fromBounds: Bounds,
  toBounds: Bounds,
});

/** A meeting of `findMeetings`: `Meeting` of `wayzone/tracks`. The TypeScript type is any object, as in `MeasureSchema`. */
export const MeetingSchema: WireSchema<object> = resultSchema({
  from: Time,
  to: Time,
  minMeters: NonNegative,
  minTime: Time,
  end: oneOf(['apart', 'gap', 'track']),
});

/**
 * The result of `RouteTracker.report()`, and of `matchRoute` without `along`: `RouteReport` of `wayzone/tracks`. The TypeScript type is any
 * object, as in `MeasureSchema`.
 */
export const RouteReportSchema: WireSchema<object> = resultSchema({
  legs: array(
    object({
      from: Time,
      to: Time,
      fromMeters: NonNegative,
      toMeters: NonNegative,
      direction: oneOf(['forward', 'backward']),
    }),
  ),
  parts: array(
    object({
      fromMeters: NonNegative,
      toMeters: NonNegative,
      status: oneOf(['covered', 'no_data', 'missed', 'ahead']),
      passes: Count,
    }),
  ),
  deviations: array(object({ from: Time, to: Time, maxMeters: NonNegative })),
  coveredShare: number({ minimum: 0, maximum: 1 }),
});

export const speedingFields: SchemaFields = {
  from: Time,
  to: Time,
  maxKph: NonNegative,
  maxOverKph: NonNegative,
  distanceMeters: NonNegative,
  durationSeconds: NonNegative,
  end: oneOf(['below', 'gap', 'track']),
  parts: array(
    object({
      from: Time,
      to: Time,
      limitKph: NonNegative,
      zoneId: TextOrNull,
      maxKph: NonNegative,
      distanceMeters: NonNegative,
    }),
  ),
};

/** An event of `findSpeeding`: `Speeding` of `wayzone/tracks`. The TypeScript type is any object, as in `MeasureSchema`. */
export const SpeedingSchema: WireSchema<object> = resultSchema(speedingFields);

/** A stay of `findStays`: `Stay` of `wayzone/tracks`. The TypeScript type is any object, as in `MeasureSchema`. */
export const StaySchema: WireSchema<object> = resultSchema({
  from: Time,
  to: Time,
  centre: PositionSchema,
  radiusMeters: NonNegative,
  fixes: Count,
});

/** A place of `suggestZones`: `ZoneSuggestion` of `wayzone/tracks`. */
export const ZoneSuggestionSchema: WireSchema<object> = resultSchema({
  shape: object({
    type: object({ key: oneOf(['circle']) }),
    geometry: array(PositionSchema),
    width: Amount,
  }),
  visits: Count,
  days: Count,
  units: Count,
  medianStaySeconds: NonNegative,
});
