/** The wire's dictionaries, with English and Russian values. */

import { inputError } from './errors.js';
import { type OptionTable, OWN } from './options.js';
import type { CustomFieldGroup } from './trackSettings.js';
import type { ActivationTypeKey, PassageOrderTypeKey } from './trip.js';
import type { DictionaryEntry } from './wire.js';
import { ZONE_TYPE_KEYS, ZONE_TYPES, type ZoneTypeKey } from './zoneTypes.js';

/** An entry as the platform's API returns it. */
export interface FullEntry<Key extends string = string> {
  /** Name of the dictionary: `geozone_type`. */
  readonly type: string;
  /** The key in the data: `circle`. */
  readonly key: Key;
  /** The name for people. */
  readonly value: string;
}

/** The entries of one `type`, one list per language. To add a language: `{...COLORS, entries: {...COLORS.entries, de: […]}}`. */
export interface Dictionary<Key extends string = string> {
  /** Name of the dictionary: `geozone_type`. */
  readonly type: string;
  /** Valid keys besides the listed keys. */
  readonly further: 'none' | 'hex-colors' | 'any-text';
  /** Entries by language, in the order in which users see them. */
  readonly entries: Readonly<Record<'en' | 'ru', readonly FullEntry<Key>[]>> &
    Readonly<Record<string, readonly FullEntry<Key>[]>>;
}

/** Types of zones; a closed set. */
export const GEOZONE_TYPES: Dictionary<ZoneTypeKey> = dictionary(
  'geozone_type',
  'none',
  ZONE_TYPE_KEYS.map((key) => [key, ZONE_TYPES[key].names.en, ZONE_TYPES[key].names.ru]),
);

/** The colours that the platform offers; any `#rrggbb` is valid. */
export const COLORS: Dictionary = dictionary('color_code', 'hex-colors', [
  ['#F56C6C', 'Red', 'Красный'],
  ['#E6EAEE', 'Light grey', 'Светло-серый'],
  ['#E68A2F', 'Orange', 'Оранжевый'],
  ['#1585D8', 'Blue', 'Синий'],
  ['#1BB934', 'Green', 'Зелёный'],
]);

/** The known icons of the platform; any non-empty key is valid. */
export const ICONS: Dictionary = dictionary('geo_icon', 'any-text', [
  ['hospital', 'Hospital', 'Больница'],
  ['school', 'School', 'Школа'],
]);

/** Kinds of activation of a trip; a closed set. */
export const ACTIVATION_TYPES: Dictionary<ActivationTypeKey> = dictionary('trip_activation_type', 'none', [
  ['time_of_first_point', 'At the time of the first point', 'По времени первой точки'],
  ['entrance_to_first_point', 'On entering the first point', 'При въезде в первую точку'],
  ['leaving_first_point', 'On leaving the first point', 'При выезде из первой точки'],
]);

/** Orders of a trip's points; a closed set. */
export const PASSAGE_ORDER_TYPES: Dictionary<PassageOrderTypeKey> = dictionary(
  'trip_passage_order_type',
  'none',
  [
    ['strict', 'Strict', 'Строгий'],
    ['arbitrary', 'Arbitrary', 'Произвольный'],
  ],
);

/** Groups of a unit's custom fields; a closed set. */
export const CUSTOM_FIELD_GROUPS: Dictionary<CustomFieldGroup> = dictionary('customfield_groups', 'none', [
  ['cf_fuel', 'Fuel', 'Топливо'],
  ['cf_trips', 'Trips', 'Поездки'],
  ['cf_etc', 'Other', 'Прочее'],
  ['cf_motohours', 'Engine hours', 'Моточасы'],
  ['cf_custom', 'Custom', 'Пользовательские'],
  ['cf_hidden', 'Hidden', 'Скрытые'],
]);

/** Types of units; any non-empty key is valid. The platform's document gives none. */
export const UNIT_TYPES: Dictionary = dictionary('unit_type', 'any-text', []);

/** Types of terminals; any non-empty key is valid. */
export const TERMINAL_TYPES: Dictionary = dictionary('terminal_type', 'any-text', []);

