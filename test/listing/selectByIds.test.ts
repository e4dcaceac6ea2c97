import { describe, expect, test } from 'vitest';
import { selectByIds } from '../../src/listing/index.js';
import { errorOf } from '../errorOf.js';

const a = { id: 'a', name: 'A' };
const b = { id: 'b', name: 'B', is_delete: true };
const c = { id: 'c', name: 'C', is_delete: '0' };
const LIST = [c, a, b];

test('the example of the docstring', () => {
  expect(selectByIds([{ id: 'a' }, { id: 'b', is_delete: true }], 'b')).toEqual({ id: 'b', is_delete: true });
});

describe('selectByIds', () => {
  test.each([
    ['absent', undefined],
    ['null', null],
    ['an empty text', ''],
    ['commas and spaces only', ' , ,'],
    ['an empty array', []],
    ['an array with one empty text', ['']],
  ])('%s as ids: all live rows in list order', (_, ids) => {
    expect(selectByIds(LIST, ids)).toEqual([c, a]);
  });

  test.each([1, '1', true, 'true'])('a row with is_delete %j is not live', (mark) => {
    expect(selectByIds([{ id: 'x', is_delete: mark }, a])).toEqual([a]);
  });

  test('one id returns the row itself, deleted or not', () => {
    expect(selectByIds(LIST, 'a')).toBe(a);
    expect(selectByIds(LIST, ['b'])).toBe(b);
    expect(selectByIds(LIST, ' b ,')).toBe(b);
  });

  test('one unknown id returns null', () => {
    expect(selectByIds(LIST, 'x')).toBeNull();
    expect(selectByIds([], ['x'])).toBeNull();
  });

  test('several ids return rows in the order of the ids, deleted ones too, and skip unknown ids', () => {
    expect(selectByIds(LIST, 'b, x, a')).toEqual([b, a]);
    expect(selectByIds(LIST, ['x', 'y'])).toEqual([]);
  });

  test('an id given twice counts once', () => {
    expect(selectByIds(LIST, 'a,a')).toBe(a);
    expect(selectByIds(LIST, ['b', 'a', 'b'])).toEqual([b, a]);
  });

  test('items of an array are not trimmed or split', () => {
    expect(selectByIds([{ id: 'a,b' }], ['a,b'])).toEqual({ id: 'a,b' });
  });

  test('of several rows with one id the first is returned', () => {
    expect(selectByIds([a, { id: 'a', name: 'later' }], 'a')).toBe(a);
  });

  test('ids named like Object.prototype members are ordinary ids', () => {
    const rows = ['__proto__', 'constructor', 'toString'].map((id) => ({ id }));
    expect(selectByIds(rows, 'toString')).toBe(rows[2]);
    expect(selectByIds(rows, 'hasOwnProperty')).toBeNull();
    expect(selectByIds(rows, '__proto__,constructor')).toEqual(rows.slice(0, 2));
  });

  test('frozen input is not changed, and the result is a new array', () => {
    const frozen = Object.freeze([Object.freeze({ id: 'a' })]);
    expect(selectByIds(frozen)).not.toBe(frozen);
    expect(selectByIds(frozen)).toEqual([{ id: 'a' }]);
  });

  const thrower = {
    get id(): string {
      throw new Error('no');
    },
  };
  test.each([
    ['ids that are neither an array nor a text', LIST, 7, 'id-type', 'ids'],
    ['an id that is a number', LIST, ['a', 1], 'id-type', 'ids[1]'],
    ['a row without an id', [a, {}], 'a', 'id-type', 'list[1].id'],
    ['no list', null, 'a', 'list-type', 'list'],
    ['a row that is not an object', [a, null], 'a', 'row-type', 'list[1]'],
    ['a hole in the list', Object.assign([], { length: 1 }), 'a', 'row-type', 'list[0]'],
    ['a getter that throws', [thrower], 'a', 'input-unreadable', 'list[0]'],
  ])('%s is refused', (_, list, ids, code, field) => {
    expect(errorOf(() => selectByIds(list as [], ids as string))).toMatchObject({ code, field });
  });
});
