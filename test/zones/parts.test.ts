import { describe, expect, test } from 'vitest';
import type { Bbox, MultiPolygon, Polygon, Position } from '../../src/core/geometry.js';
import { edgeDistance } from '../../src/geodesy/edgeDistance.js';
import { lineMeters, measureRing } from '../../src/geodesy/edgeSums.js';
import { directPosition, inverseMeters } from '../../src/geodesy/karney.js';
import { completeGeozone, corridor, measureZone, zoneContains } from '../../src/index.js';
import { pointInRing } from '../../src/planar/orient2d.js';
import { densifyGeodesic, densifyLonLat } from '../../src/zones/corridor/mapCorridor.js';
import { corridorPlanOf, readCorridor } from '../../src/zones/corridor/readCorridor.js';
import { Resolver } from '../../src/zones/corridor/resolver.js';
import { meetsBox } from '../../src/zones/index/query/zonesInBox.js';
import { discRings } from '../../src/zones/kinds/index.js';
import { prepareZone } from '../../src/zones/preparedZone.js';
import { readShape } from '../../src/zones/readShape.js';
import { lonBoxes, segmentBoxes } from '../../src/zones/unrolledRing.js';
import { errorOf } from '../errorOf.js';
import { authalic, shortStep } from '../geodesy/oracle.js';
import { box } from './index/worlds.js';

const square = (west: number, south: number, east: number, north: number): never =>
  ({
    type: { key: 'polygon' },
    geometry: box(west, south, east, north),
  }) as never;

const unbounded = new Resolver(corridorPlanOf(Float64Array.of(0, 0), 1, {}), false);

describe('boxes of longitudes', () => {
  test('one box, or two across the antimeridian; 180 is in boxes at both ends of the map', () => {
    expect(lonBoxes(10, 20, 1, 2)).toEqual([[expect.closeTo(10, 9), 1, expect.closeTo(20, 9), 2]]);
    expect(lonBoxes(10, 20, 1, 2)[0]![0]).toBeLessThan(10);
    expect(lonBoxes(10, 20, 1, 2)[0]![2]).toBeGreaterThan(20);
    expect(lonBoxes(170, 190, 1, 2)).toEqual([
      [expect.closeTo(170, 9), 1, 180, 2],
      [-180, 1, expect.closeTo(-170, 9), 2],
    ]);
    expect(lonBoxes(170, 180, 1, 2)).toHaveLength(2);
    expect(lonBoxes(-180, -170, 1, 2)).toContainEqual([expect.closeTo(180, 9), 1, 180, 2]);
    expect(lonBoxes(-190, -170, 1, 2)).toContainEqual([expect.closeTo(170, 9), 1, 180, 2]);
    expect(lonBoxes(0, 360, 1, 2)).toEqual([[-180, 1, 180, 2]]);
    expect(lonBoxes(5, 364.9, 1, 2)).toHaveLength(2);
    expect(segmentBoxes(10, 5, 20, -5)).toEqual([[expect.closeTo(10, 9), -5, expect.closeTo(20, 9), 5]]);
    expect(segmentBoxes(170, 5, -170, 6)).toHaveLength(2);
    expect(segmentBoxes(10, 90, 20, 80)).toEqual([[-180, 80, 180, 90]]);
    expect(segmentBoxes(10, -90, 20, 80)).toEqual([[-180, -90, 180, 80]]);
  });

  test.each([
    ['apart, east', [2, 0, 3, 1], false],
    ['apart, north', [0, 2, 1, 3], false],
    ['apart, south', [0, -3, 1, -2], false],
    ['apart, west', [-3, 0, -2, 1], false],
    ['a corner', [1, 1, 2, 2], true],
    ['a side', [1, 0.2, 2, 0.4], true],
    ['inside it', [0.2, 0.2, 0.4, 0.4], true],
    ['around it', [-5, -5, 5, 5], true],
    ['across it, upwards', [0.4, -5, 0.6, 5], true],
    ['across it, sideways', [-5, 0.4, 5, 0.6], true],
    ['a third of the Earth, across it', [-60, 0.4, 60, 0.6], true],
    ['all longitudes, above', [-180, 2, 180, 3], false],
    ['all longitudes, through', [-180, 0.5, 180, 3], true],
    ['all longitudes, from its middle to a pole', [-180, -90, 180, 0.5], true],
  ] as const)('a square and a box: %s', (_, box, wanted) => {
    expect(meetsBox(prepareZone(square(0, 0, 1, 1)), box)).toBe(wanted);
  });

  test('a zone on the antimeridian meets boxes at both ends of the map; one at a pole meets all that contain the pole', () => {
    const point = (lon: number, lat: number): ReturnType<typeof prepareZone> =>
      prepareZone({ type: { key: 'point' }, geometry: [[lon, lat]] });
    for (const lon of [180, -180]) {
      expect(meetsBox(point(lon, 5), [-180, 0, -170, 10])).toBe(true);
      expect(meetsBox(point(lon, 5), [170, 0, 180, 10])).toBe(true);
      expect(meetsBox(point(lon, 5), [-170, 0, -160, 10])).toBe(false);
      expect(meetsBox(point(lon, 50), [-180, 0, -170, 10])).toBe(false);
    }
    expect(meetsBox(point(7, 90), [20, 80, 30, 90])).toBe(true);
    expect(meetsBox(point(7, -90), [20, -90, 30, -80])).toBe(true);
    expect(meetsBox(point(7, -90), [20, 80, 30, 90])).toBe(false);
    expect(meetsBox(point(7, 50), [20, 40, 30, 60])).toBe(false);
    expect(meetsBox(point(50, 5), [-180, 0, -170, 10])).toBe(false);
    const across = prepareZone(square(179, 0, -179, 1));
    for (const box of [[-180, 0.2, -179.5, 0.4], [179.5, 0.2, 180, 0.4], [-179.2, -5, -179.1, 5]] as Bbox[]) // biome-ignore format: boxes
      expect(meetsBox(across, box)).toBe(true);
    expect(meetsBox(across, [-178, 0, 178, 1])).toBe(false);
  });
});

