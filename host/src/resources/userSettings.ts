/** Settings that clients keep for their users: texts by key, of the user alone or of the user in a company. */

import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import { checkCompanies } from '../auth/inSwitchedCompany.js';
import type { Access } from '../auth/tokens.js';
import type { Context } from '../context.js';
import { declare, declareChecked } from '../operation.js';
import { TEXT } from '../schemaParts.js';
import { userKeyOf } from './userFields.js';

const TAG = 'access';
const KEY = { ...TEXT, minLength: 1, maxLength: 200 } as const;
const VERSION = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const;
const SETTING = {
  type: 'object',
  required: ['id', 'user_id', 'key', 'value', 'version'],
  properties: {
    id: TEXT,
    user_id: TEXT,
    company_id: { ...TEXT, description: 'Of a setting that belongs to a company' },
    key: TEXT,
    value: TEXT,
    version: VERSION,
  },
} as const;
const SETTINGS = { type: 'array', items: SETTING } as const;
/** Maximum number of settings of a user. */
const MOST_SETTINGS = 1000;

export function userSettingsResource(app: FastifyInstance, context: Context): void {
  const { db } = context.storage;
  /** The settings of a company; without one those of the token's companies, and those of none. */
  const listOf = async (access: Access, companyId: string | undefined) => {
    const rows = await db
      .selectFrom('user_settings')
      .select(['id', 'company_id', 'key', 'value', 'version'])
      .where('user_id', '=', userKeyOf(access))
      .where((eb) =>
        companyId === undefined
          ? eb.or([
              eb('company_id', 'is', null),
              eb('company_id', 'in', [access.companyId, ...access.companies]),
            ])
          : eb('company_id', '=', companyId),
      )
      .orderBy('key')
      .orderBy('id')
      .execute();
    return rows.map(({ company_id: of, ...row }) => ({
      ...row,
      user_id: access.userId,
      ...(of === null ? {} : { company_id: of }),
    }));
  };

  declare(app, {
    method: 'GET',
    url: '/me/settings',
    summary: 'The settings of the caller; with `company_id` those that belong to this company',
    tags: [TAG],
    querystring: { type: 'object', properties: { company_id: TEXT } },
    answer: SETTINGS,
    async handler({ access, query: { company_id: companyId } }) {
      if (companyId !== undefined) await checkCompanies(context, access, [companyId], () => 'company_id');
      return listOf(access, companyId);
    },
  });

  declareChecked(app, {
    method: 'POST',
    url: '/me/settings',
    summary:
      'Saves a setting of the caller; without `version` its version is raised by one. Answers with all settings',
    tags: [TAG],
    body: {
      type: 'object',
      required: ['key', 'value'],
      properties: {
        key: KEY,
        value: { ...TEXT, maxLength: 100_000 },
        version: VERSION,
        company_id: { type: ['string', 'null'] },
      },
    },
    answer: SETTINGS,
    async handler({ access, body }) {
      const { key, value, version = null, company_id: companyId = null } = body;
      if (companyId !== null) await checkCompanies(context, access, [companyId], () => 'company_id');
      const owner = userKeyOf(access);
      await db.transaction().execute(async (trx) => {
        await sql`
          insert into user_settings as known (user_id, company_id, key, value, version)
          values (${owner}, ${companyId}, ${key}, ${value}, ${version ?? 1})
          on conflict (user_id, coalesce(company_id, ''), key) do update
            set value = excluded.value, version = coalesce(${version}::integer, known.version + 1)`.execute(
          trx,
        );
        const { count } = await trx
          .selectFrom('user_settings')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('user_id', '=', owner)
          .executeTakeFirstOrThrow();
        if (Number(count) > MOST_SETTINGS)
          throw new WayzoneError(
            'option-value',
            'key',
            `expected at most ${MOST_SETTINGS} settings, received more`,
          );
      });
      return listOf(access, undefined);
    },
  });
}
