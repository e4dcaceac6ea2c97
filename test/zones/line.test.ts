import { describe, expect, test } from 'vitest';
import { wrapLon } from '../../src/core/angles.js';
import { exactEdgeDistance } from '../../src/geodesy/edgeDistance.js';
import { directPosition, inverseMeters } from '../../src/geodesy/karney.js';
import { sublevelIntervals } from '../../src/geodesy/sublevelIntervals.js';
import { prepareNormal, prepareZone } from '../../src/zones/preparedZone.js';
import { settleEnds } from '../../src/zones/shapes/intervalUnion.js';
import { seeded, volume } from '../volume.js';

type Pair = [number, number];

/** A winding line with steps of about `step` metres and some repeated positions. */
function winding(random: () => number, start: Pair, count: number, step: number): Pair[] {
  const line: Pair[] = [start];
  let azimuth = random() * 360;
  while (line.length < count) {
    azimuth += (random() - 0.5) * 120;
    const [lon, lat] =
      random() < 0.05 ? line.at(-1)! : directPosition(...line.at(-1)!, azimuth, step * random());
    line.push([wrapLon(lon), lat]);
  }
  return line;
}

function start(random: () => number): Pair {
  const kind = random();
  if (kind < 0.2) return [wrapLon(180 + (random() - 0.5) * 0.02), random() * 160 - 80];
  if (kind < 0.35)
    return [random() * 360 - 180 || 1, (random() < 0.5 ? 1 : -1) * (90 - 10 ** (-4 * random()))];
  return [random() * 360 - 180 || 1, random() * 140 - 70];
}

/** A line of 1 to 40 vertices, with steps of 10 m to 10 km. */
const windingLine = (random: () => number): Pair[] =>
  winding(random, start(random), 1 + Math.floor(40 * random() ** 2), 10 ** (1 + 3 * random()));

/** Brute force: the distance to each edge by Karney's geodesics. */
function exactDistance(line: readonly Pair[], lon: number, lat: number): number {
  if (line.length === 1) return inverseMeters(lon, lat, ...line[0]!);
  return Math.min(...line.slice(1).map((to, i) => exactEdgeDistance(lon, lat, ...line[i]!, ...to)));
}

