import { describe, expect, test } from 'vitest';
import { destination } from '../../src/geodesy/destination.js';
import { discAreaPerimeter, discRing } from '../../src/geodesy/disc.js';
import { decidedDistance, geodesicDistance, localErrorBound } from '../../src/geodesy/distanceMeters.js';
import { edgeLat, edgeLon, edgePieceBound, makeEdge, probeEdge } from '../../src/geodesy/edge.js';
import { edgeDistance } from '../../src/geodesy/edgeDistance.js';
import { addEdge, emptySums, measureRing } from '../../src/geodesy/edgeSums.js';
import { EARTH_AREA } from '../../src/geodesy/ellipsoid.js';
import { inverseMeters } from '../../src/geodesy/karney.js';
import { longEdgeMeters, longEdgeStrip } from '../../src/geodesy/longEdge.js';
import { edgeDistanceLowerBound } from '../../src/geodesy/lowerBounds.js';
import { errorOf } from '../errorOf.js';
import { seeded } from '../volume.js';
import { fineLength, shortStep } from './oracle.js';

type Ends = readonly [number, number, number, number];

describe('an edge as a curve', () => {
  test('begins and ends exactly at its ends, wherever they are', () => {
    const random = seeded(11);
    for (let k = 0; k < 300; k++) {
      const [lonA, latA, lonB, latB] = [
        random() * 350 - 175,
        random() * 180 - 90,
        random() * 350 - 175,
        random() * 180 - 90,
      ];
      const edge = makeEdge(lonA, latA, lonB, latB);
      expect([edgeLon(edge, 0), edgeLat(edge, 0), edgeLon(edge, 1), edgeLat(edge, 1)]).toEqual([
        lonA,
        latA,
        lonB,
        latB,
      ]);
      const [t, span] = [random(), shortStep(lonA, lonB)];
      expect(Math.abs(shortStep(edgeLon(edge, t), lonA + span * t))).toBeLessThan(1e-12);
      expect(edgeLat(edge, t)).toBeCloseTo(latA + (latB - latA) * t, 12);
      expect(edgePieceBound(edge, t, t)).toBe(0);
      if (Math.abs(span) < 90 && Math.abs(latA) < 80 && Math.abs(latB) < 80)
        expect(edgePieceBound(edge, 0, 1)).toBeGreaterThanOrEqual(
          fineLength(lonA, latA, lonB, latB, 200) * (1 - 1e-9),
        );
    }
  });

  test.each([
    ['a street', [37.6, 55.75], [37.601, 55.751, 37.603, 55.749]],
    ['a country', [20, 50], [10, 45, 30, 52]],
    ['south', [-60, -30], [-80, -20, -70, -60]],
    ['far', [100, 10], [0, 0, 20, 40]],
    ['near a pole', [0, 85], [-40, 80, 60, 84]],
  ] as [string, [number, number], Ends][])(
    '%s: the reported derivatives of half the squared distance equal numerical ones',
    (_, [lon, lat], ends) => {
      const edge = makeEdge(...ends);
      const half = (t: number): number =>
        inverseMeters(lon, lat, edgeLon(edge, t), edgeLat(edge, t)) ** 2 / 2;
      for (const t of [0.2, 0.4, 0.7, 0.9]) {
        const h = 1e-3;
        const probe = probeEdge(edge, lon, lat, t);
        expect(probe.t).toBe(t);
        expect(probe.meters).toBe(Math.sqrt(2 * half(t)));
        const first = (half(t + h) - half(t - h)) / (2 * h);
        const second = (half(t + h) - 2 * half(t) + half(t - h)) / (h * h);
        const size = Math.abs(probe.first) + probe.speedSquared;
        expect(Math.abs(probe.first - first)).toBeLessThan(1e-5 * size);
        expect(Math.abs(probe.second - second)).toBeLessThan(2e-5 * (Math.abs(second) + size));
        const speed =
          inverseMeters(
            edgeLon(edge, t - h),
            edgeLat(edge, t - h),
            edgeLon(edge, t + h),
            edgeLat(edge, t + h),
          ) /
          (2 * h);
        expect(Math.sqrt(probe.speedSquared) / speed).toBeCloseTo(1, 5);
      }
    },
  );

  test('where the distance is 0 the second derivative is the square of the speed', () => {
    const probe = probeEdge(makeEdge(10, 45, 11, 45.5), 10.5, 45.25, 0.5);
    expect(probe.meters).toBeLessThan(1e-6);
    expect(probe.second / probe.speedSquared).toBeCloseTo(1, 6);
  });
});

describe('the lower bound of an edge’s distance', () => {
  test('is less than the distance by at most 0.4 % plus the square of the edge’s length over 50,000 km', () => {
    for (const [lon, lat] of [
      [0, 0],
      [37, 55],
      [-120, -72],
    ] as const) {
      for (const [east, north] of [
        [0.2, 0.05],
        [0.05, -0.2],
        [-0.2, 0.1],
      ] as const) {
        const edge = [lon + 1.5, lat + 1, lon + 1.5 + east, lat + 1 + north] as const;
        const meters = edgeDistance(lon, lat, ...edge);
        const length = inverseMeters(...edge);
        const loss = meters - edgeDistanceLowerBound(lon, lat, ...edge);
        expect(loss).toBeGreaterThanOrEqual(0);
        expect(loss).toBeLessThan(0.0041 * meters + length ** 2 / 5e7);
      }
    }
  });
});

