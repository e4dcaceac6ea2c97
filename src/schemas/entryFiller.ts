/** Entries of dictionaries: the list of all, and those of rows that are stored with keys alone. */

import {
  DICTIONARY_OPTIONS,
  type Dictionary,
  type DictionaryOptions,
  dictionaryEntry,
  entriesIn,
  type FullEntry,
} from '../core/dictionaries.js';
import { ENTRY_FIELDS, type EntryKind } from '../core/entryFields.js';
import { isArray } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { readContext } from './validateOptions.js';

/** The `type` and `value` of the entries at one path of a row. */
export interface EntryLabels {
  /** The path of the entries; `[]` stands for the items of a list: `points[].type`. */
  readonly path: string;
  /** `type` of every entry at the path: `geozone_type`. */
  readonly type: string;
  /** `value` by key. An entry with another key has its key as `value`. */
  readonly values: Readonly<Record<string, string>>;
  /** Whether keys match in any case. If true, the keys of `values` are in lower case. */
  readonly ignoresCase: boolean;
}

/**
 * The `type` and `value` of the entries of a kind of rows, as data, for answers made by a database. `entryFiller` uses the same data.
 *
 * Errors: `option-type` (`options`, `options.dictionaries`), `option-unknown`, `option-value` (`options.language`).
 *
 * @example
 * import { entryLabels } from 'wayzone/schemas';
 * entryLabels('geozone', { language: 'ru' })[0].values.circle; // 'Круг'
 */
export function entryLabels(kind: EntryKind, options: DictionaryOptions = {}): EntryLabels[] {
  const { language = 'en', dictionaries } = readContext(options, DICTIONARY_OPTIONS);
  return Object.entries(ENTRY_FIELDS[kind]).map(([path, name]) => {
    const dictionary = dictionaries[name] as Dictionary;
    const ignoresCase = dictionary.further === 'hex-colors';
    const entries = [...dictionary.entries.en, ...entriesIn(dictionary, language)];
    const values = entries.map(({ key, value }) => [ignoresCase ? key.toLowerCase() : key, value] as const);
    return { path, type: dictionary.type, values: Object.fromEntries(values), ignoresCase };
  });
}

/**
 * A function that returns a row with `type` and `value` of every entry set by its key, in `options.language`. Other fields are shared with the
 * input. If the dictionary lacks a key (another colour, a company's icon), the key is its own `value`. Stored rows need only keys (`keepKeys`).
 * Rows are not checked.
 *
 * Errors: as `entryLabels`; of the function `input-unreadable`. Cost: O(entries).
 *
 * @example
 * import { entryFiller } from 'wayzone/schemas';
 * const fill = entryFiller('geozone', { language: 'ru' });
 * fill({ type: { key: 'circle', value: 'Polygon' } }); // { type: { key: 'circle', type: 'geozone_type', value: 'Круг' } }
 */
export function entryFiller(kind: EntryKind, options: DictionaryOptions = {}): <Row>(row: Row) => Row {
  const fills = entryLabels(kind, options).map(({ path, type, values, ignoresCase }) => {
    const steps = stepsOf(path);
    const change = (entry: Entry): object => {
      const key = ignoresCase ? entry.key.toLowerCase() : entry.key;
      return { ...entry, type, value: Object.hasOwn(values, key) ? values[key] : entry.key };
    };
    return (row: unknown) => changedAt(row, steps, change);
  });
  return <Row>(row: Row) =>
    guarded('', () => fills.reduce<unknown>((filled, fill) => fill(filled), row)) as Row;
}

/**
 * The row with only the keys of its entries, for storage: `type` and `value` depend on the dictionary and the reader's language.
 *
 * Errors: `input-unreadable`.
 *
 * @example
 * import { keepKeys } from 'wayzone/schemas';
 * keepKeys('geozone', { type: { key: 'circle', type: 'geozone_type', value: 'Circle' } }); // { type: { key: 'circle' } }
 */
export function keepKeys<Row>(kind: EntryKind, row: Row): Row {
  const paths = Object.keys(ENTRY_FIELDS[kind]);
  const change = ({
    type: _type,
    value: _value,
    ...rest
  }: Entry & { readonly type?: unknown; readonly value?: unknown }) => rest;
  return guarded('', () => paths.reduce((kept, path) => changedAt(kept, stepsOf(path), change) as Row, row));
}

interface Entry {
  readonly key: string;
}

/** `a[].b` as `a`, `[]`, `b`. */
function stepsOf(path: string): string[] {
  return path
    .replaceAll('[]', '.[]')
    .split('.')
    .filter((step) => step !== '');
}

/** The value with every entry at the end of `steps` changed; the value itself if it has no such entry. */
function changedAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  change: (entry: Entry) => object,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (step === undefined)
    return typeof (value as Partial<Entry>).key === 'string' ? change(value as Entry) : value;
  if (step === '[]')
    return isArray(value) ? value.map((item: unknown) => changedAt(item, rest, change)) : value;
  if (!Object.hasOwn(value, step)) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [step]: changedAt(fields[step], rest, change) };
}

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
