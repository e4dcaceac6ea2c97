import { describe, expect, test } from 'vitest';
import { wrapLon } from '../../src/core/angles.js';
import type { Bbox, Position } from '../../src/core/geometry.js';
import { geodesicMidpoint } from '../../src/geodesy/destination.js';
import { discAreaPerimeter, discRing } from '../../src/geodesy/disc.js';
import {
  decidedDistance,
  distanceMeters,
  geodesicDistance,
  LOCAL_METERS,
  localErrorBound,
} from '../../src/geodesy/distanceMeters.js';
import { edgeDistance, exactEdgeDistance, nearerEdgeDistance } from '../../src/geodesy/edgeDistance.js';
import { edgeLength, lengthMeters, lineMeters } from '../../src/geodesy/edgeSums.js';
import { EARTH_AREA, MERIDIAN_HALF } from '../../src/geodesy/ellipsoid.js';
import { directPosition, geodesicSpan, inverseMeters } from '../../src/geodesy/karney.js';
import { LegendreSeries } from '../../src/geodesy/legendreSeries.js';
import { bboxDistanceLowerBound, edgeDistanceLowerBound, expandBbox } from '../../src/geodesy/lowerBounds.js';
import { sublevelIntervals } from '../../src/geodesy/sublevelIntervals.js';
import { errorOf } from '../errorOf.js';
import { fineLength, shortStep, simpson } from './oracle.js';

const RAD = Math.PI / 180;
const A = 6_378_137;
const E2 = (1 / 298.257223563) * (2 - 1 / 298.257223563);

/** Radii of curvature along and across the meridian. */
function radii(lat: number): readonly [meridian: number, normal: number] {
  const w = 1 - E2 * Math.sin(lat * RAD) ** 2;
  return [(A * (1 - E2)) / w ** 1.5, A / Math.sqrt(w)];
}

/** The minimal distance to an edge: samples, then golden-section search around the best one. */
function leastDistance(q: Position, a: Position, b: Position): number {
  const lonSpan = shortStep(a[0], b[0]);
  const meters = (t: number): number => {
    const lat = t < 0.5 ? a[1] + (b[1] - a[1]) * t : b[1] - (b[1] - a[1]) * (1 - t);
    return inverseMeters(q[0], q[1], t < 0.5 ? a[0] + lonSpan * t : b[0] - lonSpan * (1 - t), lat);
  };
  const steps = 200;
  const values = Array.from({ length: steps + 1 }, (_, i) => meters(i / steps));
  let least = Math.min(...values);
  values.forEach((value, i) => {
    if (value > (values[i - 1] ?? Infinity) || value > (values[i + 1] ?? Infinity)) return;
    let low = Math.max(0, (i - 1) / steps);
    let high = Math.min(1, (i + 1) / steps);
    const ratio = (Math.sqrt(5) - 1) / 2;
    for (let round = 0; round < 60; round++) {
      const [left, right] = [high - ratio * (high - low), low + ratio * (high - low)];
      if (meters(left) <= meters(right)) high = right;
      else low = left;
    }
    least = Math.min(least, meters((low + high) / 2));
  });
  return least;
}

