import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import {
  COLORS,
  FixSchema,
  ICONS,
  listDictionaries,
  MonitoringSensorsSettingsSchema,
  validateFix,
  validateMonitoringSensorsSettings,
  validateTrackGradation,
} from '../../src/schemas/index.js';
import { gradeTrack, readTrack } from '../../src/tracks/index.js';
import { errorOf } from '../errorOf.js';

const STYLES = [
  { max: 60, hex_color: '#1BB934' },
  { max: null, hex_color: '#F56C6C' },
];

function reasons(run: () => unknown): string[] {
  const { code, errors } = errorOf(run);
  expect(code).toBe('validation');
  return errors.map(({ field, reason }) => `${field}: ${reason}`);
}

describe('listDictionaries', () => {
  test('lists every entry, sorted by type, in dictionary order', () => {
    const all = listDictionaries();
    expect([...new Set(all.map(({ type }) => type))]).toEqual([
      'color_code',
      'customfield_groups',
      'formula',
      'geo_icon',
      'geozone_type',
      'trip_activation_type',
      'trip_passage_order_type',
    ]);
    expect(all.filter(({ type }) => type === 'color_code')).toEqual(COLORS.entries.en);
    expect(listDictionaries({ language: 'ru-RU' }).filter(({ type }) => type === 'geo_icon')).toEqual(
      ICONS.entries.ru,
    );
    expect(all).toHaveLength(24);
  });

  test('a host\u2019s dictionary replaces ours in place; entries missing in its language are English', () => {
    const de = [
      { type: 'geo_icon', key: 'school', value: 'Schule' },
      { type: 'geo_icon', key: 'depot', value: 'Hof' },
    ];
    const icons = { ...ICONS, entries: { ...ICONS.entries, de } };
    const listed = listDictionaries({ language: 'de', dictionaries: { icons } });
    expect(listed.filter(({ type }) => type === 'geo_icon').map(({ value }) => value)).toEqual([
      'Hospital',
      'Schule',
      'Hof',
    ]);
  });

  test('wrong options throw coded errors', () => {
    expect(errorOf(() => listDictionaries(7 as never))).toMatchObject({ code: 'option-type' });
    expect(errorOf(() => listDictionaries({ language: 7 as never }))).toMatchObject({ code: 'option-value' });
  });
});

describe('validateTrackGradation', () => {
  test('returns what gradeTrack takes', () => {
    const gradation = validateTrackGradation({ styles: STYLES, extra: 1 });
    expect(gradation).toEqual({ styles: STYLES, extra: 1 });
    expect(gradeTrack(readTrack([]), gradation)).toEqual([]);
  });

  test.each<[unknown, string[]]>([
    [{}, ['styles: required']],
    [{ styles: [] }, ['styles: empty']],
    [{ styles: {} }, ['styles: type']],
    [[], [': type']],
    [
      {
        styles: [
          { max: 5, hex_color: 'not a colour' },
          { max: 5, hex_color: '#fff' },
          { max: 9, hex_color: 7 },
        ],
      },
      [
        'styles[0].hex_color: dictionary-key',
        'styles[1].max: gradation-invalid',
        'styles[1].hex_color: dictionary-key',
        'styles[2].max: gradation-invalid',
        'styles[2].hex_color: type',
      ],
    ],
    [
      { styles: [{ max: null, hex_color: '#ffffff' }, { max: -1, hex_color: '#ffffff' }, {}] },
      [
        'styles[0].max: gradation-invalid',
        'styles[1].max: range',
        'styles[2].max: required',
        'styles[2].hex_color: required',
      ],
    ],
    [{ styles: [null] }, ['styles[0]: type']],
  ])('%j: %j', (input, expected) => {
    expect(reasons(() => validateTrackGradation(input)).toSorted()).toEqual(expected.toSorted());
  });
});

