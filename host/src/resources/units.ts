/** Units: create, update, delete; their tracks, visits and movement. */

import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql, type Transaction, type Updateable } from 'kysely';
import { notFound, WayzoneError } from 'wayzone';
import { CustomFieldValuesSchema, type TrackGradation } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { sendKnown } from '../http/addTags.js';
import type { Given } from '../jobs/compute.js';
import { fixTexts, type Unit, unitOf } from '../live/fixes.js';
import { type AuthorisedRequest, declare } from '../operation.js';
import { MOST_INDEXED, TEXT, WITH_ID } from '../schemaParts.js';
import { recordChange } from '../storage/changeHistory.js';
import { checkIds, type NamedId } from '../storage/checkIds.js';
import { companyOf, timeZoneOf } from '../storage/companyOf.js';
import type { Tables, UnitTable } from '../storage/tables.js';
import {
  CUSTOM_FIELDS,
  DICTIONARY_ENTRY,
  MOVEMENT,
  SPEEDING_RULES,
  TRACK,
  UNIT_LISTS,
  VISITS,
} from '../unitSchemas.js';
import { authorOf, languageOf, unknownId } from './crud.js';
import { checkTag, IF_MATCH, sendJson, sendTag, sendTexts, versionOf } from './sendTexts.js';
import { IDS_QUERY, idsOf, readSpan, SPAN_QUERY } from './times.js';
import { givenIndexOf } from './tracks.js';
import { detectorSettings, labelledUnit, readUnit, trailerIds, wireUnit } from './unitRow.js';
import { unitTexts } from './unitTexts.js';

const TAG = 'units';
/** Bytes of a random device key. */
const KEY_BYTES = 24;
const COLUMNS = ['id', 'company_id', 'name', 'settings', 'is_delete', 'row'] as const;
const FIELDS = {
  name: TEXT,
  type: DICTIONARY_ENTRY,
  terminal_type: DICTIONARY_ENTRY,
  imei: TEXT,
  phonenumber: TEXT,
  phonenumber2: TEXT,
  icon: DICTIONARY_ENTRY,
  ...UNIT_LISTS,
  speeding: SPEEDING_RULES,
};
const UNIT_FIELDS = {
  id: TEXT,
  company_id: TEXT,
  is_delete: { type: 'integer' },
  ...FIELDS,
  units_groups_names: TEXT,
  custom_fields: CustomFieldValuesSchema,
};
const unitWith = (more: object): object => ({
  type: 'object',
  required: ['id', 'company_id', 'is_delete', 'name', 'custom_fields'],
  properties: { ...UNIT_FIELDS, ...more },
});
export const UNIT: object = unitWith({});
const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });
const { name: NAME_FIELD, ...OTHERS } = FIELDS;
const UNIT_INPUT = {
  type: 'object',
  required: ['name'],
  properties: {
    name: NAME_FIELD,
    ...Object.fromEntries(Object.entries(OTHERS).map(([name, schema]) => [name, orNull(schema)])),
    custom_fields: orNull(CUSTOM_FIELDS),
    device_key: {
      type: ['string', 'null'],
      maxLength: MOST_INDEXED,
      description:
        'What the tracker sends as its id; default: a random one. A company may use a key that another one has; `/osmand`, which has no token, takes it for the unit that had it first',
    },
  },
};

