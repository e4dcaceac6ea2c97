/** Keys of the header `user_company_api_key`, kept by their hash alone. */

import { createHash } from 'node:crypto';
import { requestError } from 'wayzone';
import type { Storage } from '../storage/storage.js';
import { isRole } from './roles.js';
import type { Access } from './tokens.js';

export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Who a key belongs to; `unauthorized` (401) for an unknown one. */
export async function accessOfKey({ db }: Storage, key: string): Promise<Access> {
  const found = await db
    .selectFrom('api_keys')
    .select(['company_id', 'user_id', 'role'])
    .where('key_hash', '=', hashOf(key))
    .executeTakeFirst();
  if (found === undefined || !isRole(found.role))
    throw requestError(401, 'expected a known API key, received another', 'user_company_api_key');
  return { companyId: found.company_id, userId: found.user_id, role: found.role, expiresAt: null };
}
