/** Reads ids and rows of the endpoints' requests. */

import { inputError, isArray } from '../core/errors.js';
import { guarded } from '../core/input.js';

/** Ids as an array, or as one text with commas between them. */
export type IdList = string | readonly string[] | null | undefined;

/** The fields of a row that all functions of this folder read. */
export interface ListRow {
  /** Any text. */
  readonly id: string;
  /** The row is deleted if this is true, 1, '1' or 'true'. */
  readonly is_delete?: unknown;
}

/**
 * The distinct ids in the given order, without empty ones. A text is split at commas and trimmed; items of an array are not trimmed. Error:
 * `id-type`.
 */
export function readIds(ids: unknown, field: string): string[] {
  if (ids === undefined || ids === null) return [];
  if (typeof ids === 'string') return distinct(ids.split(',').map((id) => id.trim()));
  if (!isArray(ids)) throw inputError('id-type', field, 'ids as an array or a text', ids);
  return distinct(readItems(ids, field).map((id, i) => readId(id, `${field}[${i}]`)));
}

/** `readIds` for lists whose items may also be objects with an `id`. Error: `id-type` at the item or at its `id`. */
export function readReferences(ids: unknown, field: string): string[] {
  if (!isArray(ids)) return readIds(ids, field);
  return distinct(
    readItems(ids, field).map((item, i) => {
      const path = `${field}[${i}]`;
      if (typeof item !== 'object' || item === null) return readId(item, path);
      return readId(
        guarded(path, () => (item as { readonly id?: unknown }).id),
        `${path}.id`,
      );
    }),
  );
}

/** The id of a row or request. Error: `id-type`. */
export function readId(id: unknown, field: string): string {
  if (typeof id !== 'string') throw inputError('id-type', field, 'an id as a text', id);
  return id;
}

/** The items of a list. Error: `list-type` for a value that is not an array. */
export function readItems<Row>(list: readonly Row[], field: string): Row[] {
  return guarded(field, () => {
    if (!isArray(list)) throw inputError('list-type', field, 'an array', list);
    return Array.from(list as readonly Row[]);
  });
}

/** Applies `read` to every row of a list. Errors: `list-type` for a value that is not an array, `row-type` for a row that is not an object. */
export function readEach<Row, T>(
  list: readonly Row[],
  field: string,
  read: (row: Row, field: string) => T,
): T[] {
  return readItems(list, field).map((row, i) => {
    const path = `${field}[${i}]`;
    if (typeof row !== 'object' || row === null) throw inputError('row-type', path, 'an object', row);
    return guarded(path, () => read(row, path));
  });
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)].filter((id) => id !== '');
}

export function referencesOf(row: object, field: string): string[] {
  const list: unknown = Object.hasOwn(row, field) ? (row as Record<string, unknown>)[field] : undefined;
  if (!isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const id = typeof item === 'object' && item !== null ? (item as { readonly id?: unknown }).id : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}
