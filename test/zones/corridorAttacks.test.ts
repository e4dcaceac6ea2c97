import { describe, expect, test } from 'vitest';
import { corridor, type Position } from '../../src/index.js';
import { corridorRings } from '../../src/zones/corridor/corridor.js';
import { readCorridor } from '../../src/zones/corridor/readCorridor.js';
import { errorOf } from '../errorOf.js';
import { LONG, seeded } from '../volume.js';
import { attack } from './attacks.js';
import { flatContains, LineDistance, partsOf, trueMeters } from './corridorChecker.js';
import { faultsOfLine } from './faultsOfLine.js';
import { dwell, walk } from './lines.js';

/** The long run takes all seeds; the ordinary run takes every two-thousandth. */
const COUNT = 200_000;
const STEP = LONG ? 1 : 2003;

test.each([
  ['round the equator, as of one careless click', [[-175, 0], [-60, 0], [60, 0], [175, 0]], 50],
  ['round the equator and back beside it', [[-90, 0], [0, 0], [90, 0], [100, 5], [-100, 5]], 200],
  ['round the Earth in six edges, 100 m', [[0, 10], [80, -20], [160, 30], [-120, -10], [-50, 40], [0, 10]], 100],
  ['round the Earth in six edges, 300 m', [[0, 10], [80, -20], [160, 30], [-120, -10], [-50, 40], [0, 10]], 300],
  ['round the Earth in six edges, 1 km', [[0, 10], [80, -20], [160, 30], [-120, -10], [-50, 40], [0, 10]], 1000],
  ['a parallel of 360°', Array.from({ length: 361 }, (_, i) => [i === 0 ? -180 : i - 180, 30]), 50],
  ['up to a pole, and back down a meridian next to the first', [[121.37, 89.99], [121.4, 89.99], [121.4, 90], [121.37, 90], [121.37, 89.99]], 7],
  ['to and fro along a pole, with one way out and back', [[-160.8, 90], [104.8, 90], [-177.2, 90], [104.8, 90], [-104.5, 89.2], [104.8, 90], [-156.7, 90], [104.8, 90]], 30_000],
  ['to and fro along a pole alone', [[-160.8, 90], [104.8, 90], [-177.2, 90], [104.8, 90], [-160.8, 90], [104.8, 90]], 3000],
  ['4 cm wide over continents and the antimeridian', [[-22.6, -7.4], [-144.5, 64.2], [48.3, 15.9], [109, 27.5], [171.9, -34], [-51.2, 42.1]], 0.04111017880235501],
  ['bends on the antimeridian, beyond 85°', [[180, 86.925], [-179.999, 86.925], [-179.999, 86.926], [180, 86.926], [180, 86.928]], 0.573],
  ['2.4 cm around one position, across ±180° next to a pole', [[-171.184522435, -89.999999693]], 0.024239373543279197],
  ['two meridians that meet at a pole', [[0, 89], [10, 90], [120, 90], [120, 89]], 3000],
] as [string, Position[], number][])('%s: right, with few vertices and little work', (_name, line, width) => {
  expect(faultsOfLine(line, width, seeded(1))).toEqual([]);
  const { counts, cut } = corridorRings(readCorridor(line, width, {}));
  expect(cut().flat(2).length).toBeLessThan(2000);
  expect(counts.work).toBeLessThan(6_000_000);
}); // biome-ignore format: lines

test('a line that crosses itself millions of times is refused with its code', () => {
  const random = seeded(3);
  const places = [
    [37, 55, 0.1, 0.01],
    [-179, -80, 340, 50],
    [-179, 89, 358, 1],
  ] as const;
  for (const [west, south, size, width] of places.slice(LONG ? 0 : 2)) {
    const line = Array.from(
      { length: 10_000 },
      (): Position => [west + size * random(), south + Math.min(1, size) * random()],
    );
    expect(errorOf(() => corridor(line, width))).toMatchObject({ code: 'limit-vertices', field: 'line' });
  }
});

test.each([13_191, 33_991, 117_958])(
  'the line of seed %d, which crosses a pole many times, is not refused because of its snapping',
  (seed) => {
    const { line, width } = attack(seed, seeded(seed));
    expect(faultsOfLine(line, width, seeded(seed))).toEqual([]);
  },
);