describe('the distance to an edge', () => {
  // A position and the two ends of an edge.
  const CASES: readonly [string, Position, Position, Position][] = [
    ['a street, beside it', [37.6, 55.75], [37.601, 55.751], [37.603, 55.749]],
    ['a street, before its first end', [37.6, 55.75], [37.602, 55.75], [37.61, 55.75]],
    ['a street, beyond its second end', [37.62, 55.75], [37.602, 55.75], [37.61, 55.752]],
    ['on the edge', [10.5, 45.25], [10, 45], [11, 45.5]],
    ['a meridian', [10.02, 45], [10, 44.9], [10, 45.1]],
    ['a parallel', [10, 60.02], [9.9, 60], [10.1, 60]],
    ['over the antimeridian', [-179.99, 10.01], [179.9, 10], [-179.9, 10.02]],
    ['over the antimeridian, from the other side', [179.99, 9.99], [-179.9, 10.02], [179.9, 10]],
    ['a country', [20, 50], [10, 45], [30, 52]],
    ['a country, one end nearest', [20, 70], [10, 45], [30, 55]],
    ['a parallel of the north, as an arc', [0, 80], [-80, 70], [80, 70]],
    ['round a position', [0, 89], [-120, 88], [60, 88.5]],
    ['along a parallel near the pole', [5, 89.999], [-90, 89.99], [80, 89.99]],
    ['from the pole', [0, 90], [-60, 80], [70, 82]],
    ['to the pole', [30, 85], [0, 90], [0, 60]],
    ['thousands of kilometres off', [-100, -30], [60, 20], [80, 40]],
    ['half the Earth away', [-179, -1], [0, 0], [2, 1.5]],
    ['an ocean', [-30, 10], [-70, 40], [-10, 50]],
    ['from pole to pole', [90, 5], [0, -90], [20, 90]],
    ['beside the antipode', [180, 0.3], [-20, 0.1], [20, -0.2]],
    ['southern', [-70, -55], [-69.9, -54.95], [-69.7, -55.1]],
    ['ends as one', [1, 1], [1.5, 1.5], [1.5, 1.5]],
    ['a metre long', [25, 25], [25.0001, 25.0001], [25.00011, 25.0001]],
  ];

  test.each(CASES)('%s: equals the minimum', (_, q, a, b) => {
    const wanted = leastDistance(q, a, b);
    const room = Math.max(1.2e-6, 1.2e-9 * wanted);
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const exact = exactEdgeDistance(...q, ...from, ...to);
      expect(Math.abs(exact - wanted)).toBeLessThan(room);
      expect(Math.abs(edgeDistance(...q, ...from, ...to) - wanted)).toBeLessThan(room);
      expect(exact).toBeLessThanOrEqual(Math.min(inverseMeters(...q, ...from), inverseMeters(...q, ...to)));
      // With a limit, only the side of the limit matters. At the limit itself the exact distance is returned.
      expect(edgeDistance(...q, ...from, ...to, exact)).toBe(exact);
      expect(nearerEdgeDistance(Infinity, ...q, ...from, ...to, exact)).toBe(exact);
      expect(Math.abs(nearerEdgeDistance(Infinity, ...q, ...from, ...to) - wanted)).toBeLessThan(room);
      expect(nearerEdgeDistance(wanted / 2, ...q, ...from, ...to)).toBe(wanted / 2);
      expect(Math.abs(nearerEdgeDistance(wanted + 10, ...q, ...from, ...to) - wanted)).toBeLessThan(room);
      const bound = edgeDistanceLowerBound(...q, ...from, ...to);
      expect(bound).toBeGreaterThanOrEqual(0);
      expect(bound).toBeLessThanOrEqual(wanted);
    }
  });

  test('the lower bound is within 0.4 % plus the bulge of the edge', () => {
    const loss = (q: Position, a: Position, b: Position): number =>
      edgeDistance(...q, ...a, ...b) - edgeDistanceLowerBound(...q, ...a, ...b);
    for (const [lon, lat] of [
      [0, 0],
      [37, 55],
      [-120, -72],
    ] as const) {
      for (const [east, north] of [
        [1, 0.2],
        [-0.4, 0.8],
        [0.01, -0.02],
      ] as const) {
        const [a, b] = [[lon + east, lat + north] as const, [lon + east, lat + north + 0.001] as const];
        const meters = edgeDistance(lon, lat, ...a, ...b);
        expect(loss([lon, lat], a, b)).toBeLessThan(0.0041 * meters + 111 ** 2 / 5e7 + 1e-6);
      }
    }
  });
});

