/** Locators: the position of a unit, shared for a limited time by a link and over a WebSocket. */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { XStatic } from 'typebox/schema';
import { type Fix, requestError, WayzoneError } from 'wayzone';
import { formatPlatformTime } from 'wayzone/schemas';
import type { WebSocket } from 'ws';
import type { Access } from '../auth/tokens.js';
import type { Context } from '../context.js';
import { streamEnd } from '../live/cursor.js';
import { lastFixOf, unitOf } from '../live/fixes.js';
import { type AuthorisedRequest, declare, declareChecked } from '../operation.js';
import { TEXT, WITH_ID } from '../schemaParts.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { notify } from '../storage/storage.js';
import { futureTimeOf } from './times.js';

const TAG = 'locators';
const LOCATOR = {
  type: 'object',
  required: ['id', 'unit', 'expires'],
  properties: { id: TEXT, unit: WITH_ID, expires: TEXT },
} as const;
const MESSAGE = {
  type: 'object',
  required: ['unit_name', 'datepoint', '_datepoint', 'address', '_marker_latlon'],
  properties: {
    unit_name: { type: 'string' },
    datepoint: { type: ['string', 'null'] },
    _datepoint: { type: ['integer', 'null'] },
    address: { type: 'string' },
    _marker_latlon: {
      anyOf: [{ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }, { type: 'null' }],
    },
  },
};
/** Minimum time between two messages about a moving unit. */
const PAUSE_MS = 1000;
/** WebSocket close code: the locator has expired or was revoked. */
const GONE = 1008;

interface Locator {
  readonly expires: number;
  readonly unitName: string;
  readonly fix: Fix | null;
}

