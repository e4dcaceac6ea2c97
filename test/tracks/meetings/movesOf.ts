import { expect } from 'vitest';
import type { Move } from '../../../src/tracks/meetings/pairDistance.js';

/** Two moves: near or far, long or short, alike or not, anywhere on the Earth. */
export function movesOf(random: () => number): readonly [Move, Move] {
  const pick = <Item>(...items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const lat = pick(0, 0.001, -0.02, 30, -45, 55.7, 70, -80, 88, 89.5, 89.99);
  const lon = pick(37.6, 179.9999, -179.9999, 0);
  const size = pick(1e-4, 1e-3, 1e-2, 0.3, 8);
  const apart = pick(1e-4, 1e-3, 0.05, 2);
  const around = (value: number, by: number): number => value + by * (2 * random() - 1);
  const wrapped = (value: number): number => (value > 180 ? value - 360 : value < -180 ? value + 360 : value);
  const within = (value: number): number => Math.max(-90, Math.min(90, value));
  const [east, north] = [around(0, size), around(0, size)];
  const share = pick(0, 0.1, 0.9, 1, 1, 1.02, -1);
  const a = { lonA: wrapped(lon), latA: within(lat), lonB: wrapped(lon + east), latB: within(lat + north) };
  const [lonB, latB] = [around(lon, apart), around(lat, apart)];
  const jitter = pick(0, 0, size / 20);
  return [
    a,
    {
      lonA: wrapped(lonB),
      latA: within(latB),
      lonB: wrapped(lonB + share * east + around(0, jitter)),
      latB: within(latB + share * north + around(0, jitter)),
    },
  ];
}

/** As `expect(isTrue).toBe(true)`, for many cases. */
export function must(isTrue: boolean, ...about: readonly unknown[]): void {
  if (!isTrue) expect.unreachable(JSON.stringify(about));
}