describe('discs', () => {
  test('a disc contains one pole, both or none', () => {
    const poles = (lat: number, radius: number): unknown[] =>
      discRings({ lon: 10, lat, radius }, radius / 1000).map(({ pole, hole }) => [pole, hole]);
    expect(poles(0, 1000)).toEqual([[null, false]]);
    expect(poles(89.9, 100_000)).toEqual([['north', false]]);
    expect(poles(-89.9, 100_000)).toEqual([['south', false]]);
    expect(poles(0, 15_000_000).at(-1)).toEqual([null, true]);
    expect(poles(80, inverseMeters(10, 80, 0, 90))).toEqual([[null, false]]);
    expect(poles(-80, inverseMeters(10, -80, 0, -90))).toEqual([[null, false]]);
  });
});

describe('the line of a corridor', () => {
  const plan = (line: Position[], width: number, options: object = {}): ReturnType<typeof readCorridor> =>
    readCorridor(line, width, options);

  test('is read with continuous longitudes near the middle of the map, without repeats', () => {
    const coords = (...line: Position[]): number[] => [...plan(line, 10).coords];
    expect(coords([1, 2], [1, 2], [3, 4], [3, 4])).toEqual([1, 2, 3, 4]);
    expect(coords([1, 2], [3, 2], [1, 2])).toEqual([1, 2, 3, 2, 1, 2]);
    expect(coords([179, 0], [-178, 1])).toEqual([-181, 0, -178, 1]);
    expect(coords([178, 0], [-179, 1])).toEqual([178, 0, 181, 1]);
    expect(coords([-178, 0], [179, 1])).toEqual([-178, 0, -181, 1]);
    expect(coords([170, 0], [-100, 0], [-10, 5])).toEqual([-190, 0, -100, 0, -10, 5]);
    expect(coords([-170, 0], [100, 0], [10, 5])).toEqual([190, 0, 100, 0, 10, 5]);
    expect(coords([1, 2], [1, 3])).toEqual([1, 2, 1, 3]);
    expect(coords([7, 8])).toEqual([7, 8]);
  });

  test('has a tolerance of a thousandth of the half-width, from 1 cm to a quarter of the half-width', () => {
    expect(plan([[0, 0]], 1000)).toMatchObject({
      radius: 500,
      tolerance: 0.5,
      cap: 'round',
      edges: 'lonlat',
    });
    expect(plan([[0, 0]], 1000, { lineWidth: 'each-side' })).toMatchObject({ radius: 1000, tolerance: 1 });
    expect(plan([[0, 0]], 10)).toMatchObject({ radius: 5, tolerance: 0.01 });
    expect(plan([[0, 0]], 0.02)).toMatchObject({ radius: 0.01, tolerance: 0.0025 });
    expect(plan([[0, 0]], 1e-4)).toMatchObject({ radius: 1e-3 });
    expect(plan([[0, 0]], 1000, { toleranceMeters: 300 })).toMatchObject({ tolerance: 125 });
    expect(errorOf(() => plan([], 5))).toMatchObject({ code: 'line-too-short', field: 'line' });
    expect(errorOf(() => plan([[0, 0], [180, 0]], 5))).toMatchObject({ code: 'edge-ambiguous', field: 'line[1]' }); // biome-ignore format: line
    expect(errorOf(() => plan([[0, 0], [180, 0]], 5, { edges: 'geodesic' }))).toMatchObject({ code: 'edge-ambiguous', field: 'line[1]' }); // biome-ignore format: line
    for (const width of [0, -1, 2_000_001, Number.NaN, '5', null])
      expect(errorOf(() => plan([[0, 0]], width as never))).toMatchObject({
        code: 'width-range',
        field: 'widthMeters',
      });
    expect(plan([[0, 0]], 2_000_000).radius).toBe(1_000_000);
  });

  test('gets enough vertices that straight edges are near the true ones, but no more', () => {
    const geodesic = (a: Position, b: Position, tolerance: number): Float64Array =>
      densifyGeodesic({ tolerance } as never, Float64Array.from([...a, ...b]), unbounded);
    for (const [a, b, tolerance, count] of [
      [[0, 0], [0, 10], 100, 8],
      [[0, 0], [10, 0], 1, 1],
      [[0, 60], [10, 60], 100, 32],
      [[-5, -40], [5, -50], 1000, 32],
    ] as [Position, Position, number, number][]) {
      const coords = geodesic(a, b, tolerance);
      expect([a, b, coords.length / 2 - 1]).toEqual([a, b, count]);
      expect([...coords.slice(0, 2), ...coords.slice(-2)]).toEqual([...a, ...b]);
      for (let i = 2; i < coords.length; i += 2) {
        const [aLon, aLat, bLon, bLat] = coords.slice(i - 2, i + 2) as unknown as [
          number,
          number,
          number,
          number,
        ];
        const whole = inverseMeters(aLon, aLat, bLon, bLat);
        const middle = [(aLon + bLon) / 2, (aLat + bLat) / 2] as const;
        const off = inverseMeters(...middle, aLon, aLat) + inverseMeters(...middle, bLon, bLat) - whole;
        expect(Math.sqrt((Math.max(0, off) * whole) / 2)).toBeLessThan(0.15 * tolerance + 1e-3);
      }
    }
    const lonLat = densifyLonLat(
      { radius: 1000, tolerance: 1 } as never,
      Float64Array.from([0, 0, 0, 10, 30, 60, 40, 60]),
    );
    const count = lonLat.length / 2;
    expect(count).toBe(108);
    expect([...lonLat.slice(0, 2), ...lonLat.slice(-4)]).toEqual([0, 0, 30, 60, 40, 60]);
    const turn = lonLat.indexOf(10);
    expect(lonLat[turn - 1]).toBe(0);
    for (let i = 2; i <= turn; i += 2) expect(lonLat[i]).toBe(0);
  });
});

