/** The kinds of work that a company's trips name. */

import { expected, isArray, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/gate.js';
import { isDeleted } from '../core/wire.js';
import { readEach, readRows } from './readIds.js';

/** What is read of a trip. */
export interface WorkTypesRow {
  readonly work_types?: readonly string[] | null;
  readonly is_delete?: unknown;
}

export interface WorkTypesOptions {
  /** The language whose alphabet orders the texts, as a BCP 47 tag. Default `en` (whose order suits Cyrillic as well). */
  readonly language?: string;
}

/**
 * The distinct work types of the live trips, in the alphabetical order of a language (`Intl.Collator`).
 *
 * Texts count as they are written: another case or a space more is another work type; empty ones are left out. What the collator
 * holds for equal comes in the order of its UTF-16 units, so that the answer does not depend on the order of the trips.
 *
 * Errors: `list-type` (`trips`, `trips[1].work_types`), `row-type` (`trips[1]`), `work-type` (`trips[1].work_types[0]`), `option-type`,
 * `option-value` (`options.language`), `input-unreadable`.
 *
 * @example
 * listWorkTypes([{ work_types: ['уборка', 'вывоз'] }, { work_types: ['уборка'] }]); // ['вывоз', 'уборка']
 */
export function listWorkTypes(trips: readonly WorkTypesRow[], options: WorkTypesOptions = {}): string[] {
  const { compare } = collatorOf(options);
  const texts = readEach(trips, 'trips', (trip, field) =>
    isDeleted(trip) ? [] : readWorkTypes(trip.work_types, `${field}.work_types`),
  ).flat();
  return [...new Set(texts)].sort((a, b) => compare(a, b) || (a < b ? -1 : 1));
}

function readWorkTypes(types: readonly string[] | null | undefined, field: string): string[] {
  if (types === undefined || types === null) return [];
  return readRows(types, field).filter((text: unknown, i): text is string => {
    if (typeof text !== 'string')
      throw new WayzoneError('work-type', `${field}[${i}]`, expected('a work type as a text', text));
    return text !== '';
  });
}

function collatorOf(options: WorkTypesOptions): Intl.Collator {
  if (typeof options !== 'object' || options === null || isArray(options)) {
    throw new WayzoneError('option-type', 'options', expected('an object of options', options));
  }
  const language: unknown = guarded('options.language', () => options.language) ?? 'en';
  try {
    if (typeof language === 'string') return new Intl.Collator(language);
  } catch {
    // Not a language tag: said below, as for what is no text.
  }
  throw new WayzoneError('option-value', 'options.language', expected('a BCP 47 language tag', language));
}
