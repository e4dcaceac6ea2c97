/** The database's own list of the files that were made of it: a file of another database, or of a later state than a restored backup, is not in it. */

import type { Storage } from '../storage/storage.js';
import type { ZoneFileStamp } from '../threads/zoneFile.js';

/** Files that are known of a company: one a data folder. */
const MOST_FILES = 16;

export async function rememberFile(
  { db }: Storage,
  companyId: string,
  token: string,
  version: number,
): Promise<void> {
  await db.insertInto('zone_snapshots').values({ token, company_id: companyId, version }).execute();
  await db
    .deleteFrom('zone_snapshots')
    .where('company_id', '=', companyId)
    .where('token', 'not in', (query) =>
      query
        .selectFrom('zone_snapshots')
        .select('token')
        .where('company_id', '=', companyId)
        .orderBy('version', 'desc')
        .limit(MOST_FILES),
    )
    .execute();
}

export async function knowsFile(
  { db }: Storage,
  companyId: string,
  { token, version }: ZoneFileStamp,
): Promise<boolean> {
  const found = await db
    .selectFrom('zone_snapshots')
    .select('token')
    .where('token', '=', token)
    .where('company_id', '=', companyId)
    .where('version', '=', String(version))
    .executeTakeFirst();
  return found !== undefined;
}