describe('the lower bound of the distance to a box', () => {
  const BOX: Bbox = [10, 40, 12, 41];
  const OVER: Bbox = [179, -10, -179, 10];

  test.each([
    ['inside', 11, 40.5, BOX, [11, 40.5]],
    ['on its edge', 10, 40, BOX, [10, 40]],
    ['below', 11, 39, BOX, [11, 40]],
    ['above', 11, 42, BOX, [11, 41]],
    ['beside, west', 9, 40.5, BOX, [10, 40.5]],
    ['beside, east', 13, 40.5, BOX, [12, 40.5]],
    ['beside a corner', 13, 42, BOX, [12, 41]],
    ['inside, over the antimeridian', 180, 5, OVER, [180, 5]],
    ['inside, the other spelling', -180, 5, OVER, [180, 5]],
    ['west of one over the antimeridian', 177, 5, OVER, [179, 5]],
    ['east of one over the antimeridian', -177, 5, OVER, [-179, 5]],
  ] as const)('%s: below the distance, by less than 0.6 %%', (_, lon, lat, box, nearest) => {
    const bound = bboxDistanceLowerBound(lon, lat, box);
    const meters = inverseMeters(lon, lat, nearest[0], nearest[1]);
    expect(bound).toBeLessThanOrEqual(meters);
    expect(bound).toBeGreaterThanOrEqual(meters * 0.994);
  });

  test('from a quarter of the Earth away the geodesic goes over high latitudes', () => {
    // The nearest point of the side is its north end, since the geodesic bends towards the pole.
    const bound = bboxDistanceLowerBound(-80, 60, BOX);
    const least = Math.min(...[40, 40.5, 41].map((lat) => inverseMeters(-80, 60, 10, lat)));
    expect(bound).toBeLessThanOrEqual(least);
    expect(bound).toBeGreaterThan(least * 0.995);
    const middle = bboxDistanceLowerBound(80, 10, [0, -60, 1, 60]);
    const side = Math.min(...Array.from({ length: 121 }, (_, i) => inverseMeters(80, 10, 1, i - 60)));
    expect(middle).toBeLessThanOrEqual(side);
    expect(middle).toBeGreaterThan(side * 0.995);
  });

  test('an expanded box contains all within the distance, and hardly more', () => {
    for (const box of [BOX, [-30, -62, -29, -60], [0, 0, 0, 0], [5, -1, 6, 1]] as const) {
      for (const meters of [0, 1, 1000, 200_000]) {
        const [wide, ...more] = expandBbox(box, meters);
        expect(more).toEqual([]);
        const [west, south, east, north] = wide!;
        const steepest = Math.abs(box[1]) > Math.abs(box[3]) ? box[1] : box[3];
        const reach = { west: box[0], south: box[1], east: box[2], north: box[3] };
        for (let azimuth = 0; azimuth < 360; azimuth += 2) {
          for (const lat of [box[1], box[3]]) {
            const [lonE, latE] = directPosition(box[2], lat, azimuth, meters);
            const [lonW] = directPosition(box[0], lat, azimuth, meters);
            reach.east = Math.max(reach.east, lonE);
            reach.west = Math.min(reach.west, lonW);
            reach.north = Math.max(reach.north, latE);
            reach.south = Math.min(reach.south, latE);
          }
        }
        const rest = [reach.west - west, east - reach.east, reach.south - south, north - reach.north];
        const ways = [reach.east - box[2], reach.east - box[2], reach.north - box[3], reach.north - box[3]];
        rest.forEach((room, i) => {
          expect(room).toBeGreaterThan(0);
          expect(room).toBeLessThan(0.012 * ways[i]! + 1e-8);
        });
        expect(Math.abs(steepest)).toBeLessThan(90);
      }
    }
  });

  test('across the antimeridian there are two boxes; at a pole, or if they would cover all longitudes, one with all longitudes', () => {
    const [one, two, ...none] = expandBbox([179.5, 0, 179.9, 1], 50_000);
    expect(none).toEqual([]);
    expect(one![2]).toBe(180);
    expect(two![0]).toBe(-180);
    expect(one![0]).toBeCloseTo(179.5 - 0.4507, 3);
    expect(two![2]).toBeCloseTo(-179.6493, 3);
    expect(expandBbox([-179.9, 0, -179.5, 1], 50_000)).toHaveLength(2);
    expect(expandBbox([-179.9, 0, -179.5, 1], 50_000)[0]![2]).toBe(180);
    const crossing = expandBbox([179.5, 0, -179.5, 1], 1000);
    expect(crossing).toHaveLength(2);
    expect(crossing[0]![0]).toBeCloseTo(179.491, 3);
    expect(crossing[1]![2]).toBeCloseTo(-179.491, 3);
    expect(expandBbox([10, 80, 20, 89.99], 2000)).toEqual([[-180, expect.closeTo(79.982, 3), 180, 90]]);
    expect(expandBbox([10, -89.99, 20, -80], 2000)).toEqual([[-180, -90, 180, expect.closeTo(-79.982, 3)]]);
    expect(expandBbox([10, 0, 20, 1], 10_100_000)).toEqual([[-180, -90, 180, 90]]);
    expect(expandBbox([-179, 0, 179, 1], 200_000)).toMatchObject(
      [[-180, {}, 180, {}]].map(() => expect.anything()),
    );
    expect(expandBbox([-179, 0, 179, 1], 200_000)[0]!.filter((_, i) => i % 2 === 0)).toEqual([-180, 180]);
    expect(expandBbox([-179, 0, 179, 1], 200_000)).toHaveLength(1);
  });
});

