import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lonStep, splitBbox, wrapLon } from '../../src/core/angles.js';
import { readBbox, readList, readPosition, readPositions } from '../../src/core/input.js';
import { addCompensated, flushTiny } from '../../src/core/numbers.js';
import { errorOf } from '../errorOf.js';
import { volume } from '../volume.js';
import { wkt } from '../wkt.js';

describe('readPosition', () => {
  test.each([
    [[Number.NaN, 1], 'coord-not-finite', 'p[0]'],
    [[1, Number.POSITIVE_INFINITY], 'coord-not-finite', 'p[1]'],
    [[1, '55.7'], 'coord-type', 'p[1]'],
    [[null, 1], 'coord-type', 'p[0]'],
    [[1, 1n], 'coord-type', 'p[1]'],
    [[1], 'coord-type', 'p'],
    ['1,2', 'coord-type', 'p'],
    [null, 'coord-type', 'p'],
    [Object.assign(new Array(2), { 1: 1 }), 'coord-type', 'p[0]'],
    [[0, 90.0000001], 'lat-range', 'p[1]'],
    [[0, -122.14], 'lat-range', 'p[1]'],
    [[540.1, 0], 'lon-range', 'p[0]'],
  ])('%o is refused as %s at %s', (value, code, field) => {
    expect(errorOf(() => readPosition(value, 'p'))).toMatchObject({ code, field });
  });

  test('a pair that is valid only in the other order gets a hint; axes are never swapped silently', () => {
    expect(errorOf(() => readPosition([37, -122], 'p')).message).toContain('swapped?');
    expect(errorOf(() => readPosition([170, -122], 'p')).message).not.toContain('swapped?');
    expect(readPosition([37.6, 55.7], 'p')).toEqual([37.6, 55.7]);
    expect(readPosition([37.6, 55.7], 'p', 'latlon')).toEqual([55.7, 37.6]);
    expect(errorOf(() => readPosition([122, 37], 'p', 'latlon'))).toMatchObject({
      code: 'lat-range',
      field: 'p[0]',
    });
  });

  test('poles are accepted, -180 becomes 180, longitudes up to 540 wrap, tiny values become +0', () => {
    expect(readPosition([0, 90], 'p')).toEqual([0, 90]);
    expect(readPosition([-180, -90], 'p')).toEqual([180, -90]);
    expect(readPosition([181, 0], 'p')).toEqual([-179, 0]);
    expect(readPosition([540, 0], 'p')).toEqual([180, 0]);
    expect(readPosition([-540, 0], 'p')).toEqual([180, 0]);
    expect(readPosition([-0, 1e-320], 'p')).toEqual([0, 0]);
    expect(Object.is(readPosition([-0, -1e-13], 'p')[1], 0)).toBe(true);
  });

  test('a getter that throws and a revoked proxy become coded errors', () => {
    const throwing = [0, 0];
    Object.defineProperty(throwing, 1, {
      get() {
        throw new TypeError('no');
      },
    });
    expect(errorOf(() => readPosition(throwing, 'p'))).toMatchObject({
      code: 'input-unreadable',
      field: 'p',
    });
    const revoked = Proxy.revocable([0, 0], {});
    revoked.revoke();
    expect(errorOf(() => readPosition(revoked.proxy, 'p')).code).toBe('input-unreadable');
  });

  test('typed arrays and frozen pairs are read, altitude is ignored', () => {
    expect(readPosition(Float64Array.of(1, 2), 'p')).toEqual([1, 2]);
    expect(readPosition(Object.freeze([1, 2, 300]), 'p')).toEqual([1, 2]);
  });
});

