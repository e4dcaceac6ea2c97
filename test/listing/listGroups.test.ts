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
  test('live zones in the order of the group, each once, with the fields asked for', () => {
    expect(listGroups(GROUPS, ZONES, { fields: 'name, width' })).toEqual([
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

  test('without fields the form of the wire', () => {
    expect(listGroups(GROUPS, ZONES)[0]?.geozones).toEqual([{ id: 'c' }, { id: 'a' }]);
    expect(listGroups(GROUPS, ZONES, { fields: ['id', 'toString'] })[0]?.geozones).toEqual([
      { id: 'c' },
      { id: 'a' },
    ]);
  });

  test('nothing given is changed, and a field called __proto__ is one like any other', () => {
    const zone = JSON.parse('{"id": "a", "__proto__": {"polluted": 1}}') as { id: string };
    const before = JSON.stringify([GROUPS, ZONES]);
    const [group] = listGroups(GROUPS, [zone], { fields: '__proto__' });
    expect(Object.hasOwn(group!.geozones[0]!, '__proto__')).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    listGroups(GROUPS, ZONES, { fields: 'name' });
    expect(JSON.stringify([GROUPS, ZONES])).toBe(before);
  });

  test.each([
    ['groups that are none', () => listGroups(null as never, []), 'list-type', 'groups'],
    ['a group that is none', () => listGroups([7 as never], []), 'row-type', 'groups[0]'],
    [
      'a group without zones',
      () => listGroups([{ id: 'g', name: '' } as never], []),
      'list-type',
      'groups[0].geozones',
    ],
    [
      'an id that is none',
      () => listGroups([{ id: 'g', name: '', geozones: [{ id: 1 as never }] }], []),
      'id-type',
      'groups[0].geozones[0].id',
    ],
    ['a zone without an id', () => listGroups([], [{} as never]), 'id-type', 'zones[0].id'],
    ['fields that are none', () => listGroups([], [], { fields: 7 as never }), 'id-type', 'options.fields'],
    ['options that are none', () => listGroups([], [], [] as never), 'option-type', 'options'],
  ])('%s', (_, call, code, field) => {
    expect(errorOf(call)).toMatchObject({ code, field });
  });
});
