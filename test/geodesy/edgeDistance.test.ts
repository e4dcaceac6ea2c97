import { describe, expect, test } from 'vitest';
import { wrapLon } from '../../src/core/angles.js';
import type { Bbox } from '../../src/core/geometry.js';
import { destination } from '../../src/geodesy/destination.js';
import { discAreaPerimeter, discRing } from '../../src/geodesy/disc.js';
import { edgeDistance, exactEdgeDistance } from '../../src/geodesy/edgeDistance.js';
import { measureRing, ringAreaSquareMeters } from '../../src/geodesy/edgeSums.js';
import { EARTH_AREA } from '../../src/geodesy/ellipsoid.js';
import { inverseMeters } from '../../src/geodesy/karney.js';
import { LOCAL_EDGE_ERROR } from '../../src/geodesy/localEdgeDistance.js';
import { bboxDistanceLowerBound, edgeDistanceLowerBound, expandBbox } from '../../src/geodesy/lowerBounds.js';
import { sublevelIntervals } from '../../src/geodesy/sublevelIntervals.js';
import { seeded, volume } from '../volume.js';
import { denseMinimum, shortStep } from './oracle.js';

type Edge = readonly [number, number, number, number];
type Pair = readonly [number, number];

/** A position within half of `degrees` of a position, also at poles and across the antimeridian. */
function near(random: () => number, [lon, lat]: Pair, degrees: number): Pair {
  const newLat = Math.max(-90, Math.min(90, lat + (random() - 0.5) * degrees));
  return [wrapLon(lon + (random() - 0.5) * degrees), newLat];
}

function anywhere(random: () => number): Pair {
  const kind = random();
  if (kind < 0.1) return [random() * 360 - 180 || 1, random() < 0.5 ? 90 : -90];
  if (kind < 0.3)
    return [wrapLon(random() * 360), (random() < 0.5 ? 1 : -1) * (90 - 10 ** (1 - 5 * random()))];
  if (kind < 0.5) return [wrapLon(180 + (random() - 0.5)), random() * 180 - 90];
  return [wrapLon(random() * 360), (Math.asin(2 * random() - 1) * 180) / Math.PI];
}

/** A position, both ends of an edge, and the edge, all within about `degrees` of a random place. */
function positionAndEdge(
  random: () => number,
  degrees: number,
): [position: Pair, from: Pair, to: Pair, Edge] {
  const place = anywhere(random);
  const [position, a, b] = [
    near(random, place, degrees),
    near(random, place, degrees),
    near(random, place, degrees),
  ];
  return [position, a, b, [...a, ...b]];
}

const at = ([lonA, latA, lonB, latB]: Edge, t: number): Pair => [
  lonA + shortStep(lonA, lonB) * t,
  Math.max(-90, Math.min(90, latA + (latB - latA) * t)),
];

describe('edge distance', () => {
  test('agrees with dense samples refined by golden-section search, from street to globe', () => {
    const random = seeded(21);
    let worst = 0;
    for (const degrees of [1e-4, 0.01, 0.3, 8, 60, 360]) {
      for (let i = 0; i < volume(400); i++) {
        const [q, a, b, edge] = positionAndEdge(random, degrees);
        const meters = exactEdgeDistance(...q, ...edge);
        const least = denseMinimum((t) => inverseMeters(...q, ...at(edge, t)), 100);
        // Noise alone puts it below the oracle's minimum; above the minimum it is within the stated accuracy.
        const room = Math.max(1e-6, least * 1e-9);
        worst = Math.max(worst, Math.abs(meters - least) / room);
        const ends = Math.min(inverseMeters(...q, ...a), inverseMeters(...q, ...b));
        expect(meters).toBeLessThanOrEqual(ends);
        const quick = edgeDistance(...q, ...edge);
        worst = Math.max(worst, Math.abs(quick - least) / room);
        expect(quick).toBeLessThanOrEqual(ends + LOCAL_EDGE_ERROR);
        expect(edgeDistanceLowerBound(...q, ...edge)).toBeLessThanOrEqual(meters);
      }
    }
    expect(worst).toBeLessThan(1);
  });

  test('near the antipode and along a parallel around the position it is exact and cheap', () => {
    const cases: readonly (readonly [Pair, Edge])[] = [
      [
        [0, 0],
        [179.7, -0.3, -179.8, 0.4],
      ],
      [
        [0, 30],
        [179, -30.2, -179.5, -29.9],
      ],
      [
        [0, 90],
        [0, 89, 170, 89],
      ],
      [
        [40, 89.999_99],
        [0, 85, 120, 85],
      ],
      [
        [0, 0],
        [90, -20, 90, 20],
      ],
    ];
    for (const [q, edge] of cases) {
      const least = denseMinimum((t) => inverseMeters(...q, ...at(edge, t)), 2000);
      expect(Math.abs(edgeDistance(...q, ...edge) - least), String(edge)).toBeLessThan(
        Math.max(1e-6, least * 1e-9),
      );
    }
  });

  test('an edge of zero length is its end, and a position on the edge is at distance 0', () => {
    expect(edgeDistance(1, 2, 3, 4, 3, 4)).toBe(inverseMeters(1, 2, 3, 4));
    expect(edgeDistance(1, 2, 10, 90, 50, 90)).toBe(inverseMeters(1, 2, 10, 90));
    expect(edgeDistance(3, 4, 3, 4, 3, 4)).toBe(0);
    expect(edgeDistance(180, 5, 179, 5, -179, 5)).toBeLessThan(1e-8);
    expect(edgeDistance(7, 7, 7, 7, 9, 9)).toBe(0);
  });
});

