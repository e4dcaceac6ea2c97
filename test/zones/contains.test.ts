import { describe, expect, test } from 'vitest';
import { type Pair, signedDistanceMeters, type ZoneShape, zoneContains } from '../../src/index.js';
import { exactPointInRing } from '../oracle/exact.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { PLACES, probeAt, shapeAt, star } from './generators.js';
import { HOLE, SHELL, TRIANGLE } from './holedSquare.js';

const polygon = (geometry: readonly Pair[]): ZoneShape => ({ type: { key: 'polygon' }, geometry });

describe('polygons', () => {
  const square = polygon(wkt('0 0, 2 0, 2 2, 0 2'));

  test('vertices, edges and horizontal edges are inside; ±0 and ±180 are the same', () => {
    for (const position of [
      [0, 0],
      [-0, 2],
      [1e-320, 1],
      [1, 2],
      [2, 1.3],
      [1, 1],
    ] as const) {
      expect(zoneContains(square, position)).toBe(true);
    }
    expect(zoneContains(polygon(wkt('0 2, 2 0, 2 2')), [0.4, 1.6])).toBe(true);
    expect(zoneContains(square, [2.0000000001, 1])).toBe(false);
    const atLine = polygon(wkt('170 0, 180 0, 180 1, 170 1'));
    expect(zoneContains(atLine, [180, 0.5])).toBe(true);
    expect(zoneContains(atLine, [-180, 0.5])).toBe(true);
    expect(zoneContains(polygon(wkt('-180 0, -170 0, -170 1, -180 1')), [180, 0.5])).toBe(true);
  });

  test('boxes 179…-179 and 179…181 contain the same positions', () => {
    const wrapped = polygon(wkt('179 -1, -179 -1, -179 1, 179 1'));
    const unrolled = polygon(wkt('179 -1, 181 -1, 181 1, 179 1'));
    for (const lon of [178.9, 179, 179.5, 180, -180, -179.5, -179, -178.9, 0]) {
      const inside = Math.abs(lon) >= 179;
      expect([zoneContains(wrapped, [lon, 0.5]), zoneContains(unrolled, [lon, 0.5])]).toEqual([
        inside,
        inside,
      ]);
    }
  });

  test('a ring around a pole contains it, and so do a vertex or an edge at the pole', () => {
    const cap = polygon(wkt('0 80, 120 80, -120 80'));
    expect(zoneContains(cap, [55, 90])).toBe(true);
    expect(zoneContains(cap, [-33, 80.1])).toBe(true);
    expect(zoneContains(cap, [-33, 79.9])).toBe(false);
    expect(zoneContains(polygon(wkt('0 80, 20 80, 10 90')), [-170, 90])).toBe(true);
    expect(zoneContains(polygon(wkt('0 -80, 20 -80, 20 -90, 0 -90')), [77, -90])).toBe(true);
    expect(zoneContains(polygon(wkt('0 -80, 20 -80, 20 -89, 0 -89')), [77, -90])).toBe(false);
  });

  test('the box of the whole world contains every position once', () => {
    const world: Pair[] = wkt('-180 -90, 180 -90, 180 90, -180 90, -180 -90');
    for (const position of [
      [0, 0],
      [180, 0],
      [-180, 12],
      [0, 90],
      [123, -90],
      [-179.9, 89.9],
    ] as const) {
      expect(zoneContains(polygon(world), position)).toBe(true);
      expect(zoneContains(polygon(world), position, { boundary: 'half-open' })).toBe(true);
    }
    expect(signedDistanceMeters(polygon(world), [10, 10])).toBeCloseTo(-20_003_931.4586, 3);
  });

  // containment; `validate…` reports that the ring is invalid
  test('a bow-tie follows the even-odd rule', () => {
    const bowTie = polygon(wkt('0 0, 2 2, 2 0, 0 2'));
    expect([
      zoneContains(bowTie, [0.2, 1]),
      zoneContains(bowTie, [1, 0.2]),
      zoneContains(bowTie, [1.8, 1]),
    ]).toEqual([true, false, true]);
  });

  test('holes are outside, their boundary is inside; each part counts separately', () => {
    const shape: ZoneShape = { ...polygon(SHELL), parts: [[SHELL, HOLE], [TRIANGLE]] };
    expect([
      zoneContains(shape, [5, 5]),
      zoneContains(shape, [4, 5]),
      zoneContains(shape, [3, 5]),
      zoneContains(shape, [20.9, 0.5]),
    ]).toEqual([false, true, true, true]);
    expect(signedDistanceMeters(shape, [5, 5])).toBeGreaterThan(100_000);
    expect(signedDistanceMeters(shape, [4, 5])).toBe(0);
  });

  test('parts are always lon, lat; only geometry follows the axis order', () => {
    const shape: ZoneShape = {
      type: { key: 'polygon' },
      geometry: wkt('55 37, 56 37, 56 38'),
    };
    expect(zoneContains(shape, [37.2, 55.8], { axisOrder: 'latlon' })).toBe(true);
    const withParts = {
      ...shape,
      parts: [[wkt('37 55, 37 56, 38 56')]],
    } as ZoneShape;
    expect(zoneContains(withParts, [37.2, 55.8], { axisOrder: 'latlon' })).toBe(true);
  });

  test('equals exact rational arithmetic; reversal, rotation and ±360° change nothing', () => {
    const random = seeded(77);
    let inside = 0;
    for (let i = 0; i < volume(40_000); i++) {
      const place = PLACES[i % 3 === 0 ? 1 : i % 3 === 1 ? 0 : 2]!;
      // Half of the rings have dyadic coordinates, which are exact after ±360°; the others have decimals, like reported positions.
      const grid = i % 2 === 0 ? 2 ** 20 : 1e6;
      const ring = star(random, place, 0.5).map(
        ([x, y]): Pair => [Math.round(x * grid) / grid, Math.round(y * grid) / grid],
      );
      const a = ring[Math.floor(random() * ring.length)]!;
      const b = ring[Math.floor(random() * ring.length)]!;
      const probe: Pair =
        random() < 0.3 && Math.abs(a[0] - b[0]) < 90
          ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
          : probeAt(random, place, 0.4);
      const contains = zoneContains(polygon(ring), probe);
      // The oracle works in the plane, on the unrolled ring, so the probe moves to the side of the ring.
      const side = (lon: number): number =>
        Math.abs(place[0]) < 170
          ? lon
          : probe[0] > 0
            ? lon < 0
              ? lon + 360
              : lon
            : lon > 0
              ? lon - 360
              : lon;
      expect({ i, contains }).toEqual({
        i,
        contains:
          exactPointInRing(
            probe[0],
            probe[1],
            ring.flatMap(([x, y]) => [side(x), y]),
          ) >= 0,
      });
      const turned = [...ring.slice(1), ring[0]!];
      const shifted = ring.map(([x, y]): Pair => [x > 0 ? x - 360 : x + 360, y]);
      expect(zoneContains(polygon([...ring].reverse()), probe)).toBe(contains);
      expect(zoneContains(polygon(turned), probe)).toBe(contains);
      if (i % 2 === 0) expect(zoneContains(polygon(shifted), probe)).toBe(contains);
      inside += Number(contains);
    }
    expect(inside).toBeGreaterThan(100);
  });
});

