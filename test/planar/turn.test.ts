import { expect, test } from 'vitest';
import { orient2d } from '../../src/planar/orient2d.js';
import { exactTurn } from '../oracle/exact.js';
import { seeded, volume } from '../volume.js';
import { ringCase } from './adversarial.js';

test('left is positive, right negative, straight +0', () => {
  expect(orient2d(0, 0, 1, 0, 1, 1)).toBeGreaterThan(0);
  expect(orient2d(0, 0, 1, 0, 1, -1)).toBeLessThan(0);
  expect(orient2d(0, 0, 1, 1, 2, 2)).toBe(0);
  expect(orient2d(2, 2, 1, 1, 0, 0)).toBe(0);
  expect(orient2d(-0, 0, 0, -0, 0, 0)).toBe(0);
  expect(orient2d(3, 1, 3, 1, 3, 1)).toBe(0);
});

test('is exact where a plain determinant is not, and reads values below 1e-12 as 0', () => {
  // Example of Kettner et al. (2008): one unit in the last place off the diagonal.
  const off = 0.5 + 2 ** -53;
  expect(orient2d(0.5, off, 12, 12, 24, 24)).toBeGreaterThan(0);
  expect(orient2d(off, 0.5, 12, 12, 24, 24)).toBeLessThan(0);
  expect(orient2d(1e-160, 0, 0, 1e-160, 1e-320, 1e-320)).toBe(0);
  expect(orient2d(0, 0, 1, 1e-320, 2, 0)).toBe(0);
  expect(orient2d(0, 0, 1e-12, 0, 0, 1e-12)).toBeGreaterThan(0);
});

test('has the sign of exact arithmetic for each order of the three points', () => {
  const random = seeded(5);
  let straight = 0;
  for (let number = volume(200_000); number > 0; number--) {
    const { x, y, ring } = ringCase(number, random);
    const [ax, ay, bx, by] = ring as [number, number, number, number];
    const exact = exactTurn(ax, ay, bx, by, x, y);
    const signs = [
      orient2d(ax, ay, bx, by, x, y),
      orient2d(bx, by, x, y, ax, ay),
      -orient2d(bx, by, ax, ay, x, y),
      -orient2d(x, y, bx, by, ax, ay),
    ].map((value) => Math.sign(value) + 0);
    if (signs.some((sign) => sign !== exact))
      expect.fail(`${[ax, ay, bx, by, x, y].join(', ')}: ${signs.join(', ')}, exactly ${exact}`);
    if (exact === 0) straight++;
  }
  expect(straight).toBeGreaterThan(100);
});