describe('sums over edges', () => {
  test('the low part keeps what rounding removes from a large sum', () => {
    const small = emptySums();
    const all = emptySums();
    addEdge(all, -100, -60, 60, 75);
    for (let k = 0; k < 3000; k++) {
      const edge = [k * 1e-5, 0.1 + k * 1e-7, (k + 1) * 1e-5, 0.1 + (k + 1) * 1e-7] as const;
      addEdge(small, ...edge);
      addEdge(all, ...edge);
    }
    addEdge(all, 60, 75, -100, -60);
    const great = emptySums();
    addEdge(great, -100, -60, 60, 75);
    expect(Math.abs(all.strip + all.stripLow - (small.strip + small.stripLow))).toBeLessThan(
      Math.abs(great.strip) * 1e-18,
    );
    expect(
      Math.abs(all.meters + all.metersLow - 2 * great.meters - (small.meters + small.metersLow)),
    ).toBeLessThan(great.meters * 1e-15);
  });

  test('long edges measure the same in both directions, also near a pole', () => {
    for (const [latA, latB, east] of [
      [89.9999999, 89.9, 30],
      [-89.9999999, -80, -70],
      [89.99999, 0, 10],
      [-10, 80, 120],
    ] as const) {
      expect(longEdgeMeters(latA, latB, east) / longEdgeMeters(latB, latA, -east)).toBeCloseTo(1, 13);
      expect(longEdgeStrip(3, latA, 3 + east, latB) / longEdgeStrip(3 + east, latB, 3, latA)).toBeCloseTo(
        -1,
        13,
      );
    }
  });

  test('the perimeter of a box includes all four sides', () => {
    const { perimeter } = measureRing([10, 50, 12, 50, 12, 51, 10, 51]);
    const sides = [
      [10, 50, 12, 50],
      [12, 50, 12, 51],
      [12, 51, 10, 51],
      [10, 51, 10, 50],
    ] as Ends[];
    const wanted = sides.reduce((sum, side) => sum + fineLength(...side, 2000), 0);
    expect(perimeter / wanted).toBeCloseTo(1, 11);
    expect(measureRing([10, 50, 10, 50, 12, 50, 12, 51, 10, 51, 10, 50]).perimeter).toBe(perimeter);
  });
});

describe('distances and discs at their limits', () => {
  test('near the limit the decided distance is never above the exact one', () => {
    const random = seeded(12);
    let below = 0;
    for (let k = 0; k < 200; k++) {
      const place = [random() * 300 - 150, random() * 120 - 60] as const;
      const pair = [...place, place[0] + random(), place[1] + random()] as const;
      const [quick, exact] = [geodesicDistance(...pair), inverseMeters(...pair)];
      if (exact < quick) below++;
      const room = localErrorBound(quick);
      expect(Math.abs(quick - exact)).toBeLessThanOrEqual(room);
      expect(decidedDistance(...pair, quick)).toBe(Math.min(quick, exact));
      expect(decidedDistance(...pair, quick + 0.9 * room)).toBe(Math.min(quick, exact));
      expect(decidedDistance(...pair, quick - 0.9 * room)).toBe(Math.min(quick, exact));
      expect(decidedDistance(...pair, quick + 1.1 * room)).toBe(quick);
      expect(decidedDistance(...pair, quick - 1.1 * room)).toBe(quick);
    }
    expect(below).toBeGreaterThan(20);
  });

  test('the error bound is 20 nm, 40 nm at 100 km, and 0.6 µm at 200 km', () => {
    expect(localErrorBound(0)).toBe(2e-8);
    expect(localErrorBound(50_000)).toBeLessThan(2.2e-8);
    expect(localErrorBound(100_000)).toBeLessThan(4.5e-8);
    expect(localErrorBound(100_000)).toBeGreaterThan(2.2e-8);
    expect(localErrorBound(200_000)).toBeCloseTo(6.2e-7, 8);
  });

  test('a disc can be the whole Earth from any centre; a ring differs from its radius by at most half of it', () => {
    for (const lat of [0, 41, 90])
      expect(discAreaPerimeter(7, lat, 20_003_932)).toEqual({ area: EARTH_AREA, perimeter: 0 });
    const ring = discRing(0, 89.99, 5000, 1e6);
    ring.forEach((from, i) => {
      const to = ring[(i + 1) % ring.length]!;
      for (const t of [0.25, 0.5, 0.75]) {
        const meters = inverseMeters(
          0,
          89.99,
          from[0] + shortStep(from[0], to[0]) * t,
          from[1] + (to[1] - from[1]) * t,
        );
        expect(Math.abs(meters - 5000)).toBeLessThanOrEqual(2500);
      }
    });
  });

  test('an invalid argument of destination is an error with its name', () => {
    expect(errorOf(() => destination([0, 91], 0, 1))).toMatchObject({
      code: 'lat-range',
      field: 'origin[1]',
    });
    expect(errorOf(() => destination([0, 0], 361, 1))).toMatchObject({ field: 'azimuthDegrees' });
    expect(errorOf(() => destination([0, 0], 0, -1))).toMatchObject({ field: 'meters' });
  });
});
