import { expect, test } from 'vitest';
import { pointInRing } from '../../src/planar/orient2d.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { isInHalfOpen } from './halfOpen.js';

type Point = readonly [number, number];

/** A grid of jittered vertices whose cells are whole or cut along one diagonal. The frame is a box. */
function tiling(random: () => number): { cells: number[][]; probes: Point[]; frame: Point[] } {
  const side = 3 + Math.floor(random() * 4);
  const [west, south] = wkt('0 0, -0.3 -0.1, 15.99 31.99, 63.9 -64.1, 127.5 63.5, 179.4 89.4, 37.5 55.7')[
    Math.floor(random() * 7)
  ] as [number, number];
  const step = 10 ** -Math.floor(1 + random() * 5);
  const at: Point[][] = [];
  for (let row = 0; row <= side; row++) {
    at.push([]);
    for (let column = 0; column <= side; column++) {
      const isFrameX = column === 0 || column === side;
      const isFrameY = row === 0 || row === side;
      const jitterX = isFrameX ? 0 : (random() - 0.5) * 0.6;
      const jitterY = isFrameY ? 0 : (random() - 0.5) * 0.6;
      at[row]?.push([west + (column + jitterX) * step, south + (row + jitterY) * step]);
    }
  }
  const cells: number[][] = [];
  const edges: [Point, Point][] = [];
  const inner: Point[] = [];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const [a, b] = [at[row]?.[column], at[row]?.[column + 1]] as [Point, Point];
      const [d, c] = [at[row + 1]?.[column], at[row + 1]?.[column + 1]] as [Point, Point];
      const kind = random();
      if (kind < 0.3) cells.push([a, b, c, d].flat());
      else if (kind < 0.65) cells.push([a, b, c].flat(), [c, d, a].flat());
      else cells.push([b, c, d].flat(), [a, b, d, a].flat());
      if (kind >= 0.3) edges.push(kind < 0.65 ? [a, c] : [b, d]);
      if (row > 0) edges.push([a, b]);
      if (column > 0) edges.push([a, d]);
      if (row > 0 && column > 0) inner.push(a);
    }
  }
  const onEdges = edges.flatMap(([a, b]) =>
    Array.from({ length: 4 }, (): Point => {
      const fraction = 0.02 + 0.96 * random();
      return [a[0] + fraction * (b[0] - a[0]), a[1] + fraction * (b[1] - a[1])];
    }),
  );
  const anywhere = Array.from(
    { length: 40 },
    (): Point => [
      west + step * side * (0.01 + 0.98 * random()),
      south + step * side * (0.01 + 0.98 * random()),
    ],
  );
  return { cells, probes: [...inner, ...onEdges, ...anywhere], frame: at.flat() };
}

test('each point of a tiling is in exactly one half-open cell and in at least one closed cell', () => {
  const random = seeded(77);
  let probed = 0;
  let shared = 0;
  for (let number = volume(100); number > 0; number--) {
    const { cells, probes, frame } = tiling(random);
    for (const [x, y] of probes) {
      const halfOpen = cells.filter((ring) => isInHalfOpen(x, y, ring)).length;
      const closed = cells.filter((ring) => pointInRing(x, y, ring) >= 0).length;
      if (halfOpen !== 1 || closed < 1) expect.fail(`${x}, ${y}: ${halfOpen} half-open, ${closed} closed`);
      if (closed > 1) shared++;
      probed++;
    }
    for (const [x, y] of frame) expect(cells.some((ring) => pointInRing(x, y, ring) === 0)).toBe(true);
  }
  expect(probed).toBeGreaterThan(100 * volume(100));
  expect(shared).toBeGreaterThan(2 * volume(100));
});