describe('Legendre’s series', () => {
  test('is accurate to the fourth order in all directions, at all latitudes', () => {
    const places = [
      [0, 0],
      [20, 45],
      [-100, -60],
      [150, 80],
      [7, 20],
    ] as const;
    const series = new LegendreSeries();
    // Also latitudes a little north and south of the last one, to which the series adapts its factors.
    for (const [lon, lat] of places.flatMap(([x, y]) =>
      [0, 0.4, -0.57, 0.01].map((off) => [x, y + off] as const),
    )) {
      series.at(lat);
      const [meridian, normal] = radii(lat);
      expect(series.metersPerLon / (normal * Math.cos(lat * RAD) * RAD)).toBeCloseTo(1, 14);
      expect(series.metersPerLat / (meridian * RAD)).toBeCloseTo(1, 14);
      expect(series.tan).toBeCloseTo(Math.tan(lat * RAD), 13);
      for (const way of [10, 1000, 20_000]) {
        for (let azimuth = 0; azimuth < 360; azimuth += 15) {
          const east = way * Math.sin(azimuth * RAD);
          const north = way * Math.cos(azimuth * RAD);
          const got = [lon + series.lonOf(east, north), lat + series.latOf(east, north)] as const;
          const x = (way * Math.max(1, Math.abs(Math.tan(lat * RAD)))) / 6_371_000;
          const error = inverseMeters(...got, ...directPosition(lon, lat, azimuth, way));
          expect(error).toBeLessThan((x ** 3 + 0.004 * x ** 2) * way + 2e-8);
        }
      }
    }
  });
});

