import { describe, expect, test } from 'vitest';
import { listWorkTypes } from '../../src/listing/index.js';
import { errorOf } from '../errorOf.js';

const trips = (...lists: string[][]): { work_types: string[] }[] =>
  lists.map((work_types) => ({ work_types }));

test('the example of the docstring', () => {
  expect(listWorkTypes([{ work_types: ['уборка', 'вывоз'] }, { work_types: ['уборка'] }])).toEqual([
    'вывоз',
    'уборка',
  ]);
});

describe('listWorkTypes', () => {
  test('work types are distinct and in alphabetical order, ё between е and ж', () => {
    expect(listWorkTypes(trips(['жатва', 'ёлки'], ['ель', 'жатва', 'Вывоз']))).toEqual([
      'Вывоз',
      'ёлки',
      'ель',
      'жатва',
    ]);
    expect(listWorkTypes(trips(['b', 'a'], ['C']))).toEqual(['a', 'b', 'C']);
  });

  test('the order follows the given language', () => {
    const given = trips(['zebra', 'ärlig', 'bil']);
    expect(listWorkTypes(given, { language: 'sv' })).toEqual(['bil', 'zebra', 'ärlig']);
    expect(listWorkTypes(given, { language: 'de' })).toEqual(['ärlig', 'bil', 'zebra']);
  });

  test('work types that differ in case are distinct, those that differ in outer spaces are not; the order of the trips does not matter', () => {
    const composed = '\u00e9';
    const decomposed = 'e\u0301';
    const texts = ['a', 'A', 'a ', composed, decomposed];
    const forth = listWorkTypes(trips(texts));
    expect(forth).toHaveLength(4);
    expect(listWorkTypes(trips(texts.toReversed()))).toEqual(forth);
    expect(forth.slice(-2)).toEqual([decomposed, composed]);
  });

  test('trips without work types, empty texts and deleted trips add nothing', () => {
    const rows = [
      {},
      { work_types: null },
      { work_types: ['', ' \t', '\u00a0x '] },
      { work_types: ['gone'], is_delete: true },
    ];
    expect(listWorkTypes(rows)).toEqual(['x']);
    expect(listWorkTypes([])).toEqual([]);
  });

  test.each([
    ['no list', null, {}, 'list-type', 'trips'],
    ['a trip that is not an object', [7], {}, 'row-type', 'trips[0]'],
    ['work types that are not a list', [{ work_types: 'x' }], {}, 'list-type', 'trips[0].work_types'],
    ['a work type that is not a text', [{ work_types: ['x', 1] }], {}, 'work-type', 'trips[0].work_types[1]'],
    ['options that are not an object', [], null, 'option-type', 'options'],
    ['an invalid language tag', [], { language: '!' }, 'option-value', 'options.language'],
    ['a language that is not a text', [], { language: 7 }, 'option-value', 'options.language'],
  ])('%s: refused', (_, list, options, code, field) => {
    expect(errorOf(() => listWorkTypes(list as [], options as object))).toMatchObject({ code, field });
  });
});
