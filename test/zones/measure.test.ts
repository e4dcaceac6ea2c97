import { describe, expect, test } from 'vitest';
import {
  corridor,
  measureZone,
  type Pair,
  type Position,
  type ZoneShape,
  zoneContains,
} from '../../src/index.js';
import { errorOf } from '../errorOf.js';
import { wkt } from '../wkt.js';
import { HOLE, SHELL, TRIANGLE } from './holedSquare.js';

const polygon = (geometry: readonly Pair[]): ZoneShape => ({ type: { key: 'polygon' }, geometry });
const EARTH = 510_065_621_724_088.44;
const near = (value: number | null, wanted: number): number => Math.abs(value! - wanted) / wanted;

describe('measureZone', () => {
  test('a circle is the geodesic disc; a point without a width has no area', () => {
    const circle = measureZone({ type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 100 });
    expect(near(circle.area, Math.PI * 1e4)).toBeLessThan(1e-9);
    expect(near(circle.perimeter, 200 * Math.PI)).toBeLessThan(1e-9);
    expect(circle.length).toBeNull();
    expect(measureZone({ type: { key: 'point' }, geometry: [[37.6, 55.7]] })).toEqual({
      area: 0,
      perimeter: 0,
      length: null,
    });
  });

  test('the whole world and its halves have the area of the ellipsoid', () => {
    const world = polygon(wkt('-180 -90, 180 -90, 180 90, -180 90'));
    expect(near(measureZone(world).area, EARTH)).toBeLessThan(1e-14);
    const half = polygon(wkt('0 0, 120 0, -120 0'));
    expect(near(measureZone(half).area, EARTH / 2)).toBeLessThan(1e-14);
    const band = polygon(wkt('-180 0, 180 0, 180 90, -180 90'));
    expect(near(measureZone(band).area, EARTH / 2)).toBeLessThan(1e-14);
    const long = Array.from(
      { length: 150_001 },
      (_, i): Pair => [i % 2 === 0 ? -180 : 180, (90 * i) / 150_000],
    );
    expect(near(measureZone(polygon(long)).area, EARTH / 2)).toBeLessThan(1e-14);
  });

  test('the area of a hemisphere is bitwise equal for any start and direction', () => {
    const ring: Pair[] = wkt('0 0, 90 0, 180 0, -90 0');
    const { area, perimeter } = measureZone(polygon(ring));
    for (let i = 0; i < 4; i++) {
      const turned = [...ring.slice(i), ...ring.slice(0, i)];
      expect(measureZone(polygon(turned))).toEqual({ area, perimeter, length: null });
      expect(measureZone(polygon(turned.toReversed()))).toEqual({ area, perimeter, length: null });
    }
  });

  test('a square metre at 179.9999999 is right to 1e-6, on either side', () => {
    const d = 0.5 / 110_574.27;
    const e = 0.5 / 111_319.49;
    const at = (lon: number): number =>
      measureZone(
        polygon([
          [lon - e, -d],
          [lon + e, -d],
          [lon + e, d],
          [lon - e, d],
        ]),
      ).area!;
    expect(Math.abs(at(179.9999999) - at(10)) / at(10)).toBeLessThan(1e-6);
    expect(Math.abs(at(179.9999999) - 1)).toBeLessThan(1e-4);
  });

  test('a ring around the Earth bounds the smaller side, in either direction', () => {
    const round = (lat: number): Pair[] => [
      [0, lat],
      [120, lat],
      [-120, lat],
    ];
    const cap = measureZone(polygon(round(80))).area!;
    for (const ring of [round(-80), round(80).reverse(), round(-80).reverse()]) {
      expect(near(measureZone(polygon(ring)).area, cap)).toBeLessThan(1e-12);
    }
    expect(cap).toBeLessThan(EARTH / 100);
    expect(measureZone(polygon(round(-10))).area!).toBeLessThan(EARTH / 2);
    expect(measureZone(polygon(round(10))).area!).toBeLessThan(EARTH / 2);
  });

  test('a ring that does not go around the Earth keeps its area beyond a hemisphere', () => {
    const wide: Pair[] = wkt('-170 -80, -60 -80, 60 -80, 170 -80, 170 80, 60 80, -60 80, -170 80');
    const { area } = measureZone(polygon(wide));
    expect(area).toBeGreaterThan(0.9 * EARTH);
    expect(near(measureZone(polygon([...wide].reverse())).area, area!)).toBeLessThan(1e-15);
    const caps = 2 * measureZone(polygon([-120, 0, 120].map((lon): Pair => [lon, 80]))).area!;
    expect(near(area, ((EARTH - caps) * 340) / 360)).toBeLessThan(1e-14);
  });

  test('holes are subtracted, their edges count; parts are added', () => {
    const whole = measureZone({ ...polygon(SHELL), parts: [[SHELL, HOLE], [TRIANGLE]] });
    const [a, b, c] = [SHELL, HOLE, TRIANGLE].map((ring) => measureZone(polygon(ring)));
    expect(near(whole.area, a!.area! - b!.area! + c!.area!)).toBeLessThan(1e-12);
    expect(near(whole.perimeter, a!.perimeter! + b!.perimeter! + c!.perimeter!)).toBeLessThan(1e-12);
  });

  test('twenty thousand small parts beside a continent lose no digits', () => {
    const box = (lon: number, lat: number, size: number): Pair[] => [
      [lon, lat],
      [lon + size, lat],
      [lon + size, lat + size],
      [lon, lat + size],
    ];
    const large = box(-60, -60, 64);
    const small = Array.from({ length: 20_000 }, (_, i) =>
      box(20 + (i % 200) / 8, 20 + Math.floor(i / 200) / 8, 1e-5),
    );
    const whole = measureZone({ ...polygon(large), parts: [large, ...small].map((ring) => [ring]) });
    const alone = measureZone(polygon(large));
    const rest = small.map((ring) => measureZone(polygon(ring)));
    const wanted = (key: 'area' | 'perimeter'): number =>
      alone[key]! + rest.reduce((sum, measure) => sum + measure[key]!, 0);
    expect(near(whole.area, wanted('area'))).toBeLessThan(2.3e-16);
    expect(near(whole.perimeter, wanted('perimeter'))).toBeLessThan(2.3e-16);
  });

  test('holes larger than their shell are an error, not a negative area', () => {
    const small: Pair[] = wkt('4 4, 6 4, 6 6, 4 6');
    const large: Pair[] = wkt('0 0, 10 0, 10 10, 0 10');
    expect(errorOf(() => measureZone({ ...polygon(small), parts: [[small, large]] }))).toMatchObject({
      code: 'hole-outside',
      field: 'parts[0]',
    });
  });

  test('a line has its own length, along lon/lat edges and across the antimeridian', () => {
    const line = (geometry: Pair[]): ZoneShape => ({ type: { key: 'line' }, geometry, width: 10 });
    const degree = (2 * Math.PI * 6_378_137) / 360;
    expect(measureZone(line(wkt('0 0, 1 0'))).length).toBeCloseTo(degree, 6);
    expect(measureZone(line(wkt('179.5 0, -179.5 0'))).length).toBeCloseTo(degree, 6);
    expect(measureZone(line([[5, 5]])).length).toBe(0);
  });

  test('a line has the area and the perimeter of its corridor, including loops and both ends', () => {
    const line = (geometry: Pair[], width: number): ZoneShape => ({ type: { key: 'line' }, geometry, width });
    // Along the equator the corridor is two half discs and a band, whose sides are shorter by the share 1 - cos(r/R).
    const degree = (2 * Math.PI * 6_378_137) / 360;
    const straight = measureZone(line(wkt('0 0, 1 0'), 1000));
    expect(near(straight.area, degree * 1000 + Math.PI * 250_000)).toBeLessThan(2e-6);
    expect(near(straight.perimeter, 2 * degree + Math.PI * 1000)).toBeLessThan(2e-6);
    const disc = measureZone(line([[5, 5]], 200));
    expect(near(disc.area, Math.PI * 1e4)).toBeLessThan(2e-4);
    const loop = measureZone(line(wkt('0 0, 0.01 0, 0.01 0.01, 0 0.01, 0 0'), 100));
    const [width, height] = [1113.1949, 1105.7428];
    // Four sides, four rounded corners, one inner ring.
    expect(near(loop.area, 2 * (width + height) * 100 + Math.PI * 2500 - 4 * 2500)).toBeLessThan(1e-5);
    expect(near(loop.perimeter, 4 * (width + height) + 2 * Math.PI * 50 - 8 * 50)).toBeLessThan(1e-5);
    // Near a pole the same holds.
    const polar = measureZone(
      line(
        [
          [0, 89.9],
          [180 - 1e-9, 89.9],
        ],
        30_000,
      ),
    );
    expect(polar.area! / Math.PI / 15_000 ** 2).toBeGreaterThan(1.4);
  });
});

test('a corridor that contains both poles, read as a polygon, has the same area and perimeter', () => {
  for (const [line, width] of [
    [[[0, 90], [0, -90]], 200_000],
    [[[0, -89.99], [0, 89.99]], 20_000],
    [[[0, -89], [0, 90], [10, 90], [10, 0], [180, 0], [100, -90]], 1000],
  ] as [Position[], number][]) {
    const outline = corridor(line, width);
    const parts = outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
    const zone = { type: { key: 'polygon' as const }, geometry: parts[0]![0]!, parts };
    const own = measureZone({ type: { key: 'line' }, geometry: line, width });
    expect(measureZone(zone).area! / own.area!).toBeCloseTo(1, 3);
    expect(measureZone(zone).perimeter! / own.perimeter!).toBeCloseTo(1, 3);
    expect([zoneContains(zone, [50, 89.9999]), zoneContains(zone, [50, -89.9999]), zoneContains(zone, [50, -30])]).toEqual([true, true, false]);
  }
}); // biome-ignore format: lines