export function locatorsResource(app: FastifyInstance, context: Context): void {
  const { storage, zones, changes, metrics, now } = context;
  const { db } = storage;

  declare(app, {
    method: 'GET',
    url: '/locators',
    summary: 'The locators that have not expired',
    tags: [TAG],
    answer: { type: 'array', items: LOCATOR },
    async handler({ access }) {
      const timeZone = await timeZoneOf(storage, access.companyId);
      const rows = await db
        .selectFrom('locators')
        .selectAll()
        .where('company_id', '=', access.companyId)
        .where('expires', '>', String(now()))
        .orderBy('expires')
        .orderBy('id')
        .execute();
      return rows.map(({ id, unit_id: unitId, expires }) => locatorOf(id, unitId, Number(expires), timeZone));
    },
  });

  declareChecked(app, {
    method: 'POST',
    url: '/locators',
    summary: 'Opens a locator of a unit until `expires`',
    tags: [TAG],
    body: {
      type: 'object',
      required: ['unit', 'expires'],
      properties: { unit: WITH_ID, expires: TEXT },
    },
    answer: LOCATOR,
    async handler({ access, body }) {
      const { id: unitId } = body.unit;
      await unitOf(storage, access.companyId, unitId, 'unit.id');
      const timeZone = await timeZoneOf(storage, access.companyId);
      const expires = futureTimeOf(body.expires, 'expires', timeZone, now());
      // The id alone does not open the locator, but it must not be guessable.
      const id = randomBytes(16).toString('base64url');
      await db.deleteFrom('locators').where('expires', '<=', String(now())).execute();
      await db
        .insertInto('locators')
        .values({ id, company_id: access.companyId, unit_id: unitId, expires })
        .execute();
      return locatorOf(id, unitId, expires, timeZone);
    },
  });

  declare(app, {
    method: 'DELETE',
    url: '/locators/:id',
    summary: 'Revokes a locator and closes its WebSockets',
    tags: [TAG],
    params: WITH_ID,
    answer: LOCATOR,
    async handler({ access: { companyId }, params }) {
      const removed = await db
        .deleteFrom('locators')
        .where('id', '=', params.id)
        .where('company_id', '=', companyId)
        .returningAll()
        .executeTakeFirst();
      if (removed === undefined) throw unknownLocator();
      await notify(db, 'wayzone_live', { companyId, version: 0 });
      const timeZone = await timeZoneOf(storage, companyId);
      return locatorOf(removed.id, removed.unit_id, Number(removed.expires), timeZone);
    },
  });

  declare(app, {
    method: 'GET',
    url: '/locator/:id',
    turn: 'none',
    summary: 'The position of the unit: one answer, or over a WebSocket a message for each new position',
    tags: [TAG],
    takesTicket: true,
    params: WITH_ID,
    answer: MESSAGE,
    handler: async ({ access, params }) => messageOf(access, await required(access, params.id)),
    webSocket: (socket, request) => {
      metrics.streams.inc({ kind: 'locator' });
      socket.once('close', () => metrics.streams.dec({ kind: 'locator' }));
      socket.on('error', () => socket.terminate());
      watch(socket, request).catch(() => socket.close(1011));
    },
  });

  async function required({ companyId }: Access, id: string): Promise<Locator> {
    const found = await db
      .selectFrom('locators')
      .innerJoin('units', 'units.id', 'locators.unit_id')
      .select(['locators.expires', 'locators.unit_id', 'units.name'])
      .where('locators.id', '=', id)
      .where('locators.company_id', '=', companyId)
      .where('units.company_id', '=', companyId)
      .where('locators.expires', '>', String(now()))
      .where('units.is_delete', '=', false)
      .executeTakeFirst();
    if (found === undefined) throw unknownLocator();
    const fix = await lastFixOf(storage, companyId, found.unit_id);
    return { expires: Number(found.expires), unitName: found.name, fix };
  }

  async function messageOf({ companyId }: Access, { unitName, fix }: Locator): Promise<object> {
    const timeZone = await timeZoneOf(storage, companyId);
    const { index } = await zones.zonesOf(companyId);
    const names = fix === null ? [] : index.at([fix.lon, fix.lat]).map((id) => index.get(id)?.name ?? '');
    return {
      unit_name: unitName,
      datepoint: fix === null ? null : formatPlatformTime(fix.time, { timeZone }),
      _datepoint: fix?.time ?? null,
      // The host has no geocoder: the address is the names of the geozones that contain the position.
      address: names.join(', '),
      _marker_latlon: fix === null ? null : [fix.lat, fix.lon],
    };
  }

  async function watch(
    socket: WebSocket,
    { access, params }: AuthorisedRequest<{ readonly id: string }>,
  ): Promise<void> {
    const { id } = params;
    const first = await required(access, id).catch(() => null);
    if (first === null) return socket.close(GONE, 'no such locator');
    const end = streamEnd(now(), access.expiresAt, first.expires);
    socket.once('close', () => end.end());
    let sent: string | null = null;
    for await (const turn of changes.of(access.companyId, end.signal)) {
      if (turn === 'idle') socket.ping();
      const locator = await required(access, id).catch(refusalOnly);
      if (locator === null) return socket.close(GONE, 'revoked');
      const message = JSON.stringify(await messageOf(access, locator));
      if (message === sent) continue;
      sent = message;
      // Waits until the message is sent: a slow client gets fewer positions, never outdated ones.
      await new Promise((resolve) => socket.send(message, resolve));
      await sleep(PAUSE_MS, undefined, { signal: end.signal }).catch(() => {});
    }
    socket.close(GONE, 'expired');
  }
}

/** null for a missing locator. Rethrows other errors: a database failure must not end the locator. */
function refusalOnly(error: unknown): null {
  if (error instanceof WayzoneError) return null;
  throw error;
}

function unknownLocator(): WayzoneError {
  return requestError(404, 'expected a known locator, received an unknown one', 'id');
}

function locatorOf(id: string, unitId: string, expires: number, timeZone: string): XStatic<typeof LOCATOR> {
  return { id, unit: { id: unitId }, expires: formatPlatformTime(expires, { timeZone }) };
}
