import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  corridor,
  lineToPolygon,
  type MultiPolygon,
  measureZone,
  type Polygon,
  type Position,
} from '../../src/index.js';
import { corridorRings } from '../../src/zones/corridor/corridor.js';
import { readCorridor } from '../../src/zones/corridor/readCorridor.js';
import { cutGeometry } from '../../src/zones/cutPart.js';
import { errorOf } from '../errorOf.js';
import { LONG, seeded } from '../volume.js';
import { wkt } from '../wkt.js';
import { checkCorridor, faultsOf, flatContains, moved, partsOf } from './corridorChecker.js';
import { dwell, gridWalk, hardLine, LINE_KINDS, type LineKind, networkWalk, walk } from './lines.js';

const tolerance = (width: number): number => Math.max(0.01, width / 2000);

/** Checks that the polygon is valid, that its boundary has the right distance, and that probes are on the right side. */
function expectTrue(
  line: readonly Position[],
  width: number,
  polygon: Polygon | MultiPolygon = corridor(line, width),
  options: { edges?: 'lonlat' | 'geodesic'; samples?: number; probes?: number; tolerance?: number } = {},
): void {
  const { boundaryMeters, worst, wrong, invalid } = checkCorridor(line, width, polygon, {
    ...(options.edges === undefined ? {} : { edges: options.edges }),
    samples: options.samples ?? 400,
    probes: options.probes ?? 200,
    random: seeded(7),
  });
  expect({ invalid, wrong }).toEqual({ invalid: [], wrong: [] });
  expect({
    boundaryMeters,
    worst,
    fits: boundaryMeters <= (options.tolerance ?? tolerance(width)),
  }).toMatchObject({
    fits: true,
  });
}

const rings = (polygon: Polygon | MultiPolygon): Position[][] => partsOf(polygon).flat();

function area(polygon: Polygon | MultiPolygon): number {
  const parts = partsOf(polygon);
  return measureZone({ type: { key: 'polygon' }, geometry: [], parts }).area!;
}

