/** JSON Schema of the events of `/events`: the data of each server-sent event is one of them. */

import { MeetingSchema, SpeedingSchema, TripReportSchema } from 'wayzone/schemas';
import { TIME, TIME_OR_NULL } from '../schemaParts.js';

interface ReportSchema {
  readonly properties: {
    readonly events: { readonly items: { readonly properties: Readonly<Record<string, object>> } };
  };
}

/** The fields of an event in a trip's report. */
const TRIP_EVENT = (TripReportSchema as unknown as ReportSchema).properties.events.items.properties;

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

function object(properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties, additionalProperties: false };
}

function nullable(schema: object): object {
  return { anyOf: [schema, { type: 'null' }] };
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

const KIND = { enum: ['trip', 'parking', 'stop'] };
const ITEM_FIELDS = {
  from: TIME,
  to: TIME,
  start: POSITION,
  end: POSITION,
  distanceMeters: { type: 'number' },
  durationSeconds: { type: 'number' },
  maxSpeedKph: { type: ['number', 'null'] },
  unmeasuredSteps: { type: 'integer' },
};
/** A trip, parking or stop in a `revised` event. While it is under way, `to` is null and other fields are absent. */
const EMITTED_ITEM = object({ kind: KIND, ...ITEM_FIELDS, to: TIME_OR_NULL }, [
  'end',
  'distanceMeters',
  'durationSeconds',
  'maxSpeedKph',
  'unmeasuredSteps',
]);

/** An opening or closing in a `revised` event. */
const EMITTED_HOURS = object({ zoneId: ID, time: TIME, open: { type: 'boolean' } });

const { properties: SPEEDING_FIELDS } = SpeedingSchema as unknown as {
  readonly properties: Readonly<Record<string, object>>;
};
/** Speeding in a `revised` event. While it is under way, `to` is null and the other fields are absent. */
const EMITTED_SPEEDING = object(
  { ...SPEEDING_FIELDS, to: TIME_OR_NULL },
  Object.keys(SPEEDING_FIELDS).filter((name) => name !== 'from' && name !== 'to'),
);

const OF_RUN = { unitId: ID, tripId: ID, date: { type: 'string', description: 'yyyy-MM-dd' } };

const DEVIATION = object({ from: TIME, to: TIME, maxMeters: { type: 'number' } });
/** What a run did on the route of its trip. */
const ROUTE_ITEM = {
  type: { enum: ['deviated', 'returned', 'turned'] },
  time: TIME,
  deviation: {
    ...nullable(DEVIATION),
    description: 'the absence from the corridor: so far at `deviated`, complete at `returned`',
  },
  alongMeters: { type: ['number', 'null'], description: 'metres along the route at `turned`' },
};

const { properties: MEETING_FIELDS } = MeetingSchema as unknown as {
  readonly properties: Readonly<Record<string, object>>;
};
/** A meeting in a `revised` event. While it is under way, `to` is null and the other fields are absent. */
const EMITTED_MEETING = object(
  { ...MEETING_FIELDS, to: TIME_OR_NULL },
  Object.keys(MEETING_FIELDS).filter((name) => name !== 'from' && name !== 'to'),
);
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
        item: nullable(object(ITEM_FIELDS, ['unmeasuredSteps'])),
      }),
      description:
        'A trip or parking begins, or a trip, parking or stop ends (`item`), by the unit’s own settings',
    },
    {
      ...object({
        type: { const: 'revised' },
        unitId: ID,
        zoneId: ID,
        time: TIME,
        was: nullable(EMITTED_VISIT),
        is: nullable(EMITTED_VISIT),
      }),
      description: 'Late fixes changed a visit: `is` replaces `was`; either may be null',
    },
    {
      ...object({
        type: { const: 'revised' },
        kind: KIND,
        unitId: ID,
        time: TIME,
        was: nullable(EMITTED_ITEM),
        is: nullable(EMITTED_ITEM),
      }),
      description: 'Late fixes changed a trip, a parking or a stop: `is` replaces `was`; either may be null',
    },
    {
      ...object({
        type: { const: 'revised' },
        kind: { const: 'hours' },
        unitId: ID,
        zoneId: ID,
        time: TIME,
        was: nullable(EMITTED_HOURS),
        is: nullable(EMITTED_HOURS),
      }),
      description: 'Late fixes withdrew (`was`) or added (`is`) the opening or closing of a zone',
    },
    {
      ...object({
        type: { const: 'revised' },
        kind: { const: 'speeding' },
        unitId: ID,
        time: TIME,
        was: nullable(EMITTED_SPEEDING),
        is: nullable(EMITTED_SPEEDING),
      }),
      description: 'Late fixes changed speeding: `is` replaces `was`; either may be null',
    },
    {
      ...object({ ...TRIP_EVENT, ...OF_RUN }),
      description: 'An event of a run of a trip, as in its report',
    },
    {
      ...object({
        type: { const: 'revised' },
        ...OF_RUN,
        time: TIME,
        was: nullable(object(TRIP_EVENT)),
        is: nullable(object(TRIP_EVENT)),
      }),
      description:
        'A later fix or an edit of the trip changed an event of a run: `is` replaces `was`; either may be null',
    },
    {
      ...object({ kind: { const: 'route' }, ...ROUTE_ITEM, ...OF_RUN }),
      description:
        'A run left the corridor of its trip’s route, came back, or turned and drives the route backward',
    },
    {
      ...object({
        type: { const: 'revised' },
        kind: { const: 'route' },
        ...OF_RUN,
        time: TIME,
        was: nullable(object(ROUTE_ITEM)),
        is: nullable(object(ROUTE_ITEM)),
      }),
      description:
        'A later fix or an edit of the trip changed what a run did on its route: `is` replaces `was`; either may be null',
    },
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
    {
      ...object({
        type: { const: 'revised' },
        ...OF_PAIR,
        time: TIME,
        was: nullable(EMITTED_MEETING),
        is: nullable(EMITTED_MEETING),
      }),
      description: 'Late fixes of either unit changed a meeting: `is` replaces `was`; either may be null',
    },
  ],
};
