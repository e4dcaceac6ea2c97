import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import type { Position } from '../../src/core/geometry.js';
import { type Hours, prepareHours } from '../../src/hours/index.js';
import { ZoneIndex } from '../../src/index.js';
import * as schemas from '../../src/schemas/index.js';
import {
  array,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  schemaOf,
  string,
  type WireSchema,
  wireSchema,
} from '../../src/schemas/wireSchema.js';
import {
  findMeetings,
  findRides,
  findSpeeding,
  findStays,
  findVisits,
  type Measure,
  type MeasuredVisit,
  type Meeting,
  matchRoute,
  measureVisits,
  meterTrack,
  prepareRoute,
  type Ride,
  RouteTracker,
  readTrack,
  type Speeding,
  type Stay,
  splitByZone,
  suggestZones,
  sumByZone,
  type ZoneRun,
  type ZoneSuggestion,
  type ZoneSum,
} from '../../src/tracks/index.js';
import { wkt } from '../wkt.js';

/**
 * The twins below are checked by the compiler against the interfaces of `wayzone/tracks` and `wayzone/hours`, which `wayzone/schemas` does not
 * load. The published schemas must equal them, but for the keywords that narrow a value.
 */

type RouteReport = ReturnType<RouteTracker['report']>;

const text = string();
const time = integer();
const position = schemaOf<Position>({ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 4 });
const measure = object({
  durationSeconds: number(),
  movingSeconds: number(),
  idlingSeconds: number(),
  parkedSeconds: number(),
  unmeasuredSeconds: number(),
  distanceMeters: number(),
  unmeasuredMeters: number(),
  maxSpeedKph: nullable(number()),
  meanSpeedKph: nullable(number()),
});
const bound = { anyOf: [{ type: 'integer' }, { type: 'null' }] };
const bounds = <Shape>(): WireSchema<Shape> =>
  schemaOf<Shape>({ type: 'array', items: bound, minItems: 2, maxItems: 2 });
const range = object({ from: text, to: text });
const visit = {
  zoneId: text,
  seen: oneOf(['inside', 'crossed']),
  end: oneOf(['left', 'open', 'gap', 'zone-changed', 'handed-over']),
  enter: time,
  exit: nullable(time),
  enterBounds: bounds<MeasuredVisit['enterBounds']>(),
  exitBounds: nullable(bounds<NonNullable<MeasuredVisit['exitBounds']>>()),
  fixCount: integer(),
};

const TWINS: Readonly<Record<string, readonly [published: object, twin: object]>> = {
  Measure: [schemas.MeasureSchema, wireSchema<Measure>()(measure)],
  MeasuredVisit: [
    schemas.MeasuredVisitSchema,
    wireSchema<MeasuredVisit>()(object({ ...visit, measure, secondsSinceLast: nullable(number()) })),
  ],
  ZoneRun: [
    schemas.ZoneRunSchema,
    wireSchema<ZoneRun>()(object({ zoneId: nullable(text), from: time, to: time })),
  ],
  ZoneSum: [
    schemas.ZoneSumSchema,
    wireSchema<ZoneSum>()(
      object({ zoneId: nullable(text), period: nullable(text), count: integer(), measure }),
    ),
  ],
  Ride: [
    schemas.RideSchema,
    wireSchema<Ride>()(
      object({
        fromZoneId: text,
        toZoneId: text,
        from: time,
        to: time,
        fromBounds: bounds<Ride['fromBounds']>(),
        toBounds: bounds<Ride['toBounds']>(),
      }),
    ),
  ],
  Speeding: [
    schemas.SpeedingSchema,
    wireSchema<Speeding>()(
      object({
        from: time,
        to: time,
        maxKph: number(),
        maxOverKph: number(),
        distanceMeters: number(),
        durationSeconds: number(),
        end: oneOf(['below', 'gap', 'track']),
        parts: array(
          object({
            from: time,
            to: time,
            limitKph: number(),
            zoneId: nullable(text),
            maxKph: number(),
            distanceMeters: number(),
          }),
        ),
      }),
    ),
  ],
  RouteReport: [
    schemas.RouteReportSchema,
    wireSchema<RouteReport>()(
      object({
        legs: array(
          object({
            from: time,
            to: time,
            fromMeters: number(),
            toMeters: number(),
            direction: oneOf(['forward', 'backward']),
          }),
        ),
        parts: array(
          object({
            fromMeters: number(),
            toMeters: number(),
            status: oneOf(['covered', 'no_data', 'missed', 'ahead']),
            passes: integer(),
          }),
        ),
        deviations: array(object({ from: time, to: time, maxMeters: number() })),
        coveredShare: number(),
      }),
    ),
  ],
  Meeting: [
    schemas.MeetingSchema,
    wireSchema<Meeting>()(
      object({
        from: time,
        to: time,
        minMeters: number(),
        minTime: time,
        end: oneOf(['apart', 'gap', 'track']),
      }),
    ),
  ],
  Stay: [
    schemas.StaySchema,
    wireSchema<Stay>()(
      object({ from: time, to: time, centre: position, radiusMeters: number(), fixes: integer() }),
    ),
  ],
  ZoneSuggestion: [
    schemas.ZoneSuggestionSchema,
    wireSchema<ZoneSuggestion>()(
      object({
        shape: object({
          type: object({ key: oneOf(['circle']) }),
          geometry: array(position),
          width: number(),
        }),
        visits: integer(),
        days: integer(),
        units: integer(),
        medianStaySeconds: number(),
      }),
    ),
  ],
  Hours: [
    schemas.HoursSchema,
    wireSchema<Hours>()(
      object({
        weekly: optional(array(object({ days: array(integer()), from: text, to: text }))),
        holidayHours: optional(array(range)),
        dates: optional(array(object({ date: text, hours: array(range) }))),
        validFrom: optional(text),
        validTo: optional(text),
      }),
    ),
  ],
};

