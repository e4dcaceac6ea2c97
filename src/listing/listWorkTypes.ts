/** Lists the work types of a company's trips. */

import { inputError } from '../core/errors.js';
import { isDeleted } from '../core/wire.js';
import { collatorOf, LANGUAGE_OPTIONS, type LanguageOptions } from './collatorOf.js';
import { readEach, readItems } from './readIds.js';

/** The fields of a trip that `listWorkTypes` reads. */
export interface WorkTypesRow {
  /** Work types as free text. */
  readonly work_types?: readonly string[] | null | undefined;
  /** The trip is deleted if this is true, 1, '1' or 'true'. */
  readonly is_delete?: unknown;
}

/**
 * The distinct work types of the live trips, in the alphabetical order of a language (`Intl.Collator`).
 *
 * Texts are trimmed and then compared exactly, with upper and lower case. Blank texts are left out. Texts that are equal for the collator are
 * sorted by UTF-16 units, so the result does not depend on the order of the trips.
 *
 * Errors: `list-type` (`trips`, `trips[1].work_types`), `row-type` (`trips[1]`), `work-type` (`trips[1].work_types[0]`), `option-type`,
 * `option-value` (`options.language`), `input-unreadable`.
 *
 * @example
 * import { listWorkTypes } from 'wayzone/listing';
 * listWorkTypes([{ work_types: ['уборка', 'вывоз'] }, { work_types: ['уборка'] }]); // ['вывоз', 'уборка']
 */
export function listWorkTypes(trips: readonly WorkTypesRow[], options: LanguageOptions = {}): string[] {
  const { compare } = collatorOf(options, LANGUAGE_OPTIONS);
  const texts = readEach(trips, 'trips', (trip, field) =>
    isDeleted(trip) ? [] : readWorkTypes(trip.work_types, `${field}.work_types`),
  ).flat();
  return [...new Set(texts)].sort((a, b) => compare(a, b) || (a < b ? -1 : 1));
}

function readWorkTypes(types: readonly string[] | null | undefined, field: string): string[] {
  if (types === undefined || types === null) return [];
  return readItems(types, field).flatMap((text: unknown, i) => {
    if (typeof text !== 'string')
      throw inputError('work-type', `${field}[${i}]`, 'a work type as a text', text);
    return text.trim() === '' ? [] : [text.trim()];
  });
}
