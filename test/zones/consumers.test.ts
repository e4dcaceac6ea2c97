/** Hostile inputs, "Geometry": all functions that take a shape refuse it with the same code and field. */

import { describe, expect, test } from 'vitest';
import { measureZone, ZoneIndex, type ZoneShape, zoneContains, zoneOutline } from '../../src/index.js';
import { shapeProblems } from '../../src/zones/shapeProblems.js';
import { errorOf } from '../errorOf.js';
import { wkt } from '../wkt.js';

const shape = (key: string, geometry: unknown, more: object = {}): ZoneShape =>
  ({ type: { key }, geometry, ...more }) as unknown as ZoneShape;
const { proxy: revoked, revoke } = Proxy.revocable([], {});
revoke();
const thrower = Object.defineProperty([0, 0], 1, {
  get: () => {
    throw new Error('no');
  },
});
const line = wkt('0 0, 1 1, 2 2');

describe('the same code and field from all functions', () => {
  test.each([
    [
      'a latitude that is not a number',
      shape('polygon', [
        [0, 0],
        [1, '55.7'],
        [1, 1],
      ]),
      'coord-type',
      'geometry[1][1]',
    ],
    ['an infinite one', shape('point', [[0, Infinity]]), 'coord-not-finite', 'geometry[0][1]'],
    ['beyond the pole', shape('circle', [[0, 90.0000001]], { width: 1 }), 'lat-range', 'geometry[0][1]'],
    ['beyond 540', shape('line', [[540.1, 0]], { width: 1 }), 'lon-range', 'geometry[0][0]'],
    ['swapped', shape('point', [[37, -122]]), 'lat-range', 'geometry[0][1]'],
    ['two vertices', shape('polygon', line.slice(1)), 'ring-too-short', 'geometry'],
    ['on one line', shape('polygon', line), 'ring-zero-area', 'geometry'],
    ['half the Earth', shape('polygon', wkt('0 0, 0 0, 180 0, 90 40')), 'edge-ambiguous', 'geometry[1]'],
    ['a radius beyond the Earth', shape('circle', [[0, 0]], { width: 3e7 }), 'radius-range', 'width'],
    ['too many vertices', shape('polygon', new Array(1_000_001)), 'limit-vertices', 'geometry'],
    ['too many rings', shape('polygon', [], { parts: [new Array(100_000)] }), 'limit-rings', 'parts'],
    ['a sparse array', shape('polygon', new Array(3)), 'coord-type', 'geometry[0]'],
    ['a getter that throws', shape('polygon', [[0, 0], thrower]), 'input-unreadable', 'geometry[1]'],
    ['a revoked proxy', shape('polygon', revoked), 'coord-type', 'geometry'],
  ])('%s', (_, input, code, field) => {
    expect(errorOf(() => zoneContains(input, [0, 0]))).toMatchObject({ code, field });
    expect(errorOf(() => measureZone(input))).toMatchObject({ code, field });
    expect(errorOf(() => zoneOutline(input))).toMatchObject({ code, field });
    const zone = { id: 'a', name: 'a', ...input };
    expect(errorOf(() => new ZoneIndex([zone]))).toMatchObject({ code });
    expect(shapeProblems(input)[0]).toMatchObject({ reason: code, field });
  });

  test('shapes that only validation refuses are read by all other functions', () => {
    const tie = shape('polygon', wkt('0 0, 2 2, 2 0, 0 2'));
    expect(zoneContains(tie, [1.5, 1])).toBe(true);
    expect(measureZone(tie).area).toBeGreaterThanOrEqual(0);
    expect(new ZoneIndex([{ id: 'a', name: 'a', ...tie }]).at([1.5, 1])).toEqual(['a']);
    expect(shapeProblems(tie)).toMatchObject([{ reason: 'ring-self-intersects', segments: [0, 2] }]);
  });
});
