import { describe, expect, test } from 'vitest';
import { orient2d } from '../../src/planar/orient2d.js';
import { areaOf, sideOf } from '../../src/planar/sideOf.js';
import { exactDeterminant } from '../oracle/exact.js';
import { seeded } from '../volume.js';
import { area, gridPoints } from './grid.js';

const GRID = gridPoints(3, 3);

describe('side of a line', () => {
  test('the sign is exact, also where `turn` would round degrees to 0, and straight is +0', () => {
    expect(sideOf(0, 0, 1e-20, 0, 0, 1e-20)).toBeGreaterThan(0);
    expect(sideOf(0, 0, 1e-20, 0, 0, -1e-20)).toBeLessThan(0);
    expect(sideOf(0.5, 0.5 + 2 ** -53, 12, 12, 24, 24)).toBeGreaterThan(0);
    expect(sideOf(0.5 + 2 ** -53, 0.5, 12, 12, 24, 24)).toBeLessThan(0);
    expect(sideOf(0, 0, 1, 1, 3, 3)).toBe(0);
    for (const a of GRID) {
      for (const b of GRID)
        for (const c of GRID) expect(Math.sign(sideOf(...a, ...b, ...c))).toBe(Math.sign(area(a, b, c)) + 0);
    }
  });

  test('the sign is exact for points a few units in the last place off a line, in any order', () => {
    const random = seeded(31);
    const bits = (): number => Math.floor(random() * 5 - 2) * 2 ** -53;
    for (let k = 0; k < 1500; k++) {
      const [x, y, dx, dy] = [random(), random(), random() - 0.5, random() - 0.5];
      const s = random() * 3 - 1;
      const scale = 2 ** (10 * Math.floor(5 * random() - 2));
      const place = [x, y, x + dx, y + dy, x + s * dx + bits(), y + s * dy + bits()] as const;
      const six = place.map((value) => value * scale) as unknown as typeof place;
      const exact = exactDeterminant(...six);
      const sign = exact > 0n ? 1 : exact < 0n ? -1 : 0;
      expect([six, Math.sign(sideOf(...six))]).toEqual([six, sign]);
      expect([six, Math.sign(areaOf(...six))]).toEqual([six, sign]);
      expect([six, Math.sign(orient2d(...six))]).toEqual([six, sign]);
    }
  });

  test('areaOf is accurate for flat triangles', () => {
    const random = seeded(32);
    for (let k = 0; k < 500; k++) {
      const whole = (): number => Math.floor(random() * 2 ** 45);
      const [ax, ay, bx, by] = [whole(), whole(), whole(), whole()];
      // The point is the far end, moved by at most two whole units.
      const beside = (): number => Math.round(random() * 4 - 2);
      const six = [ax, ay, bx, by, 3 * bx - 2 * ax + beside(), 3 * by - 2 * ay + beside()] as const;
      const [dx, dy, ex, ey] = [bx - ax, by - ay, six[4] - ax, six[5] - ay].map(BigInt) as [
        bigint,
        bigint,
        bigint,
        bigint,
      ];
      const exact = dx * ey - dy * ex;
      const got = BigInt(areaOf(...six));
      const error = got > exact ? got - exact : exact - got;
      const size = exact > 0n ? exact : -exact;
      if (error * 2n * 10n ** 11n > size) expect({ six, got }).toEqual({ six, got: exact });
    }
  });

  test('areaOf is accurate where even the differences of coordinates lose a bit', () => {
    const random = seeded(33);
    let seen = 0;
    const odd = (): bigint => 2n * BigInt(Math.floor(random() * 2 ** 52)) + 1n;
    for (let k = 0; k < 1500; k++) {
      const [ax, ay, bx, by] = [-odd(), -odd(), odd() - 1n, odd() - 1n];
      // (u, v) is a step beside the edge that spans an area of 1. It is scaled up to 2^40 times, then moved back along the edge into
      // range.
      const [gcd, u, v] = bezout(bx - ax, by - ay);
      if (gcd !== 1n) continue;
      const times = 2n ** BigInt(k % 5 === 0 ? k % 40 : 0) * (k % 2 === 0 ? 1n : -1n);
      const along = (-v * times) / (bx - ax) + (k % 3 === 0 ? 0n : 1n);
      const [cx, cy] = [ax - v * times - along * (bx - ax), ay + u * times - along * (by - ay)];
      const six = [ax, ay, bx, by, cx, cy].map(Number) as [number, number, number, number, number, number];
      if (six.some((value) => Math.abs(value) > 2 ** 53)) continue;
      const error = Math.abs(areaOf(...six) - Number(times));
      const size = Number(bx - ax) * Number(by - ay);
      expect(error).toBeLessThanOrEqual(1e-11 * Math.abs(Number(times)) + 1e-31 * size);
      expect(Math.sign(areaOf(...six))).toBe(times > 0n ? 1 : -1);
      seen++;
    }
    expect(seen).toBeGreaterThan(300);
  });
});

/** The greatest common divisor d of a and b, with d = a u + b v. */
function bezout(a: bigint, b: bigint): [d: bigint, u: bigint, v: bigint] {
  if (b === 0n) return [a, 1n, 0n];
  const [d, u, v] = bezout(b, a % b);
  return [d, v, u - (a / b) * v];
}
