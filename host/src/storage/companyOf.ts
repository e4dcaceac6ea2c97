/** Reads what the table of companies has about a company. */

import type { YearHolidays } from 'wayzone/hours';
import { isStorable } from './checkText.js';
import type { Db } from './rows.js';

export interface Company {
  readonly timeZone: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly holidays: readonly YearHolidays[];
}

/** An unknown company has no properties, and UTC. */
export async function companyOf(db: Db, companyId: string): Promise<Company> {
  const found = await db
    .selectFrom('companies')
    .select(['time_zone', 'properties'])
    .where('id', '=', companyId)
    .executeTakeFirst();
  const { time_zone: timeZone = 'UTC', properties = {} } = found ?? {};
  return { timeZone, properties, holidays: (properties['holidays'] ?? []) as readonly YearHolidays[] };
}

export async function isCompany({ db }: { readonly db: Db }, companyId: string): Promise<boolean> {
  // No company has such an id, and the database does not take it.
  if (!isStorable(companyId)) return false;
  const found = await db.selectFrom('companies').select('id').where('id', '=', companyId).executeTakeFirst();
  return found !== undefined;
}

/** The time zone alone, without reading the properties. */
export async function timeZoneOf({ db }: { readonly db: Db }, companyId: string): Promise<string> {
  const found = await db
    .selectFrom('companies')
    .select('time_zone')
    .where('id', '=', companyId)
    .executeTakeFirst();
  return found?.time_zone ?? 'UTC';
}

/** Until the end of the transaction, others who lock the company wait. */
export async function lockCompany(trx: Db, companyId: string): Promise<void> {
  await trx.selectFrom('companies').select('id').where('id', '=', companyId).forUpdate().execute();
}