describe('lower bounds', () => {
  test('are below the distance, for positions and boxes everywhere', () => {
    const random = seeded(22);
    let loosest = 0;
    for (let i = 0; i < volume(400_000); i++) {
      const degrees = 10 ** (-4 + 6 * random());
      const [q, a, b, edge] = positionAndEdge(random, degrees);
      const probe = inverseMeters(...q, ...at(edge, random()));
      const bound = edgeDistanceLowerBound(...q, ...edge);
      expect(bound).toBeLessThanOrEqual(probe);
      const [south, north] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
      const box: Bbox = [a[0], south, b[0], north];
      const width = (b[0] - a[0] + 360) % 360;
      const inBox: Pair = [wrapLon(a[0] + width * random()), south + (north - south) * random()];
      const reached = inverseMeters(...q, ...inBox);
      expect(bboxDistanceLowerBound(...q, box)).toBeLessThanOrEqual(reached);
      const point = inverseMeters(...q, ...a);
      if (point > 1) loosest = Math.max(loosest, 1 - edgeDistanceLowerBound(...q, ...a, ...a) / point);
    }
    expect(loosest).toBeLessThan(0.0035);
    expect(bboxDistanceLowerBound(180, 0, [-180, -1, -179, 1])).toBe(0);
  });

  test('an expanded box contains all positions within its distance', () => {
    const random = seeded(23);
    for (let i = 0; i < volume(100_000); i++) {
      const place = anywhere(random);
      const degrees = 10 ** (-4 + 6 * random());
      const [a, b] = [near(random, place, degrees), near(random, place, degrees)];
      const box: Bbox = [a[0], Math.min(a[1], b[1]), b[0], Math.max(a[1], b[1])];
      const meters = 10 ** (random() * 7);
      const boxes = expandBbox(box, meters);
      const width = (b[0] - a[0] + 360) % 360;
      const from: Pair = [wrapLon(a[0] + width * random()), box[1] + (box[3] - box[1]) * random()];
      const [lon, lat] = destination(from, random() * 360, meters * Math.sqrt(random()));
      const held = boxes.some(([w, s, e, n]) => lon >= w && lon <= e && lat >= s && lat <= n);
      expect(held, JSON.stringify({ box, meters, from, lon, lat, boxes })).toBe(true);
      expect(boxes.every(([w, s, e, n]) => w <= e && s <= n && w >= -180 && e <= 180)).toBe(true);
    }
  });
});

