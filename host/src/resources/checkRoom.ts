/** Limits how many rows of a kind a company has. */

import type { Transaction } from 'kysely';
import { WayzoneError } from 'wayzone';
import { lockCompany } from '../storage/companyOf.js';
import type { Tables } from '../storage/tables.js';

/** Throws if the company has `most` rows of the table, called `what`, already. Locks the company, so that no other request adds one meanwhile. */
export async function checkRoom(
  trx: Transaction<Tables>,
  companyId: string,
  table: 'event_sinks' | 'notification_rules',
  most: number,
  what: string,
): Promise<void> {
  await lockCompany(trx, companyId);
  const { count } = await trx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= most)
    throw new WayzoneError('option-value', '', `expected at most ${most} ${what}, received more`);
}
