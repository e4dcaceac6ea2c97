/** JSON Schema of the events of `/events`: the data of each server-sent event is one of them. */

import { MeetingSchema, SpeedingSchema, TripReportSchema } from 'wayzone/schemas';
import { TIME, TIME_OR_NULL } from '../schemaParts.js';

type Fields = Readonly<Record<string, object>>;

function fieldsOf(schema: object): Fields {
  return (schema as { readonly properties: Fields }).properties;
}

/** The fields of an event in a trip's report. */
const TRIP_EVENT = fieldsOf((fieldsOf(TripReportSchema)['events'] as { readonly items: object }).items);

const BOUNDS = {
  type: 'array',
  items: TIME_OR_NULL,
  minItems: 2,
  maxItems: 2,
  description: 'the times of the fixes around the event',
};
const POSITION = {
  type: 'array',
  items: { type: 'number' },
  minItems: 2,
  maxItems: 2,
  description: '[lon, lat]',
};
const ID = { type: 'string' };

function object(properties: Fields, optional: readonly string[] = []): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties, additionalProperties: false };
}

function nullable(schema: object): object {
  return { anyOf: [schema, { type: 'null' }] };
}

/** An item that may be under way: `to` is null then, and fields that are not `known` from its start are absent. */
function emitted(fields: Fields, known: readonly string[]): object {
  const later = Object.keys(fields).filter((name) => !known.includes(name));
  return object({ ...fields, to: TIME_OR_NULL }, later);
}

/** An event in which `is` replaces `was`; `of` says whose item it is. */
function revised(of: Fields, item: object, description: string): object {
  const fields = { type: { const: 'revised' }, ...of, time: TIME, was: nullable(item), is: nullable(item) };
  return { ...object(fields), description };
}

const VISIT_FIELDS = {
  zoneId: ID,
  seen: { enum: ['inside', 'crossed'] },
  end: { enum: ['left', 'open', 'gap', 'zone-changed'] },
  enter: TIME,
  exit: TIME_OR_NULL,
  enterBounds: BOUNDS,
  exitBounds: nullable(BOUNDS),
  fixCount: { type: 'integer' },
};
/** A visit in a `revised` event. An open visit lacks some fields. */
const EMITTED_VISIT = object(VISIT_FIELDS, ['end', 'exitBounds', 'fixCount']);

const KIND = { enum: ['trip', 'parking', 'stop', 'unknown'] };
const SPAN_FIELDS = {
  from: TIME,
  to: TIME,
  start: POSITION,
  end: POSITION,
  distanceMeters: { type: 'number' },
  durationSeconds: { type: 'number' },
};
const ITEM_FIELDS = {
  ...SPAN_FIELDS,
  maxSpeedKph: { type: ['number', 'null'] },
  unmeasuredSteps: { type: 'integer' },
  centre: { ...POSITION, description: 'of a parking: the median of its positions, [lon, lat]' },
  ignitionOffSeconds: {
    type: ['number', 'null'],
    description: 'of a trip: seconds of steps that begin with the ignition off; null without an ignition',
  },
};
const REASON = { enum: ['gap', 'jump', 'short', 'open'] };
/** A trip, parking, stop or unknown time in a `revised` event. */
const EMITTED_ITEM = emitted({ kind: KIND, ...ITEM_FIELDS, reason: REASON }, ['kind', 'from', 'to', 'start']);

/** An opening or closing in a `revised` event. */
const EMITTED_HOURS = object({ zoneId: ID, time: TIME, open: { type: 'boolean' } });

const SPEEDING_FIELDS = fieldsOf(SpeedingSchema);
/** Speeding in a `revised` event. */
const EMITTED_SPEEDING = emitted(SPEEDING_FIELDS, ['from', 'to']);

const OF_RUN = { unitId: ID, tripId: ID, date: { type: 'string', description: 'yyyy-MM-dd' } };

const DEVIATION = object({ from: TIME, to: TIME, maxMeters: { type: 'number' } });
/** A change of a run on the route of its trip. */
const ROUTE_ITEM = {
  type: { enum: ['deviated', 'returned', 'turned'] },
  time: TIME,
  deviation: {
    ...nullable(DEVIATION),
    description: 'the absence from the corridor: so far at `deviated`, complete at `returned`',
  },
  alongMeters: { type: ['number', 'null'], description: 'metres along the route at `turned`' },
};

