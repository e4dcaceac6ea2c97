/** Receives fixes: `POST /positions` as JSON or NDJSON. Phone trackers use `/osmand`. */

import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type FieldError, notFound, WayzoneError } from 'wayzone';
import { FixSchema, validateFix, WireErrorSchema } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { isDeep } from '../http/addBodies.js';
import { checkTime, type KeptSpan, keptSpan, type UnitFix } from '../live/fixes.js';
import type { UnitName } from '../live/unitKeys.js';
import { declare } from '../operation.js';
import { checkText } from '../storage/checkText.js';

const { properties: FIX } = FixSchema as unknown as { readonly properties: object };
const UNIT = { type: 'string', description: 'The unit, by its id or its device key' };
const FIXES = {
  type: 'array',
  items: {
    type: 'object',
    required: ['time', 'lon', 'lat'],
    properties: { unit_id: UNIT, device_key: UNIT, ...FIX },
  },
};
/** A field error of an answer. */
const FIELD_ERROR = (
  WireErrorSchema as unknown as { readonly properties: { readonly errors: { readonly items: object } } }
).properties.errors.items;
/** Longest list. */
const MOST_FIXES = 100_000;
/** Number of errors in an answer. */
const MOST_ERRORS = 1000;
/** Number of fixes that are read without a pause, about 5 ms. */
const PART = 1000;
const ANSWER = {
  type: 'object',
  required: ['taken', 'errors'],
  properties: {
    taken: { type: 'integer', description: 'Fixes that were stored' },
    errors: {
      type: 'array',
      items: FIELD_ERROR,
      maxItems: MOST_ERRORS,
      description: 'Why fixes were not taken; the first ones of many',
    },
  },
};

export function positionsResource(app: FastifyInstance, context: Context): void {
  const { live, zones, units, settings, databaseNow } = context;

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
    turn: 'none',
    summary: 'Fixes of units, as a JSON list or as NDJSON; 200 when they and their events are durable',
    tags: ['positions'],
    perMinute: settings.positionsPerMinute,
    bodyLimit: settings.positionsBodyBytes,
    consumes: ['application/json', 'application/x-ndjson'],
    checksItems: true,
    body: FIXES,
    answer: ANSWER,
    async handler({ access, body }) {
      if (!Array.isArray(body))
        throw new WayzoneError('type', '', 'expected a list of fixes, received another value');
      if (body.length > MOST_FIXES) throw tooMany(body.length);
      const names = body.map(nameOf);
      const idOf = await units.find(access.companyId, names);
      const span = keptSpan(settings.fixesDays, await databaseNow());
      const errors: FieldError[] = [];
      const fixes: UnitFix[] = [];
      for (const [i, item] of body.entries()) {
        // Other requests get their turn between the parts of a long list.
        if (i > 0 && i % PART === 0) await setImmediate();
        try {
          fixes.push(readItem(item, idOf(names[i]!), span));
        } catch (error) {
          if (!(error instanceof WayzoneError)) throw error;
          const own = error.errors.map((one) => ({ ...one, field: `[${i}].${one.field}` }));
          errors.push(...own.slice(0, MOST_ERRORS - errors.length));
        }
      }
      await live.push(access.companyId, fixes, zones.version(access.companyId));
      return { taken: fixes.length, errors };
    },
  });
}

/** The id or device key by which an item names its unit. */
function nameOf(item: unknown): UnitName {
  const { unit_id: id, device_key: key } = Object(item) as Record<string, unknown>;
  if (typeof id === 'string') return { id };
  return typeof key === 'string' ? { key } : { id: '' };
}

function readItem(item: unknown, unitId: string | null, span: KeptSpan): UnitFix {
  const { unit_id: id, device_key: key, ...fields } = Object(item) as Record<string, unknown>;
  if (unitId === null) {
    const given = [id, key].find((value) => typeof value === 'string') ?? '';
    throw notFound('unit', given as string, 'unit_id');
  }
  const fix = validateFix(fields);
  checkTime(fix, span);
  checkText(fix);
  return { unitId, fix };
}

function tooMany(count: number): WayzoneError {
  return new WayzoneError('limit-fixes', '', `expected at most ${MOST_FIXES} fixes, received ${count}`);
}

/** Reads NDJSON: one JSON value per line. */
function readLines(body: string): unknown[] {
  const lines = body.split('\n');
  // One more: the end of the last line.
  if (lines.length > MOST_FIXES + 1) throw tooMany(lines.length);
  return lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    if (isDeep(line))
      throw new WayzoneError('json-syntax', `[${i}]`, 'expected a flat object, received a deeply nested one');
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      throw new WayzoneError('json-syntax', `[${i}]`, `expected JSON, received ${line.slice(0, 60)}`);
    }
  });
}
