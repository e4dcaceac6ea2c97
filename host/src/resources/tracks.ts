/** What a unit did on a track that the request carries: in the company's geozones, and against limits. Nothing is stored. */

import type { FastifyInstance } from 'fastify';
import { WayzoneError } from 'wayzone';
import {
  FixSchema,
  MeasuredVisitSchema,
  MeasureSchema,
  SpeedingSchema,
  ZoneRunSchema,
  ZoneSumSchema,
} from 'wayzone/schemas';
import {
  type Fix,
  findSpeeding,
  findVisits,
  measureVisits,
  meterTrack,
  readTrack,
  type SpeedingOptions,
  splitByZone,
  sumByZone,
  type UnitSettings,
} from 'wayzone/tracks';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { readZoneRules } from '../zones/readZoneRules.js';
import { timeZoneOf } from './crud.js';

const TAG = 'tracks';
/** The fields of a fix. The library reads them: a fix that it cannot use is left out of the track, so that the schema requires none. */
const { properties: FIX } = FixSchema as unknown as { readonly properties: object };
const FIXES = { type: 'array', items: { type: 'object', properties: FIX } };
/** Custom fields of a unit, by name or as a list of `{key, value}`. */
const SETTINGS = { type: ['object', 'array'] };

const listOf = (items: object): object => ({ type: 'array', items });

/** Options of `findSpeeding` that a request may give. */
const SPEEDING = {
  limitKph: { type: 'number' },
  zoneLimits: { type: 'object', additionalProperties: { type: ['number', 'null'] } },
  overlap: { type: 'string' },
  combine: { type: 'string' },
  toleranceKph: { type: 'number' },
  minSeconds: { type: 'number' },
  trustSpeeds: { type: 'boolean' },
} as const;

interface TrackBody extends Omit<SpeedingOptions, 'settings'> {
  readonly fixes: readonly Fix[];
  readonly settings?: UnitSettings;
  readonly by?: 'all' | 'day' | 'month';
}

/** The body of a request. Errors: `required`; those of the fields are the library's. */
function trackBody(body: unknown): TrackBody {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as TrackBody;
  throw new WayzoneError('required', 'fixes', 'expected an object with fixes, received another body');
}

export function tracksResource(app: FastifyInstance, context: Context): void {
  const { zones, storage } = context;

  declare(app, {
    method: 'POST',
    url: '/tracks/ledger',
    summary: 'What a unit did in the company’s geozones: measured visits, and mileage by zone and local day',
    tags: [TAG],
    body: {
      type: 'object',
      required: ['fixes'],
      properties: { fixes: FIXES, settings: SETTINGS, by: { type: 'string' } },
    },
    answer: {
      type: 'object',
      required: ['total', 'visits', 'runs', 'sums'],
      properties: {
        total: MeasureSchema,
        visits: listOf(MeasuredVisitSchema),
        runs: listOf(ZoneRunSchema),
        sums: listOf(ZoneSumSchema),
      },
    },
    async handler({ access, body }) {
      const { fixes, settings = {}, by = 'day' } = trackBody(body);
      const timeZone = await timeZoneOf(context, access.companyId);
      const { index } = await zones.zonesOf(access.companyId);
      const track = readTrack(fixes);
      const meter = meterTrack(track, settings);
      const runs = splitByZone(track, index, { settings });
      return {
        total: meter.total(),
        visits: measureVisits(findVisits(track, index), meter),
        runs,
        sums: sumByZone(runs, meter, { by, timeZone }),
      };
    },
  });

  declare(app, {
    method: 'POST',
    url: '/tracks/speeding',
    summary:
      'Where a unit exceeded its limit or that of a geozone: its field speed_limit, or zoneLimits of the request',
    tags: [TAG],
    body: {
      type: 'object',
      required: ['fixes'],
      properties: { fixes: FIXES, settings: SETTINGS, ...SPEEDING },
    },
    answer: listOf(SpeedingSchema),
    async handler({ access, body }) {
      const given = trackBody(body);
      const { fixes, settings = {} } = given;
      const names = Object.keys(SPEEDING) as (keyof typeof SPEEDING)[];
      const options: SpeedingOptions = Object.fromEntries(
        names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
      );
      const { companyId } = access;
      const { index, version } = await zones.zonesOf(companyId);
      let { zoneLimits } = given;
      if (zoneLimits === undefined) {
        const rules = await readZoneRules(storage.db, companyId, version);
        if (rules.hasLimits) zoneLimits = rules.limitOf;
      }
      const limited = zoneLimits === undefined ? {} : { index, zoneLimits };
      return findSpeeding(readTrack(fixes), { ...options, settings, ...limited });
    },
  });
}
