/** Schemas of a keyed operator: its outputs, messages and state. */

import { TRIP_EVENT_TYPES } from '../core/pointStatus.js';
import {
  Bounds,
  Count,
  LocalDate,
  NonNegative,
  resultSchema,
  SpeedingSchema,
  speedingFields,
  TextOrNull,
  Time,
  TimeOrNull,
  visitFields,
} from './trackResults.js';
import { TripDetectorSettingsSchema } from './trackSettings.js';
import {
  array,
  boolean,
  integer,
  literal,
  nullable,
  number,
  object,
  oneOf,
  optional,
  published,
  type SchemaFields,
  schemaOf,
  string,
  union,
  type WireSchema,
} from './wireSchema.js';

const Id = string();

const Position = array(number(), { minItems: 2, maxItems: 2, description: '[lon, lat]' });

/** Makes all fields optional but the `known` ones: the others are absent while an item lasts. */
function openFields(fields: SchemaFields, ...known: readonly string[]): SchemaFields {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, known.includes(name) ? schema : optional(schema)]),
  );
}

function revision(item: WireSchema, fields: SchemaFields): WireSchema {
  return object({
    type: literal('revised'),
    ...fields,
    time: Time,
    was: nullable(item),
    is: nullable(item),
  });
}

const Visit = object(visitFields);

const OpenVisit = object(openFields(visitFields, 'zoneId', 'seen', 'enter', 'exit', 'enterBounds'));

const OfZone = { unitId: Id, zoneId: Id };

const hours = { zoneId: Id, time: Time, open: boolean() };

const span = {
  from: Time,
  to: Time,
  start: Position,
  end: Position,
  distanceMeters: NonNegative,
  durationSeconds: NonNegative,
};

const item = {
  ...span,
  maxSpeedKph: nullable(NonNegative),
  unmeasuredSteps: optional(Count),
  centre: optional(Position),
  ignitionOffSeconds: optional(nullable(NonNegative)),
};

const VisitPart = union([
  object({
    type: oneOf(['enter', 'exit', 'lost', 'found']),
    ...OfZone,
    time: Time,
    bounds: Bounds,
    reason: nullable(string()),
    visit: nullable(Visit),
    open: optional(boolean()),
  }),
  object({ type: literal('hours'), unitId: Id, ...hours }),
  revision(OpenVisit, OfZone),
  revision(object(hours), { kind: literal('hours'), ...OfZone }),
]);

const kind = oneOf(['trip', 'parking', 'stop', 'unknown']);

const reason = oneOf(['gap', 'jump', 'short', 'open']);

const OpenItem = object({
  kind,
  ...openFields({ ...item, reason, to: TimeOrNull }, 'from', 'to', 'start'),
});

const MovementPart = union([
  object({
    type: oneOf(['begin', 'end']),
    kind,
    unitId: Id,
    time: Time,
    position: Position,
    item: nullable(union([object(item), object({ ...span, reason })])),
  }),
  revision(OpenItem, { kind, unitId: Id }),
]);

const OfSpeeding = { kind: literal('speeding'), unitId: Id };

const SpeedingPart = union([
  object({ type: oneOf(['begin', 'end']), ...OfSpeeding, time: Time, speeding: SpeedingSchema }),
  revision(object(openFields({ ...speedingFields, to: TimeOrNull }, 'from', 'to')), OfSpeeding),
]);

const OfRun = { unitId: Id, tripId: Id, date: LocalDate };

const runEvent = { type: oneOf(TRIP_EVENT_TYPES), time: Time, pointIndex: nullable(Count) };

const TripPart = union([object({ ...runEvent, ...OfRun }), revision(object(runEvent), OfRun)]);

const news = {
  type: oneOf(['deviated', 'returned', 'turned']),
  time: Time,
  deviation: nullable(object({ from: Time, to: Time, maxMeters: NonNegative })),
  alongMeters: nullable(number()),
};

const OnRoute = { kind: literal('route'), ...OfRun };

const RoutePart = union([object({ ...news, ...OnRoute }), revision(object(news), OnRoute)]);

const OUTPUT_PARTS = {
  visits: VisitPart,
  movement: MovementPart,
  speeding: SpeedingPart,
  trips: TripPart,
  routes: RoutePart,
};

/** An output of `unitOperator`: `UnitOutput` of `wayzone/operator`. The TypeScript type is any object, as in `MeasureSchema`. */
export const UnitOutputSchema: WireSchema<object> = published(
  schemaOf<object>(
    union(
      Object.entries(OUTPUT_PARTS).map(([of, event]) =>
        object({ unitId: Id, number: integer({ minimum: 1 }), of: literal(of), event }),
      ),
    ),
  ),
);

/** Fixes of any shape: the operator itself rejects a fix that does not match `FixSchema`, and counts the reason in its state. */
const Fixes = array(schemaOf<object>({ type: 'object', description: 'a fix, as it was received' }));

/** A message of `unitOperator`: `UnitMessage` of `wayzone/operator`. The TypeScript type is any object, as in `MeasureSchema`. */
export const UnitMessageSchema: WireSchema<object> = resultSchema({
  unitId: string(),
  zonesVersion: Count,
  input: union([
    object({ kind: literal('fixes'), fixes: Fixes, receivedAt: optional(number()) }),
    object({ kind: literal('time'), time: Time }),
    object({ kind: literal('edit'), settings: optional(nullable(TripDetectorSettingsSchema)) }),
    object({
      kind: literal('rebuild'),
      of: optional(oneOf(['all', 'trips'])),
      from: optional(TimeOrNull),
      receivedAt: optional(number()),
      fixes: Fixes,
      outputs: array(UnitOutputSchema),
    }),
  ]),
});

/** The state of one part. Its content is private to the operator. */
const Part = optional(schemaOf<object>({ type: 'object' }));

/**
 * A state that `unitOperator` writes: `UnitState` of `wayzone/operator`. Use the schema to describe a column of a store. The operator itself
 * checks a state only by its checksum. The TypeScript type is any object, as in `MeasureSchema`.
 */
export const UnitStateSchema: WireSchema<object> = resultSchema({
  kind: literal('unit'),
  version: integer({ minimum: 9, maximum: 9 }),
  unitId: string(),
  zonesVersion: Count,
  options: TextOrNull,
  clock: TimeOrNull,
  outputs: Count,
  lateFrom: TimeOrNull,
  settings: nullable(schemaOf<object>({ type: ['object', 'array'] })),
  intake: nullable(schemaOf<object>({ type: 'object' })),
  parts: object({ visits: Part, movement: Part, speeding: Part, trips: Part, routes: Part }),
  checksum: string(),
});