describe('corridor', () => {
  const street: Position[] = wkt('37.6 55.7, 37.61 55.705, 37.615 55.7');

  test('a straight street of 10 km has few vertices besides those of its caps', () => {
    const straight = Array.from({ length: 101 }, (_, i): Position => [37 + i * 0.0016, 55]);
    expect(rings(corridor(straight, 50))[0]!.length).toBeLessThan(70);
    expect(rings(corridor(straight, 50, { cap: 'flat' }))[0]!.length).toBe(5);
    expectTrue(straight, 50);
  });

  test.each([
    ['a street', street, 50],
    ['a closed loop keeps its hole', [...street, street[0]!], 50],
    ['a spike', [street[0]!, street[1]!, street[0]!], 50],
    ['a spike beyond the start', [street[0]!, [37.61, 55.7], [37.605, 55.7], [37.62, 55.7]], 50],
    [
      'a roundabout whose inner side folds back, driven round once',
      wkt(`
        9.5253856 47.1083885, 9.5248864 47.109694, 9.5249416 47.1097188, 9.5249744 47.1097483,
        9.5249898 47.1097944, 9.5249759 47.1098352, 9.5249392 47.1098682, 9.5248655 47.1098914,
        9.5247856 47.1098867, 9.5247197 47.1098466, 9.5246969 47.1098005, 9.5247175 47.1097414,
        9.524754 47.1097135, 9.5248132 47.1096951, 9.5248864 47.109694, 9.5253856 47.1083885
      `),
      30,
    ],
    ['a hairpin tighter than the width', wkt('37.6 55.7, 37.7 55.7, 37.7 55.7001, 37.6 55.7001'), 100],
    ['a fold whose rounding makes it an inner bend', wkt('112.034 8.181, 112.071 8.218, 112.054 8.201'), 5],
    [
      'a fold whose outer corner would be a kilometre away',
      wkt('105.6286 0.0769, 105.6565 0.049, 105.6417 0.0638'),
      100,
    ],
    [
      'a fold whose outer corner would be on the line',
      wkt('-75.964 -3.671, -75.97 -3.665, -75.949 -3.686'),
      3.568870676672211,
    ],
    ['a width of a decimetre', walk(seeded(1), 50, [5, 50], 1, 1), 0.1],
    ['a width of a metre', walk(seeded(2), 50, [5, 50], 20, 1), 1],
    ['2,000 km at 60° north in two positions', wkt('10 60, 46 61'), 2000],
    [
      'across the antimeridian and back, twice',
      wkt('179.9 -16.5, -179.9 -16.4, 179.95 -16.2, -179.9 -16.1'),
      2000,
    ],
    ['along the antimeridian', wkt('180 10, 180 11, -180 12'), 700],
    [
      'across the antimeridian at every step',
      Array.from({ length: 60 }, (_, i) => [i % 2 ? 179.99 : -179.99, i * 0.01]),
      500,
    ],
    ['at 84° north', walk(seeded(3), 100, [10, 84], 600, 0.4), 500],
    ['at 89.9° north', wkt('0 89.9, 60 89.95, 170 89.9, -120 89.8'), 500],
    ['around a pole, the pole inside', wkt('0 89.9, 60 89.95, 170 89.9, -120 89.8'), 60_000],
    ['over the north pole', wkt('0 89, 10 90, 120 89'), 5000],
    ['over the south pole', wkt('0 -88, 100 -89, -100 -89.5'), 100_000],
    ['2,000 km wide', wkt('0 0, 20 30, 40 10'), 2_000_000],
    ['2,000 km wide, a pole inside', wkt('0 60, 40 75, 120 70'), 2_000_000],
    ['2,000 km wide from pole to pole', wkt('10 -85, 15 0, 10 88'), 2_000_000],
    ['2,000 km wide around the equator', wkt('-170 0, -60 0, 60 0, 170 0, -170 0'), 2_000_000],
    [
      'three turns around the pole',
      Array.from({ length: 60 }, (_, i) => [((i * 20 + 180) % 360) - 180, 80 + i * 0.15]),
      20_000,
    ],
    ['fixes of a unit at rest', dwell(seeded(4), 300, [37, 55], 5), 100],
    ['streets of a city', gridWalk(seeded(5), 600, [37, 55], 0.001), 30],
    ['ways of hundreds of kilometres gone along again', networkWalk(seeded(10), 12, 60, [37, 80], 3e5), 5000],
    [
      'forth and back',
      [...walk(seeded(6), 200, [5, 50], 60, 0.4), ...walk(seeded(6), 200, [5, 50], 60, 0.4).reverse()],
      500,
    ],
  ] as [string, Position[], number][])('%s', (_name, line, width) => {
    expectTrue(line, width);
  });

  test('geodesic edges follow the shortest way, also across the pole', () => {
    const atlantic: Position[] = wkt('-74 40.7, 2 48.8');
    expectTrue(atlantic, 10_000, corridor(atlantic, 10_000, { edges: 'geodesic' }), { edges: 'geodesic' });
    const polar: Position[] = wkt('0 85, 179 85');
    expectTrue(polar, 20_000, corridor(polar, 20_000, { edges: 'geodesic' }), { edges: 'geodesic' });
  });

  test('the tolerance of the caller is met, and a coarser one needs fewer vertices', () => {
    const line = walk(seeded(8), 60, [5, 50], 200, 0.6);
    const counts = [0.01, 0.1, 1, 10].map((toleranceMeters) => {
      const polygon = corridor(line, 200, { toleranceMeters });
      expectTrue(line, 200, polygon, { tolerance: toleranceMeters, probes: 0 });
      return rings(polygon).flat().length;
    });
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });

  test('flat caps are at right angles to the line', () => {
    const line: Position[] = wkt('37.6 55.7, 37.61 55.7');
    const ring = rings(corridor(line, 50, { cap: 'flat' }))[0]!;
    for (const [lon] of ring) expect([37.6, 37.61]).toContainEqual(expect.closeTo(lon, 6));
    expect(flatContains([[ring]], [37.5999, 55.7])).toBe(false);
  });

  test.each([
    ['up to a pole', [[0, 80], [0.5, 89.97], [40, 89.98]], 20_000],
    ['along a pole', [[10, 89], [12, 89.9], [60, 89.95], [61, 89.96]], 30_000],
    ['past a pole', [[0, 89.5], [1, 89.9], [120, 89.9]], 9000],
  ] as [string, Position[], number][])('a flat cap of a line %s, which is resolved in parts, has nothing ahead of it', (_name, line, width) => {
    const polygon = corridor(line, width, { cap: 'flat' });
    expect(faultsOf(polygon)).toEqual([]);
    const [[aLon, aLat], [bLon, bLat]] = [line.at(-2)!, line.at(-1)!];
    const azimuth = Math.atan2((bLon - aLon) * Math.cos((bLat * Math.PI) / 180), bLat - aLat) * (180 / Math.PI);
    for (const share of [0.1, 0.5, 0.9]) {
      expect(flatContains(partsOf(polygon), moved(line.at(-1)!, azimuth, (share * width) / 2))).toBe(false);
    }
    expect(flatContains(partsOf(polygon), moved(line.at(-1)!, azimuth + 180, 10))).toBe(true);
  }); // biome-ignore format: lines

  test('flat caps of a walk that repeats its streets remove two half discs', () => {
    for (const [count, width] of [
      [100, 5],
      [800, 30],
      [800, 90],
    ] as const) {
      const streets = gridWalk(seeded(count), count, [37, 55], 0.001);
      const [lon, lat] = streets.at(-1)!;
      const line: Position[] = [[37 - 0.1, 55 - 0.1], ...streets, [lon + 0.1, lat + 0.1]];
      const round = corridor(line, width);
      const flat = corridor(line, width, { cap: 'flat' });
      expect(faultsOf(flat)).toEqual([]);
      const { perimeter } = measureZone({ type: { key: 'polygon' }, geometry: [], parts: partsOf(round) });
      const taken = area(round) - area(flat);
      expect(Math.abs(taken - Math.PI * (width / 2) ** 2)).toBeLessThan(2 * tolerance(width) * perimeter!);
      // All that only the round corridor contains is near the ends.
      for (const at of rings(round).flat()) {
        if (Math.min(Math.abs(at[0] - line[0]![0]), Math.abs(at[0] - line.at(-1)![0])) < 0.05) continue;
        const isHeld = [45, 135, 225, 315].some((azimuth) =>
          flatContains(partsOf(flat), moved(at, azimuth, 3 * tolerance(width))),
        );
        expect(isHeld).toBe(true);
      }
      expect(flatContains(partsOf(flat), moved(line[0]!, 225, 1))).toBe(false);
      expect(flatContains(partsOf(round), moved(line[0]!, 225, 1))).toBe(true);
    }
  });

  test('the width can be that of each side', () => {
    expect(corridor(street, 25, { lineWidth: 'each-side' })).toEqual(corridor(street, 50));
  });

  test('one position, equal positions, and positions that differ by rounding give a disc', () => {
    const disc = corridor([[37.6, 55.7]], 100);
    expectTrue([[37.6, 55.7]], 100, disc);
    expect(corridor(wkt('37.6 55.7, 37.6 55.7, 37.6 55.7'), 100)).toEqual(disc);
    expectTrue(
      [[37.6, 55.7]],
      100,
      corridor(
        [
          [37.6, 55.7],
          [37.6 + 1e-10, 55.7],
        ],
        100,
      ),
    );
    expectTrue([[0, 90]], 100);
    expectTrue([[180, -89.9999]], 100);
  });

  test('ten thousand vertices in a zigzag of a millimetre give few vertices', () => {
    const zigzag = Array.from({ length: 10_000 }, (_, i): Position => [37 + i * 1e-7, 55 + (i % 2) * 1e-8]);
    const polygon = corridor(zigzag, 100);
    expect(rings(polygon).flat().length).toBeLessThan(100);
    expectTrue(zigzag, 100, polygon, { samples: 100, probes: 30 });
  });

  // The hole (jts#876) of a closed loop just before it vanishes and just after
  test('a loop has a hole only if the width leaves room for it', () => {
    const circle = Array.from({ length: 181 }, (_, i): Position => moved([10, 50], (i % 180) * 2, 100));
    const holes = (width: number): number => rings(corridor(circle, width)).length - 1;
    expect([190, 198, 199, 201, 202, 250].map(holes)).toEqual([1, 1, 1, 0, 0, 0]);
  });

  // Lines that broke buffers of other libraries, checked by distance
  test.each([
    ['geos#984, a narrow triangle', wkt('24.5 59.4, 24.50001 59.4002, 24.49999 59.4002, 24.5 59.4')],
    ['jts#1143, vertices closer than the width', wkt('0 0, 1e-5 1e-5, 2e-5 0, 1e-5 -1e-5, 0 0')],
    ['jts#1078, a track with a knot', dwell(seeded(9), 40, [8.5, 47.4], 30)],
  ] as [string, Position[]][])('%s', (_name, line) => {
    for (const width of [0.5, 5, 50, 500]) expectTrue(line, width);
  });

  /** Offsets in metres of a projected plane, as a closed line. */
  const aroundPlace = (meters: readonly (readonly [number, number])[]): Position[] =>
    meters.map(
      ([x, y]): Position => [
        10 + (x - meters[0]![0]) / (111_320 * Math.cos((50 * Math.PI) / 180)),
        50 + (y - meters[0]![1]) / 111_320,
      ],
    );

  // The inputs as reported, with the boundaries of the polygons as lines of the reported distance
  test.each([
    [
      'geos#984, nearly a triangle, 5 m',
      aroundPlace(
        wkt(`
        182719.045215709 224897.14115349, 182807.028874362 224880.644217493,
        182808.473143019 224877.250023627, 182718.387011372 224740.00115247,
        182711.826972819 224742.085993786, 182717.139371763 224895.61432328,
        182719.045215709 224897.14115349
      `),
      ),
      5,
      1,
    ],
    [
      'jts#1143, a rectangle, 1 cm',
      aroundPlace(wkt('238.726 732.955, 229.698 728.655, 215.57 758.315, 224.598 762.615, 238.726 732.955')),
      0.01,
      1,
    ],
    [
      'jts#739, a last edge of less than a millimetre, 0.0002 degrees',
      wkt(`
        114.337434257064 22.6869985219834, 114.3375897 22.6869952, 114.3378091 22.6869939,
        114.3379256 22.6869866, 114.338153 22.6869723, 114.3383013 22.6869747, 114.3384207 22.6869932,
        114.3386951 22.6870794, 114.3388456 22.6871314, 114.3397001 22.6874642, 114.340615 22.6878098,
        114.3406906 22.68785, 114.3407353 22.6878952, 114.3407928 22.6879718,
        114.34084529879 22.6881214965493, 114.34084529879 22.6881214965493, 114.3408453 22.6881215
      `),
      22.2,
      0,
    ],
  ] as [string, Position[], number, number][])('%s, as reported', (_name, line, radius, holes) => {
    const polygon = corridor(line, 2 * radius);
    expectTrue(line, 2 * radius, polygon, { tolerance: Math.max(0.01, radius / 1000) });
    expect(rings(polygon).length - 1).toBe(holes);
    const flat = corridor(line, 2 * radius, { cap: 'flat' });
    expect(faultsOf(flat)).toEqual([]);
    // A flat end has no spike, so all of it is inside a slightly wider round corridor.
    for (const at of rings(flat).flat()) {
      expect(flatContains(partsOf(corridor(line, 2 * radius + 0.1)), at)).toBe(true);
    }
  });

  test('the corridor is the whole Earth if the line leaves no room', () => {
    const winding = Array.from(
      { length: 1200 },
      (_, i): Position => [((i * 30 + 180) % 360) - 180, -90 + i * 0.15],
    );
    const polygon = corridor(winding, 2_000_000);
    expect(faultsOf(polygon)).toEqual([]);
    expect(area(polygon)).toBeGreaterThan(5.1e14);
  });

  test('refuses invalid lines, widths and options', () => {
    const code = (line: unknown, width: unknown, options?: object): string => {
      const { code: reason, field } = errorOf(() =>
        corridor(line as Position[], width as number, options as object),
      );
      return `${reason} ${field}`;
    };
    for (const width of [0, -1, Number.NaN, 2_000_001, 1e7, '5', null]) {
      expect(code(street, width)).toBe('width-range widthMeters');
    }
    expect(faultsOf(corridor(street, 1e-9))).toEqual([]);
    expect(code(street, 1_500_000, { lineWidth: 'each-side' })).toBe('width-range widthMeters');
    expect(code([], 5)).toBe('line-too-short line');
    expect(code('x', 5)).toBe('coord-type line');
    expect(code(wkt('0 0, 0 91'), 5)).toBe('lat-range line[1][1]');
    expect(code(wkt('0 0, 180 0'), 5)).toBe('edge-ambiguous line[1]');
    // All kinds of edges have the same rule, as in `lineToPolygon`.
    const ambiguous: Position[] = wkt('-90 10, 90 20');
    expect(code(ambiguous, 5, { edges: 'geodesic' })).toBe('edge-ambiguous line[1]');
    expect(errorOf(() => lineToPolygon({ width: 5, geometry: ambiguous }, { edges: 'geodesic' })).code).toBe(
      'edge-ambiguous',
    );
    expect(code(street, 5, { toleranceMeters: 0 })).toBe('tolerance-range options.toleranceMeters');
    expect(code(street, 5, { cap: 'square' })).toBe('option-value options.cap');
    expect(code(street, 5, { edges: 'rhumb' })).toBe('option-value options.edges');
    expect(code(street, 5, { lineWidth: 'half' })).toBe('option-value options.lineWidth');
  });
});

