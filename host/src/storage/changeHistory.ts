/** Records changes of a company's objects, in the transaction of the change. */

import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.js';

/** Classes of objects with a history, by the platform's names. */
export const HISTORY_OBJECTS = ['company', 'geozones', 'notifications', 'routes', 'trips', 'units'] as const;
export type HistoryObject = (typeof HISTORY_OBJECTS)[number];

/** Author and time of a write. */
export interface Author {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

type Plain = Readonly<Record<string, unknown>>;

export interface Change {
  readonly objects: HistoryObject;
  readonly objectId: string;
  /** null for a new object. */
  readonly before: Plain | null;
  readonly after: Plain;
  readonly isDeletion?: boolean;
}

export function hasHistory(name: string): name is HistoryObject {
  return HISTORY_OBJECTS.some((one) => one === name);
}

/** Records a change, unless no field differs. */
export async function recordChange(
  trx: Transaction<Tables>,
  companyId: string,
  author: Author,
  { objects, objectId, before, after, isDeletion = false }: Change,
): Promise<void> {
  const fields = changedFields(before ?? {}, after);
  if (before !== null && !isDeletion && fields.length === 0) return;
  const { name } = after;
  const operation = before === null ? 'POST' : isDeletion ? 'DELETE' : 'PUT';
  await trx
    .insertInto('change_history')
    .values({
      company_id: companyId,
      created: author.at,
      user_id: author.userId,
      user_name: author.name,
      user_email: author.email,
      objects,
      operation,
      object_id: objectId,
      msg: messageOf(operation, typeof name === 'string' ? name : objectId, fields),
      fields: JSON.stringify(fields),
      before: before === null ? null : JSON.stringify(before),
      after: JSON.stringify(after),
    })
    .execute();
}

/** The statement that records the rows of `added`, which the same query inserts: they are neither parsed nor read again. */
export function recordAdded(companyId: string, author: Author, objects: HistoryObject): RawBuilder<unknown> {
  return sql`
    insert into change_history
      (company_id, created, user_id, user_name, user_email, objects, operation, object_id, msg, fields, after)
    select ${companyId}, ${author.at}::bigint, ${author.userId}, ${author.name}, ${author.email}, ${objects}, 'POST', id,
      'created ' || name, (select jsonb_agg(key order by key collate "C") from jsonb_object_keys(row) as key), row
    from added order by ordinal`;
}

/** The statement that records the change from row `stored` to row `updated` of the same query, whose objects the event loop need not read. */
export function recordUpdated(
  companyId: string,
  author: Author,
  objects: HistoryObject,
  {
    id,
    name,
    is_delete: isDeletion,
  }: { readonly id: string; readonly name: string; readonly is_delete?: unknown },
): RawBuilder<unknown> {
  const [operation, message] =
    isDeletion === true
      ? ['DELETE', sql`${`deleted ${name}`}`]
      : ['PUT', sql`${`changed ${name}: `} || names`];
  return sql`
    insert into change_history
      (company_id, created, user_id, user_name, user_email, objects, operation, object_id, msg, fields, before, after)
    select ${companyId}, ${author.at}::bigint, ${author.userId}, ${author.name}, ${author.email}, ${objects},
      ${operation}, ${id}, ${message}, fields, stored.row, updated.row
    from stored, updated, lateral (
      select coalesce(jsonb_agg(key order by key collate "C"), '[]') as fields,
        string_agg(key, ', ' order by key collate "C") as names
      from jsonb_object_keys(stored.row || updated.row) as key
      where stored.row -> key is distinct from updated.row -> key
    ) as changed
    where ${isDeletion === true} or names is not null`;
}

/** Names of the fields whose values differ. */
function changedFields(before: Plain, after: Plain): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => canonical(before[name]) !== canonical(after[name])).sort();
}

/** JSON with sorted keys: `jsonb` does not keep the order of keys. */
export function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

function messageOf(operation: 'POST' | 'PUT' | 'DELETE', name: string, fields: readonly string[]): string {
  if (operation === 'POST') return `created ${name}`;
  return operation === 'DELETE' ? `deleted ${name}` : `changed ${name}: ${fields.join(', ')}`;
}
