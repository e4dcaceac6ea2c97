/** API keys of the header `user_company_api_key`. Only their hashes are stored. */

import { createHash } from 'node:crypto';
import { requestError } from 'wayzone';
import type { Storage } from '../storage/storage.js';
import { isRole } from './roles.js';
import type { Access } from './tokens.js';

export function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The access that a key grants. Throws `unauthorized` (401) for an unknown or expired key. */
export async function accessOfKey({ db }: Storage, key: string, now: number): Promise<Access> {
  const found = await db
    .selectFrom('api_keys')
    .select(['company_id', 'user_id', 'role', 'companies', 'expires'])
    .where('key_hash', '=', keyHash(key))
    .executeTakeFirst();
  const expiresAt = found?.expires == null ? null : Number(found.expires);
  if (found === undefined || !isRole(found.role) || (expiresAt !== null && expiresAt <= now))
    throw requestError(
      401,
      'expected a known API key that has not expired, received another',
      'user_company_api_key',
    );
  const { company_id: companyId, user_id: userId, role, companies } = found;
  return { companyId, userId, role, companies, name: '', email: '', expiresAt, isKey: true };
}