describe('circles, points and lines use the true distance', () => {
  test('a circle of radius 0 and a point without a width contain only their own position', () => {
    for (const shape of [
      { type: { key: 'circle' }, geometry: [[10, 10]], width: 0 },
      { type: { key: 'point' }, geometry: [[10, 10]] },
    ] as const) {
      expect(zoneContains(shape, [10, 10])).toBe(true);
      expect(zoneContains(shape, [10, 10.0000001])).toBe(false);
      expect(signedDistanceMeters(shape, [10, 10])).toBe(0);
    }
  });

  test('a circle across the pole and the antimeridian is one disc', () => {
    const polar: ZoneShape = { type: { key: 'circle' }, geometry: [[0, 89.9]], width: 50_000 };
    expect(zoneContains(polar, [180, 89.9])).toBe(true);
    expect(zoneContains(polar, [0, 90])).toBe(true);
    expect(zoneContains(polar, [180, 89.4])).toBe(false);
    const line: ZoneShape = { type: { key: 'circle' }, geometry: [[179.999, 0]], width: 1000 };
    expect(zoneContains(line, [-179.999, 0])).toBe(true);
  });

  test('a quarter of a meridian is 10,001,965.729 m', () => {
    const shape: ZoneShape = { type: { key: 'point' }, geometry: [[0, 0]] };
    expect(signedDistanceMeters(shape, [0, 90])).toBeCloseTo(10_001_965.7293, 3);
    expect(zoneContains({ ...shape, width: 10_001_966 }, [0, 90])).toBe(true);
    expect(zoneContains({ ...shape, width: 10_001_965 }, [0, 90])).toBe(false);
  });

  test('a line contains all within half its width, also beyond its ends and around a single point', () => {
    const line: ZoneShape = {
      type: { key: 'line' },
      geometry: wkt('0 0, 0 1'),
      width: 222_639,
    };
    expect(signedDistanceMeters(line, [1, 0.5])).toBeCloseTo(0, -1);
    expect(zoneContains(line, [0.9, -0.2])).toBe(true);
    expect(zoneContains(line, [0.9, -0.6])).toBe(false);
    expect(zoneContains({ type: { key: 'line' }, geometry: [[5, 5]], width: 20 }, [5, 5.00008])).toBe(true);
  });
});

test('the sign of the distance agrees with containment everywhere', () => {
  const random = seeded(4);
  for (let i = 0; i < volume(6_000); i++) {
    const place = PLACES[i % PLACES.length]!;
    const shape = shapeAt(random, place, 0.3);
    const probe = probeAt(random, place, 0.3);
    const distance = signedDistanceMeters(shape, probe);
    expect({ i, inside: distance <= 0 }).toEqual({ i, inside: zoneContains(shape, probe) });
    expect(Number.isFinite(distance)).toBe(true);
  }
});