describe('lengths and distances', () => {
  test('of lines in each form; the middle of a geodesic and its ends', () => {
    const line: Position[] = [
      [10, 50],
      [12, 51],
      [12, 51],
      [179.5, 20],
      [-179.5, 21],
    ];
    const wanted = line.slice(1).reduce((sum, b, i) => sum + fineLength(...line[i]!, ...b, 4000), 0);
    expect(lengthMeters(line) / wanted).toBeCloseTo(1, 11);
    expect(lineMeters(line.flat())).toBe(lengthMeters(line));
    expect(lineMeters([...line.flat(), 7])).toBe(lengthMeters(line));
    expect(edgeLength(...line[0]!, ...line[1]!)).toBeCloseTo(fineLength(...line[0]!, ...line[1]!, 4000), 6);
    expect([lengthMeters([]), lengthMeters([[1, 2]]), lineMeters([]), lineMeters([1, 2])]).toEqual([
      0, 0, 0, 0,
    ]);
    expect(errorOf(() => lengthMeters([[0, 0], [0, 91]]))).toMatchObject({ code: 'lat-range', field: 'line[1][1]' }); // biome-ignore format: pairs

    for (const [a, b] of [
      [
        [10, 50],
        [30, 10],
      ],
      [
        [179, -20],
        [-178, -25],
      ],
      [
        [181, 3],
        [183, 4],
      ],
    ] as readonly (readonly [Position, Position])[]) {
      const [lon, lat] = geodesicMidpoint(...a, ...b);
      const { meters, startAzimuth, endAzimuth } = geodesicSpan(...a, ...b);
      expect(inverseMeters(...a, wrapLon(lon), lat)).toBeCloseTo(meters / 2, 6);
      expect(inverseMeters(...b, wrapLon(lon), lat)).toBeCloseTo(meters / 2, 6);
      expect(Math.abs(lon - a[0])).toBeLessThan(20);
      expect(inverseMeters(...directPosition(...a, startAzimuth, meters), ...b)).toBeLessThan(1e-6);
      expect(inverseMeters(...directPosition(...b, endAzimuth + 180, meters), ...a)).toBeLessThan(1e-6);
    }
  });

  test('other pairs are read by `readPosition`: wrapped, rounded to 0, or refused with the name of the argument', () => {
    const meters = inverseMeters(10, 20, -170, 30);
    expect(distanceMeters([10, 20], [190, 30])).toBe(meters);
    expect(distanceMeters([370, 20], [-170, 30])).toBe(meters);
    expect(distanceMeters([180, 90], [-180, 90])).toBe(0);
    expect(distanceMeters([180, -90], [0, -90])).toBe(0);
    expect(distanceMeters([1e-13, -1e-13], [0, 0])).toBe(0);
    expect(errorOf(() => distanceMeters([0, 91], [0, 0]))).toMatchObject({
      code: 'lat-range',
      field: 'a[1]',
    });
    expect(errorOf(() => distanceMeters([0, 0], [0, -91]))).toMatchObject({
      code: 'lat-range',
      field: 'b[1]',
    });
    expect(errorOf(() => distanceMeters([0, 0], [541, 0]))).toMatchObject({
      code: 'lon-range',
      field: 'b[0]',
    });
    expect(errorOf(() => distanceMeters(['1', 0] as never, [0, 0]))).toMatchObject({ code: 'coord-type' });
    expect(errorOf(() => distanceMeters([0] as never, [0, 0]))).toMatchObject({ field: 'a' });
    expect(errorOf(() => distanceMeters({ 0: 1, 1: 2, length: 2 } as never, [0, 0]))).toMatchObject({
      field: 'a',
    });
    expect(errorOf(() => distanceMeters([0, 0], null as never))).toMatchObject({ field: 'b' });
    const trap = {
      get 0(): number {
        throw new Error('no');
      },
      length: 2,
    };
    expect(errorOf(() => distanceMeters(trap as never, [0, 0]))).toMatchObject({
      field: expect.stringMatching(/^a/),
    });
    const thrower = new Proxy([1, 2], {
      get: () => {
        throw new Error('no');
      },
    });
    expect(errorOf(() => distanceMeters(thrower as never, [0, 0]))).toMatchObject({
      code: 'input-unreadable',
    });
  });

  test('uses the local formula if near and the exact solution if far; close to the limit the lesser of both', () => {
    const near = [10, 50, 10.5, 50.2] as const;
    const far = [10, 50, 40, 20] as const;
    expect(geodesicDistance(...far)).toBe(inverseMeters(...far));
    expect(Math.abs(geodesicDistance(...near) - inverseMeters(...near))).toBeLessThan(2e-8);
    expect(LOCAL_METERS).toBeGreaterThanOrEqual(200_000);
    expect(decidedDistance(...far, 0)).toBe(inverseMeters(...far));
    const [quick, exact] = [geodesicDistance(...near), inverseMeters(...near)];
    const bound = localErrorBound(quick);
    expect(decidedDistance(...near, quick + 2 * bound)).toBe(quick);
    expect(decidedDistance(...near, quick - 2 * bound)).toBe(quick);
    expect(decidedDistance(...near, quick + bound / 2)).toBe(Math.min(quick, exact));
    expect(decidedDistance(...near, quick)).toBe(Math.min(quick, exact));
  });
});

