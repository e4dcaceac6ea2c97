import { describe, expect, test } from 'vitest';
import {
  destination,
  farDestinationError,
  LOCAL_DESTINATION_ERROR,
  LOCAL_DESTINATION_METERS,
  localDestination,
} from '../../src/geodesy/destination.js';
import { distanceMeters } from '../../src/geodesy/distanceMeters.js';
import { directPosition, inverseMeters } from '../../src/geodesy/karney.js';
import { seeded, volume } from '../volume.js';

describe('the end of a short geodesic', () => {
  test('beyond 100 km and up to 1,000 km is within the bound that grows with the seventh power', () => {
    const random = seeded(62);
    for (let i = 0; i < volume(100_000); i++) {
      const [lon, lat, azimuth] = [random() * 360 - 180, random() * 180 - 90, random() * 360];
      const meters = 100_000 + 900_000 * random();
      const [endLon, endLat] = localDestination(lon, lat, azimuth, meters);
      const off = inverseMeters(...directPosition(lon, lat, azimuth, meters), endLon, endLat);
      expect(off).toBeLessThanOrEqual(farDestinationError(meters) / 2);
    }
  });

  test('is within its bound of the reference, for all latitudes, azimuths and lengths', () => {
    const random = seeded(61);
    let worst = 0;
    for (let i = 0; i < volume(1_000_000); i++) {
      const kind = random();
      const side = random() < 0.5 ? 1 : -1;
      const lat =
        kind < 0.1 ? side * 90 : kind < 0.3 ? side * (90 - 10 ** (1 - 9 * random())) : random() * 180 - 90;
      const lon = random() < 0.1 ? 180 : random() * 360 - 180;
      const azimuth = random() < 0.1 ? Math.floor(random() * 17 - 8) * 45 : random() * 720 - 360;
      const meters = random() < 0.5 ? LOCAL_DESTINATION_METERS * random() : 10 ** (-3 + 8 * random());
      const [endLon, endLat] = localDestination(lon, lat, azimuth, meters);
      const off = inverseMeters(...directPosition(lon, lat, azimuth, meters), endLon, endLat);
      if (!(off <= LOCAL_DESTINATION_ERROR / 2))
        throw new Error(`off by ${off} at ${lon}, ${lat}, ${azimuth}, ${meters}`);
      worst = Math.max(worst, off);
    }
    expect(worst).toBeGreaterThan(0);
  });

  test('crosses poles and the antimeridian, and keeps to meridians and the equator', () => {
    expect(destination([20, 90], 0, 1000)[0]).toBeCloseTo(-160, 12);
    expect(destination([20, -90], 180, 1000)[0]).toBeCloseTo(-160, 12);
    expect(destination([20, 90], 30, 1000)[0]).toBeCloseTo(170, 12);
    const [lon, lat] = destination([20, 89.999], 0, 2 * distanceMeters([20, 89.999], [20, 90]));
    expect(lon).toBeCloseTo(-160, 9);
    expect(lat).toBeCloseTo(89.999, 12);
    expect(destination([179.999, 60], 90, 1000)[0]).toBeLessThan(-179.98);
    for (const meters of [1e-3, 1, 1000, 100_000]) {
      expect(destination([0, 10], 0, meters)[0]).toBe(0);
      expect(destination([0, 10], 180, meters)[0]).toBe(0);
      expect(destination([37, 10], -180, meters)[0]).toBe(37);
      expect(destination([10, 0], 90, meters)[1]).toBe(0);
      expect(destination([10, 0], -90, meters)[1]).toBe(0);
    }
    expect(destination([0, 0], 77, 0)).toEqual([0, 0]);
  });

  test('agrees with the reference at its limit', () => {
    const near = destination([37, 55], 33, LOCAL_DESTINATION_METERS);
    const far = destination([37, 55], 33, LOCAL_DESTINATION_METERS + 1e-6);
    expect(inverseMeters(...near, ...far)).toBeLessThan(1.1e-6);
  });
});
