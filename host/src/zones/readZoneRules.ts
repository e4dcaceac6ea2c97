/** Reads the rules of a company's geozones at a version, and the company's thresholds of speeding. */

import { type Kysely, sql } from 'kysely';
import { companyOf } from '../storage/companyOf.js';
import type { Tables } from '../storage/tables.js';
import { type RuledZone, type ZoneRules, zoneRules } from './zoneRules.js';

/** The company's time zone, holidays and thresholds of speeding are the present ones. */
export async function readZoneRules(
  db: Kysely<Tables>,
  companyId: string,
  version: number,
): Promise<ZoneRules> {
  const { timeZone, properties, holidays } = await companyOf(db, companyId);
  const { rows } = await sql<RuledZone>`
    select id, is_delete, row->'speed_limit' as speed_limit, row->'hours' as hours from geozones
    where company_id = ${companyId} and version <= ${version} and (row ? 'speed_limit' or row ? 'hours')
    union all
    select id, row->'is_delete' = 'true'::jsonb, row->'speed_limit', row->'hours' from geozones_history
    where company_id = ${companyId} and version <= ${version} and until > ${version}
      and (row ? 'speed_limit' or row ? 'hours')`.execute(db);
  const units = await sql<{ readonly id: string; readonly speeding: unknown }>`
    select id, row->'speeding' as speeding from units where company_id = ${companyId} and row ? 'speeding'`.execute(
    db,
  );
  return zoneRules(
    rows,
    { timeZone, holidays },
    {
      company: properties['speeding'],
      units: Object.fromEntries(units.rows.map(({ id, speeding }) => [id, speeding])),
    },
  );
}