describe('corridors', () => {
  const LINES: [string, Position[], number, object][] = [
    ['a street', [[37.6, 55.75], [37.61, 55.752], [37.62, 55.748]], 40, {}],
    ['a sharp turn', [[10, 50], [10.1, 50], [10.02, 50.01]], 800, {}],
    ['over the antimeridian', [[179.9, -20], [-179.9, -20.1]], 5000, {}],
    ['a country', [[10, 45], [20, 50], [30, 47]], 50_000, {}],
    ['wide', [[0, 10], [10, 12]], 800_000, {}],
    ['round a pole', [[0, 85], [90, 86], [170, 85]], 100_000, {}],
    ['over a pole', [[0, 88], [179, 88]], 50_000, { edges: 'geodesic' }],
    ['geodesic', [[-10, 50], [20, 60]], 20_000, { edges: 'geodesic' }],
    ['there and back', [[10, 50], [10.1, 50], [10, 50]], 500, {}],
    ['a place', [[10, 50]], 1000, {}],
  ]; // biome-ignore format: lines

  test.each(LINES)(
    '%s: each vertex is half the width away, and the area is that of the line',
    (name, line, width, options) => {
      const shape = corridor(line, width, options) as Polygon | MultiPolygon;
      const parts = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
      const tolerance = Math.max(0.01, width / 2000);
      const isGeodesic = 'edges' in options;
      const dense = isGeodesic
        ? [
            ...densifyGeodesic(
              { tolerance: tolerance / 2 } as never,
              Float64Array.from(line.flat()),
              unbounded,
            ),
          ]
        : line.flat();
      const least = ([lon, lat]: Position): number => {
        let meters = inverseMeters(lon, lat, dense[0]!, dense[1]!);
        for (let i = 2; i < dense.length; i += 2)
          meters = Math.min(
            meters,
            edgeDistance(lon, lat, wrap(dense[i - 2]!), dense[i - 1]!, wrap(dense[i]!), dense[i + 1]!),
          );
        return meters;
      };
      let area = 0;
      for (const rings of parts) {
        rings.forEach((ring, r) => {
          area += (r === 0 ? 1 : -1) * measureRing(ring.flat()).area;
          for (const [i, position] of ring.entries()) {
            // Geodesics are compared as many short edges, which is slow, so some positions of the boundary suffice.
            if (isGeodesic && i % Math.ceil(ring.length / 12) !== 0) continue;
            // The edge of the map is not an edge of the corridor.
            if (Math.abs(position[0]) === 180 || Math.abs(position[1]) === 90) continue;
            expect(Math.abs(least(position) - width / 2)).toBeLessThanOrEqual(tolerance * 1.01);
            const next = ring[(i + 1) % ring.length]!;
            if (Math.abs(next[0]) === 180 || Math.abs(next[1]) === 90) continue;
            const middle: Position = [
              wrap(position[0] + shortStep(position[0], next[0]) / 2),
              (position[1] + next[1]) / 2,
            ];
            expect(Math.abs(least(middle) - width / 2)).toBeLessThanOrEqual(tolerance * 1.01);
          }
        });
      }
      const length = name === 'there and back' ? lineMeters(dense) / 2 : lineMeters(dense);
      const wanted = length * width + (Math.PI * width * width) / 4;
      if (!['a sharp turn', 'round a pole', 'wide'].includes(name)) expect(area / wanted).toBeCloseTo(1, 2);
      else expect(Math.abs(area / wanted - 1)).toBeLessThan(0.15);
      for (let i = 0; i < line.length; i++) {
        const [lon, lat] = line[i]!;
        const isIn = parts.some((rings) => pointInRing(lon, lat, rings[0]!.flat()) >= 0);
        if (Math.abs(lat) < 80) expect(isIn).toBe(true);
      }
    },
  );

  test('the corridor of a loop has a hole', () => {
    const loop: Position[] = [[10, 50], [10.1, 50], [10.1, 50.1], [10, 50.1], [10, 50]]; // biome-ignore format: loop
    const { type, coordinates } = corridor(loop, 500) as Polygon;
    expect([type, coordinates.length]).toEqual(['Polygon', 2]);
    expect(pointInRing(10.05, 50.05, coordinates[1]!.flat())).toBe(1);
  });
});

