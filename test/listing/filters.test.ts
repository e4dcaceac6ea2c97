import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FilterQuery, filterGeozones, filterRoutes, filterTrips } from '../../src/listing/index.js';
import { sortTexts } from '../../src/listing/sortTexts.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';

const ZONES = [
  { id: '1', name: 'Склад Север', type: { key: 'circle' }, icon: { key: 'school' }, created: '2026-01-02' },
  { id: '2', name: 'ёлка', type: { key: 'line', type: 'own' }, color: { key: '#F56C6C' }, is_delete: 'true' },
  { id: '3', name: 'База 50% (a|b).*', type: { key: 'circle' }, created: '2025-12-31' },
  { id: '4', type: { key: 'polygon' }, color: { key: '#1585D8', type: 'color_code' } },
  { id: '5', name: 'склад юг', type: { key: 'circle' }, is_delete: 0, created: '2026-01-02' },
] as const;

function ids(query?: FilterQuery, language = 'ru'): string[] {
  return filterGeozones(ZONES, query, { language }).list.map(({ id }) => id);
}

function by(field: string, value: string | number | boolean): FilterQuery {
  return {
    conditions: [{ field, value }, ...(field === 'is_delete' ? [] : [{ field: 'is_delete', value: 'all' }])],
  };
}

describe('conditions', () => {
  test('without conditions the live rows come back themselves, in list order', () => {
    const { max, list } = filterGeozones(ZONES);
    expect([max, list.map(({ id }) => id)]).toEqual([4, ['1', '3', '4', '5']]);
    expect(list[0]).toBe(ZONES[0]);
  });

  test.each([
    [true, ['2']],
    ['true', ['2']],
    [1, ['2']],
    [false, ['1', '3', '4', '5']],
    ['0', ['1', '3', '4', '5']],
    ['all', ['1', '2', '3', '4', '5']],
  ])('is_delete %j', (value, expected) => {
    expect(ids(by('is_delete', value))).toEqual(expected);
  });

  test.each([
    ['a part of the name, in any case', 'СКЛАД', ['1', '5']],
    ['nothing', '', ['1', '2', '3', '5']],
    ['characters that a regular expression would interpret', '50% (A|B).*', ['3']],
    ['a text that only a regular expression would match', '.*', ['3']],
    ['an accent written as two code points', 'е\u0308лка', ['2']],
    ['a text that no name contains', 'xyz', []],
  ])('name: %s', (_, value, expected) => {
    expect(ids(by('name', value))).toEqual(expected);
  });

  test('letter case is ignored in every script', () => {
    const names = ['STRASSE', 'Straße', 'ΟΔΟΣ', 'οδος', 'ÅRE', 'åre', 'ДЗЯРЖЫНСК', 'дзяржынск'];
    for (let i = 0; i < names.length; i += 2) {
      for (const [name, value] of [
        [names[i]!, names[i + 1]!],
        [names[i + 1]!, names[i]!],
      ] as const) {
        expect(filterRoutes([{ name }], by('name', value)).max, `${name} ${value}`).toBe(1);
      }
    }
  });

  test.each([
    ['icon.key', 'school', ['1']],
    ['icon.type', 'geo_icon', ['1']],
    ['color.key', '#f56c6c', ['2']],
    ['color.type', 'color_code', ['2', '4']],
    ['type.key', 'circle', ['1', '3', '5']],
    ['type.type', 'geozone_type', ['1', '2', '3', '4', '5']],
    ['type.type', 'own', []],
  ])('%s %s', (field, value, expected) => {
    expect(ids(by(field, value))).toEqual(expected);
  });

  test('a row must match every condition', () => {
    const conditions = [
      { field: 'name', value: 'склад' },
      { field: 'icon.key', value: 'school' },
    ];
    expect(ids({ conditions })).toEqual(['1']);
    expect(
      ids({ conditions: [by('is_delete', true).conditions![0]!, by('is_delete', false).conditions![0]!] }),
    ).toEqual([]);
  });

  test('trips by their unit, user, activation and order', () => {
    const trip = {
      name: 'T',
      unit: { id: 'u' },
      user_id: 'x',
      activation_type: { key: 'entrance_to_first_point' },
      passage_order_type: { key: 'strict' },
    };
    for (const [field, value] of [
      ['unit.id', 'u'],
      ['user_id', 'x'],
      ['activation_type.key', 'entrance_to_first_point'],
      ['passage_order_type.key', 'strict'],
    ] as const) {
      expect(filterTrips([trip, { name: 'other' }], by(field, value))).toEqual({ max: 1, list: [trip] });
    }
  });
});

