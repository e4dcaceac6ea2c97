import { expect, test } from 'vitest';
import { ROAD_CELL_METERS, sharedRoads } from '../../src/report/sharedRoads.js';
import type { LonLatLine } from '../../src/report/trackLines.js';
import { seeded } from '../volume.js';
import { wkt } from '../wkt.js';

/** Metres of a degree, and a plane near 50° north on which the test measures by itself. */
const DEGREE = 111_195;
const SHRINK = Math.cos((50 * Math.PI) / 180);
type Point = readonly [x: number, y: number];
const line = (points: readonly Point[]): LonLatLine => ({
  lon: points.map(([x]) => 10 + x / DEGREE / SHRINK),
  lat: points.map(([, y]) => 50 + y / DEGREE),
});
function pointsOf(packed: readonly number[]): Point[] {
  let [lat, lon] = [0, 0];
  const points: Point[] = [];
  for (let i = 0; i < packed.length; i += 2) {
    lat += packed[i]!;
    lon += packed[i + 1]!;
    points.push([(lon / 1e6 - 10) * DEGREE * SHRINK, (lat / 1e6 - 50) * DEGREE]);
  }
  return points;
}
function distance([x, y]: Point, [a, b]: readonly [Point, Point]): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / square));
  return Math.hypot(a[0] + t * dx - x, a[1] + t * dy - y);
}
const toLine = (point: Point, points: readonly Point[]): number =>
  Math.min(...points.slice(1).map((end, i) => distance(point, [points[i]!, end])));

/** A drive along corners with noise. */
function drive(corners: readonly Point[], next: () => number): Point[] {
  const points: Point[] = [];
  for (const [i, end] of corners.slice(1).entries()) {
    const start = corners[i]!;
    const count = Math.ceil(Math.hypot(end[0] - start[0], end[1] - start[1]) / 60);
    for (let k = 0; k < count; k++) {
      const share = k / count;
      points.push([
        start[0] + share * (end[0] - start[0]) + 6 * (next() - 0.5),
        start[1] + share * (end[1] - start[1]) + 6 * (next() - 0.5),
      ]);
    }
  }
  return points;
}

test('every road is where two units drove, every long shared way has a road, and each only once', () => {
  for (let seed = 1; seed <= 6; seed++) {
    const next = seeded(seed);
    const grid = (): Point => [400 * Math.floor(6 * next()), 400 * Math.floor(6 * next())];
    const drives = Array.from({ length: 6 }, () => {
      const corners: Point[] = [grid()];
      for (let i = 0; i < 6; i++) {
        const [x, y] = corners.at(-1)!;
        const [nextX, nextY] = grid();
        corners.push([nextX, y], [nextX, nextY]);
        if (x === nextX && y === nextY) corners.pop();
      }
      return drive(corners, next);
    });
    const roads = sharedRoads(drives.map((points) => [line(points)]));
    const drawn = roads.map(([, packed]) => pointsOf(packed));
    const cell = ROAD_CELL_METERS * Math.SQRT2;
    for (const road of drawn)
      for (const point of road)
        expect(drives.filter((points) => toLine(point, points) < cell + 5).length).toBeGreaterThanOrEqual(2);
    // The middle of a block that two units drove, far from the ends where pieces may be short.
    for (const points of drives)
      for (const point of points) {
        const isMiddle = [0, 1].some((k) => Math.abs((((point[k]! % 400) + 400) % 400) - 200) < 30);
        const others = drives.filter((other) => other !== points && toLine(point, other) < 8).length;
        if (!isMiddle || others === 0) continue;
        expect(Math.min(...drawn.map((road) => toLine(point, road)))).toBeLessThan(cell);
      }
    const length = (points: readonly Point[]): number =>
      points
        .slice(1)
        .reduce((sum, end, i) => sum + Math.hypot(end[0] - points[i]![0], end[1] - points[i]![1]), 0);
    // All streets of the grid together are 2 · 6 · 5 blocks of 400 m.
    expect(drawn.reduce((sum, road) => sum + length(road), 0)).toBeLessThan(1.5 * 60 * 400);
  }
});

test('one unit alone makes no road, however often it drives', () => {
  const points: Point[] = Array.from({ length: 100 }, (_, i) => [50 * (i % 20), 0]);
  expect(sharedRoads([[line(points)], [line(wkt('5000 5000, 5050 5000'))]])).toEqual([]);
});

test('a step that follows no road makes none', () => {
  const far: Point[] = wkt('0 0, 5000 0, 10000 0');
  expect(sharedRoads([[line(far)], [line(far)]])).toEqual([]);
});
