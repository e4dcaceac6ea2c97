/** The company that a caller of several companies has switched to. It belongs to the token or key, so that every client of it follows. */

import type { FastifyRequest } from 'fastify';
import type { Storage } from '../storage/storage.js';
import { keyHash } from './apiKeys.js';
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
