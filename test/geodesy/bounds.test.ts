import { describe, expect, test } from 'vitest';
import type { Bbox } from '../../src/core/geometry.js';
import { geodesicMidpoint } from '../../src/geodesy/destination.js';
import { edgeCurvatureBound, edgeLat, edgeLon, edgePieceBound, makeEdge } from '../../src/geodesy/edge.js';
import { authalicDifference } from '../../src/geodesy/ellipsoid.js';
import { inverseMeters } from '../../src/geodesy/karney.js';
import { longEdgeMeters } from '../../src/geodesy/longEdge.js';
import { bboxDistanceLowerBound, edgeDistanceLowerBound, expandBbox } from '../../src/geodesy/lowerBounds.js';
import { authalic } from './oracle.js';

describe('the curvature of an edge', () => {
  /** Geodesic curvature at the middle of an edge, 1/m: eight times the sagitta, divided by the square of the chord. */
  function curvature(lat: number, azimuth: number): number {
    const reach = 0.05;
    const east = (reach * Math.sin((azimuth * Math.PI) / 180)) / Math.cos((lat * Math.PI) / 180);
    const north = reach * Math.cos((azimuth * Math.PI) / 180);
    const ends = [10 - east, lat - north, 10 + east, lat + north] as const;
    return (8 * inverseMeters(10, lat, ...geodesicMidpoint(...ends))) / inverseMeters(...ends) ** 2;
  }

  test.each([5, 20, 45, 60, 75, 85, -45, -80])(
    'at %f° is at most the bound, and at least 60 % of it',
    (lat) => {
      const most = Math.max(...Array.from({ length: 36 }, (_, k) => curvature(lat, 5 * k)));
      // The bound is computed for the highest latitude of the edge.
      expect(most).toBeLessThanOrEqual(edgeCurvatureBound(Math.abs(lat) + 0.05));
      expect(most).toBeGreaterThan(0.6 * edgeCurvatureBound(lat));
    },
  );

  test('has a small bound at the equator, which is not 0', () => {
    expect(edgeCurvatureBound(0)).toBeGreaterThanOrEqual(0.01 / 6.378e6);
    expect(edgeCurvatureBound(0)).toBeLessThan(0.012 / 6.33e6);
  });
});

describe('the upper bound for the length of a part of an edge', () => {
  test.each([0, 12, 45, 60, 89, -30])('on the parallel of %f° equals the length up to rounding', (lat) => {
    const edge = makeEdge(100, lat, 103, lat);
    for (const [from, to] of [
      [0, 1],
      [0.2, 0.6],
      [0.7, 1],
    ] as const) {
      const ratio = edgePieceBound(edge, from, to) / longEdgeMeters(lat, lat, 3 * (to - from));
      expect(ratio).toBeGreaterThanOrEqual(1);
      expect(ratio).toBeLessThan(1 + 1e-11);
    }
  });

  test('an edge starts and ends exactly at its ends, since each point is computed from the nearer end', () => {
    for (const [a, b] of [
      [80.1, 0.3],
      [0.3, 80.1],
      [-77.7, 1e-3],
      [1e-3, -77.7],
    ] as const) {
      const edge = makeEdge(a, a, b, b);
      expect([0, 1].map((t) => edgeLat(edge, t))).toEqual([a, b]);
      expect([0, 1].map((t) => edgeLon(edge, t))).toEqual([a, b]);
    }
  });
});

test('the area between two parallels equals the difference of their closed forms', () => {
  for (const [lat, from] of [
    [90, 0],
    [90, -90],
    [-90, 37],
    [50, 49],
    [-20, 70],
    [10, -10],
    [-60, -61],
  ] as const)
    expect(authalicDifference(lat, from) / (authalic(lat) - authalic(from))).toBeCloseTo(1, 12);
});

describe('bounds of distances', () => {
  test.each([
    ['on the equator', 0, 5, 10, 0, 10.5, 0],
    ['on the equator, seen from a position beyond its end', 0, 0, 10, 0, 10.5, 0],
    ['on a meridian', 0, 5, 10, 0, 10, 0.5],
    ['a point', 7, 50, 9, 52, 9, 52],
    ['over the antimeridian', 178, 20, 179.9, 21, -179.8, 21.2],
  ] as const)('an edge %s: below the distance by 0.4 % at most', (_, lon, lat, lonA, latA, lonB, latB) => {
    const nearest = Math.min(inverseMeters(lon, lat, lonA, latA), inverseMeters(lon, lat, lonB, latB));
    const length = inverseMeters(lonA, latA, lonB, latB);
    const bound = edgeDistanceLowerBound(lon, lat, lonA, latA, lonB, latB);
    expect(bound).toBeLessThanOrEqual(nearest);
    expect(bound).toBeGreaterThan(0.996 * nearest - length ** 2 / 5e7 - 1e-6);
  });

  test.each([
    ['a point', 0, 0, [10, 1, 10, 1], [10, 1]],
    ['a point, at its height', 9, 50, [10, 50, 10, 50], [10, 50]],
    ['of no width, west of it', 0, 2, [10, 0, 10, 4], [10, 2.03]],
    ['south-west of it', 8, 30, [10, 40, 12, 41], [10, 40]],
    ['south-east of it', 14, 30, [10, 40, 12, 41], [12, 40]],
    ['north-west of it', 8, 50, [10, 40, 12, 41], [10, 41]],
    ['north-east of it', 14, 50, [10, 40, 12, 41], [12, 41]],
    ['south of a southern one', 14, -50, [10, -41, 12, -40], [12, -41]],
  ] as const)('a box, %s: below the distance by 0.4 % at most', (_, lon, lat, box, nearest) => {
    const meters = inverseMeters(lon, lat, nearest[0], nearest[1]);
    const bound = bboxDistanceLowerBound(lon, lat, box as unknown as Bbox);
    expect(bound).toBeLessThanOrEqual(meters);
    expect(bound).toBeGreaterThan(0.996 * meters);
  });

  test('a box with both poles within the distance expands to the whole Earth', () => {
    for (const box of [
      [10, -70, 20, -60],
      [10, 60, 20, 70],
      [10, -5, 20, 5],
    ] as const)
      for (const meters of [18e6, 19.9e6]) expect(expandBbox(box, meters)).toEqual([[-180, -90, 180, 90]]);
  });
});