describe('the disc', () => {
  test.each([
    [0, 0],
    [37, 55],
    [10, -88],
  ])('at %f, %f: a small disc equals one on a sphere of the same curvature', (lon, lat) => {
    const [meridian, normal] = radii(lat);
    const curvature = 1 / (meridian * normal);
    for (const r of [0.5, 100, 5000, 20_000]) {
      const { area, perimeter } = discAreaPerimeter(lon, lat, r);
      const x = curvature * r * r;
      expect(area / (Math.PI * r * r * (1 - x / 12 + (x * x) / 360))).toBeCloseTo(1, 12);
      expect(perimeter / (2 * Math.PI * r * (1 - x / 6 + (x * x) / 120))).toBeCloseTo(1, 12);
    }
  });

  test('the area is the integral of the perimeter between two radii', () => {
    for (const [lon, lat] of [
      [0, 0],
      [37, 55],
      [-60, -85],
    ] as const) {
      for (const [from, to] of [
        [15_000, 30_000],
        [100_000, 3_000_000],
        [2_000_000, 12_000_000],
      ] as const) {
        const ring = simpson(40, (t) => discAreaPerimeter(lon, lat, from + (to - from) * t).perimeter);
        const area = discAreaPerimeter(lon, lat, to).area - discAreaPerimeter(lon, lat, from).area;
        expect((ring * (to - from)) / area).toBeCloseTo(1, 6);
      }
    }
  });

  test('can be empty, half the Earth, or all of it', () => {
    for (const r of [0, -1]) expect(discAreaPerimeter(1, 2, r)).toEqual({ area: 0, perimeter: 0 });
    for (const r of [MERIDIAN_HALF, 3e7])
      expect(discAreaPerimeter(1, 2, r)).toEqual({ area: EARTH_AREA, perimeter: 0 });
    const half = discAreaPerimeter(0, 90, MERIDIAN_HALF / 2);
    expect(half.area / (EARTH_AREA / 2)).toBeCloseTo(1, 10);
    expect(discAreaPerimeter(1, 2, MERIDIAN_HALF - 1).area).toBeLessThanOrEqual(EARTH_AREA);
    expect(discAreaPerimeter(1, 2, MERIDIAN_HALF - 1).perimeter).toBeLessThan(13_500);
  });

  test('the ring is clockwise from north, each point is on the circle, and there are only as many as the tolerance needs', () => {
    for (const [lon, lat, radius, tolerance, count] of [
      [0, 0, 1000, 1, 72],
      [37, 55, 1000, 1, 72],
      [37, 55, 100_000, 1000, 24],
      [179.99, 60, 5000, 500, 8],
      [0, 0, 10, 100, 8],
    ] as const) {
      const ring = discRing(lon, lat, radius, tolerance);
      expect([lon, lat, radius, ring.length]).toEqual([lon, lat, radius, count]);
      const azimuths = ring.map((point) => geodesicSpan(lon, lat, ...point).startAzimuth);
      azimuths.forEach((azimuth, i) => {
        expect(inverseMeters(lon, lat, ...ring[i]!)).toBeCloseTo(radius, 5);
        expect((((azimuth - (360 * i) / count) % 360) + 540) % 360).toBeCloseTo(180, 4);
      });
    }
    expect(discRing(3, 4, -1, 1)).toEqual([[3, 4]]);
  });

  test('where even steps are too coarse, edges are halved until each is within the tolerance', () => {
    for (const [lon, lat, radius, tolerance] of [
      [0, 89.99, 5000, 5],
      [20, -70, 900_000, 900],
      [20, 89, 112_000, 100],
      [0, 0, 9_000_000, 9000],
    ] as const) {
      const ring = discRing(lon, lat, radius, tolerance);
      expect(ring.length).toBeLessThan(400);
      ring.forEach((from, i) => {
        const to = ring[(i + 1) % ring.length]!;
        expect(Math.abs(shortStep(from[0], to[0]))).toBeLessThan(180);
        for (const t of [0, 0.25, 0.5, 0.75]) {
          const p = [from[0] + shortStep(from[0], to[0]) * t, from[1] + (to[1] - from[1]) * t] as const;
          expect(Math.abs(inverseMeters(lon, lat, ...p) - radius)).toBeLessThanOrEqual(tolerance + 1e-6);
        }
      });
    }
  });
});