const MEETING_FIELDS = fieldsOf(MeetingSchema);
/** A meeting in a `revised` event. */
const EMITTED_MEETING = emitted(MEETING_FIELDS, ['from', 'to']);
const OF_PAIR = {
  kind: { const: 'meeting' },
  unitId: ID,
  units: { type: 'array', items: ID, minItems: 2, maxItems: 2, description: 'the unit and its trailer' },
};

export const EVENT_SCHEMA: object = {
  anyOf: [
    {
      ...object(
        {
          type: { enum: ['enter', 'exit', 'lost', 'found'] },
          unitId: ID,
          zoneId: ID,
          time: TIME,
          bounds: BOUNDS,
          reason: { type: ['string', 'null'] },
          visit: nullable(object(VISIT_FIELDS)),
          open: {
            type: 'boolean',
            description: 'whether the zone is open; of an enter to a zone with hours',
          },
        },
        ['open'],
      ),
      description: 'A visit begins or ends, or a gap in the unit’s fixes begins or ends in the zone',
    },
    {
      ...object({
        type: { const: 'hours' },
        unitId: ID,
        zoneId: ID,
        time: TIME,
        open: { type: 'boolean', description: 'whether the zone is open from then on' },
      }),
      description:
        'A zone with hours opened or closed while the unit was in it, once a fix has shown that it was',
    },
    {
      ...object({
        type: { enum: ['begin', 'end'] },
        kind: { const: 'speeding' },
        unitId: ID,
        time: TIME,
        speeding: object(SPEEDING_FIELDS),
      }),
      description:
        'The unit’s speed exceeds its limit or that of a zone, or does so no longer; at a `begin`, `speeding` is that so far',
    },
    {
      ...object({
        type: { enum: ['begin', 'end'] },
        kind: KIND,
        unitId: ID,
        time: TIME,
        position: POSITION,
        item: nullable({
          anyOf: [
            object(ITEM_FIELDS, ['unmeasuredSteps', 'centre', 'ignitionOffSeconds']),
            object({ ...SPAN_FIELDS, reason: REASON }),
          ],
        }),
      }),
      description:
        'A trip or parking begins, or a trip, parking, stop or time that is neither ends (`item`), by the unit’s own settings',
    },
    revised(
      { unitId: ID, zoneId: ID },
      EMITTED_VISIT,
      'Late fixes changed a visit: `is` replaces `was`; either may be null',
    ),
    revised(
      { kind: KIND, unitId: ID },
      EMITTED_ITEM,
      'Late fixes changed a trip, a parking, a stop or a time that is neither: `is` replaces `was`; either may be null',
    ),
    revised(
      { kind: { const: 'hours' }, unitId: ID, zoneId: ID },
      EMITTED_HOURS,
      'Late fixes withdrew (`was`) or added (`is`) the opening or closing of a zone',
    ),
    revised(
      { kind: { const: 'speeding' }, unitId: ID },
      EMITTED_SPEEDING,
      'Late fixes changed speeding: `is` replaces `was`; either may be null',
    ),
    {
      ...object({ ...TRIP_EVENT, ...OF_RUN }),
      description: 'An event of a run of a trip, as in its report',
    },
    revised(
      OF_RUN,
      object(TRIP_EVENT),
      'A later fix or an edit of the trip changed an event of a run: `is` replaces `was`; either may be null',
    ),
    {
      ...object({ kind: { const: 'route' }, ...ROUTE_ITEM, ...OF_RUN }),
      description:
        'A run left the corridor of its trip’s route, came back, or turned and drives the route backward',
    },
    revised(
      { kind: { const: 'route' }, ...OF_RUN },
      object(ROUTE_ITEM),
      'A later fix or an edit of the trip changed what a run did on its route: `is` replaces `was`; either may be null',
    ),
    {
      ...object({
        type: { enum: ['together', 'apart'] },
        ...OF_PAIR,
        time: TIME,
        meeting: object(MEETING_FIELDS),
      }),
      description:
        'A unit and its trailer come together, or part; at `together`, `meeting` is that so far. Emitted within half a minute of both units’ fixes',
    },
    revised(
      OF_PAIR,
      EMITTED_MEETING,
      'Late fixes of either unit changed a meeting: `is` replaces `was`; either may be null',
    ),
  ],
};

/** Every value of `type` of the events. */
export const EVENT_TYPES: readonly [string, ...string[]] = [
  ...new Set(
    (EVENT_SCHEMA as { readonly anyOf: readonly object[] }).anyOf.flatMap((event) => {
      const { type } = fieldsOf(event) as Readonly<Record<'type', { enum?: string[]; const?: string }>>;
      return type.enum ?? [type.const!];
    }),
  ),
] as unknown as [string, ...string[]];
