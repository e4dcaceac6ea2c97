/** Schemas of a unit's track, visits and movement. */

import { REJECT_REASONS } from 'wayzone/tracks';
import { COUNT, NUMBER, TEXT, TIME, TIME_OR_NULL } from '../schemaParts.js';

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
    rejected: {
      type: 'object',
      description: 'Number of fixes that are left out, by reason',
      properties: Object.fromEntries(REASONS.map((reason) => [reason, COUNT])),
      additionalProperties: false,
    },
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

const ITEMS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['from', 'to', 'start', 'end', 'distanceMeters', 'durationSeconds', 'maxSpeedKph'],
    properties: {
      from: TIME,
      to: TIME,
      start: POSITION,
      end: POSITION,
      distanceMeters: NUMBER,
      durationSeconds: NUMBER,
      maxSpeedKph: { type: ['number', 'null'] },
      unmeasuredSteps: COUNT,
    },
    additionalProperties: false,
  },
} as const;

/** An answer of `GET /units/{id}/movement`. */
export const MOVEMENT: object = {
  type: 'object',
  required: ['trips', 'parkings', 'stops'],
  properties: { trips: ITEMS, parkings: ITEMS, stops: ITEMS },
  additionalProperties: false,
};
