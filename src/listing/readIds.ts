/** Reads ids and rows of the endpoints' requests. */

import { inputError, isArray } from '../core/errors.js';
import { guarded } from '../core/input.js';

/** Ids as an array, or as one text with commas between them. */
export type IdList = string | readonly string[] | null | undefined;

/** What the endpoints' rules read of any row. */
export interface ListRow {
  /** Any text. */
  readonly id: string;
  /** Deleted when true, 1, '1' or 'true'. */
  readonly is_delete?: unknown;
}

/**
 * The distinct ids in the order given: text is parted at commas and trimmed, items of an array are taken as they are; empty ones
 * do not count. Error: `id-type`.
 */
export function readIds(ids: unknown, field: string): string[] {
  if (ids === undefined || ids === null) return [];
  if (typeof ids === 'string') return distinct(ids.split(',').map((id) => id.trim()));
  if (!isArray(ids)) throw inputError('id-type', field, 'ids as an array or a text', ids);
  return distinct(readRows(ids, field).map((id, i) => readId(id, `${field}[${i}]`)));
}

/** `readIds` of a list whose items may also be objects with an `id`; errors `id-type` at the item, or at its `id`. */
export function readReferences(ids: unknown, field: string): string[] {
  if (!isArray(ids)) return readIds(ids, field);
  return distinct(
    readRows(ids, field).map((item, i) => {
      const path = `${field}[${i}]`;
      if (typeof item !== 'object' || item === null) return readId(item, path);
      return readId(
        guarded(path, () => (item as { readonly id?: unknown }).id),
        `${path}.id`,
      );
    }),
  );
}

/** An id of a row or a request, or `id-type`. */
export function readId(id: unknown, field: string): string {
  if (typeof id !== 'string') throw inputError('id-type', field, 'an id as a text', id);
  return id;
}

/** The items of a list; `list-type` for a value that is not an array. */
export function readRows<Row>(list: readonly Row[], field: string): Row[] {
  return guarded(field, () => {
    if (!isArray(list)) throw inputError('list-type', field, 'an array', list);
    return Array.from(list as readonly Row[]);
  });
}

/** `read` applied to every row of a list; `list-type` for a non-array, `row-type` for a row that is not an object. */
export function readEach<Row, T>(
  list: readonly Row[],
  field: string,
  read: (row: Row, field: string) => T,
): T[] {
  return readRows(list, field).map((row, i) => {
    const path = `${field}[${i}]`;
    if (typeof row !== 'object' || row === null) throw inputError('row-type', path, 'an object', row);
    return guarded(path, () => read(row, path));
  });
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)].filter((id) => id !== '');
}
