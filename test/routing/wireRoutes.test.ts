import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { Route } from '../../src/core/wire.js';
import { distanceMeters, lengthMeters } from '../../src/index.js';
import { routeFromRouting, routeFromTrack, routeLengthMeters } from '../../src/routing/index.js';
import { readTrack } from '../../src/tracks/index.js';
import { errorOf } from '../errorOf.js';
import { seeded } from '../volume.js';
import { wkt } from '../wkt.js';

const T0 = Date.UTC(2026, 0, 1);
const fix = (i: number, lon: number, lat: number): Fix => ({ time: T0 + i * 60_000, lon, lat });
const places = (route: Route): (readonly [number, number])[] =>
  route.points.map((point) => point.geometry![0]!);

describe('routeFromTrack', () => {
  test('points lie at equal distances along the track and include the first and last fix', () => {
    const random = seeded(3);
    let [lon, lat] = [9.5, 47.1];
    const fixes = Array.from({ length: 300 }, (_, i) => {
      lon += (random() - 0.3) * 0.004;
      lat += (random() - 0.4) * 0.004;
      return fix(i, lon, lat);
    });
    const track = readTrack(fixes);
    const line = Array.from(track.lon, (x, i) => [x, track.lat[i]!] as const);
    const total = lengthMeters(line);
    const found = places(routeFromTrack(track, { points: 7 }));
    expect(found).toHaveLength(7);
    expect([found[0], found[6]]).toEqual([line[0], line.at(-1)]);
    // Walk the line and compare the distance at which each point is met.
    let [met, walked] = [0, 0];
    for (let i = 1; i < line.length && met < 7; i++) {
      const [a, b] = [line[i - 1]!, line[i]!];
      const step = lengthMeters([a, b]);
      while (met < 7) {
        const goal = (total * met) / 6;
        if (goal > walked + step + 1e-6) break;
        expect(Math.abs(lengthMeters([a, found[met]!]) - (goal - walked))).toBeLessThan(1e-3);
        met++;
      }
      walked += step;
    }
    expect(met).toBe(7);
  });

  test('names, widths, ids and axis order follow the options', () => {
    const track = readTrack([fix(0, 10, 50), fix(60, 10.5, 50)]);
    expect(
      routeFromTrack(track, {
        points: 2,
        widthMeters: 30,
        axisOrder: 'latlon',
        id: 'r',
        name: 'R',
        pointName: (n) => `P${n}`,
      }),
    ).toEqual({
      id: 'r',
      name: 'R',
      points: [
        { name: 'P1', type: { key: 'circle' }, width: 30, geometry: [[50, 10]] },
        { name: 'P2', type: { key: 'circle' }, width: 30, geometry: [[50, 10.5]] },
      ],
    });
    expect(routeFromTrack(track)).toMatchObject({ id: '', name: '', points: { length: 10 } });
  });

  test('a track over the antimeridian, and one that stays at one place', () => {
    const over = readTrack([fix(0, 179.9, 0), fix(10, -179.9, 0)]);
    const [, middle] = places(routeFromTrack(over, { points: 3 }));
    expect(Math.abs(middle![0])).toBeCloseTo(180, 9);
    const still = readTrack([fix(0, 1, 2), fix(1, 1, 2), fix(2, 1, 2)]);
    expect(places(routeFromTrack(still, { points: 4 }))).toEqual(new Array(4).fill([1, 2]));
  });

  test.each([
    [1, 10, 'option-value', 'options.points'],
    [2.5, 10, 'option-value', 'options.points'],
    [2, 0, 'option-value', 'options.widthMeters'],
  ])('%d points of %d m: refused', (points, widthMeters, code, field) => {
    const track = readTrack([fix(0, 1, 2), fix(1, 1.001, 2)]);
    expect(errorOf(() => routeFromTrack(track, { points, widthMeters }))).toMatchObject({ code, field });
  });

  test.each([
    [null, {}, 'track-invalid', 'track'],
    [{ length: 2 }, {}, 'track-invalid', 'track'],
    [readTrack([fix(0, 1, 2), fix(1, 1.001, 2)]), null, 'option-type', 'options'],
    [
      readTrack([fix(0, 1, 2), fix(1, 1.001, 2)]),
      { axisOrder: 'lat-lon' },
      'option-value',
      'options.axisOrder',
    ],
  ])('case %#: refused', (track, options, code, field) => {
    expect(errorOf(() => routeFromTrack(track as never, options as never))).toMatchObject({ code, field });
  });

  test('one fix is too short', () => {
    expect(errorOf(() => routeFromTrack(readTrack([fix(0, 1, 2)])))).toMatchObject({
      code: 'track-too-short',
      field: 'track',
    });
  });
});

