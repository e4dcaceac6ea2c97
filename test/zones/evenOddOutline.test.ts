import { describe, expect, test } from 'vitest';
import {
  type MultiPolygon,
  measureZone,
  type Pair,
  type Polygon,
  type Position,
  type ZoneShape,
  zoneContains,
  zoneOutline,
} from '../../src/index.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { faultsOf } from './corridorChecker.js';

const polygon = (
  geometry: readonly Pair[],
  parts?: readonly (readonly (readonly Pair[])[])[],
): ZoneShape => ({
  type: { key: 'polygon' },
  geometry,
  ...(parts === undefined ? {} : { parts }),
});

const polygonsOf = (outline: Polygon | MultiPolygon): Position[][][] =>
  outline.type === 'Polygon' ? [outline.coordinates] : outline.coordinates;

/** Even-odd by crossings of a ray to the east, with plain floats. */
function isInRing(ring: readonly Position[], x: number, y: number): boolean {
  let isInside = false;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1]!;
    const [bx, by] = ring[i]!;
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
  }
  return isInside;
}

const isInOutline = (polygons: readonly Position[][][], x: number, y: number): boolean =>
  polygons.some(([shell, ...holes]) => isInRing(shell!, x, y) && !holes.some((hole) => isInRing(hole, x, y)));

/** By polygon: how many vertices each ring has, without the closing one. */
const countsOf = (shape: ZoneShape): number[][] =>
  polygonsOf(zoneOutline(shape)).map((rings) => rings.map((ring) => ring.length - 1));

const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon <= -180 ? lon + 360 : lon);

describe('outlines of rings that cross themselves', () => {
  test('a bow-tie of equal lobes has both lobes, with its own vertices', () => {
    const bowTie: Pair[] = wkt('0.1 51.1, 0.3 51.3, 0.3 51.1, 0.1 51.3');
    const polygons = polygonsOf(zoneOutline(polygon(bowTie)));
    expect(faultsOf({ type: 'MultiPolygon', coordinates: polygons })).toEqual([]);
    expect(polygons.map((rings) => rings.map((ring) => ring.length))).toEqual([[4], [4]]);
    const vertices = polygons.flat(2);
    for (const vertex of bowTie) expect(vertices).toContainEqual(vertex);
    const [lon, lat] = polygons[0]![0]!.find(([x]) => x !== 0.1)!;
    expect(lon).toBeCloseTo(0.2, 13);
    expect(lat).toBeCloseTo(51.2, 13);
  });

  test('the middle of a pentagram is outside, and its points are inside', () => {
    const star = Array.from({ length: 5 }, (_, i): Pair => {
      const turn = (4 * Math.PI * i) / 5;
      return [37 + Math.sin(turn), 55 + Math.cos(turn)];
    });
    expect(countsOf(polygon(star))).toEqual([[3], [3], [3], [3], [3]]);
    expect(zoneContains(polygon(star), [37, 55])).toBe(false);
  });

  test.each<[string, Pair[], number[][]]>([
    ['a ring that touches itself from inside has a hole', wkt('0 0, 4 0, 4 4, 0 4, 0 0, 1 2, 2 1'), [[4, 3]]],
    [
      'two loops that share a vertex are two polygons',
      wkt('0 0, 1 0, 1 1, 2 1, 2 2, 1 2, 1 1, 0 1'),
      [[4], [4]],
    ],
    ['a spike is left out', wkt('0 0, 4 0, 4 4, 2 4, 2 9, 2 4, 0 4'), [[5]]],
    ['an edge there and back inside is left out', wkt('0 0, 4 0, 4 4, 0 4, 0 2, 3 2, 0 2'), [[5]]],
    ['a ring run through twice has no inside', wkt('0 0, 2 0, 1 2, 0 0, 2 0, 1 2'), []],
    ['a ring run through three times is one ring', wkt('0 0, 2 0, 1 2, 0 0, 2 0, 1 2, 0 0, 2 0, 1 2'), [[3]]],
  ])('%s', (_, ring, counts) => {
    expect(countsOf(polygon(ring))).toEqual(counts);
  });

  test('parts that overlap are joined; a hole outside its shell is inside, as for containment', () => {
    const box = (west: number, south: number, size: number): Pair[] => [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
    ];
    const overlapping = polygon(box(0, 0, 2), [[box(0, 0, 2)], [box(1, 1, 2)]]);
    expect(countsOf(overlapping)).toEqual([[8]]);
    const beside = polygon(box(0, 0, 2), [[box(0, 0, 2), box(5, 5, 1)]]);
    expect(countsOf(beside)).toEqual([[4], [4]]);
    expect(zoneContains(beside, [5.5, 5.5])).toBe(true);
  });

  test('a bow-tie across the antimeridian is cut there', () => {
    const polygons = polygonsOf(zoneOutline(polygon(wkt('179 0, -178 3, -178 0, 179 3'))));
    expect(faultsOf({ type: 'MultiPolygon', coordinates: polygons })).toEqual([]);
    expect(polygons).toHaveLength(3);
    expect(isInOutline(polygons, 179.9, 1.5)).toBe(true);
    expect(isInOutline(polygons, -179.6, 1.5)).toBe(true);
  });

  test('a ring that goes around a pole twice contains neither pole, in both directions', () => {
    const twice = Array.from({ length: 12 }, (_, i): Pair => [wrap(60 * i + 1), i < 6 ? 80 : 70]);
    for (const ring of [twice, twice.toReversed()]) {
      const shape = polygon(ring);
      const polygons = polygonsOf(zoneOutline(shape));
      expect(faultsOf({ type: 'MultiPolygon', coordinates: polygons })).toEqual([]);
      for (const lat of [-89, 0, 60, 75, 85, 89]) {
        expect([lat, zoneContains(shape, [100, lat])]).toEqual([lat, lat === 75]);
        expect([lat, isInOutline(polygons, 100, lat)]).toEqual([lat, lat === 75]);
      }
      expect(measureZone(shape).area).toBeGreaterThan(0);
    }
  });

  test('a ring that goes around a pole three times contains it', () => {
    const thrice = Array.from(
      { length: 18 },
      (_, i): Pair => [wrap(((60 * i) % 360) + 1), 80 - 5 * Math.floor(i / 6)],
    );
    const shape = polygon(thrice);
    const polygons = polygonsOf(zoneOutline(shape));
    for (const lat of [-89, 0, 72, 77, 85, 89])
      expect([lat, isInOutline(polygons, 100, lat)]).toEqual([lat, zoneContains(shape, [100, lat])]);
    expect(zoneContains(shape, [100, 89])).toBe(true);
  });

  test('a ring with more than about 500,000 crossings is limit-crossings', () => {
    const count = 2001;
    const star = Array.from({ length: count }, (_, i): Pair => {
      const turn = (2 * Math.PI * 1000 * i) / count;
      return [37 + Math.sin(turn), 55 + Math.cos(turn)];
    });
    expect(errorOf(() => zoneOutline(polygon(star)))).toMatchObject({
      code: 'limit-crossings',
      field: 'geometry',
    });
  });
});

