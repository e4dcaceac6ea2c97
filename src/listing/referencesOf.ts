/** The ids in a field `[{id}]` of a row, such as `companies`. Empty if the field is absent or has another form. */

import { isArray } from '../core/errors.js';

export function referencesOf(row: object, field: string): string[] {
  const list: unknown = Object.hasOwn(row, field) ? (row as Record<string, unknown>)[field] : undefined;
  if (!isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const id = typeof item === 'object' && item !== null ? (item as { readonly id?: unknown }).id : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}
