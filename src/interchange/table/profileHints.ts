/** The hints of a caller and of the profile of a program. */

import type { TableHints, TableProfile } from './tableDescription.js';

/** The hints that are given. */
export function defined<T extends object>(hints: T): T {
  return Object.fromEntries(
    Object.entries(hints).filter(([, value]) => value !== undefined && value !== null),
  ) as T;
}

/** The fields of a profile that are hints. */
export function profileHints(profile: TableProfile): TableHints {
  const { name: _name, headers: _headers, columns: _columns, ...hints } = profile;
  return hints;
}

/** A profile given as an object: its fields are hints, below those of the caller. */
export function withProfileFields(hints: TableHints): TableHints {
  const { profile } = hints;
  return typeof profile === 'object' && profile !== null
    ? { ...profileHints(profile), ...defined(hints) }
    : defined(hints);
}
