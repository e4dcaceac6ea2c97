/** Reads units as JSON texts page by page, as `rowTexts.ts` does for rows, so that the event loop parses none of a large fleet. */

import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { databaseEpoch } from '../storage/databaseClock.js';
import { labelsTag, withLabels } from '../storage/entryColumns.js';
import { PAGE_BYTES } from '../storage/rowTexts.js';
import type { Tables } from '../storage/tables.js';
import { labelledUnit, type StoredUnit, wireUnit } from './unitRow.js';

/** Counted for each unit beside its row. */
const UNIT_BYTES = 250;

/** A unit's id, the transaction of its last write, and the size of its row. */
interface Place {
  readonly id: string;
  readonly written: string;
  readonly size: number;
}

export interface UnitTexts {
  /** Changes with every write of one of the units. */
  readonly tag: string;
  /** Pages of JSON texts joined with commas. A unit that is written meanwhile may be old or new. */
  readonly pages: () => AsyncGenerator<string>;
}

/** The live units of the companies by name; with `ids` those units in that order, deleted or not. Unknown ids are skipped. */
export async function unitTexts(
  db: Kysely<Tables>,
  companyIds: readonly string[],
  ids: readonly string[] | null,
  language: string,
): Promise<UnitTexts> {
  const places = await db
    .selectFrom('units')
    .select(['id', sql<string>`xmin::text`.as('written'), sql<number>`pg_column_size(row)`.as('size')])
    .where('company_id', 'in', companyIds)
    .$if(ids !== null, (some) => some.where('id', 'in', ids!))
    .$if(ids === null, (all) => all.where('is_delete', '=', false))
    .orderBy('name')
    .orderBy('id')
    .execute();
  const byId = new Map(places.map((place) => [place.id, place]));
  const listed = ids === null ? places : ids.flatMap((id) => byId.get(id) ?? []);
  const digest = createHash('sha256').update(`${await databaseEpoch(db)} ${labelsTag(language)}`);
  for (const { id, written } of listed) digest.update(`${id} ${written}\n`);
  return {
    tag: `"${digest.digest('base64url')}"`,
    pages: () => pagesOf(db, companyIds, listed, ids === null, language),
  };
}

async function* pagesOf(
  db: Kysely<Tables>,
  companyIds: readonly string[],
  places: readonly Place[],
  isLive: boolean,
  language: string,
): AsyncGenerator<string> {
  for (let from = 0; from < places.length; ) {
    const page: string[] = [];
    for (let bytes = 0; bytes < PAGE_BYTES && from < places.length; from++) {
      page.push(places[from]!.id);
      bytes += places[from]!.size + UNIT_BYTES;
    }
    const { rows } = await sql<StoredUnit & { readonly text: string | null }>`
      select case when row ? 'custom_fields' then (${withLabels('units', language)(sql`row`)} || jsonb_build_object(
          'id', units.id, 'company_id', company_id, 'is_delete', is_delete::int, 'name', name, 'units_groups_names', ''
        ))::text end as text, units.id, company_id, name, is_delete,
        case when row ? 'custom_fields' then null else settings end as settings,
        case when row ? 'custom_fields' then null else row end as row
      from jsonb_array_elements_text(${JSON.stringify(page)}::jsonb) with ordinality as wanted(id, place)
      join units on units.id = wanted.id
      where company_id in (${sql.join(companyIds)}) and not (is_delete and ${isLive})
      order by place`.execute(db);
    // Units from before the host stored their fields have only settings.
    if (rows.length > 0)
      yield rows.map((row) => row.text ?? JSON.stringify(labelledUnit(wireUnit(row), language))).join(',');
  }
}