const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon <= -180 ? lon + 360 : lon);

describe('prepared shapes with invalid numbers', () => {
  const message = (shape: unknown, options: object = {}): string => {
    const error = errorOf(() => readShape(shape as never, options, 'zone.'));
    return `${error.code} ${error.field}: ${error.message}`;
  };
  test.each([
    [null, 'zone-type zone.type: expected a zone shape, received null'],
    [
      { type: { key: 'blob' } },
      'zone-type zone.type.key: expected one of point, circle, line, polygon, received "blob"',
    ],
    [
      { type: { key: 'circle' }, geometry: [[0, 0]], width: '5' },
      'radius-range zone.width: expected a width in metres, not negative, received "5"',
    ],
    [
      { type: { key: 'circle' }, geometry: [[0, 0]], width: Number.NaN },
      'radius-range zone.width: expected a width in metres, not negative, received NaN',
    ],
    [
      { type: { key: 'circle' }, geometry: [[0, 0]], width: -1 },
      'radius-range zone.width: expected a width in metres, not negative, received -1',
    ],
    [
      { type: { key: 'line' }, geometry: [[0, 0]], width: 0 },
      'width-range zone.width: expected a corridor width above 0, up to 2000000 m, received 0',
    ],
    [
      { type: { key: 'polygon' }, geometry: [], parts: [[]] },
      'ring-too-short zone.parts[0]: expected at least one ring, received "none"',
    ],
  ])('%j', (shape, wanted) => {
    expect(message(shape)).toBe(wanted);
  });
});