describe('routeFromRouting', () => {
  const row = (...points: (readonly [number, number])[]): never => ({ style: {}, points }) as never;

  test('stops and legs in order; a leg that stays at one place is left out; the result is not changed', () => {
    const values = [row([1, 2], [1.5, 2], [2, 2]), row([2, 2], [2, 2]), row([2, 2], [1, 2])];
    const before = structuredClone(values);
    const { points, ...more } = routeFromRouting({ values }, { id: 'r', name: 'R', widthMeters: 40 });
    expect(more).toEqual({ id: 'r', name: 'R' });
    expect(points.map(({ name, type, geometry }) => [name, type.key, geometry])).toEqual([
      ['1', 'circle', [[1, 2]]],
      ['1 → 2', 'line', wkt('1 2, 1.5 2, 2 2')],
      ['2', 'circle', [[2, 2]]],
      ['3', 'circle', [[2, 2]]],
      ['3 → 4', 'line', wkt('2 2, 1 2')],
      ['4', 'circle', [[1, 2]]],
    ]);
    expect(new Set(points.map((point) => point.width))).toEqual(new Set([40]));
    expect(values).toEqual(before);
    const stops = routeFromRouting({ values }, { ways: false, pointName: (n) => `P${n}` }).points;
    expect(stops.map((point) => point.name)).toEqual(['P1', 'P2', 'P3', 'P4']);
  });

  test.each([
    [{}, {}, 'routing-result', 'result.values'],
    [{ values: [] }, {}, 'routing-result', 'result.values'],
    [{ values: [row()] }, {}, 'routing-result', 'result.values[0].points'],
    [{ values: [row([1, 2]), null] }, {}, 'routing-result', 'result.values[1].points'],
    [{ values: [{ points: [[1]] }] }, {}, 'routing-result', 'result.values[0].points[0]'],
    [{ values: [row([1, 2])] }, { widthMeters: 0 }, 'option-value', 'options.widthMeters'],
  ])('case %#: refused', (result, options, code, field) => {
    expect(errorOf(() => routeFromRouting(result as never, options))).toMatchObject({ code, field });
  });
});

describe('routeLengthMeters', () => {
  const point = (key: string, ...geometry: number[][]): never =>
    ({ name: '', type: { key }, geometry }) as never;

  test('circles, lines and polygons', () => {
    const line = [
      [2, 0],
      [2, 1],
      [3, 1],
    ] as const;
    const route = {
      points: [
        point('circle', [0, 0]),
        point('point', [1, 0]),
        point('line', ...line.map((pair) => [...pair])),
        point('polygon', [4, 0], [6, 0], [6, 2], [4, 2]),
      ],
    };
    const legs =
      distanceMeters([0, 0], [1, 0]) + distanceMeters([1, 0], [2, 0]) + distanceMeters([3, 1], [5, 1]);
    expect(routeLengthMeters(route)).toBeCloseTo(legs + lengthMeters(line), 6);
  });

  test('coordinates instead of geometry, latitude first, a polygon over the antimeridian', () => {
    const route = {
      points: [
        {
          name: '',
          type: { key: 'polygon' },
          coordinates: wkt('-1 179, 1 179, 1 -179, -1 -179'),
        },
        { name: '', type: { key: 'circle' }, coordinates: [[0, -179]] },
      ],
    } as never;
    expect(routeLengthMeters(route, { axisOrder: 'latlon' })).toBeCloseTo(
      distanceMeters([180, 0], [-179, 0]),
      6,
    );
  });

  test('no points and one point have length 0', () => {
    expect(routeLengthMeters({ points: [] })).toBe(0);
    expect(routeLengthMeters({ points: [point('circle', [5, 5])] })).toBe(0);
  });

  test('coordinates are read if geometry is null', () => {
    const at = (pair: readonly [number, number]) => ({
      ...(point('circle') as object),
      geometry: null,
      coordinates: [pair],
    });
    expect(routeLengthMeters({ points: [at([0, 0]), at([1, 0])] as never })).toBe(
      distanceMeters([0, 0], [1, 0]),
    );
    expect(errorOf(() => routeLengthMeters({ points: [] }, null as never))).toMatchObject({
      code: 'option-type',
      field: 'options',
    });
  });

  test.each([
    [{}, 'route-points', 'points'],
    [{ points: [point('square', [1, 2])] }, 'zone-type', 'points[0].type.key'],
    [{ points: [point('circle', [1, 2], [3, 4])] }, 'geometry-count', 'points[0].geometry'],
    [{ points: [point('line', [1, 2])] }, 'geometry-count', 'points[0].geometry'],
    [
      { points: [point('circle', [1, 2]), point('circle', [1, 92])] },
      'lat-range',
      'points[1].geometry[0][1]',
    ],
    [{ points: [null] }, 'coord-type', 'points[0].coordinates'],
  ])('%j: refused', (route, code, field) => {
    expect(errorOf(() => routeLengthMeters(route as never))).toMatchObject({ code, field });
  });
});