describe('lines split at an edge along a pole contain all within half their width of it', () => {
  /** A zigzag down to a pole, edges along the pole, and a zigzag away from it. */
  const overPole = (pole: number, before: number, along: number, after: number): Position[] => {
    const zigzag = (count: number, lon: number): Position[] =>
      Array.from({ length: count }, (_, i) => [
        lon + (i % 2 === 0 ? -7 : 7) + 0.3 * i,
        pole - Math.sign(pole) * (0.02 + 0.005 * i),
      ]);
    const atPole = Array.from({ length: along }, (_, i): Position => [((220 + 37.3 * i) % 360) - 180, pole]);
    return [...zigzag(before, 30).toReversed(), ...atPole, ...zigzag(after, -50)];
  };

  test('the loop of seed 155048', () => {
    const { line, width } = attack(155_048, seeded(155_048));
    expect(faultsOfLine(line, width, seeded(155_048))).toEqual([]);
  });

  test.each([
    [-90, 1, 12, 1],
    [90, 1, 12, 1],
    [-90, 0, 20, 3],
    [90, 3, 20, 0],
  ])('at %i°: zigzags of %i vertices, %i along the pole, and %i', (pole, before, along, after) => {
    const line = overPole(pole, before, along, after);
    expect(corridorRings(readCorridor(line, 5000, {})).counts.splits).toBeGreaterThan(0);
    expect(faultsOfLine(line, 5000, seeded(1))).toEqual([]);
  });

  test.each([
    [-90, 2, 12, 2],
    [90, 3, 30, 9],
    [-90, 9, 30, 3],
  ])(
    'at %i° with flat caps, except near the ends: zigzags of %i, %i and %i',
    (pole, before, along, after) => {
      const line = overPole(pole, before, along, after);
      const flat = partsOf(corridor(line, 5000, { cap: 'flat' }));
      const distance = new LineDistance(line);
      const probes = Array.from(
        { length: 72 },
        (_, i): Position => [5 * i - 175.5, pole - Math.sign(pole) * (i % 2 === 0 ? 0.005 : 0.0215)],
      ).filter((probe) => [line[0]!, line.at(-1)!].every((end) => trueMeters(end, probe) > 2600));
      expect(probes.length).toBeGreaterThan(20);
      expect(probes.filter((probe) => flatContains(flat, probe) !== distance.meters(probe) < 2500)).toEqual(
        [],
      );
    },
  );
});

describe('lines that stay within a small part of their width', () => {
  test.each([0, 45, 80, -88, 89.5, 89.999])(
    'at %d° have corridors with the right distance and few vertices',
    (lat) => {
      for (let seed = 0; seed < (LONG ? 200 : 1); seed++) {
        const random = seeded(seed);
        const width = 10 ** (2 + 4 * random());
        const step = width * 10 ** (-3 - 2 * random());
        const at: Position = [random() * 358 - 179, lat];
        const line = [
          ...walk(random, 100, at, step, random() < 0.5 ? 0.3 : 3),
          ...dwell(random, 100, at, 5 * step),
          ...walk(random, 100, at, step, 1),
        ].map(([lon, y]): Position => [((((lon + 180) % 360) + 360) % 360) - 180, Math.min(90, y)]);
        const faults = faultsOfLine(line, width, random);
        expect({ seed, width, faults, line: faults.length > 0 ? line : [] }).toEqual({ seed, width, faults: [], line: [] }); // biome-ignore format: long
      }
    },
  );

  test('are cheap: 10,000 vertices within a thousandth of their width', () => {
    for (const lat of [0, 60, 88, 89.9]) {
      const line = walk(seeded(2), 10_000, [20, lat], 10, 3);
      const { counts } = corridorRings(readCorridor(line, 1_000_000, {}));
      expect(counts.work).toBeLessThan(15_000_000);
    }
  });
});

describe('lines of 32 kinds, widths of 1 cm to 100 km, all latitudes', () => {
  test('have valid corridors with the right distance, of possible area, which agree with their flat ring', () => {
    for (let seed = 0; seed < COUNT; seed += STEP) {
      const { kind, line, width } = attack(seed, seeded(seed));
      const faults = faultsOfLine(line, width, seeded(seed));
      expect({ seed, kind, width, line: faults.length > 0 ? line : [], faults }).toEqual({ seed, kind, width, line: [], faults: [] }); // biome-ignore format: long
    }
  }, 1e9);
});
