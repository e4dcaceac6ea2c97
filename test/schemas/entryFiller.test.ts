import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  COLORS,
  type DictionaryOptions,
  dictionaryEntry,
  type EntryKind,
  entryFiller,
  entryLabels,
  GEOZONE_TYPES,
  ICONS,
  keepKeys,
  validateGeozone,
  validateMonitoringSensorsSettings,
  validateRoute,
  validateTrip,
} from '../../src/schemas/index.js';
import { errorOf } from '../errorOf.js';

const DEPOT = { name: 'Depot', geometry: [[37.6, 55.7]], width: 100 } as const;
const WRONG = { type: 'zzz', value: 'Polygon' } as const;
const CIRCLE = { ...DEPOT, type: { key: 'circle', ...WRONG } } as const;

const TRIP = {
  name: 'Milk',
  unit: { id: '7f0c2d5e-8b1a-4c3d-9e6f-0a1b2c3d4e5f' },
  activation_type: { key: 'leaving_first_point', ...WRONG },
  passage_order_type: { key: 'strict', ...WRONG },
  dates: ['2028-02-29'],
  points: [CIRCLE, CIRCLE],
} as const;

/** Rows with false labels, and the validators that take them. */
const ROWS = [
  [
    'geozone',
    { ...CIRCLE, color: { key: '#1BB934', ...WRONG }, icon: { key: 'barn', ...WRONG } },
    validateGeozone,
  ],
  ['route', { name: 'Ring', points: [CIRCLE, CIRCLE] }, validateRoute],
  ['trip', { ...TRIP, changes: [{ type: 'amend', at: 0, trip: TRIP }] }, validateTrip],
  [
    'sensorSettings',
    [{ name: 'T', sensor_name_mask: 't*', icon: { key: 'school', ...WRONG } }],
    validateMonitoringSensorsSettings,
  ],
] as const;

const fillEntries = <Row>(kind: EntryKind, row: Row, options: DictionaryOptions = {}): Row =>
  entryFiller(kind, options)(row);

describe('entries of stored rows', () => {
  test.each(ROWS)(
    '%s: stored by keys and read again, a row is as its validator makes it',
    (kind, row, validate) => {
      for (const language of ['en', 'ru', 'ru-RU', 'xx']) {
        const valid = validate(row, { language }) as object;
        const stored = keepKeys(kind, valid);
        expect(JSON.stringify(stored)).not.toMatch(/"value"|zzz|geozone_type/);
        expect(fillEntries(kind, stored, { language })).toEqual(valid);
        expect(fillEntries(kind, row as object, { language })).toEqual(valid);
      }
    },
  );

  test('a unit: its entries and the types of its sensors; keys of the platform’s unknown dictionaries are their own value', () => {
    const unit = {
      type: { key: 'truck', ...WRONG },
      icon: null,
      sensors: [{ name: 'Fuel', type: { key: 'fuel' }, formula: 'S1' }, { name: 'Text', type: 'fuel' }, null],
    };
    expect(fillEntries('unit', unit)).toEqual({
      type: { key: 'truck', type: 'unit_type', value: 'truck' },
      icon: null,
      sensors: [
        { name: 'Fuel', type: { key: 'fuel', type: 'sensor_type', value: 'fuel' }, formula: 'S1' },
        { name: 'Text', type: 'fuel' },
        null,
      ],
    });
    const own = {
      type: 'unit_type',
      further: 'any-text',
      entries: { en: [], ru: [{ type: 'unit_type', key: 'truck', value: 'Тягач' }] },
    } as const;
    expect(fillEntries('unit', unit, { language: 'ru', dictionaries: { unitTypes: own } }).type.value).toBe(
      'Тягач',
    );
  });

  test.each([
    ['no entry', {}],
    ['null', { type: null, color: null }],
    ['a text', { type: 'circle' }],
    ['no key', { type: { value: 'x' } }],
    ['another form of a list', { points: { type: { key: 'circle' } } }],
  ])('a row with %s is as it was', (_, row) => {
    for (const kind of ['geozone', 'route', 'trip', 'unit'] as const) {
      expect(fillEntries(kind, row)).toEqual(row);
      expect(keepKeys(kind, row)).toEqual(row);
    }
  });

  test('the labels are those of dictionaryEntry, for listed and free keys', () => {
    const languages = fc.constantFrom('en', 'ru', 'ru-RU', 'de');
    const keys = fc.oneof(
      fc.constantFrom(
        ...[GEOZONE_TYPES, COLORS, ICONS].flatMap(({ entries }) => entries.en.map(({ key }) => key)),
      ),
      fc.stringMatching(/^#[0-9a-fA-F]{6}$/),
      fc.constantFrom('__proto__', 'constructor', 'barn'),
    );
    fc.assert(
      fc.property(languages, keys, (language, key) => {
        for (const [field, dictionary] of [
          ['color', COLORS],
          ['icon', ICONS],
        ] as const) {
          if (field === 'color' && !key.startsWith('#')) continue;
          const filled = fillEntries('geozone', { [field]: { key, ...WRONG } }, { language });
          expect(filled[field]).toEqual(dictionaryEntry(dictionary, key, language));
        }
      }),
    );
  });

  test('the labels as data; wrong options are refused', () => {
    expect(entryLabels('route', { language: 'ru' })).toEqual([
      {
        path: 'points[].type',
        type: 'geozone_type',
        values: { point: 'Точка', circle: 'Круг', line: 'Линия', polygon: 'Полигон' },
        ignoresCase: false,
      },
    ]);
    expect(errorOf(() => entryFiller('route', { language: 7 as never }))).toMatchObject({
      code: 'option-value',
      field: 'options.language',
    });
  });

  test('neither the row nor its parts are changed', () => {
    const row = Object.freeze({
      points: Object.freeze([Object.freeze({ type: Object.freeze({ key: 'line', ...WRONG }) })]),
    });
    fillEntries('route', row);
    keepKeys('route', row);
    expect(row.points[0]!.type).toEqual({ key: 'line', ...WRONG });
  });
});
