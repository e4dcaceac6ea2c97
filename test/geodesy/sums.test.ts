import { describe, expect, test } from 'vitest';
import type { Position } from '../../src/core/geometry.js';
import { localDistance } from '../../src/geodesy/distanceMeters.js';
import {
  addEdge,
  edgeLength,
  emptySums,
  lengthMeters,
  lineMeters,
  measureRing,
  polarSide,
} from '../../src/geodesy/edgeSums.js';
import { fixedEdge, fixedError } from './fixedPoint.js';

/** The sum of numbers of any size in units of 2^-80, rounded once. */
function exactSum(values: readonly number[]): number {
  const unit = 2 ** 40;
  const sum = values.reduce((total, value) => {
    const whole = Math.floor(value * unit);
    return total + (BigInt(whole) << 40n) + BigInt(Math.floor((value * unit - whole) * unit));
  }, 0n);
  return Number(sum) / 2 ** 80;
}

describe('one long edge does not remove digits of thousands of tiny ones', () => {
  const step = 1.3e-7;
  const tiny: Position[] = Array.from({ length: 3001 }, (_, k) => [k * step, 10 + k * step]);
  const far: Position = [150, -40];

  test.each([
    ['first', [far, ...tiny]],
    ['last', [...tiny, far]],
  ] as [string, Position[]][])('in a length, the long edge %s', (_, line) => {
    const wanted = exactSum(line.slice(1).map((b, i) => edgeLength(...line[i]!, ...b)));
    expect(Math.abs(lengthMeters(line) - wanted)).toBeLessThan(4e-9);
    expect(Math.abs(lineMeters(line.flat()) - wanted)).toBeLessThan(4e-9);
  });

  test.each([
    ['first', [far, ...tiny]],
    ['last', [...tiny, far]],
    ['in the middle', [...tiny.slice(1500), far, ...tiny.slice(0, 1500)]],
  ] as [string, Position[]][])('in a ring, the long edge %s', (_, ring) => {
    const [lon0] = ring[0]!;
    const sums = ring.map(([lon, lat], i) => {
      const [toLon, toLat] = ring[(i + 1) % ring.length]!;
      const sum = emptySums();
      addEdge(sum, lon - lon0, lat, toLon - lon0, toLat);
      return sum;
    });
    const { area, perimeter, pole } = measureRing(ring.flat());
    const wanted = exactSum(sums.map(({ meters }) => meters));
    expect(pole).toBeNull();
    expect(Math.abs(perimeter - wanted)).toBeLessThan(8e-9);
    const strip = Math.abs(exactSum(sums.map((sum) => sum.strip)));
    const most = Math.max(...sums.map((sum) => Math.abs(sum.strip)));
    expect(Math.abs(area - strip)).toBeLessThan(2 ** -52 * most);
  });
});

test('an edge that is added and subtracted leaves the sum unchanged', () => {
  const tiny = [20, 10, 20.000001, 10.000003] as const;
  const alone = emptySums();
  addEdge(alone, ...tiny);
  const all = emptySums();
  addEdge(all, ...tiny);
  for (const [xA, latA, xB, latB] of [
    [150, -40, 160, 70],
    [-170, 85, -20, -85],
  ] as const) {
    addEdge(all, xA, latA, xB, latB);
    addEdge(all, xB, latB, xA, latA);
  }
  expect(all.strip + all.stripLow).toBe(alone.strip);
});

describe('one edge', () => {
  test.each([
    [0, -8.59, 100, 8.59],
    [-3, -8.5, 5, 8.6],
    [-50, 30, 50, 43],
    [-80, -40, 80, -51],
    [0, 30, 50, 44.7],
    [10, -30, 50, -44.7],
    [0, 44, 1, 46.5],
    [0, 70, 20, 75.6],
    [2, -70, 20, -75.6],
    [0, 85, 20, 86.4],
    [0, 60, 0.01, 60.28],
    [0, 0.001, 3, 0.57],
  ])(
    'with the longest steps of the fast rules, from %f, %f to %f, %f, is accurate to the last digits',
    (xA, latA, xB, latB) => {
      const sums = emptySums();
      addEdge(sums, xA, latA, xB, latB);
      const exact = fixedEdge(xA, latA, xB, latB);
      const farX = Math.max(Math.abs(xA), Math.abs(xB));
      expect(Math.abs(fixedError(sums.meters, exact.meters))).toBeLessThan(1.5e-15);
      expect(
        Math.abs(fixedError(sums.strip, exact.strip, fixedEdge(farX, latA, farX, latB).strip)),
      ).toBeLessThan(1.5e-15);
    },
  );
});

describe('rings at the limits of their rules', () => {
  test('a step of exactly half a turn does not cross the antimeridian', () => {
    const band = [-90, 0, 90, 0, 90, 10, -90, 10];
    const halves = [
      [-90, 0, 0, 0, 0, 10, -90, 10],
      [0, 0, 90, 0, 90, 10, 0, 10],
    ];
    const { area, pole } = measureRing(band);
    expect(pole).toBeNull();
    expect(area / halves.reduce((sum, ring) => sum + measureRing(ring).area, 0)).toBeCloseTo(1, 13);
    expect(measureRing([90, 0, -90, 0, -90, 10, 90, 10])).toMatchObject({ pole: null });
  });

  test('a ring that halves the Earth is around the north pole, whatever the rounding', () => {
    for (let k = 0; k < 60; k++) {
      const [lat, lon] = [0.7 * k + 0.1, 1.7 * k - 60];
      const ring = [lon, lat, lon + 90, -lat, lon + 180, lat, lon + 270, -lat].map((value, i) =>
        i % 2 === 0 && value > 180 ? value - 360 : value,
      );
      expect(polarSide(ring)).toBe('north');
      expect(polarSide(ring.map((_, i) => ring[i % 2 === 0 ? 6 - i : 8 - i]!))).toBe('north');
    }
  });

  test('all longitudes at a pole are the same position', () => {
    for (const lat of [90, -90])
      for (const lon of [0, 50, 120, 180]) expect(localDistance(0, lat, lon, lat)).toBe(0);
    expect(localDistance(0, 89.5, 90, 90)).toBeCloseTo(localDistance(0, 89.5, 0, 90), 9);
    expect(localDistance(0, -89.5, 90, -90)).toBeCloseTo(localDistance(0, 89.5, 0, 90), 9);
  });
});
