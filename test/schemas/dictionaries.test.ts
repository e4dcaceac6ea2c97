import { describe, expect, test } from 'vitest';
import {
  ACTIVATION_TYPES,
  COLORS,
  type Dictionary,
  dictionaryEntry,
  GEOZONE_TYPES,
  ICONS,
  PASSAGE_ORDER_TYPES,
} from '../../src/schemas/index.js';
import { errorOf } from '../errorOf.js';

const ALL: [string, Dictionary, string[]][] = [
  ['geozone_type', GEOZONE_TYPES, ['point', 'circle', 'line', 'polygon']],
  ['color_code', COLORS, ['#F56C6C', '#E6EAEE', '#E68A2F', '#1585D8', '#1BB934']],
  ['geo_icon', ICONS, ['hospital', 'school']],
  [
    'trip_activation_type',
    ACTIVATION_TYPES,
    ['time_of_first_point', 'entrance_to_first_point', 'leaving_first_point'],
  ],
  ['trip_passage_order_type', PASSAGE_ORDER_TYPES, ['strict', 'arbitrary']],
];

describe.each(ALL)('%s', (type, dictionary, keys) => {
  test('has the keys of the wire in both languages, each with a value', () => {
    for (const language of ['en', 'ru']) {
      const entries = dictionary.entries[language]!;
      expect(entries.map(({ key }) => key)).toEqual(keys);
      expect(entries.every((entry) => entry.type === type && entry.value !== '')).toBe(true);
      expect(new Set(entries.map(({ value }) => value)).size).toBe(keys.length);
    }
    expect(dictionary.entries.ru.every(({ value }) => /^[А-ЯЁ][а-яё -]+$/.test(value))).toBe(true);
  });

  test('is deeply frozen', () => {
    const { en, ru } = dictionary.entries;
    expect([dictionary, dictionary.entries, en, ru, ...en, ...ru].every(Object.isFrozen)).toBe(true);
  });

  test('every entry is found by its key', () => {
    for (const language of ['en', 'ru'])
      for (const entry of dictionary.entries[language]!)
        expect(dictionaryEntry(dictionary, entry.key, language)).toEqual(entry);
  });
});

describe('dictionaryEntry', () => {
  test('is English by default', () => {
    expect(dictionaryEntry(GEOZONE_TYPES, 'circle')).toEqual({
      type: 'geozone_type',
      key: 'circle',
      value: 'Circle',
    });
    expect(dictionaryEntry(GEOZONE_TYPES, 'circle', 'de').value).toBe('Circle');
    expect(dictionaryEntry(GEOZONE_TYPES, 'circle', 'constructor').value).toBe('Circle');
  });

  test('accepts a language tag with a region, in any case', () => {
    for (const tag of ['ru', 'ru-RU', 'RU_ru'])
      expect(dictionaryEntry(GEOZONE_TYPES, 'circle', tag).value).toBe('Круг');
  });

  test('accepts a further language; missing entries are English', () => {
    const german = [{ type: 'geo_icon', key: 'school', value: 'Schule' }];
    const icons = { ...ICONS, entries: { ...ICONS.entries, de: german } };
    expect(dictionaryEntry(icons, 'school', 'de').value).toBe('Schule');
    expect(dictionaryEntry(icons, 'hospital', 'de').value).toBe('Hospital');
  });

  test('any colour #rrggbb is valid and found in any case; the key is returned as given', () => {
    expect(dictionaryEntry(COLORS, '#f56c6c', 'ru')).toEqual({
      type: 'color_code',
      key: '#f56c6c',
      value: 'Красный',
    });
    expect(dictionaryEntry(COLORS, '#012aBc')).toEqual({
      type: 'color_code',
      key: '#012aBc',
      value: '#012aBc',
    });
  });

  test('any non-empty icon is valid', () => {
    expect(dictionaryEntry(ICONS, 'toString')).toEqual({
      type: 'geo_icon',
      key: 'toString',
      value: 'toString',
    });
  });

  test.each([
    ['a key that the closed set lacks', GEOZONE_TYPES, 'blob'],
    ['a key in another case', GEOZONE_TYPES, 'Circle'],
    ['a prototype’s name', ACTIVATION_TYPES, 'constructor'],
    ['a colour’s name', COLORS, 'red'],
    ['a short colour', COLORS, '#fff'],
    ['an empty icon', ICONS, ''],
    ['no text', ICONS, 7],
    ['no key', PASSAGE_ORDER_TYPES, undefined],
  ])('%s: refused', (_, dictionary, key) => {
    const error = errorOf(() => dictionaryEntry(dictionary as Dictionary, key as string));
    expect(error).toMatchObject({ code: 'dictionary-key', field: 'key' });
  });

  test('a language that is not a text: refused', () => {
    const run = (): unknown => dictionaryEntry(ICONS, 'school', 7 as unknown as string);
    expect(errorOf(run)).toMatchObject({ code: 'option-value', field: 'language' });
  });
});
