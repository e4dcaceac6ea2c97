import { expect, test } from 'vitest';
import { smallRing } from '../../src/tiles/soundPolygons.js';
import { jstsProblem } from '../oracle/jstsValidity.js';
import { seeded, volume } from '../volume.js';
import { isInside } from './decoded.js';

const pairs = (ring: readonly number[]): [number, number][] =>
  Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);

const closed = (ring: readonly number[]): [number, number][] => [...pairs(ring), [ring[0]!, ring[1]!]];

test('a ring falls into valid polygons with the inside of the even-odd rule, or is left to the union', () => {
  const random = seeded(11);
  let [split, left] = [0, 0];
  for (let i = 0; i < volume(20_000); i++) {
    const count = 3 + Math.floor(random() * 9);
    const size = 3 + Math.floor(random() * 6);
    const ring: number[] = [];
    // Most of the rings go around a middle, as snapped zones do.
    const isStar = random() < 0.7;
    for (let k = 0; k < count; k++) {
      const angle = (2 * Math.PI * k) / count;
      const reach = size * (0.3 + 0.7 * random());
      const x = isStar ? Math.round(reach * Math.cos(angle)) : Math.floor(random() * size);
      const y = isStar ? Math.round(reach * Math.sin(angle)) : Math.floor(random() * size);
      if (ring.at(-2) !== x || ring.at(-1) !== y) ring.push(x, y);
    }
    if (ring.length < 6) continue;
    const loops = smallRing(ring);
    if (loops === null) {
      left++;
      continue;
    }
    split++;
    for (let probe = 0; probe < 20; probe++) {
      const point = [2 * size * (random() - 0.5), 2 * size * (random() - 0.5)] as const;
      const isIn = isInside(point, loops.map(closed));
      if (isIn !== isInside(point, [closed(ring)])) expect({ ring, point, isIn }).toBeNull();
    }
    if (loops.length > 0)
      expect({ ring, problem: jstsProblem(loops.map((loop) => [pairs(loop)])) }).toEqual({
        ring,
        problem: null,
      });
  }
  expect(split).toBeGreaterThan(left);
});

test('a long ring is left to the sweep', () => {
  expect(smallRing(Array.from({ length: 100 }, (_, i) => i))).toBeNull();
});