describe('intervals within a limit', () => {
  const flatDistance =
    (...places: readonly Position[]) =>
    (lon: number, lat: number): number =>
      // Near the equator and over short distances a plane is enough; it must only not be too long.
      Math.min(...places.map(([x, y]) => Math.hypot((lon - x) * 110_000, (lat - y) * 110_000)));
  const meters = (m: number): number => m / 110_000;

  test.each([
    ['through', [[0.05, 0]], 1100, [0.4, 0.6]],
    ['from inside', [[0, 0]], 1100, [0, 0.1]],
    ['to inside', [[0.1, 0]], 1100, [0.9, 1]],
    ['beside it', [[0.05, 1]], 1100, []],
    ['all of it', [[0.05, 0]], 20_000, [0, 1]],
    ['just the whole', [[0.05, 0]], 5500, [0, 1]],
    ['two', [[0.03, 0], [0.07, 0]], 1100, [0.2, 0.4, 0.6, 0.8]], // biome-ignore format: places
    ['a gap of 22 cm', [[0.04, 0], [0.06, 0]], 1099.89, [0.3 + 1e-5, 0.5 - 1e-5, 0.5 + 1e-5, 0.7 - 1e-5]], // biome-ignore format: places
    ['one from a start, one to the end', [[0, 0], [0.1, 0]], 1100, [0, 0.1, 0.9, 1]], // biome-ignore format: places
  ] as const)('%s', (_, places, limit, wanted) => {
    const found = sublevelIntervals(flatDistance(...(places as readonly Position[])), limit, 0, 0, 0.1, 0);
    expect(found).toHaveLength(wanted.length);
    found.forEach((t, i) => {
      if (wanted[i] === 0 || wanted[i] === 1) expect(t).toBe(wanted[i]);
      else expect(t).toBeCloseTo(wanted[i]!, 9);
    });
  });

  test('along a meridian, over many degrees, and across the antimeridian', () => {
    const distance = (lon: number, lat: number): number => inverseMeters(0, 10, lon, lat);
    const [from, to] = sublevelIntervals(distance, 1_000_000, 0, -60, 0, 60) as [number, number];
    expect(inverseMeters(0, 10, 0, -60 + 120 * from)).toBeCloseTo(1_000_000, 4);
    expect(inverseMeters(0, 10, 0, -60 + 120 * to)).toBeCloseTo(1_000_000, 4);
    expect(from).toBeLessThan(to);
    const across = (lon: number, lat: number): number => inverseMeters(180, 0, lon, lat);
    const [west, east] = sublevelIntervals(across, 11_131.949079, 179.8, 0, -179.8, 0) as [number, number];
    expect(west).toBeCloseTo(0.25, 8);
    expect(east).toBeCloseTo(0.75, 8);
  });

  test('handles a touch, a gap of less than a millimetre, and an edge of zero length', () => {
    const touch = sublevelIntervals(flatDistance([0.05, meters(1000)]), 1000, 0, 0, 0.1, 0);
    expect(touch.length % 2).toBe(0);
    for (const t of touch) expect(t).toBeCloseTo(0.5, 4);
    const narrow = flatDistance([0.05 - meters(1000.0002), 0], [0.05 + meters(1000.0002), 0]);
    expect(sublevelIntervals(narrow, 1000, 0, 0, 0.1, 0)).toHaveLength(2);
    expect(sublevelIntervals(flatDistance([0, 0]), 1, 0, 0, 0, 0)).toEqual([0, 1]);
    expect(sublevelIntervals(flatDistance([1, 0]), 1, 0, 0, 0, 0)).toEqual([]);
  });

  test('needs about fifteen calls per crossing', () => {
    let calls = 0;
    const counted = (lon: number, lat: number): number => {
      calls++;
      return flatDistance([0.05, meters(10)])(lon, lat);
    };
    sublevelIntervals(counted, 1100, 0, 0, 0.1, 0);
    expect(calls).toBeLessThan(36);
  });
});