describe('validateMonitoringSensorsSettings', () => {
  const setting = (fields: object = {}): object => ({ name: 'Cold', sensor_name_mask: 'temp*', ...fields });

  test('accepts the platform\u2019s list, fills in icons and reads gradations of both forms with values below 0', () => {
    const styles = [{ max: -5, hex_color: '#1585D8' }, ...STYLES];
    const sent = [
      setting({ icon: { key: 'school' }, gradation: { styles } }),
      setting({ icon: 'thermometer', gradation: styles }),
      setting({ icon: null, gradation: null, extra: 7 }),
      setting(),
    ];
    const read = validateMonitoringSensorsSettings(sent);
    expect(read[0]!.icon).toEqual({ key: 'school', type: 'geo_icon', value: 'School' });
    expect(read.slice(1)).toEqual(sent.slice(1));
    expect(Check(MonitoringSensorsSettingsSchema, sent)).toBe(true);
    expect(validateMonitoringSensorsSettings([])).toEqual([]);
  });

  test('reports the path of every wrong field', () => {
    const sent = [
      setting({ name: '', icon: { key: '' } }),
      { gradation: { styles: [{ max: 3, hex_color: 'red' }] } },
      setting({ gradation: [{ max: 3, hex_color: '#ffffff' }] }),
      setting({ gradation: { styles: [] }, icon: 7 }),
      7,
    ];
    expect(reasons(() => validateMonitoringSensorsSettings(sent)).toSorted()).toEqual([
      '[0].icon.key: empty',
      '[0].name: empty',
      '[1].gradation.styles[0].hex_color: dictionary-key',
      '[1].gradation.styles[0].max: gradation-invalid',
      '[1].name: required',
      '[1].sensor_name_mask: required',
      '[2].gradation[0].max: gradation-invalid',
      '[3].gradation.styles: empty',
      '[3].icon: type',
      '[4]: type',
    ]);
    expect(reasons(() => validateMonitoringSensorsSettings({}))).toEqual([': type']);
  });
});

describe('validateFix', () => {
  const fix = { time: 1_772_438_400_000, lon: 37.6, lat: 55.7 };

  test('a fix comes back with all its fields', () => {
    const full = {
      ...fix,
      speedKph: 40.5,
      courseDegrees: -10,
      altitudeMeters: -3,
      accuracyMeters: 4,
      satellites: 9,
      valid: true,
      ignition: false,
      mileageMeters: 12_345.6,
      mileageDeltaMeters: 0,
      unit: 'u',
    };
    expect(validateFix(full)).toEqual(full);
    expect(Check(FixSchema, full)).toBe(true);
    expect(readTrack([validateFix(full)]).length).toBe(1);
  });

  test.each<[object, string[]]>([
    [{ time: '2026-01-01' }, ['time: type']],
    [{ time: Number.NaN }, ['time: not-finite']],
    [{ time: 1e17 }, ['time: range']],
    [{ time: undefined }, ['time: required']],
    [{ lon: '37' }, ['lon: coord-type']],
    [{ lat: Number.POSITIVE_INFINITY }, ['lat: coord-not-finite']],
    [{ lat: 91 }, ['lat: lat-range']],
    [{ lon: 541, lat: -91 }, ['lon: lon-range', 'lat: lat-range']],
    [{ lon: undefined, lat: 91 }, ['lon: required']],
    [
      { speedKph: -1, ignition: 1, satellites: null },
      ['speedKph: range', 'ignition: type', 'satellites: type'],
    ],
    [{ mileageMeters: -1, mileageDeltaMeters: '5' }, ['mileageMeters: range', 'mileageDeltaMeters: type']],
  ])('%j: %j', (fields, expected) => {
    expect(reasons(() => validateFix({ ...fix, ...fields })).toSorted()).toEqual(expected.toSorted());
  });

  test('a pair that is valid only in the other order gets a hint', () => {
    expect(errorOf(() => validateFix({ ...fix, lon: 55.7, lat: 137.6 })).errors[0]!.message).toMatch(
      /swapped\?$/,
    );
  });
});
