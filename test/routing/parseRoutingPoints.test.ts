import { describe, expect, test } from 'vitest';
import { parseRoutingPoints } from '../../src/routing/index.js';
import { errorOf } from '../errorOf.js';
import { wkt } from '../wkt.js';

const TWO = wkt('37.61 55.75, 37.5 55.7');

describe('parseRoutingPoints', () => {
  test.each([
    ['latitude first', '55.75,37.61;55.70,37.50'],
    ['spaces', ' 55.75 ,\t37.61 ; 55.70,  37.50 '],
    ['percent-encoding', '55.75%2C37.61%3B%2055.70%2c37.50'],
    ['encoded digits', '%35%35.75,37.61;55.70,37.50'],
    ['signs and exponents', '+5575e-2,3.761E+1;%2B55.70,0.0375e3'],
    ['one ; at the end', '55.75,37.61;55.70,37.50;'],
    ['an encoded ; and a space at the end', '55.75,37.61;55.70,37.50%3B '],
  ])('%s', (_, text) => {
    expect(parseRoutingPoints(text)).toEqual(TWO);
  });

  test('numbers without a digit before or after the point, negative numbers and -0 are read', () => {
    expect(parseRoutingPoints('.5,5.;-0,-1')).toEqual(wkt('5 0.5, -1 0'));
    expect(Object.is(parseRoutingPoints('-0,1;1,1')[0]![1], 0)).toBe(true);
  });

  test('longitudes wrap; poles and ±180 are accepted', () => {
    expect(parseRoutingPoints('90,-180;-90,190;0,540')).toEqual(wkt('180 90, -170 -90, 180 0'));
  });

  const many = (n: number): string => Array.from({ length: n }, (_, i) => `${i},${i}`).join(';');

  test('10 points by default, or up to maxPoints', () => {
    expect(parseRoutingPoints(many(10))).toHaveLength(10);
    expect(parseRoutingPoints(many(11), { maxPoints: 11 })).toHaveLength(11);
    expect(parseRoutingPoints(`${many(2)};`, { maxPoints: 2 })).toHaveLength(2);
  });

  test.each([
    ['no text', 5, 'routing-points', 'points'],
    ['an empty text', '', 'routing-points', 'points'],
    ['one point', '1,2', 'routing-points', 'points'],
    ['one point and ;', '1,2;', 'routing-points', 'points'],
    ['broken percent-encoding', '1,2;3,4%', 'routing-points', 'points'],
    ['percent-encoding that is not UTF-8', '1,2;3,4%FF', 'routing-points', 'points'],
    ['an empty point in the middle', '1,2;;3,4', 'routing-points', 'points[1]'],
    ['two ; at the end', '1,2;3,4;;', 'routing-points', 'points[2]'],
    ['one number', '1,2;3', 'routing-points', 'points[1]'],
    ['three numbers', '1,2,3;4,5', 'routing-points', 'points[0]'],
    ['comma decimals', '55,75,37,61;1,2', 'routing-points', 'points[0]'],
    ['11 points', many(11), 'limit-points', 'points'],
    ['a missing latitude', '1,2;1,2;1,2;,4', 'coord-type', 'points[3][0]'],
    ['a missing longitude', '1,2;3, ', 'coord-type', 'points[1][1]'],
    ['a word', '1,2;north,4', 'coord-type', 'points[1][0]'],
    ['NaN', 'NaN,2;3,4', 'coord-type', 'points[0][0]'],
    ['Infinity', '1,Infinity;3,4', 'coord-type', 'points[0][1]'],
    ['a hexadecimal', '0x10,2;3,4', 'coord-type', 'points[0][0]'],
    ['Arabic digits', '١,2;3,4', 'coord-type', 'points[0][0]'],
    ['a space inside', '1 0,2;3,4', 'coord-type', 'points[0][0]'],
    ['a text that is percent-encoded twice', '1,2;3%252C4', 'routing-points', 'points[1]'],
    ['an overflow', '1,1e999;3,4', 'coord-not-finite', 'points[0][1]'],
    ['a latitude beyond the pole', '1,2;90.0000001,4', 'lat-range', 'points[1][0]'],
    ['a longitude beyond 540', '1,2;3,540.1', 'lon-range', 'points[1][1]'],
  ])('%s: refused', (_, text, code, field) => {
    const error = errorOf(() => parseRoutingPoints(text as string));
    expect(error).toMatchObject({ code, field });
    expect(error.message).toMatch(/^expected .*, received /);
  });

  test('a pair that is valid only in the other order gets a hint', () => {
    expect(errorOf(() => parseRoutingPoints('122.4,37.8;1,2')).message).toContain('swapped?');
  });

  test.each([0, 1, 2.5, Number.NaN, '3', Number.POSITIVE_INFINITY])('maxPoints %s: refused', (maxPoints) => {
    const run = (): unknown => parseRoutingPoints('1,2;3,4', { maxPoints: maxPoints as number });
    expect(errorOf(run)).toMatchObject({ code: 'option-value', field: 'options.maxPoints' });
  });

  test('options that are not an object: refused', () => {
    const run = (): unknown => parseRoutingPoints('1,2;3,4', null as unknown as object);
    expect(errorOf(run)).toMatchObject({ code: 'option-type', field: 'options' });
  });

  // An algorithm of quadratic cost would take hours on these texts.
  test.each(['1', ' ', ';', '1x'])('megabytes of "%s" are refused', (piece) => {
    const text = `0,${piece.repeat(4e6)};0,x`;
    expect(errorOf(() => parseRoutingPoints(text)).field).toContain('points');
  });
});
