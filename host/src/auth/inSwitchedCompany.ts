/** The company that a caller of several companies has switched to. It belongs to the token or key, so that every client of it follows. */

import type { FastifyRequest } from 'fastify';
import { WayzoneError } from 'wayzone';
import type { Context } from '../context.js';
import type { Storage } from '../storage/storage.js';
import { keyHash } from './apiKeys.js';
import { satisfies } from './roles.js';
import type { Access } from './tokens.js';

/** The bearer token of a request. */
export function tokenOf({
  headers: { authorization = '' },
}: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1];
}

/** The access in the company that the credential has switched to. Its other companies become the further ones. */
export async function inSwitchedCompany(
  { db }: Storage,
  credential: string,
  access: Access,
): Promise<Access> {
  if (access.companies.length === 0) return access;
  const found = await db
    .selectFrom('switched_companies')
    .select('company_id')
    .where('credential_hash', '=', keyHash(credential))
    .executeTakeFirst();
  const all = companiesOf(access);
  if (found === undefined || !all.includes(found.company_id)) return access;
  return { ...access, companyId: found.company_id, companies: all.filter((id) => id !== found.company_id) };
}

/** The active company of the caller and the further ones, each once. */
export function companiesOf({ companyId, companies }: Access): string[] {
  return [...new Set([companyId, ...companies])];
}

/** Remembers the company for the key or token of the request, as long as it is valid. */
export async function switchCompany(
  { db }: Storage,
  request: Pick<FastifyRequest, 'headers'>,
  { expiresAt: expires }: Access,
  companyId: string,
  now: number,
): Promise<void> {
  const { user_company_api_key: key } = request.headers;
  const credential = typeof key === 'string' ? key : (tokenOf(request) ?? '');
  const values = { company_id: companyId, expires };
  await db.deleteFrom('switched_companies').where('expires', '<', String(now)).execute();
  await db
    .insertInto('switched_companies')
    .values({ credential_hash: keyHash(credential), ...values })
    .onConflict((conflict) => conflict.column('credential_hash').doUpdateSet(values))
    .execute();
}

/**
 * Throws 422 with code 4022 at the first of `ids` that is not one of the caller's companies. A caller with the rank of SUPERVISOR reaches every
 * company that exists.
 */
export async function checkCompanies(
  { storage, settings }: Pick<Context, 'storage' | 'settings'>,
  { companyId, companies, role }: Access,
  ids: readonly string[],
  fieldOf: (i: number) => string,
): Promise<void> {
  const own = new Set([companyId, ...companies]);
  const others = ids.filter((id) => !own.has(id));
  if (others.length > 0 && satisfies(role, 'SUPERVISOR', settings.sideRanks)) {
    const rows = await storage.db.selectFrom('companies').select('id').where('id', 'in', others).execute();
    for (const { id } of rows) own.add(id);
  }
  const wrong = ids.findIndex((id) => !own.has(id));
  if (wrong !== -1)
    throw new WayzoneError(
      'company-foreign',
      fieldOf(wrong),
      `expected one of the caller’s companies, received ${JSON.stringify(ids[wrong]).slice(0, 60)}`,
      { status: 422, wireCode: 4022 },
    );
}
