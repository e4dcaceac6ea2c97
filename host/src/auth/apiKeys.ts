/** API keys of the header `user_company_api_key`. Only their hashes are stored. */

import { createHash } from 'node:crypto';
import { requestError } from 'wayzone';
import type { Storage } from '../storage/storage.js';
import { isRole } from './roles.js';
import type { Access } from './tokens.js';

export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The access that a key grants. Throws `unauthorized` (401) for an unknown key. */
export async function accessOfKey({ db }: Storage, key: string): Promise<Access> {
  const found = await db
    .selectFrom('api_keys')
    .select(['company_id', 'user_id', 'role'])
    .where('key_hash', '=', hashOf(key))
    .executeTakeFirst();
  if (found === undefined || !isRole(found.role))
    throw requestError(401, 'expected a known API key, received an unknown one', 'user_company_api_key');
  return { companyId: found.company_id, userId: found.user_id, role: found.role, expiresAt: null };
}