describe('disc', () => {
  test('has the area and perimeter of its own fine ring', () => {
    for (const [lon, lat, radius] of [
      [37, 55, 10],
      [180, -30, 19_999],
      [180, -30, 20_001],
      [0, 0, 1_000_000],
      [10, 89.9, 100_000],
    ] as const) {
      const { area, perimeter } = discAreaPerimeter(lon, lat, radius);
      const ring = discRing(lon, lat, radius, radius * 1e-7).flat();
      expect(Math.abs(ringAreaSquareMeters(ring) / area - 1), String(radius)).toBeLessThan(3e-7);
      expect(Math.abs(measureRing(ring).perimeter / perimeter - 1), String(radius)).toBeLessThan(3e-6);
    }
  });

  test('grows to the whole Earth without NaN, and its two formulas agree at 20 km', () => {
    let last = 0;
    for (const radius of [1e-3, 1, 1e5, 1e7, 1.9e7, 1.99e7, 1.994e7, 1.999e7, 20_003_931]) {
      const { area, perimeter } = discAreaPerimeter(37, 41, radius);
      expect(area).toBeGreaterThan(last);
      expect(perimeter).toBeGreaterThanOrEqual(0);
      last = area;
    }
    expect(last / EARTH_AREA).toBeCloseTo(1, 6);
    expect(discAreaPerimeter(0, 0, 0)).toEqual({ area: 0, perimeter: 0 });
    const below = discAreaPerimeter(37, 41, 20_000).area / 20_000 ** 2;
    const above = discAreaPerimeter(37, 41, 20_000.001).area / 20_000.001 ** 2;
    expect(Math.abs(above / below - 1)).toBeLessThan(1e-11);
    const pole = discAreaPerimeter(0, 90, inverseMeters(0, 90, 0, 0));
    expect(pole.area / (EARTH_AREA / 2)).toBeCloseTo(1, 10);
    expect(pole.perimeter / (2 * Math.PI * 6_378_137)).toBeCloseTo(1, 10);
  });

  test('the ring is within its tolerance, also near poles and across the antimeridian', () => {
    for (const [lon, lat, radius] of [
      [179.99, 60, 5000],
      [0, 89.99, 5000],
      [0, 89.99, inverseMeters(0, 89.99, 0, 90)],
      [20, -70, 900_000],
    ] as const) {
      const tolerance = radius * 1e-3;
      const ring = discRing(lon, lat, radius, tolerance);
      expect(ring.length).toBeLessThan(300);
      for (const [i, from] of ring.entries()) {
        const to = ring[(i + 1) % ring.length]!;
        for (let k = 0; k < 20; k++) {
          const meters = inverseMeters(lon, lat, ...at([...from, ...to] as unknown as Edge, k / 20));
          expect(Math.abs(meters - radius)).toBeLessThanOrEqual(tolerance * 1.01);
        }
      }
    }
    expect(discRing(3, 4, 0, 1)).toEqual([[3, 4]]);
  });
});

describe('intervals within a distance', () => {
  const disc = (lon: number, lat: number) => (pLon: number, pLat: number) =>
    inverseMeters(lon, lat, pLon, pLat);

  test('equal dense samples, with few calls', () => {
    const random = seeded(24);
    let calls = 0;
    const runs = volume(3000);
    for (let i = 0; i < runs; i++) {
      const center = anywhere(random);
      const radius = 10 ** (1 + 5 * random());
      const [a, b] = [0, 1].map(() => destination(center, random() * 360, radius * 2 * random())) as [
        Pair,
        Pair,
      ];
      if (Math.abs(shortStep(a[0], b[0])) > 179.9) continue;
      const distance = disc(...center);
      const counted = (lon: number, lat: number): number => {
        calls++;
        return distance(lon, lat);
      };
      const intervals = sublevelIntervals(counted, radius, ...a, ...b);
      expect(intervals.length % 2).toBe(0);
      expect(intervals[0] === 0).toBe(distance(...a) <= radius);
      expect(intervals.at(-1) === 1).toBe(distance(...b) <= radius);
      for (let k = 0; k <= 100; k++) {
        const excess = distance(...at([...a, ...b], k / 100)) - radius;
        const inside = intervals.some(
          (from, j) => j % 2 === 0 && from <= k / 100 && k / 100 <= intervals[j + 1]!,
        );
        if (Math.abs(excess) > 2e-3) expect(inside).toBe(excess < 0);
      }
      for (const t of intervals) {
        if (t !== 0 && t !== 1)
          expect(Math.abs(distance(...at([...a, ...b], t)) - radius)).toBeLessThan(1e-6);
      }
    }
    expect(calls / runs).toBeLessThan(60);
  });

  test('several intervals, a tangent, and a part on the limit end in bounded time', () => {
    const two = (lon: number, lat: number): number =>
      Math.min(disc(0.01, 0)(lon, lat), disc(0.02, 0)(lon, lat));
    const intervals = sublevelIntervals(two, 100, 0, 0, 0.03, 0);
    const reach = 100 / 111_319.490_793_273_58 / 0.03;
    const expected = [1 / 3 - reach, 1 / 3 + reach, 2 / 3 - reach, 2 / 3 + reach];
    expect(intervals.length).toBe(4);
    for (const [i, t] of intervals.entries()) expect(t).toBeCloseTo(expected[i]!, 10);

    let calls = 0;
    const counted = (lon: number, lat: number): number => {
      calls++;
      return disc(0, 90)(lon, lat);
    };
    expect(sublevelIntervals(counted, disc(0, 90)(0, 55), 10, 55, 60, 55)).toEqual([0, 1]);
    expect(calls).toBeLessThan(500);
    expect(sublevelIntervals(disc(0, 0), 0, 0, 0, 1, 0)[0]).toBe(0);
    expect(sublevelIntervals(disc(0, 0), 10, 5, 5, 5, 5)).toEqual([]);
    expect(sublevelIntervals(disc(5, 5), 10, 5, 5, 5, 5)).toEqual([0, 1]);
  });
});
