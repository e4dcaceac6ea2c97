/** Positions in: `POST /positions` as JSON or NDJSON, and `/osmand`, what phone trackers send. */

import type { FastifyInstance } from 'fastify';
import { type FieldError, type Fix, notFound, requestError, WayzoneError } from 'wayzone';
import { validateFix } from 'wayzone/schemas';
import type { Context } from '../context.js';
import type { UnitFix } from '../live/unitFix.js';
import { declare } from '../operation.js';
import { checkText } from '../storage/checkText.js';

const FIXES = {
  type: 'array',
  items: {
    type: 'object',
    required: ['time', 'lon', 'lat'],
    properties: { unit_id: { type: 'string' }, device_key: { type: 'string' } },
  },
};
const ANSWER = {
  type: 'object',
  required: ['taken', 'errors'],
  properties: { taken: { type: 'integer' }, errors: { type: 'array', items: { type: 'object' } } },
};
const METERS_PER_SECOND_OF_KNOT = 1852 / 3600;

export function positionsResource(app: FastifyInstance, context: Context): void {
  const { storage, live, zones, settings, now } = context;
  const cache = unitCache(context);

  app.addContentTypeParser('application/x-ndjson', { parseAs: 'string' }, (_, text, done) => {
    try {
      done(null, readLines(text as string));
    } catch (error) {
      done(error as Error);
    }
  });

  declare(app, {
    method: 'POST',
    url: '/positions',
    summary: 'Fixes of units, as a JSON list or as NDJSON; 200 when they and their events are durable',
    tags: ['positions'],
    minRole: 'USER',
    perMinute: settings.positionsPerMinute,
    consumes: ['application/json', 'application/x-ndjson'],
    body: FIXES,
    answer: ANSWER,
    async handler({ access, body }) {
      if (!Array.isArray(body))
        throw new WayzoneError('type', '', 'expected a list of fixes, received another value');
      let units = await cache.of(access.companyId);
      if (body.some((item) => unitOf(item, units) === null)) units = await cache.again(access.companyId);
      const span = spanOf(settings.fixesDays, now());
      const errors: FieldError[] = [];
      const fixes: UnitFix[] = [];
      for (const [i, item] of body.entries()) {
        try {
          fixes.push(readItem(item, units, span));
        } catch (error) {
          if (!(error instanceof WayzoneError)) throw error;
          errors.push(...error.errors.map((one) => ({ ...one, field: `[${i}].${one.field}` })));
        }
      }
      await live.push(access.companyId, fixes, zones.version(access.companyId));
      return { taken: fixes.length, errors };
    },
  });

  // Phone trackers send no header: the device key is what they know.
  app.route({
    method: ['GET', 'POST'],
    url: '/osmand',
    schema: { hide: true },
    config: { rateLimit: { max: settings.positionsPerMinute, timeWindow: 60_000 } },
    async handler({ query, body }) {
      const fields = { ...(Object(body) as Record<string, unknown>), ...(query as Record<string, unknown>) };
      checkText(fields, JSON.stringify(fields));
      const key = text(fields['id'] ?? fields['deviceid']);
      const unit = await storage.db
        .selectFrom('units')
        .select(['id', 'company_id'])
        .where('device_key', '=', key ?? '')
        .executeTakeFirst();
      if (unit === undefined) throw requestError(401, 'expected the key of a device, received another', 'id');
      const fix = osmandFix(fields, now());
      checkTime(fix, spanOf(settings.fixesDays, now()));
      await live.push(unit.company_id, [{ unitId: unit.id, fix }], zones.version(unit.company_id));
      return { taken: 1 };
    },
  });
}

interface UnitKeys {
  readonly ids: ReadonlySet<string>;
  readonly byDevice: ReadonlyMap<string, string>;
}

/** Companies whose units are kept. */
const MOST_COMPANIES = 1000;

