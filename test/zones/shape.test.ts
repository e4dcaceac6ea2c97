import { describe, expect, test } from 'vitest';
import type { ZoneShape } from '../../src/core/wire.js';
import { readShape } from '../../src/zones/readShape.js';
import { ZoneIndex } from '../../src/zones/zoneIndex.js';
import { errorOf } from '../errorOf.js';
import { wkt } from '../wkt.js';

const polygon = (geometry: unknown, more: object = {}): ZoneShape =>
  ({ type: { key: 'polygon' }, geometry, ...more }) as unknown as ZoneShape;
const shape = (key: string, geometry: unknown, more: object = {}): ZoneShape =>
  ({ type: { key }, geometry, ...more }) as unknown as ZoneShape;

describe('an unusable shape is refused with a code at its field', () => {
  const square = wkt('0 0, 1 0, 1 1, 0 1');
  test.each([
    ['no shape', null, 'zone-type', 'type'],
    ['no type', {}, 'zone-type', 'type.key'],
    ['an unknown type', shape('blob', []), 'zone-type', 'type.key'],
    ['a GeoJSON Feature', { type: 'Feature', geometry: null, properties: {} }, 'zone-type', 'type.key'],
    ['an empty ring', polygon([]), 'ring-too-short', 'geometry'],
    ['a ring of one', polygon([[0, 0]]), 'ring-too-short', 'geometry'],
    ['a ring of two', polygon(wkt('0 0, 1 1')), 'ring-too-short', 'geometry'],
    ['a closed ring of two', polygon(wkt('0 0, 1 1, 0 0')), 'ring-too-short', 'geometry'],
    ['equal vertices', polygon(wkt('3 3, 3 3, 3 3, 3 3')), 'ring-too-short', 'geometry'],
    ['collinear vertices', polygon(wkt('0 0, 1 1, 2 2, 3 3')), 'ring-zero-area', 'geometry'],
    [
      'collinear across the antimeridian',
      polygon(wkt('179 0, -179 0, -178 0')),
      'ring-zero-area',
      'geometry',
    ],
    ['an edge of 180°', polygon(wkt('-90 0, 90 0, 0 40')), 'edge-ambiguous', 'geometry[0]'],
    ['a closing edge of 180°', polygon(wkt('90 0, 0 40, -90 0')), 'edge-ambiguous', 'geometry[2]'],
    ['a swapped pair', polygon(wkt('0 0, 37 -122, 1 1')), 'lat-range', 'geometry[1][1]'],
    [
      'a hole in the list',
      polygon(Object.assign(new Array(3), { 0: [0, 0], 2: [1, 1] })),
      'coord-type',
      'geometry[1]',
    ],
    ['no geometry', polygon(undefined), 'coord-type', 'geometry'],
    ['empty parts', polygon(square, { parts: [] }), 'ring-too-short', 'parts'],
    ['a part without rings', polygon(square, { parts: [[]] }), 'ring-too-short', 'parts[0]'],
    [
      'a bad hole',
      polygon(square, {
        parts: [
          [
            square,
            [
              [0, 0],
              [0, 'x'],
              [1, 1],
            ],
          ],
        ],
      }),
      'coord-type',
      'parts[0][1][1][1]',
    ],
    ['a circle without a width', shape('circle', [[0, 0]]), 'width-missing', 'width'],
    ['a negative radius', shape('circle', [[0, 0]], { width: -1 }), 'radius-range', 'width'],
    ['a NaN radius', shape('circle', [[0, 0]], { width: Number.NaN }), 'radius-range', 'width'],
    ['a radius over half the Earth', shape('circle', [[0, 0]], { width: 3e7 }), 'radius-range', 'width'],
    ['a circle of two pairs', shape('circle', wkt('0 0, 1 1'), { width: 5 }), 'geometry-count', 'geometry'],
    ['a point of no pair', shape('point', []), 'geometry-count', 'geometry'],
    ['a line without a width', shape('line', wkt('0 0, 1 1')), 'width-missing', 'width'],
    ['a line of width 0', shape('line', wkt('0 0, 1 1'), { width: 0 }), 'width-range', 'width'],
    ['a line too wide', shape('line', wkt('0 0, 1 1'), { width: 1e7 }), 'width-range', 'width'],
    ['a line of no position', shape('line', [], { width: 5 }), 'line-too-short', 'geometry'],
    ['a line edge of 180°', shape('line', wkt('0 0, 180 0'), { width: 5 }), 'edge-ambiguous', 'geometry[1]'],
  ])('%s', (_, input, code, field) => {
    expect(errorOf(() => readShape(input as ZoneShape))).toMatchObject({ code, field });
  });

  test('too many vertices and rings are refused before any is read', () => {
    expect(errorOf(() => readShape(polygon(new Array(1_000_001)))).code).toBe('limit-vertices');
    expect(errorOf(() => readShape(polygon([], { parts: [new Array(100_001)] }))).code).toBe('limit-rings');
  });

  test('errors of getters and proxies are wrapped, frozen input is read', () => {
    const throwing = {
      get type(): never {
        throw new Error('no');
      },
    };
    expect(errorOf(() => readShape(throwing as unknown as ZoneShape)).code).toBe('input-unreadable');
    const frozen = Object.freeze({
      type: Object.freeze({ key: 'polygon' as const }),
      geometry: Object.freeze(wkt('0 0, 1 0, 0 1').map((p) => Object.freeze(p))),
    });
    expect(readShape(frozen as unknown as ZoneShape).key).toBe('polygon');
  });

  test('a list that throws, lacks an item or contains typed pairs is read item by item', () => {
    const fail = (): never => {
      throw new Error('no');
    };
    const list: unknown[] = [[0, 0], [1, 0], Object.defineProperty([0, 1], 1, { get: fail })];
    expect(errorOf(() => readShape(polygon(list as never)))).toMatchObject({
      code: 'input-unreadable',
      field: 'geometry[2]',
    });
    Object.defineProperty(list, 1, { get: fail });
    expect(errorOf(() => readShape(polygon(list as never))).field).toBe('geometry[1]');
    const sparse: unknown[] = new Array(3);
    sparse[0] = [0, 0];
    sparse[2] = [0, 1];
    expect(errorOf(() => readShape(polygon(sparse as never)))).toMatchObject({
      code: 'coord-type',
      field: 'geometry[1]',
    });
    const { proxy, revoke } = Proxy.revocable([0, 0], {});
    revoke();
    expect(errorOf(() => readShape(polygon([[0, 0], proxy, [0, 1]] as never))).field).toBe('geometry[1]');
    const typed = [Float64Array.of(0, 0), Float64Array.of(1, 0), Float32Array.of(0, 1)];
    expect(readShape(polygon(typed as never)).key).toBe('polygon');
  });

  test('options are checked', () => {
    expect(errorOf(() => readShape(shape('point', [[0, 0]]), { axisOrder: 'xy' as 'lonlat' }))).toMatchObject(
      {
        code: 'option-value',
        field: 'options.axisOrder',
      },
    );
    expect(errorOf(() => readShape(shape('point', [[0, 0]]), { defaultWidthMeters: Number.NaN })).code).toBe(
      'width-range',
    );
  });
});

