/** Lists the entries of all dictionaries. */

import type { Dictionary, DictionaryOptions, FullEntry } from '../core/dictionaries.js';
import { DICTIONARY_OPTIONS, dictionaryEntry, entriesIn } from '../core/dictionaries.js';
import { readContext } from './validateOptions.js';

/**
 * The entries of every dictionary, as `GET /dictionaries` returns them: sorted by `type`, and within a type in the order of the dictionary.
 *
 * `options.dictionaries` replace the library's dictionaries. Entries that a language lacks are in English. Entries that only this language has
 * come last.
 *
 * `DICTIONARY_TYPES` lists all 17 types of the platform. If the platform's document does not list the keys of a type, the type has no entries.
 *
 * Errors: `option-type` (`options`, `options.dictionaries`), `option-value` (`options.language`).
 *
 * @example
 * import { listDictionaries } from 'wayzone/schemas';
 * listDictionaries({ language: 'ru' }).find(({ key }) => key === 'circle'); // { type: 'geozone_type', key: 'circle', value: 'Круг' }
 * [...new Set(listDictionaries().map(({ type }) => type))].length; // 7
 */
export function listDictionaries(options: DictionaryOptions = {}): FullEntry[] {
  const { language, dictionaries } = readContext(options, DICTIONARY_OPTIONS);
  const all = Object.values(dictionaries) as readonly Dictionary[];
  return all
    .toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0))
    .flatMap((dictionary) =>
      keysOf(dictionary, language).map((key) => dictionaryEntry(dictionary, key, language)),
    );
}

function keysOf(dictionary: Dictionary, language: string = 'en'): string[] {
  return [...new Set([...dictionary.entries.en, ...entriesIn(dictionary, language)].map(({ key }) => key))];
}
