import { describe, expect, test } from 'vitest';
import { listGroups } from '../../src/listing/index.js';
import { errorOf } from '../errorOf.js';

const ZONES = [
  { id: 'a', name: 'A', width: 5 },
  { id: 'b', name: 'B', is_delete: 1 },
  { id: 'c', name: 'C' },
  { id: 'a', name: 'A again' },
];
const GROUPS = [
  {
    id: 'g',
    name: 'G',
    company_id: 'k',
    geozones: [{ id: 'c' }, { id: 'b' }, { id: 'x' }, { id: 'a' }, { id: 'c' }],
  },
  { id: 'h', name: 'H', geozones: [] },
];

describe('listGroups', () => {
  test('live zones in group order, each once, with the requested fields', () => {
    expect(listGroups(GROUPS, ZONES, { fields: 'geozones.name, geozones.width' })).toEqual([
      {
        id: 'g',
        name: 'G',
        company_id: 'k',
        geozones: [
          { id: 'c', name: 'C' },
          { id: 'a', name: 'A', width: 5 },
        ],
      },
      { id: 'h', name: 'H', geozones: [] },
    ]);
  });

  test('without fields the wire form', () => {
    expect(listGroups(GROUPS, ZONES)[0]?.geozones).toEqual([{ id: 'c' }, { id: 'a' }]);
    expect(listGroups(GROUPS, ZONES, { fields: ['id', 'geozones.area'] })[0]?.geozones).toEqual([
      { id: 'c' },
      { id: 'a' },
    ]);
  });

  test('fields without the prefix are those of the group, which it has in any case', () => {
    const plain = listGroups(GROUPS, ZONES);
    for (const fields of [
      'name',
      'id,name',
      'geozones',
      'geozones.id',
      'company_id',
      ['name', 'geozones.id'],
    ])
      expect(listGroups(GROUPS, ZONES, { fields })).toEqual(plain);
    expect(listGroups(GROUPS, ZONES, { fields: ['name', 'geozones.name'] })[0]!.geozones).toEqual([
      { id: 'c', name: 'C' },
      { id: 'a', name: 'A' },
    ]);
  });

  test('an unknown field is an error unless a zone has it', () => {
    for (const [fields, field] of [
      [['geozones.id', 'geozones.nam'], 'options.fields[1]'],
      ['name,colour', 'options.fields[1]'],
      [['toString'], 'options.fields[0]'],
      [['geozones.toString'], 'options.fields[0]'],
      [['width'], 'options.fields[0]'],
      [['groups.name'], 'options.fields[0]'],
    ] as const) {
      const error = errorOf(() => listGroups(GROUPS, ZONES, { fields }));
      expect(error).toMatchObject({ code: 'field-unknown', field });
      expect(error.toJSON()).toMatchObject({ code: 4220, errors: [{ field, reason: 'field-unknown' }] });
    }
    const groups = [{ id: 'g', name: 'G', geozones: [{ id: 'a' }] }];
    const zones = [{ id: 'a', address: 'Street 1' }];
    expect(listGroups(groups, zones, { fields: 'geozones.address' })[0]!.geozones).toEqual(zones);
  });

  test('only zones of the requested companies', () => {
    const zones = [
      { id: 'a', companies: [{ id: 'k' }] },
      { id: 'b', companies: [{ id: 'l' }, { id: 'm' }] },
      { id: 'c' },
      { id: 'd', companies: null },
    ];
    const groups = [{ id: 'g', name: 'G', geozones: zones.map(({ id }) => ({ id })) }];
    const of = (companies: never): string =>
      listGroups(groups, zones, { companies })[0]!
        .geozones.map(({ id }) => id)
        .join('');
    expect(of([{ id: 'k' }] as never)).toBe('a');
    expect(of(['k', { id: 'm' }] as never)).toBe('ab');
    expect(of('l' as never)).toBe('b');
    expect(of([] as never)).toBe('abcd');
    expect(errorOf(() => of([{}] as never))).toMatchObject({
      code: 'id-type',
      field: 'options.companies[0].id',
    });
  });

  test('the input is not changed, and a field called __proto__ is a field like any other', () => {
    const zone = JSON.parse('{"id": "a", "__proto__": {"polluted": 1}}') as { id: string };
    const before = JSON.stringify([GROUPS, ZONES]);
    const [group] = listGroups(GROUPS, [zone], { fields: 'geozones.__proto__' });
    expect(Object.hasOwn(group!.geozones[0]!, '__proto__')).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    listGroups(GROUPS, ZONES, { fields: 'geozones.name' });
    expect(JSON.stringify([GROUPS, ZONES])).toBe(before);
  });

  test.each([
    ['groups that are not a list', () => listGroups(null as never, []), 'list-type', 'groups'],
    ['a group that is not an object', () => listGroups([7 as never], []), 'row-type', 'groups[0]'],
    [
      'a group without zones',
      () => listGroups([{ id: 'g', name: '' } as never], []),
      'list-type',
      'groups[0].geozones',
    ],
    [
      'an id that is not a text',
      () => listGroups([{ id: 'g', name: '', geozones: [{ id: 1 as never }] }], []),
      'id-type',
      'groups[0].geozones[0].id',
    ],
    ['a zone without an id', () => listGroups([], [{} as never]), 'id-type', 'zones[0].id'],
    [
      'fields that are not a text or a list',
      () => listGroups([], [], { fields: 7 as never }),
      'id-type',
      'options.fields',
    ],
    ['options that are not an object', () => listGroups([], [], [] as never), 'option-type', 'options'],
  ])('%s', (_, call, code, field) => {
    expect(errorOf(call)).toMatchObject({ code, field });
  });
});
