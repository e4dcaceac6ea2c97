import { describe, expect, test } from 'vitest';
import {
  corridor,
  measureZone,
  type Pair,
  type Position,
  type ZoneShape,
  zoneContains,
  zoneOutline,
} from '../../src/index.js';
import { selfIntersections } from '../../src/planar/selfIntersections.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { faultsOf, flatContains, moved, partsOf, trueMeters } from './corridorChecker.js';
import { PLACES, probeAt, star } from './generators.js';

function polygonsOf(shape: ZoneShape): Position[][][] {
  const outline = zoneOutline(shape);
  return outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;
}

function signedArea(ring: readonly Position[]): number {
  return ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i]![0] * y - x * ring[i]![1], 0);
}

/** RFC 7946: closed rings of at least four positions, counterclockwise shell, clockwise holes, longitudes within ±180. */
function expectValid(polygons: readonly Position[][][]): void {
  expect(polygons.length).toBeGreaterThan(0);
  for (const polygon of polygons) {
    polygon.forEach((ring, i) => {
      expect(ring.length).toBeGreaterThanOrEqual(4);
      expect(ring[0]).toEqual(ring.at(-1));
      expect(Math.sign(signedArea(ring))).toBe(i === 0 ? 1 : -1);
      for (const [lon, lat] of ring) {
        expect(Math.abs(lon)).toBeLessThanOrEqual(180);
        expect(Math.abs(lat)).toBeLessThanOrEqual(90);
      }
      for (let k = 1; k < ring.length; k++) expect(ring[k]).not.toEqual(ring[k - 1]);
      expect(selfIntersections(ring.flat())).toEqual([]);
    });
  }
}