describe('companies', () => {
  const zones = [
    { name: 'a', companies: [{ id: 'k' }] },
    { name: 'b', companies: [{ id: 'l' }, { id: 'k' }] },
    { name: 'c', companies: 'k' },
    { name: 'd' },
  ];
  test.each([
    ['an id', 'companies', 'k', 'ab'],
    ['the dotted field', 'companies.id', 'l', 'b'],
    ['an object', 'companies', { id: 'l' }, 'b'],
    ['a list in the wire form', 'companies', [{ id: 'l' }, { id: 'x' }], 'b'],
    ['a list of ids', 'companies', ['l', 'k'], 'ab'],
    ['an unknown id', 'companies', 'x', ''],
  ])('%s', (_, field, value, names) => {
    const { list } = filterGeozones(zones, { conditions: [{ field, value }] });
    expect(list.map(({ name }) => name).join('')).toBe(names);
  });

  test.each([[7], [''], [[]], [[{}]], [{ id: 7 }], [true]])('%j is not a company', (value) => {
    const error = errorOf(() =>
      filterGeozones(zones, { conditions: [{ field: 'companies', value: value as never }] }),
    );
    expect(error.errors).toMatchObject([{ field: 'conditions[0].value', reason: 'condition-value' }]);
  });

  test('routes and trips have one company each', () => {
    const rows = [{ name: 'a', company_id: 'k' }, { name: 'b' }];
    expect(filterRoutes(rows, by('company_id', 'k')).max).toBe(1);
    expect(filterTrips(rows, by('company_id', 'k')).max).toBe(1);
  });
});

describe('sorted by creation time', () => {
  const sorted = (created: readonly unknown[], query: object = {}, options: object = {}): unknown[] =>
    filterGeozones(
      created.map((text) => ({ created: text })),
      { sortField: 'created', ...query },
      options,
    ).list.map((row) => row.created);

  test('times sort first in any accepted form, then unreadable texts, then absent values', () => {
    const mixed = ['soon', '2026-03-01 09:00:00', undefined, '2026-03-01T08:30:00Z', '2026-02-28', 'again'];
    const times = ['2026-02-28', '2026-03-01T08:30:00Z', '2026-03-01 09:00:00'];
    expect(sorted(mixed)).toEqual([...times, 'again', 'soon', undefined]);
    expect(sorted(mixed, { sortDesc: true })).toEqual([...times.toReversed(), 'soon', 'again', undefined]);
  });

  test('an offset in the text is used; texts without one are read in the given time zone', () => {
    const created = ['2026-03-01 09:00:00', '2026-03-01T07:00:00+03:00', '2026-03-01T07:00:00.250Z'];
    expect(sorted(created)).toEqual([created[1], created[2], created[0]]);
    expect(sorted(created, {}, { timeZone: 'Europe/Moscow' })).toEqual([created[1], created[0], created[2]]);
  });

  test('equal times keep the list order in both directions', () => {
    const created = ['2026-03-01 09:00', '2026-03-01 09:00:00', '2026-03-01T09:00:00Z'];
    expect(sorted(created)).toEqual(created);
    expect(sorted(created, { sortDesc: true })).toEqual(created);
  });

  test('an unknown time zone is refused', () => {
    expect(errorOf(() => sorted([], {}, { timeZone: 'Moscow' }))).toMatchObject({ code: 'tz-unknown' });
  });
});

describe('order and page', () => {
  test('names sort by the alphabet of the language; rows without a name come last in both directions', () => {
    const all = { conditions: [{ field: 'is_delete', value: 'all' }], sortField: 'name' } as const;
    expect(ids(all)).toEqual(['3', '2', '1', '5', '4']);
    expect(ids({ ...all, sortDesc: 'true' })).toEqual(['5', '1', '2', '3', '4']);
    const swedish = ['Zebra', 'Åre', 'Ängel', 'Ask'].map((name) => ({ name }));
    const names = (language: string): string[] =>
      filterRoutes(swedish, { sortField: 'name' }, { language }).list.map(({ name }) => name);
    expect(names('sv')).toEqual(['Ask', 'Zebra', 'Åre', 'Ängel']);
    expect(names('en')).toEqual(['Ängel', 'Åre', 'Ask', 'Zebra']);
  });

  test('equal rows keep the list order in both directions', () => {
    expect(ids({ sortField: 'created' })).toEqual(['3', '1', '5', '4']);
    expect(ids({ sortField: 'created', sortDesc: true })).toEqual(['1', '5', '3', '4']);
    expect(ids({ sortField: 'type.key' })).toEqual(['1', '3', '5', '4']);
    expect(ids({ sortField: 'type.key', sortDesc: true })).toEqual(['4', '1', '3', '5']);
    expect(ids({ ...by('is_delete', 'all'), sortField: 'is_delete', sortDesc: true })).toEqual([
      '2',
      '1',
      '3',
      '4',
      '5',
    ]);
  });

  test.each([
    [{ from: 1, count: 2 }, ['3', '4']],
    [{ from: '3', count: '5' }, ['5']],
    [{ count: 0 }, []],
    [{ from: 9 }, []],
    [{ from: null, count: null }, ['1', '3', '4', '5']],
  ])('%j', (page, expected) => {
    const { max, list } = filterGeozones(ZONES, page);
    expect([max, list.map(({ id }) => id)]).toEqual([4, expected]);
  });

  test('many names sort as the collator alone would sort them', () => {
    const random = seeded(5);
    const letters = Array.from('aAäÄzZоОёЁеЕяЯчch 0129-_.İıß\u0301');
    const count = volume(100_000);
    const names = Array.from({ length: count }, () =>
      Array.from(
        { length: Math.floor(random() * 7) },
        () => letters[Math.floor(random() * letters.length)],
      ).join(''),
    );
    for (const language of ['en', 'ru', 'cs', 'sv', 'tr']) {
      const collator = new Intl.Collator(language);
      const expected = names.map((_, i) => i).sort((a, b) => collator.compare(names[a]!, names[b]!) || a - b);
      expect(sortTexts(names, collator)).toEqual(expected);
    }
  });

  test('a page is a slice of the whole list, and max is its length, for any request', () => {
    const row = fc.record(
      { name: fc.string({ maxLength: 4 }), is_delete: fc.boolean() },
      { requiredKeys: [] },
    );
    const request = fc.record({
      from: fc.nat(9),
      count: fc.nat(9),
      sortDesc: fc.boolean(),
      sortField: fc.constantFrom('name', 'created', 'is_delete'),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), request, (rows, { from, count, ...rest }) => {
        const whole = filterTrips(rows, rest);
        const isListed = (one: object): boolean =>
          rest.sortField === 'is_delete' || (one as { is_delete?: boolean }).is_delete !== true;
        expect(whole.max).toBe(rows.filter(isListed).length);
        expect(new Set(whole.list).size).toBe(whole.max);
        expect(filterTrips(rows, { from, count, ...rest })).toEqual({
          max: whole.max,
          list: whole.list.slice(from, from + count),
        });
      }),
      { numRuns: volume(20_000) },
    );
  });
});

