import { describe, expect, test } from 'vitest';
import { selectForExport } from '../../src/listing/index.js';
import { errorOf } from '../errorOf.js';

const ZONES = [
  { id: 'a' },
  { id: 'b' },
  { id: 'c', is_delete: true },
  { id: 'd', is_delete: 1 },
  { id: 'e' },
] as const;
const GROUPS = [
  { id: 'g', name: 'G', geozones: [{ id: 'e' }, { id: 'b' }, { id: 'c' }, { id: 'gone' }] },
  { id: 'h', name: 'H', geozones: [{ id: 'b' }] },
  { id: 'empty', name: 'E', geozones: [] },
];
const idsOf = (request?: object): string =>
  selectForExport(ZONES, GROUPS, request)
    .map(({ id }) => id)
    .join('');

test('the example of the docstring', () => {
  const groups = [{ id: 'g', name: 'G', geozones: [{ id: 'b' }] }];
  expect(selectForExport([{ id: 'a' }, { id: 'b' }], groups, { geozones_groups: 'g' })).toEqual([
    { id: 'b' },
  ]);
});

describe('selectForExport', () => {
  test.each([
    ['no request', undefined],
    ['an empty request', {}],
    ['empty names', { geozones: '', geozones_groups: [] }],
    ['null names', { geozones: null, geozones_groups: null }],
  ])('%s: all live zones', (_, request) => {
    expect(idsOf(request)).toBe('abe');
  });

  test('requested zones come in list order, deleted or not', () => {
    expect(idsOf({ geozones: 'c, a' })).toBe('ac');
    expect(idsOf({ geozones: ['e', 'e', 'a'] })).toBe('ae');
  });

  test('a requested group gives its live zones', () => {
    expect(idsOf({ geozones_groups: 'g' })).toBe('be');
    expect(idsOf({ geozones_groups: ['empty'] })).toBe('');
  });

  test('the platform\u2019s request body: objects with an id beside plain ids', () => {
    expect(idsOf({ geozones: [{ id: 'c' }, { id: 'a' }], geozones_groups: [{ id: 'h' }] })).toBe('abc');
    expect(idsOf({ geozones: ['a', { id: 'a', name: 'A' }, { id: 'e' }] })).toBe('ae');
    expect(idsOf({ geozones: [], geozones_groups: [{ id: 'g' }] })).toBe('be');
    expect(idsOf({ geozones: [{ id: 'x' }] })).toBe('');
  });

  test('zones and groups together give each zone once', () => {
    expect(idsOf({ geozones: 'a,b', geozones_groups: 'g,h' })).toBe('abe');
    expect(idsOf({ geozones: 'c', geozones_groups: 'g' })).toBe('bce');
  });

  test('unknown ids alone give an empty list, not all zones', () => {
    expect(idsOf({ geozones: 'x' })).toBe('');
    expect(idsOf({ geozones_groups: 'x' })).toBe('');
  });

  test.each([
    ['zones that are not a list', {}, GROUPS, {}, 'list-type', 'zones'],
    ['groups that are not a list', ZONES, undefined, {}, 'list-type', 'groups'],
    ['a zone without an id', [{}], GROUPS, {}, 'id-type', 'zones[0].id'],
    ['a group without an id', ZONES, [{ geozones: [] }], {}, 'id-type', 'groups[0].id'],
    ['a group that is not an object', ZONES, ['g'], {}, 'row-type', 'groups[0]'],
    [
      'a requested group without a list',
      ZONES,
      [{ id: 'g' }],
      { geozones_groups: 'g' },
      'list-type',
      'groups[0].geozones',
    ],
    [
      'a member without an id',
      ZONES,
      [{ id: 'g', geozones: [{ id: 'a' }, {}] }],
      { geozones_groups: 'g' },
      'id-type',
      'groups[0].geozones[1].id',
    ],
    ['a request that is not an object', ZONES, GROUPS, 'a', 'option-type', 'request'],
    ['ids that are not a list', ZONES, GROUPS, { geozones: 5 }, 'id-type', 'request.geozones'],
    ['an object without an id', ZONES, GROUPS, { geozones: ['a', {}] }, 'id-type', 'request.geozones[1].id'],
    [
      'an id that is not a text',
      ZONES,
      GROUPS,
      { geozones: [{ id: 7 }] },
      'id-type',
      'request.geozones[0].id',
    ],
    [
      'an id that is null',
      ZONES,
      GROUPS,
      { geozones_groups: [null] },
      'id-type',
      'request.geozones_groups[0]',
    ],
  ])('%s: refused', (_, zones, groups, request, code, field) => {
    const run = (): unknown => selectForExport(zones as [], groups as [], request as object);
    expect(errorOf(run)).toMatchObject({ code, field });
  });
});