describe('zoneOutline', () => {
  const polygon = (geometry: readonly Pair[]): ZoneShape => ({ type: { key: 'polygon' }, geometry });

  test('rings with very many vertices or crossings of the antimeridian are cut like others', () => {
    const star = Array.from({ length: 150_000 }, (_, i): Pair => {
      const angle = (2 * Math.PI * i) / 150_000;
      const lon = 175 + 20 * Math.cos(angle);
      return [lon > 180 ? lon - 360 : lon, 20 * Math.sin(angle)];
    });
    const saw = Array.from({ length: 20_000 }, (_, i): Pair => [i % 2 === 0 ? 179.5 : -179.5, i / 125 - 80]);
    saw.push([170, 80], [170, -80]);
    for (const [ring, parts] of [
      [star, 2],
      [saw, 10_001],
    ] as const) {
      const polygons = polygonsOf(polygon(ring));
      expect(polygons).toHaveLength(parts);
      const unrolled = [...ring, ring[0]!].map(([lon, lat]): Position => [lon < 0 ? lon + 360 : lon, lat]);
      const area = polygons.reduce((sum, [shell]) => sum + signedArea(shell!), 0);
      expect(area / signedArea(unrolled)).toBeCloseTo(1, 9);
    }
  });

  test('a box across the antimeridian is cut in two at ±180', () => {
    const outline = polygonsOf(polygon(wkt('170 -10, -170 -10, -170 10, 170 10')));
    expectValid(outline);
    const box = (polygon: Position[][]): number[] => {
      const [lons, lats] = [polygon[0]!.map(([x]) => x), polygon[0]!.map(([, y]) => y)];
      return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats), polygon[0]!.length];
    };
    expect(outline.map(box).sort((p, q) => p[0]! - q[0]!)).toEqual([
      [-180, -10, -170, 10, 5],
      [170, -10, 180, 10, 5],
    ]);
  });

  test('a box that ends at the antimeridian is not cut, from either side', () => {
    expect(polygonsOf(polygon(wkt('170 0, 180 0, 180 1, 170 1')))).toHaveLength(1);
    const west = polygonsOf(polygon(wkt('-180 0, -170 0, -170 1, -180 1')));
    expect(west).toHaveLength(1);
    expect(west[0]![0]!.every(([lon]) => lon < 0)).toBe(true);
  });

  test('a cap over a pole is closed along the edge of the map', () => {
    const outline = polygonsOf(polygon(wkt('0 80, 120 80, -120 80')));
    expectValid(outline);
    expect(outline).toHaveLength(1);
    expect(outline[0]![0]).toContainEqual([180, 90]);
    expect(outline[0]![0]).toContainEqual([-180, 90]);
  });

  test('the outline of the whole world is its box', () => {
    const outline = polygonsOf(polygon(wkt('-180 -90, 180 -90, 180 90, -180 90')));
    expectValid(outline);
    expect(signedArea(outline[0]![0]!) / 2).toBe(360 * 180);
  });

  test('holes remain holes, also if the antimeridian cuts them', () => {
    const shell: Pair[] = wkt('170 -10, -170 -10, -170 10, 170 10');
    const inside: Pair[] = wkt('172 -1, 173 -1, 173 1, 172 1');
    const across: Pair[] = wkt('179 -5, -179 -5, -179 -3, 179 -3');
    const outline = polygonsOf({ ...polygon(shell), parts: [[shell, inside, across]] });
    expectValid(outline);
    expect(outline.map((part) => part.length).sort((p, q) => p - q)).toEqual([1, 2]);
    expect(outline.flat(2).length).toBeGreaterThan(20);
  });

  test('a circle of nanometres is drawn as exactly as degrees allow; a smaller one is empty', () => {
    const tiny = (width: number): ZoneShape => ({ type: { key: 'circle' }, geometry: [[44.1, 56.3]], width });
    for (const width of [1e-6, 1e-7, 1e-8]) expect(polygonsOf(tiny(width))[0]![0]!.length).toBeLessThan(20);
    for (const width of [1e-13, 1e-300]) {
      expect(errorOf(() => zoneOutline(tiny(width))).code).toBe('outline-empty');
    }
  });

  test('a point without a width has no outline', () => {
    expect(errorOf(() => zoneOutline({ type: { key: 'point' }, geometry: [[0, 0]] })).code).toBe(
      'outline-empty',
    );
    const bare = { type: { key: 'circle' }, geometry: [[0, 0]], width: 0 } as const;
    expect(errorOf(() => zoneOutline(bare))).toMatchObject({
      code: 'outline-empty',
      field: 'width',
      message: 'expected a width above 0 for the outline of a circle, received 0',
    });
    expect(
      errorOf(() =>
        zoneOutline({ type: { key: 'circle' }, geometry: [[0, 0]], width: 5 }, { toleranceMeters: 0 }),
      ).code,
    ).toBe('tolerance-range');
  });

  test('a circle beyond the cut locus of its centre is drawn with few vertices', () => {
    for (const width of [19_990_000, 20_003_900, 20_003_931]) {
      const outline = polygonsOf({ type: { key: 'circle' }, geometry: [[0, 0]], width });
      expect(outline.flat(2).length).toBeLessThan(1000);
    }
  });

  test('a circle that contains both poles is the Earth with a hole', () => {
    const outline = polygonsOf({ type: { key: 'circle' }, geometry: [[20, 5]], width: 18_000_000 });
    expectValid(outline);
    expect(outline.map((rings) => rings.length)).toEqual([2]);
    expect(flatContains(outline, [-160.001, -5.001])).toBe(false);
    expect(flatContains(outline, [20, 5])).toBe(true);
  });

  test('the outline of a line is its corridor', () => {
    const line: Pair[] = wkt('179.99 0, -179.99 0.01');
    const shape: ZoneShape = { type: { key: 'line' }, geometry: line, width: 50 };
    expect(zoneOutline(shape)).toEqual(corridor(line, 50));
    expect(zoneOutline({ ...shape, width: 25 }, { lineWidth: 'each-side', toleranceMeters: 1 })).toEqual(
      corridor(line, 50, { toleranceMeters: 1 }),
    );
  });

  test('outlines of random polygons and circles are valid, with the same area and positions', () => {
    const random = seeded(12);
    let probes = 0;
    for (let i = 0; i < volume(4_000); i++) {
      const place = PLACES[i % PLACES.length]!;
      const isCircle = random() < 0.4;
      const shape: ZoneShape = isCircle
        ? { type: { key: 'circle' }, geometry: [place], width: 10 + random() ** 3 * 200_000 }
        : polygon(star(random, place, 0.4));
      const outline = polygonsOf(shape);
      expectValid(outline);
      const area = outline.reduce(
        (sum, rings) => sum + measureZone({ ...polygon(rings[0] as Pair[]), parts: [rings] }).area!,
        0,
      );
      const wanted = measureZone(shape).area!;
      expect(Math.abs(area - wanted) / wanted).toBeLessThan(isCircle ? 2e-3 : 1e-9);
      if (isCircle) continue;
      for (let k = 0; k < 10; k++) {
        const probe = probeAt(random, place, 0.3);
        if (Math.abs(probe[1]) === 90 || Math.abs(probe[0]) === 180) continue;
        probes++;
        expect({ i, k, inside: flatContains(outline, probe) }).toEqual({
          i,
          k,
          inside: zoneContains(shape, probe),
        });
      }
    }
    expect(probes).toBeGreaterThan(2 * volume(4_000));
  });
});

describe('circles that cover nearly all of the Earth', () => {
  // Beyond about 19,940 km, geodesics to the east and west are no longer the shortest.
  test.each([
    [-167.86, 0, 19_997_428],
    [-30.06, 55.04, 20_003_755.71],
    [139.21, -41.41, 20_003_926.72],
    [75.64, 1.76, 20_003_896.6],
    [-122.15, 45, 20_002_473.98],
    [0, 90, 20_003_000],
    [10, 0, 19_940_000],
    [179.9, 30, 19_960_000],
  ] as const)('at %f, %f with %f m: valid, and what is farther is outside', (lon, lat, width) => {
    const polygon = zoneOutline({ type: { key: 'circle' }, geometry: [[lon, lat]], width });
    expect(faultsOf(polygon)).toEqual([]);
    const opposite = [lon > 0 ? lon - 180 : lon + 180, -lat] as const;
    const positions = partsOf(polygon).flat(2);
    for (const at of positions.filter(([x, y]) => Math.abs(x) !== 180 && Math.abs(y) !== 90)) {
      expect(Math.abs(trueMeters([lon, lat], at) - width)).toBeLessThan(0.01);
    }
    // Half a meridian away, across a pole.
    expect(flatContains(partsOf(polygon), opposite)).toBe(false);
    expect(flatContains(partsOf(polygon), moved([lon, lat], 77, width / 2))).toBe(true);
  });
});
