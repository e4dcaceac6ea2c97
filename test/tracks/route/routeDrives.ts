/** Small routes that cross and repeat themselves, and drives near them. */

import fc from 'fast-check';
import type { Position } from '../../../src/index.js';
import type { SlowFix } from './slowMatch.js';

/** About 100 m. */
export const STEP: readonly [number, number] = [0.0016, 0.0009];
const ORIGIN: Position = [37.6, 55.7];

const on = (x: number, y: number): Position => [ORIGIN[0] + x * STEP[0], ORIGIN[1] + y * STEP[1]];

export const gridLine: fc.Arbitrary<Position[]> = fc
  .array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 2, maxLength: 9 })
  .map((cells) => cells.filter(([x, y], i) => i === 0 || x !== cells[i - 1]![0] || y !== cells[i - 1]![1]))
  .filter((cells) => cells.length >= 2)
  .map((cells) => cells.map(([x, y]) => on(x, y)));

/** Fixes on grid positions, between them, and anywhere near. */
const place = fc.oneof(
  fc.tuple(fc.nat(6), fc.nat(6)).map(([x, y]) => [x / 2, y / 2] as const),
  fc.tuple(fc.nat(30), fc.nat(3)).map(([x, y]) => [x / 10, y] as const),
  fc
    .tuple(fc.integer({ min: -50, max: 350 }), fc.integer({ min: -50, max: 350 }))
    .map(([x, y]) => [x / 100, y / 100] as const),
);
const pause = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(5, 30, 60) }, fc.constantFrom(601, 900, 3601));

export function gridFixes(maxLength: number): fc.Arbitrary<SlowFix[]> {
  return fc.array(fc.tuple(place, pause), { maxLength }).map((steps) => {
    let time = 1_772_438_400_000;
    return steps.map(([[x, y], seconds]) => {
      time += seconds * 1000;
      const [lon, lat] = on(x, y);
      return { time, lon, lat };
    });
  });
}

/** A drive from vertex to vertex of a route, forward or backward, with noise. */
export function driveOn(
  line: readonly Position[],
  stops: readonly number[],
  noise: readonly number[],
): SlowFix[] {
  let time = 1_772_438_400_000;
  return stops.map((stop, i) => {
    const at = (stop / 10) % (line.length - 1);
    const edge = Math.floor(at);
    const [a, b] = [line[edge]!, line[edge + 1]!];
    const t = at - edge;
    time += 20_000;
    const shift = (noise[i % noise.length]! / 100) * STEP[1];
    return { time, lon: a[0] + (b[0] - a[0]) * t + shift, lat: a[1] + (b[1] - a[1]) * t - shift / 2 };
  });
}
