/** Hints of a caller and of the profile of a program. */

import type { TableHints, TableProfile } from './tableDescription.js';

/** The hints without undefined ones. */
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

/** The hints with the fields of a profile given as an object; the caller's own hints take precedence. */
export function withProfileFields(hints: TableHints): TableHints {
  const { profile } = hints;
  return typeof profile === 'object' && profile !== null
    ? { ...profileHints(profile), ...defined(hints) }
    : defined(hints);
}