test('a list that is sorted by the mark has deleted and live rows, unless a condition says which', () => {
  const rows = [{ name: 'a', is_delete: true }, { name: 'b' }, { name: 'c', is_delete: 1 }, { name: 'd' }];
  const namesOf = (query: FilterQuery): string =>
    filterRoutes(rows, query)
      .list.map(({ name }) => name)
      .join('');
  expect(namesOf({ sortField: 'is_delete' })).toBe('bdac');
  expect(namesOf({ sortField: 'is_delete', sortDesc: 'true' })).toBe('acbd');
  expect(namesOf({ sortField: 'is_delete', conditions: [{ field: 'is_delete', value: false }] })).toBe('bd');
  expect(namesOf({ sortField: 'is_delete', conditions: [{ field: 'name', value: 'c' }] })).toBe('c');
  expect(namesOf({ sortField: 'name' })).toBe('bd');
});

describe('wrong requests', () => {
  test('all field errors come at once in the wire form', () => {
    const error = errorOf(() =>
      filterGeozones(ZONES, {
        from: -1,
        count: 1.5,
        sortField: 'unit.id',
        sortDesc: 'yes' as 'true',
        conditions: [
          { field: 'address', value: 'x' },
          { field: 'name', value: 7 },
          { field: 'is_delete', value: 'maybe' },
          null as never,
        ],
      }),
    );
    expect([error.code, error.field]).toEqual(['validation', 'from']);
    expect(error.toJSON()).toMatchObject({ code: 4220 });
    expect(error.errors.map(({ code, field, reason }) => [code, field, reason])).toEqual([
      [4221, 'from', 'number-range'],
      [4221, 'count', 'number-range'],
      [4221, 'sortField', 'field-unknown'],
      [4221, 'sortDesc', 'type'],
      [4221, 'conditions[0].field', 'field-unknown'],
      [4221, 'conditions[1].value', 'condition-value'],
      [4221, 'conditions[2].value', 'condition-value'],
      [4221, 'conditions[3]', 'type'],
    ]);
  });

  test.each([
    ['a query that is not an object', () => filterRoutes([], 7 as never), 'option-type'],
    ['conditions that are not a list', () => filterRoutes([], { conditions: {} as never }), 'validation'],
    ['too many conditions', () => filterRoutes([], { conditions: Array(101).fill(null) }), 'validation'],
    ['rows that are not a list', () => filterRoutes({} as never), 'list-type'],
    ['a row that is not an object', () => filterRoutes([{}, null as never]), 'row-type'],
    ['an invalid language tag', () => filterRoutes([], {}, { language: '!' }), 'option-value'],
    ['options that are not an object', () => filterRoutes([], {}, [] as never), 'option-type'],
    ['a field that trips do not have', () => filterTrips([], by('icon.key', 'a')), 'validation'],
    [
      'conditions that cannot be read',
      () =>
        filterRoutes([], {
          conditions: new Proxy([], {
            get: () => {
              throw new Error('no');
            },
          }),
        }),
      'input-unreadable',
    ],
    [
      'a getter that throws',
      () =>
        filterRoutes(
          [
            Object.defineProperty({}, 'name', {
              get: () => {
                throw new Error('no');
              },
            }),
          ],
          by('name', 'a'),
        ),
      'input-unreadable',
    ],
  ])('%s', (_, call, code) => {
    expect(errorOf(call).code).toBe(code);
  });

  test('names of Object.prototype members are not fields', () => {
    expect(filterRoutes([{}], by('name', 'object')).max).toBe(0);
    expect(filterTrips([{ unit: {} }], by('unit.id', 'x')).max).toBe(0);
  });
});