/** The units of companies, read again when one is asked for that is not known; units are never removed. */
function unitCache({ storage }: Context): {
  of(companyId: string): Promise<UnitKeys>;
  again(companyId: string): Promise<UnitKeys>;
} {
  const known = new Map<string, UnitKeys>();
  const again = async (companyId: string): Promise<UnitKeys> => {
    const rows = await storage.db
      .selectFrom('units')
      .select(['id', 'device_key'])
      .where('company_id', '=', companyId)
      .execute();
    const keys = {
      ids: new Set(rows.map(({ id }) => id)),
      byDevice: new Map(rows.map(({ id, device_key: key }) => [key, id])),
    };
    if (known.size >= MOST_COMPANIES) known.clear();
    known.set(companyId, keys);
    return keys;
  };
  return { again, of: async (companyId) => known.get(companyId) ?? again(companyId) };
}

/** Times (epoch milliseconds) that are taken. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A clock may go this far ahead, as in the stream (`maxFutureSeconds`). */
const FUTURE_MS = 300_000;
const DAY_MS = 86_400_000;

function spanOf(days: number, now: number): Span {
  return { from: Math.floor((now - days * DAY_MS) / DAY_MS) * DAY_MS, to: now + FUTURE_MS };
}

/** A fix outside of what is kept is refused: it would be stored for nothing. */
function checkTime({ time }: Fix, { from, to }: Span): void {
  if (time >= from && time <= to) return;
  const [first, last] = [from, to].map((bound) => new Date(bound).toISOString());
  throw new WayzoneError('time-range', 'time', `expected ${first} to ${last}, received ${time}`);
}

/** The id of the unit that an item names by id or key; null where the company has none. */
function unitOf(item: unknown, { ids, byDevice }: UnitKeys): string | null {
  const { unit_id: id, device_key: key } = Object(item) as Record<string, unknown>;
  const unitId = typeof id === 'string' ? id : typeof key === 'string' ? byDevice.get(key) : undefined;
  return unitId !== undefined && ids.has(unitId) ? unitId : null;
}

function readItem(item: unknown, units: UnitKeys, span: Span): UnitFix {
  const { unit_id: id, device_key: key, ...fields } = Object(item) as Record<string, unknown>;
  const unitId = unitOf(item, units);
  if (unitId === null) {
    const given = [id, key].find((value) => typeof value === 'string') ?? '';
    throw notFound('unit', given as string, 'unit_id');
  }
  const fix = validateFix(fields);
  checkTime(fix, span);
  checkText(fix, JSON.stringify(fix));
  return { unitId, fix };
}

/** One JSON value a line. */
function readLines(body: string): unknown[] {
  return body.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      throw new WayzoneError('json-syntax', `[${i}]`, `expected JSON, received ${line.slice(0, 60)}`);
    }
  });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `timestamp` is seconds, milliseconds or ISO 8601; without one the time of receipt. `speed` is in knots. */
function osmandFix(fields: Readonly<Record<string, unknown>>, receivedAt: number): Fix {
  const number = (name: string): number | undefined => {
    const given = text(fields[name]);
    return given === undefined ? undefined : Number(given);
  };
  const stamp = text(fields['timestamp']);
  const given =
    stamp === undefined ? receivedAt : /^\d+(\.\d+)?$/.test(stamp) ? Number(stamp) : Date.parse(stamp);
  // Seconds of today have 10 digits, milliseconds 13.
  const time = given < 1e11 ? given * 1000 : given;
  const [speed, course, altitude, accuracy] = ['speed', 'bearing', 'altitude', 'accuracy'].map(number);
  return validateFix({
    time: Math.round(time),
    lon: number('lon'),
    lat: number('lat'),
    ...(speed === undefined ? {} : { speedKph: speed * METERS_PER_SECOND_OF_KNOT * 3.6 }),
    ...(course === undefined ? {} : { courseDegrees: course }),
    ...(altitude === undefined ? {} : { altitudeMeters: altitude }),
    ...(accuracy === undefined ? {} : { accuracyMeters: accuracy }),
  });
}
