/** Units: their tracks, visits and movement. */

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { WayzoneError } from 'wayzone';
import { selectByIds } from 'wayzone/listing';
import { parsePlatformTime, type TrackGradation, type TripDetectorSettings } from 'wayzone/schemas';
import { detectTrips, findVisits, gradeTrack, readTrack, type Track } from 'wayzone/tracks';
import type { Context } from '../context.js';
import { fixesOf, type Unit, unitOf } from '../live/fixes.js';
import { type AuthorisedRequest, declare } from '../operation.js';
import { checkText } from '../storage/checkText.js';
import { timeZoneOf } from './crud.js';

const TAG = 'units';
/** Trip-detector settings, by name or as a list of `{key, value}`. */
const SETTINGS = { type: ['object', 'array'] };
const UNIT = {
  type: 'object',
  properties: { id: { type: 'string' }, name: { type: 'string' }, settings: SETTINGS },
};
const ID = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const SPAN = {
  type: 'object',
  required: ['from', 'to'],
  properties: { from: { type: 'string' }, to: { type: 'string' } },
};

export function unitsResource(app: FastifyInstance, context: Context): void {
  const { storage, zones } = context;

  declare(app, {
    method: 'GET',
    url: '/units',
    summary: 'Units by their ids, or all',
    tags: [TAG],
    minRole: 'VIEWER',
    querystring: { type: 'object', properties: { ids: { type: 'string' } } },
    answer: { anyOf: [UNIT, { type: 'array', items: UNIT }, { type: 'null' }] },
    async handler({ access, query }, reply) {
      const rows = await storage.db
        .selectFrom('units')
        .select(['id', 'name', 'settings'])
        .where('company_id', '=', access.companyId)
        .orderBy('name')
        .orderBy('id')
        .execute();
      return reply.type('application/json').send(JSON.stringify(selectByIds(rows, query['ids'] ?? null)));
    },
  });

  declare(app, {
    method: 'POST',
    url: '/units',
    summary: 'Registers a unit by the key of its device',
    tags: [TAG],
    minRole: 'ADMIN',
    body: {
      type: 'object',
      required: ['name', 'device_key'],
      properties: { name: { type: 'string' }, device_key: { type: 'string' }, settings: SETTINGS },
    },
    answer: UNIT,
    async handler({ access, body }) {
      const { name, device_key: key, settings = {} } = Object(body) as Record<string, unknown>;
      for (const [field, value] of Object.entries({ name, device_key: key }))
        if (typeof value !== 'string' || value.trim() === '')
          throw new WayzoneError('required', field, 'expected a text, received none');
      checkText(body, JSON.stringify(body));
      checkSettings(settings);
      const unit = { id: randomUUID(), name: name as string, settings: Object(settings) as object };
      const inserted = await storage.db
        .insertInto('units')
        .values({
          ...unit,
          company_id: access.companyId,
          device_key: key as string,
          settings: JSON.stringify(unit.settings),
        })
        .onConflict((conflict) => conflict.column('device_key').doNothing())
        .executeTakeFirst();
      if (Number(inserted.numInsertedOrUpdatedRows) === 0)
        throw new WayzoneError(
          'duplicate-id',
          'device_key',
          'expected a key that no other unit has, received one in use',
        );
      return unit;
    },
  });

  const ofTrack = (
    path: string,
    summary: string,
    answer: (track: Track, unit: Unit, request: AuthorisedRequest) => unknown,
  ): void =>
    declare(app, {
      method: 'GET',
      url: `/units/:id/${path}`,
      summary,
      tags: [TAG],
      minRole: 'VIEWER',
      params: ID,
      querystring: SPAN,
      answer: {},
      async handler(request) {
        const { access, params, query } = request;
        const unit = await unitOf(storage, access.companyId, params['id']!);
        const timeZone = await timeZoneOf(context, access.companyId);
        const from = timeOf(query['from'], 'from', timeZone);
        const to = timeOf(query['to'], 'to', timeZone);
        return answer(readTrack(await fixesOf(storage, access.companyId, unit.id, from, to)), unit, request);
      },
    });

  ofTrack('track', 'The track in the colours of the company’s gradation', async (track, _, { access }) => {
    const found = await storage.db
      .selectFrom('companies')
      .select('properties')
      .where('id', '=', access.companyId)
      .executeTakeFirst();
    const gradation = found?.properties['track_gradation'] as TrackGradation | undefined;
    return {
      points: Array.from(track.time, (time, i) => ({ time, lon: track.lon[i], lat: track.lat[i] })),
      runs: gradation === undefined ? [] : gradeTrack(track, gradation),
      rejected: track.rejected,
    };
  });
  ofTrack('visits', 'The visits to the company’s geozones', async (track, _, { access }) =>
    findVisits(track, (await zones.zonesOf(access.companyId)).index),
  );
  ofTrack('movement', 'Trips, parkings and stops by the unit’s own settings', (track, { settings }) =>
    detectTrips(track, settings),
  );
}

/** Throws the errors of the trip detector for invalid settings, so that later requests do not fail with them. */
function checkSettings(settings: unknown): void {
  if (typeof settings !== 'object' || settings === null)
    throw new WayzoneError('option-type', 'settings', 'expected an object or a list, received another value');
  detectTrips(readTrack([]), settings as TripDetectorSettings);
}

/** Reads epoch milliseconds, or the platform's time in the company's time zone. */
export function timeOf(text: string | undefined, field: string, timeZone: string): number {
  if (text === undefined) throw new WayzoneError('required', field, 'expected a time, received none');
  if (/^-?\d{1,16}$/.test(text)) return Number(text);
  return parsePlatformTime(text, { timeZone });
}