describe('corridors and rings around the Earth and at its poles', () => {
  test.each([-20, 20])('a corridor along the parallel of %i is the band between two parallels', (lat) => {
    const line = {
      type: { key: 'line' },
      width: 200_000,
      geometry: [-180, -60, 60, 180].map((lon) => [lon, lat]),
    };
    const edge = (azimuth: number): number => directPosition(0, lat, azimuth, 100_000)[1];
    const wanted = 2 * Math.PI * (authalic(edge(0)) - authalic(edge(180)));
    expect(measureZone(line as never).area! / wanted).toBeCloseTo(1, 3);
  });

  test('by the half-open rule a pole is in a zone or not, for any given longitude', () => {
    const zones: [number, number][][] = [
      [[0, 80], [120, 80], [-120, 80]],
      [[0, 90], [0, 80], [90, 80], [90, 90]],
      [[-90, 90], [-90, 80], [10, 80], [10, 90]],
      [[0, -90], [90, -90], [90, -80], [0, -80]],
    ]; // biome-ignore format: rings
    for (const geometry of zones) {
      const zone = { type: { key: 'polygon' }, geometry } as never;
      for (const lat of [90, -90]) {
        const answers = [0, 5, 45, 100, 180, -170, -45].map((lon) =>
          zoneContains(zone, [lon, lat], { boundary: 'half-open' }),
        );
        expect(new Set(answers).size).toBe(1);
      }
    }
  });
});

describe('completeGeozone', () => {
  test('drops an empty width, and reports a polygon that differs', () => {
    const ring = [[0, 0], [1, 0], [1, 1]]; // biome-ignore format: ring
    const zone = { id: 'z', name: 'Z', type: { key: 'polygon' }, geometry: ring, width: null };
    expect(completeGeozone(zone as never)).not.toHaveProperty('width');
    const issues: object[] = [];
    const line = { ...zone, type: { key: 'line' }, width: 20, polygon_geometry: [[0, 0]] };
    completeGeozone(line as never, { onIssue: (issue) => issues.push(issue) });
    expect(issues).toMatchObject([
      { code: 'polygon-differs', severity: 'warning', field: 'polygon_geometry' },
    ]);
  });
});
