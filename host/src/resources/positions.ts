/** Receives fixes: `POST /positions` as JSON or NDJSON. Phone trackers use `/osmand`. */

import type { FastifyInstance } from 'fastify';
import { type FieldError, notFound, WayzoneError } from 'wayzone';
import { validateFix } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { checkTime, type KeptSpan, keptSpan } from '../live/keptSpan.js';
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

export function positionsResource(app: FastifyInstance, context: Context): void {
  const { live, zones, settings, now } = context;
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
      const span = keptSpan(settings.fixesDays, now());
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
}

interface UnitKeys {
  readonly ids: ReadonlySet<string>;
  readonly byDevice: ReadonlyMap<string, string>;
}

/** Maximum number of companies in the cache of units. */
const MOST_COMPANIES = 1000;

/** Caches the units of companies. Reads a company again for an unknown unit; units are never removed. */
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

/** The id of the unit that an item names by id or key; null if the company has no such unit. */
function unitOf(item: unknown, { ids, byDevice }: UnitKeys): string | null {
  const { unit_id: id, device_key: key } = Object(item) as Record<string, unknown>;
  const unitId = typeof id === 'string' ? id : typeof key === 'string' ? byDevice.get(key) : undefined;
  return unitId !== undefined && ids.has(unitId) ? unitId : null;
}

function readItem(item: unknown, units: UnitKeys, span: KeptSpan): UnitFix {
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

/** Reads NDJSON: one JSON value per line. */
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
