/** Shares a zone with other companies: each has a copy of the row, under its own version, that it may read but not change. */

import { sql } from 'kysely';
import { liveRow, type WireRow, type Writer } from '../storage/rows.js';
import { readTextsOf } from '../storage/rowTexts.js';
import type { Storage } from '../storage/storage.js';

/** The companies that a row names, except its own. */
export function sharedWith(row: object, owner: string): string[] {
  const { companies } = row as { readonly companies?: readonly { readonly id: string }[] | null };
  return [...new Set((companies ?? []).map(({ id }) => id))].filter((id) => id !== owner);
}

/** The companies that have a copy of the zone. */
export async function holdersOf({ db }: Pick<Storage, 'db'>, owner: string, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('geozones')
    .select('company_id')
    .where('id', '=', id)
    .where('owner_id', '=', owner)
    .execute();
  return rows.map(({ company_id: companyId }) => companyId);
}

/** The company that shares a zone with this one. Null for a zone of the company itself, and for an unknown one. */
export async function sharingCompanyOf(
  { db }: Pick<Storage, 'db'>,
  companyId: string,
  id: string,
): Promise<string | null> {
  const found = await db
    .selectFrom('geozones')
    .select('owner_id')
    .where('id', '=', id)
    .where('company_id', '=', companyId)
    .executeTakeFirst();
  return found?.owner_id ?? null;
}

/** Takes a company out of the zone of the writer's company, whatever its shape is. Returns the JSON of the company's deleted copy, labelled in `language`. */
export async function leaveZone(
  writer: Writer,
  companyId: string,
  id: string,
  language: string,
): Promise<string> {
  const { row } = await liveRow(writer.trx, 'geozones', writer.companyId, id);
  const { companies } = row as { readonly companies?: readonly { readonly id: string }[] };
  const left = { ...row, companies: (companies ?? []).filter((company) => company.id !== companyId) };
  await writer.update('geozones', left, { language });
  await shareZone(writer, left);
  let text = '';
  for await (const piece of readTextsOf(writer.trx, 'geozones', companyId, [id], language)) text += piece;
  return text;
}

/** Writes the copies of a zone that this transaction has written in its own company. A company that no longer shares it sees it as deleted. */
export async function shareZone(writer: Writer, row: WireRow): Promise<void> {
  const { trx, companyId: owner } = writer;
  const wanted = row.is_delete === true ? [] : sharedWith(row, owner);
  const holders = await holdersOf({ db: trx }, owner, row.id);
  for (const companyId of [...new Set([...wanted, ...holders])].sort()) {
    const { version } = await writer.of(companyId);
    const isDeleted = !wanted.includes(companyId);
    const change = isDeleted ? '{"is_delete": true}' : '{}';
    await sql`
      insert into geozones (id, company_id, owner_id, created, name, is_delete, version, row)
      select id, ${companyId}, ${owner}, now(), name, ${isDeleted}, ${version}::bigint, row || ${change}::jsonb
      from geozones where id = ${row.id} and company_id = ${owner}
      on conflict (id, company_id) do update
        set (name, is_delete, version, row) = (excluded.name, excluded.is_delete, excluded.version, excluded.row)`.execute(
      trx,
    );
  }
}