export function unitsResource(app: FastifyInstance, context: Context): void {
  const { storage } = context;

  declare(app, {
    method: 'GET',
    url: '/units',
    turn: 'long',
    summary: 'Units by their ids, or all live ones of the caller’s companies',
    tags: [TAG],
    querystring: IDS_QUERY,
    answer: { anyOf: [UNIT, { type: 'array', items: UNIT }] },
    async handler(request, reply) {
      const { access, query } = request;
      const companyIds = [access.companyId, ...access.companies];
      const ids = idsOf(query.ids);
      const { tag, pages } = await unitTexts(
        storage.db,
        companyIds,
        ids.length === 0 ? null : ids,
        languageOf(request),
      );
      if (ids.length !== 1) {
        if (sendKnown(request, reply, tag)) return reply;
        return sendTexts(reply, '[', pages(), ']');
      }
      const unit = await storage.db
        .selectFrom('units')
        .select(COLUMNS)
        .where('id', '=', ids[0]!)
        .where('company_id', 'in', companyIds)
        .executeTakeFirst();
      if (unit === undefined) throw unknownId('unit');
      const wire = wireUnit(unit);
      sendTag(reply, versionOf(wire));
      return labelledUnit(wire, languageOf(request));
    },
  });

  declare(app, {
    method: 'POST',
    url: '/units',
    summary: 'Creates a unit; its device key is in this answer only',
    tags: [TAG],
    body: UNIT_INPUT,
    explain: readSent,
    answer: unitWith({ device_key: TEXT }),
    async handler(request, reply) {
      const { access, body } = request;
      const id = randomUUID();
      const content = readUnit(body, id);
      const { name, ...row } = content;
      const key = keyOf(body, name) ?? randomBytes(KEY_BYTES).toString('base64url');
      const unit = await storage.db.transaction().execute(async (trx) => {
        await checkIds(trx, access.companyId, 'trailer', trailerIds(content));
        const stored = await trx
          .insertInto('units')
          .values({
            id,
            company_id: access.companyId,
            name,
            device_key: key,
            settings: JSON.stringify(detectorSettings(row.custom_fields)),
            row: JSON.stringify(row),
            ...(await ownership(trx, access.companyId, id, key)),
          })
          .returning(COLUMNS)
          .executeTakeFirstOrThrow();
        const after = wireUnit(stored);
        await recordChange(trx, access.companyId, authorOf(access, context.now()), {
          objects: 'units',
          objectId: id,
          before: null,
          after,
        });
        return after;
      });
      context.units.forget(access.companyId);
      sendTag(reply, versionOf(unit));
      return { ...labelledUnit(unit, languageOf(request)), device_key: key };
    },
  });

  declare(app, {
    method: 'PUT',
    url: '/units/:id',
    summary: 'Replaces a unit; a `device_key` in the body replaces its key',
    tags: [TAG],
    params: WITH_ID,
    headers: IF_MATCH,
    body: UNIT_INPUT,
    explain: readSent,
    answer: UNIT,
    handler: (request, reply) => {
      const { body } = request;
      const content = readUnit(body, request.params.id);
      const { name, ...row } = content;
      const key = keyOf(body, name);
      const values = {
        name,
        settings: JSON.stringify(detectorSettings(row.custom_fields)),
        row: JSON.stringify(row),
        ...(key === null ? {} : { device_key: key }),
      };
      return changeUnit(context, request, reply, values, trailerIds(content));
    },
  });

  declare(app, {
    method: 'DELETE',
    url: '/units/:id',
    summary: 'Marks a unit as deleted; its positions are refused from now on',
    tags: [TAG],
    params: WITH_ID,
    headers: IF_MATCH,
    answer: UNIT,
    handler: (request, reply) => changeUnit(context, request, reply, { is_delete: true }),
  });

  declareTracks(app, context);
}