test('readPositions reports the index of a bad position and refuses too long lists before reading them', () => {
  expect(errorOf(() => readPositions(wkt('0 0, 0 91'), 'line'))).toMatchObject({
    code: 'lat-range',
    field: 'line[1][1]',
  });
  const throwing = [0, 0];
  Object.defineProperty(throwing, 0, {
    get: () => {
      throw new Error('no');
    },
  });
  expect(errorOf(() => readPositions([[0, 0], throwing], 'line'))).toMatchObject({
    code: 'input-unreadable',
    field: 'line[1]',
  });
  expect(readPositions([Float64Array.of(541 - 360, -0)], 'line')).toEqual([[-179, 0]]);
  expect(errorOf(() => readPositions(new Array(1_000_001), 'line'))).toMatchObject({
    code: 'limit-vertices',
  });
  expect(errorOf(() => readPositions({ length: 1 }, 'line'))).toMatchObject({
    code: 'coord-type',
    field: 'line',
  });
});

test('a list whose length throws or is not a number is refused with its path', () => {
  const listOf = (length: () => number): unknown => new Proxy([], { get: length });
  const thrower = listOf(() => {
    throw new Error('no');
  });
  const unreadable = { code: 'input-unreadable' };
  expect(errorOf(() => readList(thrower, 'geometry'))).toMatchObject({ ...unreadable, field: 'geometry' });
  expect(errorOf(() => readPositions(thrower, 'line'))).toMatchObject({ ...unreadable, field: 'line' });
  expect(errorOf(() => readBbox(thrower, 'bbox'))).toMatchObject({ ...unreadable, field: 'bbox' });
  expect(
    errorOf(() =>
      readList(
        listOf(() => Number.NaN),
        'l',
      ),
    ).code,
  ).toBe('coord-type');
});

describe('readBbox', () => {
  test.each([
    [[0, 0, 1]],
    [[0, Number.NaN, 1, 1]],
    [[0, 2, 1, 1]],
    [[0, 0, 1, 91]],
    [['0', 0, 1, 1]],
    [[-600, 0, 1, 1]],
  ])('%o is bbox-invalid', (value) => {
    expect(errorOf(() => readBbox(value, 'bbox')).code).toBe('bbox-invalid');
  });

  test('a box over the antimeridian keeps west > east; 360° or more covers all longitudes', () => {
    expect(readBbox([170, -10, -170, 10], 'bbox')).toEqual([170, -10, -170, 10]);
    expect(readBbox([170, -10, 190, 10], 'bbox')).toEqual([170, -10, -170, 10]);
    expect(readBbox([-180, -90, 180, 90], 'bbox')).toEqual([-180, -90, 180, 90]);
    expect(readBbox([-180, 0, -170, 1], 'bbox')).toEqual([-180, 0, -170, 1]);
    expect(readBbox([-180, 0, -180, 1], 'bbox')).toEqual([180, 0, 180, 1]);
    expect(readBbox([-540, 0, -540, 1], 'bbox')).toEqual([180, 0, 180, 1]);
    expect(readBbox([180, 0, 190, 1], 'bbox')).toEqual([-180, 0, -170, 1]);
    expect(splitBbox([170, 0, -170, 1])).toEqual([
      [170, 0, 180, 1],
      [-180, 0, -170, 1],
    ]);
  });
});

test('wrapLon returns a value in (-180, 180] that differs by a multiple of 360; lonStep goes the short way', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -540, max: 540, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      (lon, other) => {
        const wrapped = wrapLon(lon);
        expect(wrapped).toBeGreaterThan(-180);
        expect(wrapped).toBeLessThanOrEqual(180);
        const turns = (lon - wrapped) / 360;
        expect(Math.abs(turns - Math.round(turns))).toBeLessThan(1e-12);
        const step = lonStep(wrapped, other);
        expect(Math.abs(step)).toBeLessThanOrEqual(180);
        expect(Math.abs(wrapLon(wrapped + step) - wrapLon(other)) % 360).toBeLessThan(1e-10);
      },
    ),
    { numRuns: volume(20_000) },
  );
});

test('a compensated sum keeps digits that a plain sum loses', () => {
  const total = { sum: 0, low: 0 };
  for (const term of [1, 1e100, 1, -1e100]) addCompensated(total, term);
  expect(total.sum + total.low).toBe(2);
  expect(flushTiny(-1e-12)).toBe(-1e-12);
  expect(flushTiny(9e-13)).toBe(0);
});