describe('corridors of generated lines', () => {
  const line = fc.record({
    kind: fc.constantFrom<LineKind>(...LINE_KINDS),
    seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  });
  const runs = { numRuns: LONG ? 3000 : 30, seed: 20261121 } as const;

  test('are valid, have their boundary at its distance, and contain the line', () => {
    fc.assert(
      fc.property(line, ({ kind, seed }) => {
        const hard = hardLine(kind, seeded(seed));
        const polygon = corridor(hard.line, hard.width);
        expectTrue(hard.line, hard.width, polygon, { samples: 60, probes: 30 });
        const parts = partsOf(polygon);
        for (const [lon, lat] of hard.line) {
          if (Math.abs(lon) < 180 && Math.abs(lat) < 90) expect(flatContains(parts, [lon, lat])).toBe(true);
        }
      }),
      { numRuns: LONG ? 20_000 : 100, seed: 20261121 },
    );
  });

  test('are also right by snapping alone, which is the last resort', () => {
    fc.assert(
      fc.property(line, ({ kind, seed }) => {
        const hard = hardLine(kind, seeded(seed));
        const { cut } = corridorRings(readCorridor(hard.line, hard.width, {}), true);
        expectTrue(hard.line, hard.width, cutGeometry(cut()), { samples: 60, probes: 30 });
      }),
      runs,
    );
  });

  test('grow with the width', () => {
    fc.assert(
      fc.property(line, ({ kind, seed }) => {
        const hard = hardLine(kind, seeded(seed));
        const wide = partsOf(corridor(hard.line, Math.min(2_000_000, hard.width * 1.1)));
        if (hard.width * 1.1 > 2_000_000 || hard.width < 1) return;
        for (const [lon, lat] of rings(corridor(hard.line, hard.width)).flat()) {
          if (Math.abs(lon) < 180 && Math.abs(lat) < 90) expect(flatContains(wide, [lon, lat])).toBe(true);
        }
      }),
      runs,
    );
  });

  test('are the same if the line is reversed or shifted by ±360°', () => {
    fc.assert(
      fc.property(line, ({ kind, seed }) => {
        const hard = hardLine(kind, seeded(seed));
        const polygon = corridor(hard.line, hard.width);
        const wanted = area(polygon);
        const perimeter = measureZone({
          type: { key: 'polygon' },
          geometry: [],
          parts: partsOf(polygon),
        }).perimeter!;
        const slack = 2 * tolerance(hard.width) * perimeter;
        const shift = (turn: number): Position[] => hard.line.map(([lon, lat]) => [lon + turn, lat]);
        for (const other of [hard.line.toReversed(), shift(360), shift(-360)]) {
          expect(Math.abs(area(corridor(other, hard.width)) - wanted)).toBeLessThan(slack);
        }
      }),
      runs,
    );
  });
});
