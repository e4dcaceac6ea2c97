/** The fields of a user that the host stores. The user's id, role and companies come from the token. */

import { type FieldError, requestError, WayzoneError } from 'wayzone';
import { companiesOf } from '../auth/inSwitchedCompany.js';
import type { Access } from '../auth/tokens.js';
import { schemaCheck } from '../schemaCheck.js';
import { TEXT } from '../schemaParts.js';
import type { Storage } from '../storage/storage.js';

const SHORT = { ...TEXT, maxLength: 1000 } as const;
/** Maximum size of a user's stored fields, characters of JSON. */
const MOST_CHARACTERS = 200_000;
const CLIENT = {
  title: 'JSON object',
  type: 'object',
  description: 'Settings of a client, which the host does not read',
  additionalProperties: true,
} as const;

/** The schemas of the fields that `PUT /me` sets. */
export const USER_FIELDS: Readonly<Record<string, object>> = {
  name: SHORT,
  email: SHORT,
  phone: SHORT,
  details: SHORT,
  code: SHORT,
  is_driver: { type: 'boolean' },
  telegram_chat_id: { type: ['integer', 'null'] },
  language: {
    type: 'object',
    required: ['key'],
    properties: { key: { type: 'string', enum: ['en', 'ru'] }, type: TEXT, value: TEXT },
  },
  settings_web: CLIENT,
  settings_ios: CLIENT,
  settings_android: CLIENT,
};
/** Fields of an answer of `/me` that the host computes. */
const COMPUTED = [
  'id',
  'actions',
  'companies',
  'active_company',
  'edit_classes_fields',
  'edit_objects_fields',
];
const LANGUAGES: Readonly<Record<string, string>> = { en: 'English', ru: 'Русский' };

const check = schemaCheck({ type: 'object', properties: USER_FIELDS }, 'body');

/** Reads the body of `PUT /me`. Throws `validation` with every wrong field. */
export function readUserFields({ role }: Access, body: unknown): Readonly<Record<string, unknown>> {
  check(body);
  const fields = { ...(body as Readonly<Record<string, unknown>>) };
  const errors: FieldError[] = [];
  const { key: sentRole = role } = Object(fields['role']) as { readonly key?: unknown };
  if (sentRole !== role)
    errors.push({
      code: 4221,
      field: 'role',
      message: `expected ${role}, received another role`,
      reason: 'option-value',
    });
  for (const name of ['role', ...COMPUTED]) delete fields[name];
  for (const name of Object.keys(fields))
    if (!Object.hasOwn(USER_FIELDS, name))
      errors.push({
        code: 4221,
        field: name.slice(0, 60),
        message: `expected one of ${Object.keys(USER_FIELDS).join(', ')}, received another field`,
        reason: 'field-unknown',
      });
  if (errors.length > 0)
    throw new WayzoneError(
      'validation',
      errors[0]!.field,
      'expected fields of a user, received field errors',
      {
        errors,
      },
    );
  const { language } = fields;
  if (language !== undefined) {
    const { key } = language as { readonly key: string };
    fields['language'] = { key, type: 'languages', value: LANGUAGES[key] };
  }
  return fields;
}

/**
 * Key of the user in tables. An administrator issues API keys to any user id, so that the user of a key is one of its company, and not
 * the user of a token with the same id. Throws `forbidden` (403) for a token without a user.
 */
export function userKeyOf({ userId, companyId, isKey = false }: Access): string {
  if (userId === '')
    throw requestError(403, 'expected a token that names its user, received one without', 'sub');
  return isKey ? `key ${companyId} ${userId}` : `user ${userId}`;
}

/** The fields that the user has set. Remembers the company, role and number of companies that the token states. */
export async function storedUser(
  { db }: Storage,
  access: Access,
): Promise<Readonly<Record<string, unknown>>> {
  if (access.userId === '') return {};
  const id = userKeyOf(access);
  const stated =
    access.isKey === true
      ? { company_id: null, role: null, companies: null }
      : { company_id: access.companyId, role: access.role, companies: companiesOf(access).length };
  const found = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  const isSame =
    found !== undefined &&
    found.company_id === stated.company_id &&
    found.role === stated.role &&
    found.companies === stated.companies;
  if (!isSame)
    await db
      .insertInto('users')
      .values({ id, ...stated })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(stated))
      .execute();
  return found?.row ?? {};
}

/** Replaces these fields of the user, and keeps the others. */
export async function changeUser({ db }: Storage, access: Access, fields: object): Promise<void> {
  const id = userKeyOf(access);
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('users')
      .values({ id })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    const { row } = await trx
      .selectFrom('users')
      .select('row')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const text = JSON.stringify({ ...row, ...fields });
    if (text.length > MOST_CHARACTERS)
      throw new WayzoneError(
        'option-value',
        '',
        `expected fields of at most ${MOST_CHARACTERS} characters together, received ${text.length}`,
      );
    await trx.updateTable('users').set({ row: text }).where('id', '=', id).execute();
  });
}
