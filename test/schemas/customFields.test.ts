import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import {
  CustomFieldDefinitionSchema,
  CustomFieldValuesSchema,
  DICTIONARY_TYPES,
  listCustomFields,
  listDictionaries,
  validateCustomFieldDefinition,
  validateUnitSettings,
} from '../../src/schemas/index.js';
import { detectTrips, readTrack } from '../../src/tracks/index.js';
import { errorOf } from '../errorOf.js';
import { needs } from '../needs.js';

const PLATFORM = resolve(import.meta.dirname, '../../../shared/platform-api.md');
const DOCUMENT = { name: "the platform's document", isThere: existsSync(PLATFORM) };

const fields = listCustomFields();

function reasons(run: () => unknown): string[] {
  const { code, errors } = errorOf(run);
  expect(code).toBe('validation');
  return errors.map(({ field, reason }) => `${field}: ${reason}`);
}

describe('the table', () => {
  test('every definition is complete, valid by its own validator, and its default matches', () => {
    expect(fields).toHaveLength(55);
    expect(new Set(fields.map(({ key }) => key)).size).toBe(55);
    for (const language of ['en', 'ru'])
      for (const field of listCustomFields({ language })) {
        expect(Check(CustomFieldDefinitionSchema, field)).toBe(true);
        expect(validateCustomFieldDefinition(field)).toEqual(field);
      }
  });

  needs(DOCUMENT).test('has the keys and defaults of the platform’s document (needs it)', () => {
    const text = readFileSync(PLATFORM, 'utf8');
    const [, required = '', hidden = ''] =
      /Required keys with defaults: (.*)\. Hidden group keys include (.*)\.\n/.exec(text) ?? [];
    const named = new Map<string, string>();
    const plain = required
      .replace(/\(list: [^)]*default (\w+)\)/g, '$1')
      .replace(/\([^)]*\)|all empty by default/g, '');
    for (const part of plain.split(/[;,]/)) {
      const [key = '', value = ''] = part.trim().split(/\s+/);
      if (key !== '') named.set(key, value);
    }
    const ours = fields.filter(({ group }) => group !== 'cf_hidden');
    expect(new Map(ours.map(({ key, default_value: value }) => [key, String(value)]))).toEqual(named);
    expect(
      fields
        .filter(({ group }) => group === 'cf_hidden')
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(hidden.split(', ').toSorted());
    const [, types = ''] = /Dictionary types: (.*?)\. Property/.exec(text) ?? [];
    expect(DICTIONARY_TYPES).toEqual(types.split(', ').toSorted());
    expect(DICTIONARY_TYPES).toHaveLength(17);
    for (const { type } of listDictionaries()) expect(DICTIONARY_TYPES).toContain(type);
  });
});

describe('validateUnitSettings', () => {
  test('fills in names, groups and missing fields; the defaults suit the trip detector', () => {
    expect(validateUnitSettings([{ key: 'depot', value: 'North' }])).toEqual([
      { name: 'depot', key: 'depot', value: 'North', group: 'cf_custom' },
    ]);
    const all = validateUnitSettings({ hours_rate: '7.5' }, { fillMissing: true });
    expect(all).toHaveLength(44);
    expect(all[0]).toEqual({ name: 'Planned hours a day', key: 'hours_rate', value: '7.5', group: 'cf_etc' });
    expect(Check(CustomFieldValuesSchema, all)).toBe(true);
    expect(validateUnitSettings(all, { fillMissing: true })).toEqual(all);
    expect(detectTrips(readTrack([]), all).trips).toEqual([]);
  });

  test.each([
    ['an amount', { fuel_price: '-1' }, ['fuel_price: field-pattern']],
    ['a factor of 0', { advanced_mileagecoeff: 0 }, ['advanced_mileagecoeff: field-pattern']],
    ['a month', { fuel_consumption_winterto: 13 }, ['fuel_consumption_winterto: field-pattern']],
    ['more than a day', { hours_rate: 24.5 }, ['hours_rate: field-pattern']],
    ['a list', { key_motohourdetector: 'engine' }, ['key_motohourdetector: field-pattern']],
    ['cameras', { video_cameras: '0,,1' }, ['video_cameras: field-pattern']],
    ['a device', { video_device_name: 'carvis' }, ['video_device_name: field-pattern']],
    ['another type', { analyst: null }, ['analyst: type']],
    ['not finite', { fuel_price: Number.NaN }, ['fuel_price: type']],
    ['a list item', [{ key: 'fuel_price', value: 'x' }], ['[0].value: field-pattern']],
    [
      'a repeated key',
      [
        { key: 'a', value: 1 },
        { key: 'a', value: 2 },
      ],
      ['[1].key: duplicate-id'],
    ],
    ['a group', [{ key: 'a', value: 1, group: 'cf' }], ['[0].group: dictionary-key']],
    ['no object', 7, [': type']],
  ])('refuses %s', (_, input, expected) => {
    expect(reasons(() => validateUnitSettings(input))).toEqual(expected);
  });

  test('a value is accepted exactly if the definition’s own pattern matches its text', () => {
    const value = fc.oneof(
      fc.integer({ min: -30, max: 30 }),
      fc.double({ min: -1, max: 30, noNaN: true }),
      fc.constantFrom('', '0', '1', '24', '24.0', '24.1', 'CARVIS', '0,1,3', 'ignition', '1e3', ' 1', '1\n'),
      fc.constantFrom(...fields.flatMap(({ values = [] }) => values.map(({ key }) => key))),
    );
    fc.assert(
      fc.property(fc.constantFrom(...fields), value, ({ key, pattern = '' }, given) => {
        let isAccepted = true;
        try {
          validateUnitSettings({ [key]: given });
        } catch {
          isAccepted = false;
        }
        expect(isAccepted).toBe(new RegExp(pattern).test(String(given)));
      }),
      { seed: 39, numRuns: 2000 },
    );
  });
});

describe('validateCustomFieldDefinition', () => {
  const own = { name: 'Depot', key: 'depot', type: 'text', group: 'cf_custom' };
  const fixed = fields.find(({ key }) => key === 'key_motohourdetector')!;
  test.each([
    ['a pattern', { ...own, pattern: '(' }, ['pattern: pattern-invalid']],
    ['a long pattern', { ...own, pattern: 'a'.repeat(1001) }, ['pattern: pattern-invalid']],
    ['a list without entries', { ...own, type: 'list' }, ['values: required']],
    [
      'a repeated entry and a foreign default',
      {
        ...own,
        type: 'list',
        default_value: 'c',
        values: [
          { key: 'a', value: 'A' },
          { key: 'a', value: 'B' },
        ],
      },
      ['default_value: dictionary-key', 'values[1].key: duplicate-id'],
    ],
    ['a fixed name', { ...fixed, name: 'Mine' }, ['name: dictionary-key']],
    ['a fixed group', { ...fixed, group: 'cf_custom' }, ['group: dictionary-key']],
    ['a fixed pattern', { ...fixed, pattern: '^a$' }, ['pattern: pattern-invalid']],
    ['fixed values', { ...fixed, values: [{ key: 'ignition', value: 'I' }] }, ['values: dictionary-key']],
  ])('refuses %s', (_, input, expected) => {
    expect(reasons(() => validateCustomFieldDefinition(input)).toSorted()).toEqual(expected.toSorted());
  });
});
