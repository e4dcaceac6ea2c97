/** Schemas of a unit's lists, settings, track, visits and movement. */

import { REJECT_REASONS } from 'wayzone/tracks';
import { COUNT, ISSUE, NUMBER, TEXT, TIME, TIME_OR_NULL } from './schemaParts.js';

/** An entry of a dictionary. Its key says which. */
export const DICTIONARY_ENTRY: object = {
  type: 'object',
  required: ['key'],
  properties: { key: TEXT, type: TEXT, value: TEXT },
};
const ENTRY_OR_KEY = { anyOf: [DICTIONARY_ENTRY, TEXT] };
const OTHER_OBJECT = { type: 'object', required: ['id'], properties: { id: TEXT } };
const DATE = { type: ['string', 'null'], description: 'yyyy-MM-dd, or with HH:mm:ss' };
const FLAG = { type: ['boolean', 'integer', 'null'] };
const AMOUNT = { type: ['number', 'string', 'null'] };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const PARAMETER = {
  type: ['object', 'null'],
  properties: {
    param_key: TEXT,
    calibrationABlist: {
      type: 'array',
      items: { type: 'object', properties: { fromValue: AMOUNT, a: AMOUNT, b: AMOUNT } },
    },
    calibrationXYlist: { type: 'array', items: { type: 'object', properties: { x: AMOUNT, y: AMOUNT } } },
  },
};
const ITS_UNIT = { ...TEXT, description: 'The id of the unit, which the host sets' };

/** The lists of a unit. Items may have further fields. */
export const UNIT_LISTS: Readonly<Record<'drivers' | 'trailers' | 'services' | 'sensors', object>> = {
  drivers: {
    type: 'array',
    items: { type: 'object', properties: { user: OTHER_OBJECT, date_from: DATE, date_to: DATE } },
  },
  trailers: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        trailer: OTHER_OBJECT,
        date_from: DATE,
        date_to: DATE,
        meters: { ...NUMBER, description: 'Longest distance at which both are together; default 50' },
      },
    },
  },
  services: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: TEXT,
        unit_id: ITS_UNIT,
        name: TEXT,
        description: TEXT_OR_NULL,
        isActiveKm: FLAG,
        intervalKm: AMOUNT,
        lastKm: AMOUNT,
        isActiveDays: FLAG,
        intervalDays: AMOUNT,
        lastDays: DATE,
        isActiveMotohours: FLAG,
        intervalMotohours: AMOUNT,
        lastMotohours: AMOUNT,
      },
    },
  },
  sensors: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: TEXT,
        unit_id: ITS_UNIT,
        name: TEXT,
        type: ENTRY_OR_KEY,
        param1: PARAMETER,
        param2: PARAMETER,
        formula: { anyOf: [DICTIONARY_ENTRY, TEXT, { type: 'null' }] },
        expression: TEXT_OR_NULL,
        hide_in_reports: FLAG,
        hide_in_monitoring: FLAG,
        retrans_param_name: TEXT_OR_NULL,
      },
    },
  },
};

/** Thresholds of speeding of a company, and of a unit in place of its company's. */
export const SPEEDING_RULES: object = {
  type: 'object',
  description:
    'Speed must exceed limit + tolerance_kph; shorter than min_seconds is dropped. Both default to 0',
  properties: {
    tolerance_kph: { ...NUMBER, minimum: 0 },
    min_seconds: { ...NUMBER, minimum: 0 },
  },
  additionalProperties: false,
};

const VALUE = { type: ['string', 'number'] };
/** Values of custom fields as requests have them. */
export const CUSTOM_FIELDS: object = {
  description: 'Values by key, or a list of {key, value}',
  anyOf: [
    { type: 'object', additionalProperties: VALUE },
    {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'value'],
        properties: { key: TEXT, value: VALUE, name: TEXT, group: TEXT },
      },
    },
  ],
};

const POSITION = {
  type: 'array',
  items: NUMBER,
  minItems: 2,
  maxItems: 2,
  description: '[lon, lat]',
} as const;
const BOUNDS = { type: 'array', items: TIME_OR_NULL, minItems: 2, maxItems: 2 } as const;

/** Reasons for which a fix is left out of a track. Only runs of trips have fixes of other units. */
const REASONS = REJECT_REASONS.filter((reason) => reason !== 'other-unit');

/** Fixes that are not in a track. */
export const REJECTED: object = {
  type: 'object',
  description: 'Number of fixes that are left out, by reason',
  properties: Object.fromEntries(REASONS.map((reason) => [reason, COUNT])),
  additionalProperties: false,
};

/** An answer of `GET /units/{id}/track`. */
export const TRACK: object = {
  type: 'object',
  required: ['points', 'runs', 'rejected'],
  properties: {
    points: {
      type: 'array',
      items: {
        type: 'object',
        required: ['time', 'lon', 'lat'],
        properties: { time: TIME, lon: NUMBER, lat: NUMBER },
        additionalProperties: false,
      },
    },
    runs: {
      type: 'array',
      description: 'Parts of one colour, by the company’s `track_gradation`; none without it',
      items: {
        type: 'object',
        required: ['hex_color', 'from', 'to', 'points'],
        properties: {
          hex_color: { ...TEXT, pattern: '^#[0-9A-Fa-f]{6}$' },
          from: TIME,
          to: TIME,
          points: { type: 'array', items: POSITION },
        },
        additionalProperties: false,
      },
    },
    rejected: REJECTED,
  },
  additionalProperties: false,
};

/** An answer of `GET /units/{id}/visits`. */
export const VISITS: object = {
  type: 'array',
  items: {
    type: 'object',
    required: ['zoneId', 'seen', 'end', 'enter', 'exit', 'enterBounds', 'exitBounds', 'fixCount'],
    properties: {
      zoneId: TEXT,
      seen: { type: 'string', enum: ['inside', 'crossed'] },
      end: { type: 'string', enum: ['left', 'open', 'gap', 'zone-changed'] },
      enter: TIME,
      exit: TIME_OR_NULL,
      enterBounds: BOUNDS,
      exitBounds: { anyOf: [BOUNDS, { type: 'null' }] },
      fixCount: COUNT,
    },
    additionalProperties: false,
  },
};

const SPAN = {
  from: TIME,
  to: TIME,
  start: POSITION,
  end: POSITION,
  distanceMeters: NUMBER,
  durationSeconds: NUMBER,
};

/** `optional`: the fields that only some items have. */
function itemsOf(fields: Readonly<Record<string, object>>, optional: readonly string[] = []): object {
  const properties = { ...SPAN, ...fields };
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'array', items: { type: 'object', required, properties, additionalProperties: false } };
}

const SPEED = { maxSpeedKph: { type: ['number', 'null'] }, unmeasuredSteps: COUNT };
const MAYBE = ['unmeasuredSteps'];

/** An answer of `GET /units/{id}/movement`. */
export const MOVEMENT: object = {
  type: 'object',
  required: ['trips', 'parkings', 'stops', 'unknown', 'issues'],
  properties: {
    trips: itemsOf({ ...SPEED, ignitionOffSeconds: { type: ['number', 'null'] } }, MAYBE),
    parkings: itemsOf({ ...SPEED, centre: POSITION }, MAYBE),
    stops: itemsOf(SPEED, MAYBE),
    unknown: itemsOf({ reason: { enum: ['gap', 'jump', 'short', 'open'] } }),
    issues: { type: 'array', items: ISSUE },
  },
  additionalProperties: false,
};
