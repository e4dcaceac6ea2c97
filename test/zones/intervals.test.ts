import { describe, expect, test } from 'vitest';
import { lonStep, wrapLon } from '../../src/core/angles.js';
import type { Position, ZoneShape } from '../../src/index.js';
import { prepareZone } from '../../src/zones/preparedZone.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { PLACES, probeAt, shapeAt } from './generators.js';

const intervals = (shape: ZoneShape, a: Position, b: Position): number[] =>
  prepareZone(shape).intervals(a[0], a[1], b[0], b[1]);

describe('intervals of a segment', () => {
  const square: ZoneShape = {
    type: { key: 'polygon' },
    geometry: wkt('0 0, 1 0, 1 1, 0 1'),
  };

  test('through, from inside, to inside, all inside, outside', () => {
    expect(intervals(square, [-1, 0.5], [3, 0.5])).toEqual([0.25, 0.5]);
    expect(intervals(square, [0.5, 0.5], [1.5, 0.5])).toEqual([0, 0.5]);
    expect(intervals(square, [-1, 0.5], [1, 0.5])).toEqual([0.5, 1]);
    expect(intervals(square, [0.2, 0.2], [0.8, 0.8])).toEqual([0, 1]);
    expect(intervals(square, [2, 0], [3, 1])).toEqual([]);
    expect(intervals(square, [0.5, 0.5], [0.5, 0.5])).toEqual([0, 1]);
  });

  test('a touch has from = to; a segment along the boundary is inside', () => {
    expect(intervals(square, [-1, 0], [1, 2])).toEqual([0.5, 0.5]);
    expect(intervals(square, [-1, 1], [3, 1])).toEqual([0.25, 0.5]);
    expect(intervals(square, [-1, 0.5], [0, 0.5])).toEqual([1, 1]);
    expect(intervals(square, [1, 0.5], [2, 0.5])).toEqual([0, 0]);
  });

  test('a U-shaped zone has two intervals, and a hole ends an interval', () => {
    const u: ZoneShape = {
      type: { key: 'polygon' },
      geometry: wkt('0 0, 4 0, 4 2, 3 2, 3 1, 1 1, 1 2, 0 2'),
    };
    expect(intervals(u, [-4, 1.5], [4, 1.5])).toEqual([0.5, 0.625, 0.875, 1]);
    const shell = [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
    ] as const;
    const holed: ZoneShape = {
      type: { key: 'polygon' },
      geometry: shell,
      parts: [[shell, wkt('1 1, 2 1, 2 2, 1 2')]],
    };
    expect(intervals(holed, [0, 1.5], [4, 1.5])).toEqual([0, 0.25, 0.5, 1]);
  });

  test('across the antimeridian, in both notations', () => {
    const zone: ZoneShape = {
      type: { key: 'polygon' },
      geometry: wkt('179 -1, -179 -1, -179 1, 179 1'),
    };
    expect(intervals(zone, [178, 0], [-178, 0])).toEqual([0.25, 0.75]);
    expect(intervals(zone, [-178, 0], [178, 0])).toEqual([0.25, 0.75]);
  });

  test('a circle is entered and left at its true radius', () => {
    const circle: ZoneShape = { type: { key: 'circle' }, geometry: [[0, 0]], width: 111_319.490793 };
    const [from, to] = intervals(circle, [-2, 0], [2, 0]) as [number, number];
    expect(from).toBeCloseTo(0.25, 9);
    expect(to).toBeCloseTo(0.75, 9);
  });

  test('a point without a width is met only exactly', () => {
    const point: ZoneShape = { type: { key: 'point' }, geometry: [[0.5, 0]] };
    expect(intervals(point, [0.5, 0], [1, 0])).toEqual([0, 0]);
    expect(intervals(point, [0, 1], [1, 1])).toEqual([]);
  });
});

test('equals dense sampling with the exact containment, also at the ends', () => {
  const random = seeded(2026);
  const SAMPLES = 200;
  let changes = 0;
  for (let i = 0; i < volume(4_000, 50); i++) {
    const place = PLACES[i % PLACES.length]!;
    const zone = prepareZone(shapeAt(random, place, 0.1));
    const a = probeAt(random, place, 0.1);
    const b = probeAt(random, place, 0.1);
    if (Math.abs(a[0] - b[0]) === 180) continue;
    const found = zone.intervals(wrapLon(a[0]), a[1], wrapLon(b[0]), b[1]);
    expect(
      found.every((fraction, k) => fraction >= 0 && fraction <= 1 && (k === 0 || fraction >= found[k - 1]!)),
    ).toBe(true);
    const step = lonStep(wrapLon(a[0]), wrapLon(b[0]));
    let previous: boolean | null = null;
    for (let k = 0; k <= SAMPLES; k++) {
      const t = k / SAMPLES;
      const end = k === SAMPLES;
      const inside = zone.contains(
        wrapLon(end ? b[0] : a[0] + step * t),
        end ? b[1] : a[1] + (b[1] - a[1]) * t,
      );
      const covered = found.some((from, n) => n % 2 === 0 && from <= t && t <= found[n + 1]!);
      const atBoundary = found.some((fraction) => Math.abs(fraction - t) < 1e-9) && k > 0 && !end;
      if (!atBoundary) expect({ i, k, covered }).toEqual({ i, k, covered: inside });
      if (previous !== null && previous !== inside) changes++;
      previous = inside;
    }
  }
  expect(changes).toBeGreaterThan(20);
});