const NARROWING = ['$id', 'title', 'description', 'minimum', 'maximum', 'pattern'];
/** Without the keywords that narrow; `minItems` stays only in bounds. */
const bare = (schema: object): unknown =>
  JSON.parse(
    JSON.stringify(schema, (name, value) =>
      NARROWING.includes(name) || (name === 'minItems' && value === 1) ? undefined : value,
    ),
  );

describe('schemas of results', () => {
  test.each(Object.entries(TWINS))('%s equals its interface', (_, [published, twin]) => {
    expect(bare(published)).toEqual(bare(twin));
  });
});

const START = Date.UTC(2026, 2, 2, 8);
/** Two hours through two zones and back, with a silence on the way. */
const drive = (shift: number): ReturnType<typeof readTrack> =>
  readTrack(
    Array.from({ length: 81 }, (_, i) => ({
      time: START + i * 60_000 + (i > 60 ? 7_200_000 : 0),
      lon: 13.38 + 0.01 * (i <= 40 ? i : 80 - i) + shift,
      lat: 52.5,
      speedKph: i === 40 ? 0 : 40,
    })),
  );
const index = new ZoneIndex(
  [13.4, 13.6].map((lon, i) => ({
    id: `z${i}`,
    type: { key: 'circle' as const },
    geometry: [[lon, 52.5]],
    width: 2000,
  })),
);

describe('results match their schemas', () => {
  const track = drive(0);
  const meter = meterTrack(track);
  const visits = findVisits(track, index);
  const runs = splitByZone(track, index);
  const route = prepareRoute(wkt('13.38 52.5, 14 52.5'));
  const { along, ...report } = matchRoute(track, route, { widthMeters: 60 });
  const tracker = new RouteTracker(route, { widthMeters: 60 });
  tracker.push({ time: START, lon: 13.4, lat: 52.5 });
  const stays = findStays(
    readTrack(Array.from({ length: 21 }, (_, i) => ({ time: START + i * 60_000, lon: 13.4, lat: 52.5 }))),
  );
  const results: Readonly<Record<string, readonly object[]>> = {
    Measure: [meter.total(), meter.between(START, START), meter.between(0, 1)],
    MeasuredVisit: measureVisits(visits, meter),
    ZoneRun: runs,
    ZoneSum: (['all', 'day', 'month'] as const).flatMap((by) =>
      sumByZone(runs, meter, { by, timeZone: 'Europe/Berlin' }),
    ),
    Ride: findRides(visits),
    Speeding: findSpeeding(track, { limitKph: 20, index, zoneLimits: { z0: 30 }, trustSpeeds: true }),
    RouteReport: [report, tracker.report()],
    Meeting: findMeetings(track, drive(0.0001), { meters: 50 }),
    Stay: stays,
    ZoneSuggestion: suggestZones(
      stays.map(({ from, to, centre }) => ({ unitId: 'van', from, to, centre })),
      { minVisits: 1, minDays: 1 },
    ),
    Hours: [{}, { weekly: [], holidayHours: [{ from: '22:00', to: '24:00' }], validTo: '2026-01-01' }],
  };

  test.each(Object.keys(TWINS))('%s', (name) => {
    const [schema] = TWINS[name]!;
    const list = results[name]!;
    expect(list.length).toBeGreaterThan(0);
    for (const result of list) {
      expect(Check(schema, JSON.parse(JSON.stringify(result)))).toBe(true);
      // Without a field it needs, or with another kind of value, it does not.
      const needed = (schema as { required?: readonly string[] }).required ?? [];
      for (const field of needed) {
        expect(Check(schema, { ...result, [field]: undefined })).toBe(false);
        expect(Check(schema, { ...result, [field]: { wrong: true } })).toBe(false);
      }
    }
    expect(along).toHaveLength(track.length);
  });

  test.each([
    [{ weekly: [{ days: [], from: '08:00', to: '09:00' }] }],
    [{ weekly: [{ days: [8], from: '08:00', to: '09:00' }] }],
    [{ weekly: [{ days: [1], from: '24:00', to: '09:00' }] }],
    [{ weekly: [{ days: [1], from: '08:00', to: '24:01' }] }],
    [{ holidayHours: [{ from: '8:00', to: '09:00' }] }],
    [{ dates: [{ date: '2026-01-01' }] }],
    [{ validFrom: 'tomorrow' }],
  ])('hours that prepareHours refuses: %j', (hours) => {
    expect(() => prepareHours(hours as Hours, { timeZone: 'UTC' })).toThrow();
    expect(Check(schemas.HoursSchema, hours)).toBe(false);
  });
});