test('the messages for GeoJSON objects name its reader', () => {
  const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [1, 2] }, properties: {} };
  const reader = 'is read by fromGeoJson of wayzone/interchange';
  expect(errorOf(() => readShape(feature as never)).message).toContain(`a GeoJSON Feature ${reader}`);
  expect(errorOf(() => new ZoneIndex([feature] as never)).message).toContain(`a GeoJSON Feature ${reader}`);
  const collection = { type: 'FeatureCollection', features: [feature] };
  expect(errorOf(() => new ZoneIndex(collection as never))).toMatchObject({
    code: 'source-type',
    field: 'zones',
    message: `expected an iterable (a GeoJSON FeatureCollection ${reader}), received an object`,
  });
  expect(errorOf(() => readShape(shape('blob', []))).message).not.toContain('GeoJSON');
});

describe('a shape that is read', () => {
  const ringOf = (geometry: unknown): unknown => {
    const read = readShape(polygon(geometry));
    if (read.key !== 'polygon') throw new Error('not a polygon');
    return read.parts[0]!.map(({ coords, turns, pole }) => ({ coords: [...coords], turns, pole }));
  };

  test('has the same ring, closed or not, with or without repeated vertices', () => {
    const plain = ringOf(wkt('0 0, 1 0, 1 1'));
    expect(ringOf(wkt('0 0, 1 0, 1 1, 0 0'))).toEqual(plain);
    expect(ringOf(wkt('0 0, 0 0, 1 0, 1 1, 1 1, 0 0, 0 0'))).toEqual(plain);
  });

  test('has the same ring for longitudes past 180 and for wrapped ones', () => {
    expect(ringOf(wkt('179 0, 181 0, 181 2, 179 2'))).toEqual(ringOf(wkt('179 0, -179 0, -179 2, 179 2')));
  });

  test('encloses the pole of the smaller side, and the north pole if both are equal', () => {
    const round = (lat: number): number[][] => [
      [0, lat],
      [120, lat],
      [-120, lat],
    ];
    expect(ringOf(round(80))).toMatchObject([{ turns: 1, pole: 'north' }]);
    expect(ringOf(round(-80))).toMatchObject([{ turns: 1, pole: 'south' }]);
    expect(ringOf(round(0))).toMatchObject([{ pole: 'north' }]);
    expect(ringOf(round(0).reverse())).toMatchObject([{ turns: -1, pole: 'north' }]);
  });

  test('loses an edge to the pole and back along one meridian, and its ring records the pole inside', () => {
    const seamed = ringOf(wkt('-180 10, -90 10, 0 10, 90 10, 180 10, 180 -90, -180 -90'));
    expect(seamed).toEqual([{ coords: [180, 10, -90, 10, 0, 10, 90, 10], turns: 1, pole: 'south' }]);
  });

  test('is a band from pole to pole for the box of the whole world', () => {
    expect(ringOf(wkt('-180 -90, 180 -90, 180 90, -180 90, -180 -90'))).toEqual([
      { coords: [180, -90, -60, -90, 60, -90], turns: 1, pole: null },
      { coords: [180, 90, 60, 90, -60, 90], turns: -1, pole: null },
    ]);
  });

  test('takes the width of a line as the whole corridor, or of each side by option, or from a default', () => {
    const line = shape('line', wkt('0 0, 1 0, 1 0'), { width: 100 });
    expect(readShape(line)).toMatchObject({ halfWidth: 50, coords: Float64Array.of(0, 0, 1, 0) });
    expect(readShape(line, { lineWidth: 'each-side' })).toMatchObject({ halfWidth: 100 });
    expect(readShape(shape('line', [[0, 0]]), { defaultWidthMeters: 30 })).toMatchObject({ halfWidth: 15 });
    expect(readShape(shape('point', [[5, 6]]))).toMatchObject({ radius: 0, lon: 5, lat: 6 });
    expect(readShape(shape('point', [[5, 6]]), { axisOrder: 'latlon' })).toMatchObject({ lon: 6, lat: 5 });
  });
});
