import { describe, expect, test } from 'vitest';
import { wrapLon } from '../../src/core/angles.js';
import {
  distanceMeters,
  FAR_ERROR_SHARE,
  FAR_METERS,
  farDistance,
  geodesicDistance,
  LOCAL_METERS,
  localDistance,
  localErrorBound,
} from '../../src/geodesy/distanceMeters.js';
import { directPosition, inverseMeters } from '../../src/geodesy/karney.js';
import { prepareNormal, zoneContains } from '../../src/zones/preparedZone.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';

/** Positions at all latitudes, many of them near a pole, the equator or the antimeridian. */
function place(random: () => number): [number, number] {
  const kind = random();
  const side = random() < 0.5 ? 1 : -1;
  const lat =
    kind < 0.05
      ? side * 90
      : kind < 0.25
        ? side * (90 - 10 ** (1 - 9 * random()))
        : kind < 0.35
          ? side * 10 ** (1 - 12 * random())
          : random() * 180 - 90;
  const lon = random() < 0.2 ? 180 - 10 ** (-12 * random()) : random() * 360 - 180;
  return [wrapLon(lon), lat];
}

describe('the distance of near positions', () => {
  test('is within its bound of the reference, from 1 mm to its limit, everywhere', () => {
    const random = seeded(31);
    let worst = 0;
    let worstTo100 = 0;
    for (let i = 0; i < volume(1_000_000); i++) {
      const [lon, lat] = place(random);
      const reach = random() < 0.5 ? LOCAL_METERS * random() : 10 ** (-3 + 8.3 * random());
      const [toLon, toLat] = directPosition(lon, lat, random() * 360, reach);
      const exact = inverseMeters(lon, lat, toLon, toLat);
      const meters = localDistance(lon, lat, toLon, toLat);
      if (meters < 0) {
        if (exact < LOCAL_METERS - 1e-3) throw new Error(`declined ${exact} m at ${lon}, ${lat}`);
        continue;
      }
      const off = Math.abs(meters - exact);
      worst = Math.max(worst, off / localErrorBound(meters));
      if (exact <= 100_000) worstTo100 = Math.max(worstTo100, off);
      if (localDistance(toLon, toLat, lon, lat) !== meters)
        throw new Error(`not symmetric at ${lon}, ${lat}`);
    }
    expect(worst).toBeLessThan(0.5);
    expect(worstTo100).toBeLessThan(1e-8);
  });

  test('up to 1,100 km is within its relative error of the reference', () => {
    const random = seeded(32);
    let worst = 0;
    for (let i = 0; i < volume(300_000); i++) {
      const [lon, lat] = place(random);
      const [toLon, toLat] = directPosition(lon, lat, random() * 360, (FAR_METERS - 10) * random());
      const exact = inverseMeters(lon, lat, toLon, toLat);
      const meters = farDistance(lon, lat, toLon, toLat);
      if (meters < 0) throw new Error(`declined ${exact} m at ${lon}, ${lat}`);
      // Positions in degrees are rounded by some nanometres.
      worst = Math.max(worst, Math.max(0, Math.abs(meters - exact) - 1e-8) / exact);
    }
    expect(worst).toBeLessThan(FAR_ERROR_SHARE / 2);
    expect(farDistance(0, 0, 11, 0)).toBe(-1);
    expect(farDistance(0, 0, 0, 9.99)).toBe(-1);
  });

  test('declines far positions, also on the same latitude and across a pole', () => {
    expect(localDistance(0, 0, 1.8, 0)).toBe(-1);
    expect(localDistance(0, 0, 180, 0)).toBe(-1);
    expect(localDistance(0, 0, 0, 3)).toBe(-1);
    expect(localDistance(0, 89, 180, 89)).toBe(-1);
    expect(localDistance(0, 89.5, 180, 89.5)).toBeCloseTo(inverseMeters(0, 89.5, 180, 89.5), 7);
  });

  test('is exactly 0 for two notations of one position', () => {
    expect(localDistance(37.6, 55.7, 37.6, 55.7)).toBe(0);
    expect(localDistance(-180, 55.7, 180, 55.7)).toBe(0);
    expect(localDistance(-0, -0, 0, 0)).toBe(0);
    expect(localDistance(7, 90, 7, 90)).toBe(0);
    expect(distanceMeters([10, 90], [-60, 90])).toBe(0);
    expect(distanceMeters([10, -90], [190, -90])).toBe(0);
  });

  test('reads plain pairs, wrapped ones, typed arrays and altitudes alike', () => {
    const meters = distanceMeters([179.9, 12], [-179.9, 12.1]);
    expect(distanceMeters([539.9, 12], [-179.9, 12.1])).toBeCloseTo(meters, 7);
    expect(distanceMeters(Float64Array.of(179.9, 12) as never, [180.1, 12.1])).toBeCloseTo(meters, 7);
    expect(distanceMeters([179.9, 12, 300] as never, [-179.9, 12.1])).toBe(meters);
    expect(distanceMeters([1e-13, -1e-13], [-0, 0])).toBe(0);
    let reads = 0;
    const changing = new Proxy([7, 8], {
      get: (pair, key, receiver): unknown => {
        if (key === '0' && reads++ > 0) throw new Error('read twice');
        return Reflect.get(pair, key, receiver);
      },
    });
    expect(distanceMeters(changing as never, [7, 8])).toBe(0);
    expect(errorOf(() => distanceMeters(['7', 8] as never, [7, 8])).code).toBe('coord-type');
    expect(errorOf(() => distanceMeters([7, 8], [7] as never)).field).toBe('b');
    expect(errorOf(() => distanceMeters([7, Number.NaN], [7, 8])).field).toBe('a[1]');
  });

  test('agrees with the reference at its limit', () => {
    for (const [lon, lat] of [
      [0, 0],
      [179, 45],
      [3, -89],
    ] as const) {
      for (let azimuth = 0; azimuth < 360; azimuth += 30) {
        const [inLon, inLat] = directPosition(lon, lat, azimuth, LOCAL_METERS - 300);
        const [outLon, outLat] = directPosition(lon, lat, azimuth, LOCAL_METERS + 300);
        expect(localDistance(lon, lat, inLon, inLat)).toBeGreaterThan(0);
        expect(Math.abs(geodesicDistance(lon, lat, inLon, inLat) - (LOCAL_METERS - 300))).toBeLessThan(3e-7);
        expect(geodesicDistance(lon, lat, outLon, outLat)).toBe(inverseMeters(lon, lat, outLon, outLat));
      }
    }
  });
});

