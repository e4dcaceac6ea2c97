import { describe, expect, test } from 'vitest';
import { edgeDistance } from '../../src/geodesy/edgeDistance.js';
import type { Position } from '../../src/index.js';
import { corridorRings, ringsOf } from '../../src/zones/corridor/corridor.js';
import { ExactDistance, PlaneDistance, planeError } from '../../src/zones/corridor/lineDistance.js';
import { mapCorridor } from '../../src/zones/corridor/mapCorridor.js';
import { type CorridorInput, readCorridor } from '../../src/zones/corridor/readCorridor.js';
import { Resolver } from '../../src/zones/corridor/resolver.js';
import { type MapRing, passesSpotCheck } from '../../src/zones/corridor/spotCheck.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { hardLine, LINE_KINDS, type LineKind, walk } from './lines.js';

const street: Position[] = wkt('37.6 55.7, 37.61 55.705, 37.615 55.7');
/** A block of 700 m by 550 m, driven round: its corridor has a hole. */
const block: Position[] = wkt('37.6 55.7, 37.611 55.7, 37.611 55.705, 37.6 55.705, 37.6 55.7');

const ringsOn = (plan: CorridorInput): MapRing[] =>
  mapCorridor(plan, new Resolver(plan, false)).map(({ coords, isHole }) => ({
    coords: Array.from(coords),
    isHole,
  }));

const accepts = (plan: CorridorInput, rings: readonly MapRing[]): boolean =>
  passesSpotCheck(plan, plan.coords, rings, 0);

/** A ring with all vertices moved away from its middle by a share of their distance. */
function grown({ coords, isHole }: MapRing, share: number): MapRing {
  const list = Array.from(coords);
  const middle = [0, 1].map((axis) => {
    const values = list.filter((_, i) => i % 2 === axis);
    return (Math.min(...values) + Math.max(...values)) / 2;
  });
  return { coords: list.map((value, i) => value + share * (value - middle[i % 2]!)), isHole };
}

const square = (lon: number, lat: number, degrees: number): number[] => [
  lon,
  lat,
  lon,
  lat + degrees,
  lon + degrees,
  lat + degrees,
  lon + degrees,
  lat,
];

