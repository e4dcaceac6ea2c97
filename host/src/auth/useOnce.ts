/** Ids that are used once, whichever process of the host they reach. Only their hashes are stored. */

import type { Storage } from '../storage/storage.js';
import { keyHash } from './apiKeys.js';

/** Whether this is the first use of `id`, which is forgotten at `expires`. Both times in epoch milliseconds. */
export async function useOnce({ db }: Storage, id: string, expires: number, now: number): Promise<boolean> {
  await db.deleteFrom('used_links').where('expires', '<', String(now)).execute();
  const { numInsertedOrUpdatedRows: added = 0n } = await db
    .insertInto('used_links')
    .values({ hash: keyHash(id), expires })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added > 0n;
}
