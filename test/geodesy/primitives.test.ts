import { describe, expect, test } from 'vitest';
import { destination } from '../../src/geodesy/destination.js';
import { distanceMeters, geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import { edgeLength, lengthMeters } from '../../src/geodesy/edgeSums.js';
import { EARTH_AREA, MERIDIAN_HALF } from '../../src/geodesy/ellipsoid.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { fineLength } from './oracle.js';

const QUARTER_MERIDIAN = 10_001_965.729_3;
const EQUATOR = 2 * Math.PI * 6_378_137;

describe('distance', () => {
  test('agrees with published vectors', () => {
    expect(distanceMeters([-73.8, 40.6], [-0.5, 51.6])).toBeCloseTo(5_551_759.400_319, 5);
    expect(distanceMeters([0, 0], [0, 90])).toBeCloseTo(QUARTER_MERIDIAN, 4);
    expect(distanceMeters([0, 0], [90, 0])).toBeCloseTo(EQUATOR / 4, 6);
    // Karney 2013, table 4: nearly antipodal.
    expect(distanceMeters([0, -30], [179.8, 29.9])).toBeCloseTo(19_989_832.827_61, 4);
  });

  test('is 0 for equal positions, poles on any meridian and both notations of the antimeridian', () => {
    expect(distanceMeters([37, 55], [37, 55])).toBe(0);
    expect(distanceMeters([0, 90], [123, 90])).toBe(0);
    expect(distanceMeters([-180, 12], [180, 12])).toBe(0);
    expect(distanceMeters([-0, -0], [0, 0])).toBe(0);
  });

  test('goes across a pole to the antipode and is never above half the meridian', () => {
    expect(distanceMeters([0, 0], [180, 0])).toBeCloseTo(MERIDIAN_HALF, 5);
    expect(distanceMeters([10, -90], [70, 90])).toBeCloseTo(MERIDIAN_HALF, 5);
    const random = seeded(1);
    for (let i = 0; i < volume(20_000); i++) {
      const lon = random() * 180;
      const lat = random() * 180 - 90;
      const meters = geodesicDistance(lon, lat, lon - 180 + (random() - 0.5) * 1e-3, -lat);
      expect(meters).toBeLessThanOrEqual(MERIDIAN_HALF);
      expect(meters).toBeGreaterThan(19_900_000);
    }
  });

  test('refuses invalid positions', () => {
    expect(errorOf(() => distanceMeters([0, 91], [0, 0])).code).toBe('lat-range');
    expect(errorOf(() => distanceMeters([0, 0], [541, 0])).field).toBe('b[0]');
  });
});

describe('destination', () => {
  test('gives a position at the same distance', () => {
    const random = seeded(2);
    for (let i = 0; i < volume(20_000); i++) {
      const origin = [random() * 360 - 180, Math.asin(random() * 2 - 1) * (180 / Math.PI)] as const;
      const meters = 10 ** (random() * 7.3);
      const end = destination(origin, random() * 720 - 360, meters);
      expect(end[0]).toBeGreaterThan(-180);
      expect(end[0]).toBeLessThanOrEqual(180);
      expect(Math.abs(distanceMeters(origin, end) - meters)).toBeLessThan(1e-6);
    }
  });

  test('wraps at the antimeridian and passes a pole', () => {
    expect(destination([179, 0], 90, EQUATOR / 180)[0]).toBeCloseTo(-179, 10);
    const [lon, lat] = destination([20, 80], 0, 2 * distanceMeters([20, 80], [20, 90]));
    expect(lon).toBeCloseTo(-160, 9);
    expect(lat).toBeCloseTo(80, 9);
    expect(destination([5, 6], 77, 0)).toEqual([5, 6]);
  });

  test('refuses azimuths and distances out of range', () => {
    expect(errorOf(() => destination([0, 0], 361, 1)).code).toBe('azimuth-range');
    expect(errorOf(() => destination([0, 0], 0, -1)).code).toBe('distance-range');
    expect(errorOf(() => destination([0, 0], Number.NaN, 1)).code).toBe('azimuth-range');
  });
});

describe('length', () => {
  test('equals the closed forms of meridians and parallels', () => {
    expect(lengthMeters([])).toBe(0);
    expect(lengthMeters([[3, 4]])).toBe(0);
    expect(edgeLength(0, 0, 0, 90)).toBeCloseTo(QUARTER_MERIDIAN, 4);
    expect(edgeLength(0, -90, 0, 90)).toBeCloseTo(MERIDIAN_HALF, 6);
    expect(edgeLength(0, 90, 120, 90)).toBe(0);
    const e2 = 0.006694379990141316;
    const parallel60 = (6_378_137 * Math.PI) / 6 / 2 / Math.sqrt(1 - e2 * 0.75);
    expect(edgeLength(170, 60, -160, 60)).toBeCloseTo(parallel60, 6);
    expect(EARTH_AREA).toBeCloseTo(510_065_621_724_088.44, 0);
  });

  test('agrees with 20,000 Simpson steps per edge, also at poles and across the antimeridian', () => {
    const edges: readonly (readonly [number, number, number, number])[] = [
      [37, 55, 37.1, 55.2],
      [37, 55, 47, 45],
      [-170, -60, 170, 70],
      [0, 89.999, 179, 89.9991],
      [0, 20, 100, 90],
      [0, 89.9999, 170, 90],
      [10, -90, 60, 90],
      [1, 84.99, 1.05, 85.03],
    ];
    for (const edge of edges) {
      const exact = fineLength(...edge, 20_000);
      expect(Math.abs(edgeLength(...edge) / exact - 1), String(edge)).toBeLessThan(1e-11);
      expect(edgeLength(edge[2], edge[3], edge[0], edge[1]) / edgeLength(...edge)).toBeCloseTo(1, 13);
    }
  });

  test('of a tiny edge equals its geodesic, and no edge is shorter', () => {
    const random = seeded(3);
    for (let i = 0; i < volume(20_000); i++) {
      const lon = random() * 360 - 180;
      const lat = random() * 179 - 89.5;
      const tiny = edgeLength(lon, lat, lon + 1e-5 * random(), lat + 1e-5 * random());
      expect(tiny).toBeLessThan(2);
      const to = [random() * 360 - 180, random() * 180 - 90] as const;
      const chord = geodesicDistance(lon, lat, ...to);
      expect(edgeLength(lon, lat, ...to)).toBeGreaterThan(chord * (1 - 1e-12));
    }
    const near = edgeLength(37.5, 55.5, 37.500_01, 55.500_01);
    expect(Math.abs(near - geodesicDistance(37.5, 55.5, 37.500_01, 55.500_01))).toBeLessThan(2e-8);
  });
});
