/** API keys of the header `user_company_api_key`: issued with an expiry, listed, rotated and revoked. Only hashes are stored. */

import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { requestError, WayzoneError } from 'wayzone';
import { formatPlatformTime } from 'wayzone/schemas';
import { keyHash } from '../auth/apiKeys.js';
import { companiesOf } from '../auth/inSwitchedCompany.js';
import { isRole, ROLES, rankOf, satisfies } from '../auth/roles.js';
import type { Access } from '../auth/tokens.js';
import type { Context } from '../context.js';
import { declare, declareChecked } from '../operation.js';
import { TEXT, WITH_ID } from '../schemaParts.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { futureTimeOf } from './times.js';

const TAG = 'keys';
const KEY_BYTES = 32;
const TIME_TEXT_OR_NULL = { type: ['string', 'null'] };
const KEY = {
  type: 'object',
  required: ['id', 'user_id', 'role', 'valid_to', 'created'],
  properties: {
    id: TEXT,
    user_id: TEXT,
    role: TEXT,
    valid_to: TIME_TEXT_OR_NULL,
    created: TIME_TEXT_OR_NULL,
  },
};
const ISSUED = {
  type: 'object',
  required: ['id', 'user_company_api_key', 'url'],
  properties: {
    id: TEXT,
    user_company_api_key: { ...TEXT, description: 'Shown once' },
    url: { ...TEXT, description: 'The page of the host, signed in by the key' },
  },
} as const;
/** The name of a role, or its entry as the lists of roles have it. */
const ROLE = {
  anyOf: [TEXT, { type: 'object', required: ['key'], properties: { key: TEXT } }],
  description: 'Default READER',
} as const;

export function keysResource(app: FastifyInstance, context: Context): void {
  const { storage, settings, now } = context;
  const { db } = storage;
  const newKey = (): string => randomBytes(KEY_BYTES).toString('base64url');
  const base = (settings.publicUrls[0] ?? '').replace(/\/$/, '');
  const linkOf = (secret: string): string => `${base}/?user_company_api_key=${secret}`;
  const unknownKey = (): Error => requestError(404, 'expected a known key, received an unknown one', 'id');

  declareChecked(app, {
    method: 'POST',
    url: '/users/:id/create_token',
    summary: 'Issues an API key of the company to a user, with a role below ADMIN, until `valid_to`',
    description:
      'The user has this company alone, and a role below ADMIN. What the host knows of a user is what his last token stated at `/me`; a user without one gets a key as well.',
    tags: [TAG],
    params: WITH_ID,
    body: {
      type: 'object',
      required: ['valid_to'],
      properties: { valid_to: TEXT, role: ROLE },
    },
    answer: ISSUED,
    async handler({ access, params, body }) {
      const { companyId } = access;
      await checkUser(context, access, params.id);
      const { valid_to: validTo, role = 'READER' } = body;
      const key = typeof role === 'string' ? role : role.key;
      if (!isRole(key) || satisfies(key, 'ADMIN', settings.sideRanks))
        throw new WayzoneError('option-value', 'role', 'expected a role below ADMIN, received another');
      const timeZone = await timeZoneOf(storage, companyId);
      const expires = futureTimeOf(validTo, 'valid_to', timeZone, now());
      const secret = newKey();
      const { id } = await db
        .insertInto('api_keys')
        .values({
          key_hash: keyHash(secret),
          company_id: companyId,
          user_id: params.id,
          role: key,
          expires,
          created: now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id, user_company_api_key: secret, url: linkOf(secret) };
    },
  });

  declare(app, {
    method: 'GET',
    url: '/keys',
    summary: 'The keys of the company, without the secrets',
    tags: [TAG],
    answer: { type: 'array', items: KEY },
    async handler({ access: { companyId } }) {
      const timeZone = await timeZoneOf(storage, companyId);
      const rows = await db
        .selectFrom('api_keys')
        .select(['id', 'user_id', 'role', 'expires', 'created'])
        .where('company_id', '=', companyId)
        .orderBy('created')
        .orderBy('id')
        .execute();
      const textOf = (time: string | null): string | null =>
        time === null || time === '0' ? null : formatPlatformTime(Number(time), { timeZone });
      return rows.map(({ expires, created, ...row }) => ({
        ...row,
        valid_to: textOf(expires),
        created: textOf(created),
      }));
    },
  });

  declare(app, {
    method: 'POST',
    url: '/keys/:id/rotate',
    summary: 'Replaces the secret of a key; the former one is refused from now on',
    tags: [TAG],
    params: WITH_ID,
    answer: ISSUED,
    async handler({ access: { companyId, role }, params }) {
      const secret = newKey();
      // A key of a higher role would raise the caller's own.
      const roles = ROLES.filter((one) =>
        satisfies(role, rankOf(one, settings.sideRanks), settings.sideRanks),
      );
      const changed = await db
        .updateTable('api_keys')
        .set({ key_hash: keyHash(secret) })
        .where('id', '=', params.id)
        .where('company_id', '=', companyId)
        .where('role', 'in', roles)
        .returning('id')
        .executeTakeFirst();
      if (changed === undefined) throw unknownKey();
      return { id: changed.id, user_company_api_key: secret, url: linkOf(secret) };
    },
  });

  declare(app, {
    method: 'DELETE',
    url: '/keys/:id',
    summary: 'Revokes a key',
    tags: [TAG],
    params: WITH_ID,
    answer: WITH_ID,
    async handler({ access: { companyId }, params }) {
      const removed = await db
        .deleteFrom('api_keys')
        .where('id', '=', params.id)
        .where('company_id', '=', companyId)
        .returning('id')
        .executeTakeFirst();
      if (removed === undefined) throw unknownKey();
      return { id: removed.id };
    },
  });
}

/** Throws 422 for the caller, and for a user whose last token stated another or a further company or a role from ADMIN. */
async function checkUser({ storage, settings }: Context, access: Access, userId: string): Promise<void> {
  const known = await storage.db
    .selectFrom('users')
    .select(['company_id', 'role', 'companies'])
    .where('id', '=', `user ${userId}`)
    .executeTakeFirst();
  const isCaller = userId === access.userId && access.isKey !== true;
  const {
    company_id: companyId,
    role,
    companies,
  } = isCaller
    ? { company_id: access.companyId, role: access.role, companies: companiesOf(access).length }
    : (known ?? { company_id: null, role: null, companies: null });
  const isAllowed =
    (companyId === null || companyId === access.companyId) &&
    (companies ?? 1) === 1 &&
    !(isRole(role) && satisfies(role, 'ADMIN', settings.sideRanks));
  if (!isAllowed)
    throw new WayzoneError(
      'option-value',
      'id',
      'expected a user of this company alone with a role below ADMIN, received another',
    );
}
