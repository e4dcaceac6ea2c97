/** Stores the tokens of saved zone files in the database, to reject a file of another database or one newer than a restored backup. */

import type { ZoneFileStamp } from '../jobs/zoneFile.js';
import type { Storage } from '../storage/storage.js';

/** Maximum number of files per company; each data folder has one. */
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