describe('a disc', () => {
  test('is decided by the reference; within the error bound a position is inside if either distance is within the radius', () => {
    const random = seeded(32);
    let onBorder = 0;
    for (let i = 0; i < volume(400_000, 5000); i++) {
      const [lon, lat] = place(random);
      const [x, y] = directPosition(lon, lat, random() * 360, 10 ** (random() * 5.4));
      const exact = inverseMeters(lon, lat, x, y);
      const own = geodesicDistance(lon, lat, x, y);
      const kind = random();
      const radius =
        kind < 0.1 ? exact : kind < 0.2 ? own : exact + (random() - 0.5) * (kind < 0.6 ? 2e-6 : 2e-8);
      const disc = prepareNormal({ key: 'circle', lon, lat, radius }, false);
      const isInside =
        Math.abs(own - radius) <= localErrorBound(own) ? Math.min(own, exact) <= radius : exact <= radius;
      if (disc.contains(x, y) !== isInside) throw new Error(`contains ${lon}, ${lat}, ${radius}, ${x}, ${y}`);
      const signed = disc.signedDistanceMeters(x, y);
      if (signed <= 0 !== isInside) throw new Error(`sign ${lon}, ${lat}, ${radius}, ${x}, ${y}`);
      if (Math.abs(signed - (exact - radius)) > localErrorBound(exact))
        throw new Error(`value ${lon}, ${lat}, ${x}, ${y}`);
      if (signed === 0) onBorder++;
    }
    expect(onBorder).toBeGreaterThan(500);
  });

  test('contains a position if its radius is the distance to it', () => {
    const random = seeded(33);
    for (let i = 0; i < volume(100_000); i++) {
      const [lon, lat] = place(random);
      const [x, y] = directPosition(lon, lat, random() * 360, 10 ** (random() * 5.6));
      const width = distanceMeters([lon, lat], [x, y]);
      if (!zoneContains({ type: { key: 'circle' }, geometry: [[lon, lat]], width }, [x, y]))
        throw new Error(`${lon}, ${lat}, ${x}, ${y}`);
    }
  });
});