/** Icons of units; any non-empty key is valid. */
export const UNIT_ICONS: Dictionary = dictionary('unit_icon', 'any-text', []);

/** Types of sensors; any non-empty key is valid. */
export const SENSOR_TYPES: Dictionary = dictionary('sensor_type', 'any-text', []);

/** The known formulas of sensors; any non-empty key is valid. */
export const FORMULAS: Dictionary = dictionary('formula', 'any-text', [
  ['S1', 'Parameter 1', 'Параметр 1'],
  ['EXPR', 'Expression', 'Выражение'],
]);

/**
 * The types of the platform's dictionaries, sorted. The library has entries for the types whose keys are in the platform's document; the
 * others are empty lists.
 */
export const DICTIONARY_TYPES: readonly string[] = Object.freeze([
  'admin_modules',
  'color_code',
  'customfield_groups',
  'formula',
  'geo_icon',
  'geozone_type',
  'notification_type',
  'periodic_type',
  'report_template_table_grouping',
  'report_template_table_type',
  'sensor_type',
  'terminal_type',
  'trip_activation_type',
  'trip_passage_order_type',
  'unit_icon',
  'unit_type',
  'weekdays_type',
]);

const HEX_COLOR = /^#[0-9a-f]{6}$/i;

/**
 * The full entry of a key: `{type, key, value}` with the value in the requested language.
 *
 * A language is a BCP 47 tag; its first part counts (`ru-RU` is `ru`). Unknown languages give English. The key is
 * returned as written; colours match in any case. A valid key that is not listed (another colour or icon) is its own value.
 *
 * Errors: `dictionary-key` (field `key`: not in a closed set, not `#rrggbb`, or empty), `option-value` (field `language`: not a text).
 *
 * @example
 * import { dictionaryEntry, GEOZONE_TYPES } from 'wayzone/schemas';
 * dictionaryEntry(GEOZONE_TYPES, 'circle', 'ru'); // { type: 'geozone_type', key: 'circle', value: 'Круг' }
 */
export function dictionaryEntry<Key extends string>(
  dictionary: Dictionary<Key>,
  key: Key,
  language: string = 'en',
): FullEntry<Key> {
  if (typeof language !== 'string') {
    throw inputError('option-value', 'language', 'a language as a text', language);
  }
  const { type, further, entries } = dictionary;
  const entry = listed(entriesIn(dictionary, language), key, further) ?? listed(entries.en, key, further);
  if (entry === undefined && !isFurther(key, further)) {
    const keys = entries.en.map((known) => known.key).join(', ');
    const what = {
      none: `one of ${keys}`,
      'hex-colors': 'a colour #rrggbb',
      'any-text': 'a text that is not empty',
    };
    throw inputError('dictionary-key', 'key', what[further], key);
  }
  return { type, key, value: entry?.value ?? key };
}

/** The entries of a language, or of its first part (`ru-RU` is `ru`); `[]` for a language without entries. */
export function entriesIn<Key extends string>(
  { entries }: Dictionary<Key>,
  language: string,
): readonly FullEntry<Key>[] {
  const tag = Object.hasOwn(entries, language) ? language : language.toLowerCase().split(/[-_]/, 1)[0]!;
  return Object.hasOwn(entries, tag) ? entries[tag]! : [];
}