/** Where random rings lie: their middle, and their extent in degrees of longitude and latitude. */
const AREAS: readonly (readonly [lon: number, lat: number, width: number, height: number])[] = [
  [37, 55, 1e-4, 1e-4],
  [37, 55, 0.1, 0.1],
  [0, 0, 3, 3],
  [180, 50, 8, 8],
  [-100, 80, 360, 20],
  [50, -80, 360, 20],
  [0, 10, 200, 100],
];

test('the outline of random rings is valid and has the inside of zoneContains', () => {
  const random = seeded(4711);
  let isInside = 0;
  for (let i = 0; i < volume(20_000); i++) {
    const [lon, lat, width, height] = AREAS[i % AREAS.length]!;
    const isOnGrid = random() < 0.4;
    const position = (): Pair => {
      const [x, y] = [random() - 0.5, random() - 0.5].map((share) =>
        isOnGrid ? Math.round(6 * share) / 6 : share,
      );
      return [wrap(lon + width * x!), Math.max(-90, Math.min(90, lat + height * y!))];
    };
    const ring = (): Pair[] => Array.from({ length: 3 + Math.floor(random() * 14) }, position);
    const shape =
      random() < 0.7
        ? polygon(ring())
        : polygon(
            [],
            Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
              Array.from({ length: 1 + Math.floor(random() * 3) }, ring),
            ),
          );
    let outline: Polygon | MultiPolygon;
    try {
      outline = zoneOutline(shape);
    } catch (error) {
      expect(['edge-ambiguous', 'ring-zero-area', 'ring-too-short']).toContain(
        (error as { code?: string }).code,
      );
      continue;
    }
    const polygons = polygonsOf(outline);
    if (polygons.length > 0) expect(faultsOf(outline), JSON.stringify(shape)).toEqual([]);
    for (let k = 0; k < 20; k++) {
      const x = lon + width * 1.1 * (random() - 0.5);
      const y = lat + height * 1.1 * (random() - 0.5);
      const at: Position = [wrap(x), Math.max(-89.999, Math.min(89.999, y))];
      const contains = zoneContains(shape, at);
      if (contains) isInside++;
      if (isInOutline(polygons, ...at) !== contains)
        throw new Error(`${at.join()}: ${contains} in ${JSON.stringify(shape)}`);
    }
  }
  expect(isInside).toBeGreaterThan(volume(20_000));
});