/** Declares the operations on a unit's period: its track, visits and movement. */
function declareTracks(app: FastifyInstance, context: Context): void {
  const { storage } = context;
  const ofTrack = (
    path: string,
    summary: string,
    answer: object,
    compute: (given: { readonly pages: NonNullable<Given['pages']> }, unit: Unit) => Promise<string>,
  ): void =>
    declare(app, {
      method: 'GET',
      url: `/units/:id/${path}`,
      summary,
      tags: [TAG],
      params: WITH_ID,
      querystring: SPAN_QUERY,
      answer,
      async handler({ access: { companyId }, params, query }, reply) {
        const unit = await unitOf(storage, companyId, params.id);
        const timeZone = await timeZoneOf(storage, companyId);
        const { from, to } = readSpan(query, timeZone);
        const fixes = (): AsyncIterable<string> => fixTexts(storage, companyId, unit.id, from, to);
        return sendJson(reply, await compute({ pages: { fixes } }, unit));
      },
    });

  ofTrack(
    'track',
    'The track in the colours of the company’s gradation',
    TRACK,
    async (given, { companyId }) => {
      const { properties } = await companyOf(storage.db, companyId);
      const gradation = (properties['track_gradation'] ?? null) as TrackGradation | null;
      return context.compute.run(companyId, 'track', { gradation }, given);
    },
  );
  ofTrack('visits', 'The visits to the company’s geozones', VISITS, async ({ pages }, { companyId }) => {
    const { buffer, pages: changes } = await givenIndexOf(context, companyId);
    return context.compute.run(companyId, 'visits', null, {
      buffer: buffer!,
      pages: { ...pages, ...changes },
    });
  });
  ofTrack(
    'movement',
    'Trips, parkings and stops by the unit’s own settings',
    MOVEMENT,
    (given, { companyId, settings }) => context.compute.run(companyId, 'movement', { settings }, given),
  );
}

async function changeUnit(
  { storage, units, now }: Context,
  request: AuthorisedRequest<{ readonly id: string }>,
  reply: FastifyReply,
  values: Updateable<UnitTable>,
  trailers: readonly NamedId[] = [],
): Promise<object> {
  const { access, params } = request;
  const { id } = params;
  const { companyId } = access;
  const changed = await storage.db.transaction().execute(async (trx) => {
    const stored = await trx
      .selectFrom('units')
      .select(COLUMNS)
      .where('id', '=', id)
      .where('company_id', '=', companyId)
      .where('is_delete', '=', false)
      .forUpdate()
      .executeTakeFirst();
    if (stored === undefined) throw notFound('unit', id);
    checkTag(request, versionOf(wireUnit(stored)));
    await checkIds(trx, companyId, 'trailer', trailers);
    const next = await trx
      .updateTable('units')
      .set({ ...values, ...(await ownership(trx, companyId, id, values.device_key)) })
      .where('id', '=', id)
      .where('company_id', '=', companyId)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    const after = wireUnit(next);
    await recordChange(trx, companyId, authorOf(access, now()), {
      objects: 'units',
      objectId: id,
      before: wireUnit(stored),
      after,
      isDeletion: next.is_delete,
    });
    return after;
  });
  units.forget(companyId);
  sendTag(reply, versionOf(changed));
  return labelledUnit(changed, languageOf(request));
}

/** Whether the unit would be the first one with the key. Throws `duplicate-id` if another unit of the company has it. */
async function ownership(
  trx: Transaction<Tables>,
  companyId: string,
  id: string,
  key: string | undefined,
): Promise<{ readonly owns_key?: boolean }> {
  if (key === undefined) return {};
  // Of two units that take a key at the same time one is the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
  const others = await trx
    .selectFrom('units')
    .select(['company_id', 'owns_key'])
    .where('device_key', '=', key)
    .where('id', '<>', id)
    .execute();
  if (others.some((other) => other.company_id === companyId)) throw keyInUse();
  return { owns_key: !others.some((other) => other.owns_key) };
}

/** The device key of a request; null if there is none. A key that equals the name could be guessed. */
function keyOf(body: unknown, name: string): string | null {
  const { device_key: key } = Object(body) as { readonly device_key?: unknown };
  if (key == null) return null;
  if (typeof key === 'string' && key.length > MOST_INDEXED)
    throw new WayzoneError(
      'option-value',
      'device_key',
      `expected at most ${MOST_INDEXED} characters, received ${key.length}`,
    );
  if (typeof key !== 'string' || key.trim() === '' || key === name)
    throw new WayzoneError(
      'option-value',
      'device_key',
      'expected a key that is not empty and not the name, received another; without a key a random one is made',
    );
  return key;
}

/** Reads a body that the schema refuses. */
function readSent(body: unknown): unknown {
  return keyOf(body, readUnit(body, '').name);
}

function keyInUse(): WayzoneError {
  return new WayzoneError(
    'duplicate-id',
    'device_key',
    'expected a key that no other unit of the company has, received one in use',
  );
}
