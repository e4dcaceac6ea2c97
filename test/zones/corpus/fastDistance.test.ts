import { expect, test } from 'vitest';
import { seeded } from '../../volume.js';
import { LineDistance, moved } from '../corridorChecker.js';
import { walk } from '../lines.js';
import { FastDistance } from './fastDistance.js';

test('the distances agree with those of Karney within 10 µm, or 1e-8 of the distance', () => {
  const random = seeded(1);
  let worst = 0;
  for (let seed = 0; seed < 60; seed++) {
    const lat = 168 * random() - 84;
    const meters = 10 ** (1 + 3 * random());
    const line = walk(random, 40, [seed % 3 === 0 ? 179.999 : 40, lat], meters, 2);
    const [fast, slow] = [new FastDistance(line), new LineDistance(line)];
    for (let k = 0; k < 40; k++) {
      const position = moved(line[k]!, 360 * random(), 10 ** (3.3 * random()));
      const wanted = slow.meters(position);
      worst = Math.max(worst, Math.abs(fast.meters(position) - wanted) / (1e-5 + 1e-8 * wanted));
    }
  }
  expect(worst).toBeLessThan(1);
});

test('edges of thousands of kilometres are straight in lon/lat', () => {
  const line = [[24, 23], [1, 0], [4.00001, 2.99999], [170, 60], [-170, -40]] as const; // biome-ignore format: line
  const [fast, slow] = [new FastDistance(line), new LineDistance(line)];
  for (const at of [
    [2.05, 1.0505],
    [20, 19.01],
    [-175, 3.001],
    [90, 33.0],
  ] as const) {
    const wanted = slow.meters(at);
    if (wanted < 5000) expect(Math.abs(fast.meters(at) - wanted)).toBeLessThan(1e-4);
    else expect(fast.meters(at)).toBeGreaterThan(4999);
  }
});

test('one position, and repeated positions, are lines', () => {
  for (const line of [[[37, 55]], [[37, 55], [37, 55]]] as const) // biome-ignore format: lines
    expect(new FastDistance(line).meters([37.001, 55])).toBeCloseTo(
      new LineDistance(line).meters([37.001, 55]),
      6,
    );
});