describe('a line zone', () => {
  test('contains the positions within half its width by the exact distance, to the last digit', () => {
    const random = seeded(51);
    for (let i = 0; i < volume(40_000); i++) {
      const line = windingLine(random);
      const [fromLon, fromLat] = line[Math.floor(random() * line.length)]!;
      const [x, y] = directPosition(fromLon, fromLat, random() * 360, 10 ** (-1 + 4 * random()));
      const lon = wrapLon(x);
      const exact = exactDistance(line, lon, y);
      const kind = random();
      const half =
        kind < 0.3
          ? exact
          : kind < 0.8
            ? exact + (random() - 0.5) * 10 ** (-9 + 4 * random())
            : exact * 2 * random();
      if (half <= 0) continue;
      const zone = prepareNormal(
        { key: 'line', coords: Float64Array.from(line.flat()), halfWidth: half },
        false,
      );
      const where = JSON.stringify({ line, half, lon, y });
      if (zone.contains(lon, y) !== exact <= half) throw new Error(`contains: ${where}`);
      const signed = zone.signedDistanceMeters(lon, y);
      if (signed <= 0 !== exact <= half) throw new Error(`sign: ${where}`);
      if (!(Math.abs(signed - (exact - half)) < 1e-7)) throw new Error(`distance: ${where}`);
    }
  });

  test('has the intervals of the exact distance', () => {
    const random = seeded(52);
    let crossings = 0;
    for (let i = 0; i < volume(4000, 50); i++) {
      const line = windingLine(random);
      const half = 10 ** (0.5 + 2.5 * random());
      const near = (): Pair => {
        const [lon, lat] = directPosition(
          ...line[Math.floor(random() * line.length)]!,
          random() * 360,
          3 * half * random(),
        );
        return [wrapLon(lon), lat];
      };
      const [a, b] = [near(), near()];
      const zone = prepareNormal(
        { key: 'line', coords: Float64Array.from(line.flat()), halfWidth: half },
        false,
      );
      const distance = (lon: number, lat: number): number => exactDistance(line, lon, lat);
      const exact = settleEnds(
        sublevelIntervals(distance, half, ...a, ...b),
        distance(...a) <= half,
        distance(...b) <= half,
      );
      const intervals = zone.intervals(...a, ...b);
      const where = JSON.stringify({ line, half, a, b, intervals, exact });
      if (intervals.length !== exact.length) throw new Error(where);
      const way = inverseMeters(...a, ...b);
      for (const [k, t] of intervals.entries()) {
        if ((t === 0) !== (exact[k] === 0) || (t === 1) !== (exact[k] === 1)) throw new Error(where);
        // Metres along the segment. The error of a glancing crossing grows as its angle decreases.
        if (Math.abs(t - exact[k]!) * way > 1e-4) throw new Error(where);
        if (t !== 0 && t !== 1) {
          crossings++;
          const lon = a[0] + (((b[0] - a[0] + 540) % 360) - 180) * t;
          const off = Math.abs(distance(wrapLon(lon), a[1] + (b[1] - a[1]) * t) - half);
          if (off > 3e-8) throw new Error(`${off} off: ${where}`);
        }
      }
    }
    expect(crossings).toBeGreaterThan(50);
  });

  test('of one position is a disc, and at a pole all longitudes are the same', () => {
    const disc = prepareNormal({ key: 'line', coords: Float64Array.of(10, 20), halfWidth: 100 }, false);
    expect(disc.contains(10, 20)).toBe(true);
    expect(disc.signedDistanceMeters(10, 20)).toBe(-100);
    expect(disc.intervals(9, 20, 11, 20).length).toBe(2);
    const polar = prepareNormal(
      { key: 'line', coords: Float64Array.of(0, 89.99, 180, 89.99), halfWidth: 5000 },
      false,
    );
    expect(polar.contains(77, 90)).toBe(true);
    expect(polar.contains(77, 89.999)).toBe(true);
    expect(polar.intervals(90, 89.9, 90, 90)).toEqual([expect.any(Number), 1]);
  });
});

test('the distance to a long line by its tree is that edge by edge, to the last bit', () => {
  const random = seeded(83);
  for (const [lon, lat, step] of [
    [37.6, 55.7, 0.01],
    [179.99, -0.01, 0.05],
    [-120, 84, 0.4],
    [10, 45, 3],
  ] as const) {
    // biome-ignore format: one line
    let [x, y]: Pair = [lon, lat];
    const geometry = Array.from({ length: 150 }, (): Pair => {
      x += (random() - 0.4) * step;
      y = Math.max(-89.9, Math.min(89.9, y + (random() - 0.5) * step));
      return [wrapLon(x), y];
    });
    const shape = { type: { key: 'line' }, geometry, width: 400 } as const;
    const warm = prepareZone(shape);
    for (let i = 0; i < 40; i++) {
      const [atLon, atLat] = geometry[Math.floor(random() * geometry.length)]!;
      const spread = random() < 0.5 ? 0.005 : 20 * step;
      const probe = [
        wrapLon(atLon + (random() - 0.5) * spread),
        Math.max(-90, Math.min(90, atLat + (random() - 0.5) * spread)),
      ] as const;
      // A line that was measured rarely has no tree.
      expect(warm.signedDistanceMeters(...probe)).toBe(prepareZone(shape).signedDistanceMeters(...probe));
    }
  }
});

test('a segment that grazes the border of a line with noise has the stretches of each edge', () => {
  const intervalsOf = (geometry: [number, number][]): number[] =>
    prepareZone({ type: { key: 'line' }, geometry, width: 5 }).intervals(
      30, 55.00002275273699, 30.02, 55.00002275273699
    ); // biome-ignore format: one line
  const all = intervalsOf([[30.0031, 55.0000003], [30.0096, 55.0000002], [30.0097, 55.0000003]]); // biome-ignore format: one line
  const last = intervalsOf([[30.0096, 55.0000002], [30.0097, 55.0000003]]); // biome-ignore format: one line
  expect(all).toHaveLength(4);
  expect(last).toHaveLength(2);
  for (const [i, t] of last.entries()) expect(all[i + 2]).toBeCloseTo(t, 9);
});
