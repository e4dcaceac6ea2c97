import { expect, test } from 'vitest';
import { planarArea } from '../../src/planar/planarArea.js';

test('the area is positive if counterclockwise, for open and closed rings, from any vertex', () => {
  // A box of 4 by 2 with a box of 2 by 3 on top; then sheared along x and along y, which keeps the area.
  const upright = [1, 2, 5, 2, 5, 4, 3, 4, 3, 7, 1, 7];
  const points = Array.from({ length: 6 }, (_, i) => [upright[2 * i]!, upright[2 * i + 1]!] as const);
  const slanted = points.map(([x, y]) => [x + 3 * y, y] as const);
  for (const ring of [points, slanted, slanted.map(([x, y]) => [x, y - 2 * x] as const)]) {
    for (let first = 0; first < ring.length; first++) {
      const turned = [...ring.slice(first), ...ring.slice(0, first)];
      expect(planarArea(turned)).toBe(14);
      expect(planarArea([...turned, turned[0]!])).toBe(14);
      expect(planarArea(turned.toReversed())).toBe(-14);
    }
  }
  expect(planarArea([[3, 4]])).toBe(0);
});