/** The dictionaries that give the `type` and `value` of entries, and the language of the values. */
export interface DictionaryOptions {
  /** BCP 47 tag of the values. Default `en`. */
  readonly language?: string | undefined;
  /** Dictionaries instead of the library's own. They may add languages, rename entries and allow fewer keys, never more. */
  readonly dictionaries?:
    | {
        /** Replaces `GEOZONE_TYPES`. */
        readonly geozoneTypes?: Dictionary<ZoneTypeKey> | undefined;
        /** Replaces `COLORS`. */
        readonly colors?: Dictionary | undefined;
        /** Replaces `ICONS`. */
        readonly icons?: Dictionary | undefined;
        /** Replaces `ACTIVATION_TYPES`. */
        readonly activationTypes?: Dictionary<ActivationTypeKey> | undefined;
        /** Replaces `PASSAGE_ORDER_TYPES`. */
        readonly passageOrderTypes?: Dictionary<PassageOrderTypeKey> | undefined;
        /** Replaces `CUSTOM_FIELD_GROUPS`. */
        readonly customFieldGroups?: Dictionary<CustomFieldGroup> | undefined;
        /** Replaces `FORMULAS`. */
        readonly formulas?: Dictionary | undefined;
        /** Entries of `unit_type`. The library has no entries of this dictionary. */
        readonly unitTypes?: Dictionary | undefined;
        /** Entries of `terminal_type`. The library has no entries of this dictionary. */
        readonly terminalTypes?: Dictionary | undefined;
        /** Entries of `unit_icon`. The library has no entries of this dictionary. */
        readonly unitIcons?: Dictionary | undefined;
        /** Entries of `sensor_type`. The library has no entries of this dictionary. */
        readonly sensorTypes?: Dictionary | undefined;
      }
    | undefined;
}

/** The table of the options that fill in entries. */
export const DICTIONARY_OPTIONS: OptionTable<DictionaryOptions> = { language: OWN, dictionaries: OWN };

/** The table of the dictionaries themselves. */
export const DICTIONARY_NAMES: OptionTable<NonNullable<DictionaryOptions['dictionaries']>> = {
  geozoneTypes: OWN,
  colors: OWN,
  icons: OWN,
  activationTypes: OWN,
  passageOrderTypes: OWN,
  customFieldGroups: OWN,
  formulas: OWN,
  unitTypes: OWN,
  terminalTypes: OWN,
  unitIcons: OWN,
  sensorTypes: OWN,
};

/** The library's own dictionaries. */
export const OWN_DICTIONARIES: Dictionaries = {
  geozoneTypes: GEOZONE_TYPES,
  colors: COLORS,
  icons: ICONS,
  activationTypes: ACTIVATION_TYPES,
  passageOrderTypes: PASSAGE_ORDER_TYPES,
  customFieldGroups: CUSTOM_FIELD_GROUPS,
  formulas: FORMULAS,
  unitTypes: UNIT_TYPES,
  terminalTypes: TERMINAL_TYPES,
  unitIcons: UNIT_ICONS,
  sensorTypes: SENSOR_TYPES,
};

/** The dictionaries by name. */
export type Dictionaries = {
  readonly [Name in keyof Required<NonNullable<DictionaryOptions['dictionaries']>>]-?: NonNullable<
    NonNullable<DictionaryOptions['dictionaries']>[Name]
  >;
};

/** The entry with `type` and `value` set from the dictionary. Errors as `dictionaryEntry`. */
export function filledEntry<Key extends string>(
  entry: DictionaryEntry<Key>,
  dictionary: Dictionary<Key>,
  language: string | undefined,
): FullEntry<Key> {
  return { ...entry, ...dictionaryEntry(dictionary, entry.key, language) };
}

/** Whether a value is a colour `#rrggbb`. */
export function isHexColor(value: unknown): value is string {
  return typeof value === 'string' && HEX_COLOR.test(value);
}

function listed<Key extends string>(
  entries: readonly FullEntry<Key>[],
  key: unknown,
  further: Dictionary['further'],
): FullEntry<Key> | undefined {
  for (const entry of entries) if (entry.key === key) return entry;
  if (further !== 'hex-colors' || typeof key !== 'string') return undefined;
  const lower = key.toLowerCase();
  return entries.find((entry) => entry.key.toLowerCase() === lower);
}

function isFurther(key: unknown, further: Dictionary['further']): boolean {
  if (typeof key !== 'string' || further === 'none') return false;
  return further === 'hex-colors' ? isHexColor(key) : key !== '';
}

function dictionary<Key extends string>(
  type: string,
  further: Dictionary['further'],
  rows: readonly (readonly [key: Key, en: string, ru: string])[],
): Dictionary<Key> {
  const list = (column: 1 | 2): readonly FullEntry<Key>[] =>
    Object.freeze(rows.map((row) => Object.freeze({ type, key: row[0], value: row[column] })));
  return Object.freeze({ type, further, entries: Object.freeze({ en: list(1), ru: list(2) }) });
}