describe('the spot check of a corridor', () => {
  const plan = readCorridor(block, 60, {});
  const [shell, hole] = ringsOn(plan) as [MapRing, MapRing];

  test('accepts a right corridor with a hole', () => {
    expect(accepts(plan, [shell, hole])).toBe(true);
  });

  test.each([
    ['no ring', []],
    ['a hole alone', [hole]],
    ['a hole given as a shell', [shell, { ...hole, isHole: false }]],
    ['a second shell', [shell, hole, { coords: square(38, 56, 0.001).reverse(), isHole: false }]],
    [
      'a shell beside the line',
      [{ ...shell, coords: Array.from(shell.coords, (v, i) => v + (i % 2 ? 0 : 0.1)) }],
    ],
    ['a shell half a per cent too large', [grown(shell, 0.005), hole]],
    ['a hole half a per cent too small', [shell, grown(hole, -0.005)]],
    ['a false hole on the line', [shell, hole, { coords: square(37.6, 55.7024, 0.0001), isHole: true }]],
    [
      'a false hole beside the line',
      [shell, hole, { coords: square(37.60035, 55.7024, 0.00005), isHole: true }],
    ],
  ] as [string, MapRing[]][])('refuses %s', (_name, rings) => {
    expect(accepts(plan, rings)).toBe(false);
  });

  test('rings that fail are made again in the slow way', () => {
    const made: string[] = [];
    const rings = corridorRings(readCorridor(street, 50, {}), false, (line, isSnapping) => {
      made.push(`${line.omitsShortCuts} ${isSnapping}`);
      return { ...ringsOf(line, isSnapping), passes: isSnapping };
    });
    expect(made).toEqual(['false false', 'true true']);
    expect(rings.counts.snapped).toBeGreaterThan(0);
  });

  test('a corridor that is wrong in both ways is an error, not an answer', () => {
    const make: typeof ringsOf = (line, isSnapping) => ({ ...ringsOf(line, isSnapping), passes: false });
    expect(errorOf(() => corridorRings(readCorridor(street, 50, {}), false, make))).toMatchObject({
      code: 'corridor-uncertified',
      field: 'line',
      status: 500,
    });
  });

  test.each(LINE_KINDS)('%s: accepts the corridors of generated lines, quick and slow', (kind: LineKind) => {
    for (let seed = 0; seed < volume(1000); seed++) {
      const random = seeded(seed * 41 + kind.length);
      const { line, width } = hardLine(kind, random);
      const options = { cap: random() < 0.3 ? ('flat' as const) : ('round' as const) };
      const generated = readCorridor(line, width, options);
      const name = `${kind} ${seed}: ${JSON.stringify({ line, width, options })}`;
      expect(ringsOf(generated, false).passes, name).toBe(true);
      if (seed % 4 === 0)
        expect(ringsOf({ ...generated, omitsShortCuts: true }, true).passes, name).toBe(true);
    }
  });

  test('accepts flat caps that cut off a first edge within the tolerance, on a line much shorter than its width', () => {
    const line: Position[] = wkt(
      '33.0846 68.9586, 33.0846039 68.9585986, 33.0846633 68.9586196, 33.0847156 68.9586245',
    );
    expect(ringsOf(readCorridor(line, 1776.84, { cap: 'flat' }), false).passes).toBe(true);
    for (let seed = 0; seed < volume(4000); seed++) {
      const random = seeded(seed);
      const place: Position = [random() * 358 - 179, random() * 160 - 80];
      const short = walk(
        random,
        2 + Math.floor(random() * 12),
        place,
        10 ** (3 * random() - 2),
        3 * random(),
      );
      const width = 10 ** (random() * 4);
      // Below the tolerance the curvature of the map may tear a flat corridor in two; then the slow way makes it.
      expect(
        () => corridorRings(readCorridor(short, width, { cap: 'flat' })),
        JSON.stringify({ short, width }),
      ).not.toThrow();
    }
  });

  test('accepts corridors of geodesic edges', () => {
    for (let seed = 0; seed < 60; seed++) {
      const { line, width } = hardLine('few', seeded(seed));
      const geodesic = readCorridor(line, width, { edges: 'geodesic' });
      expect(ringsOf(geodesic, false).passes, JSON.stringify({ line, width })).toBe(true);
    }
  });
});

describe('distances for the spot check', () => {
  test('on the plane they are within their bound of the ellipsoidal distance', () => {
    const random = seeded(3);
    for (let k = 0; k < 4000; k++) {
      const lat = 170 * random() - 85;
      const reach = 10 ** (4 * random());
      const perLat = 1 / 111_320;
      const perLon = perLat / Math.cos((lat * Math.PI) / 180);
      const place = (): [number, number] => [
        37 + 2 * reach * (random() - 0.5) * perLon,
        Math.max(-85, Math.min(85, lat + 2 * reach * (random() - 0.5) * perLat)),
      ];
      const [a, b] = [place(), place()];
      const meters = new PlaneDistance(Float64Array.of(...a, ...b), reach).meters(37, lat);
      const exact = edgeDistance(37, lat, ...a, ...b);
      if (meters === Number.POSITIVE_INFINITY) continue;
      expect(Math.abs(meters - exact)).toBeLessThanOrEqual(
        planeError(exact, Math.tan((lat * Math.PI) / 180)) + 1e-6,
      );
    }
  });

  test('with a tree they equal a scan over all edges', () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = seeded(seed);
      const place: Position = [random() * 358 - 179, random() * 150 - 75];
      const long = readCorridor(walk(random, 400, place, 30, 1), 10, {});
      const [tree, scan] = [new PlaneDistance(long.coords, 1000), new ExactDistance(long.coords, 1000)];
      for (let k = 0; k < 40; k++) {
        const at = 2 * Math.floor((random() * long.coords.length) / 2);
        const [lon, lat] = [
          long.coords[at]! + (random() - 0.5) * 0.01,
          long.coords[at + 1]! + (random() - 0.5) * 0.01,
        ];
        const [meters, exact] = [tree.meters(lon, lat), scan.meters(lon, lat)];
        if (Math.abs(exact - 1000) < 1) continue;
        expect(Math.abs(Math.min(meters, 1e9) - Math.min(exact, 1e9))).toBeLessThan(0.2);
      }
    }
  });
});
