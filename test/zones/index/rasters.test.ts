/** What rasters and the squares of long lists say by themselves, and what they take: it agrees with the exact tests everywhere. */

import { describe, expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { segmentsCross } from '../../../src/planar/segments.js';
import { BORDER, drawPiece, INSIDE, type Lattice } from '../../../src/zones/index/cells/raster.js';
import { Rasters } from '../../../src/zones/index/cells/rasters.js';
import { Room } from '../../../src/zones/index/cells/room.js';
import { readShape } from '../../../src/zones/shape.js';
import { putShape } from '../../../src/zones/shapes/putShape.js';
import { ShapeColumns } from '../../../src/zones/shapes/shapeColumns.js';
import { seeded, volume } from '../../volume.js';
import { plainZone } from '../oracle/plainZones.js';
import { circle, corners, line, mixed, polygon, scanner, star } from './worlds.js';

type Random = () => number;

const columnsOf = (zones: readonly Geozone[]): ShapeColumns => {
  const columns = new ShapeColumns();
  zones.forEach((zone, i) => {
    putShape(columns, i, readShape(zone));
  });
  return columns;
};

const valueAt = (words: Uint32Array, side: number, x: number, y: number): number =>
  (words[(y * side + x) >> 4]! >>> (2 * (x & 15))) & 3;

/** Rings whose vertices are often on the borders and the middle parallels of a lattice's squares, or a hair beside them. */
function snappedRing(random: Random, { west, south, perLon, perLat, side }: Lattice): Pair[] {
  return Array.from({ length: 3 + Math.floor(random() * 9) }, (): Pair => {
    const at = (): number => {
      const free = (1.6 * random() - 0.3) * side;
      const snapped = random() < 0.7 ? Math.round(2 * free) / 2 : free;
      return snapped + [0, 0, 0, 1e-9, -1e-9, 1e-5][Math.floor(random() * 6)]!;
    };
    return [west + at() / perLon, south + at() / perLat];
  });
}

/** Places all over a square, its borders and corners too. */
const SHARES = [1e-9, 0.02, 0.5, 0.77, 1 - 1e-9];

function expectTrue(zone: Geozone, columns: ShapeColumns, piece: number, lattice: Lattice): number {
  const { west, south, perLon, perLat, side } = lattice;
  const words = new Uint32Array((side * side) / 16);
  if (!drawPiece(columns, piece, lattice, words, 0)) return side * side;
  const prepared = plainZone(zone);
  let borders = 0;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const value = valueAt(words, side, x, y);
      if (value >= BORDER) {
        borders++;
        continue;
      }
      for (const u of SHARES) {
        for (const v of SHARES) {
          const place: Pair = [west + (x + u) / perLon, south + (y + v) / perLat];
          if (prepared.contains(...place) !== (value === INSIDE))
            expect({ zone, lattice, place, value }).toBeNull();
        }
      }
    }
  }
  return borders;
}

const lattices: readonly Lattice[] = [
  { west: 10, south: 50, perLon: 16, perLat: 16, side: 16 },
  { west: 37.6, south: 55.7, perLon: 1600, perLat: 3200, side: 16 },
  { west: -0.3, south: -0.1, perLon: 64, perLat: 100, side: 64 },
];

test('a square that is said to be inside or outside of a polygon is, all of it', () => {
  const random = seeded(221);
  let borders = 0;
  for (let round = 0; round < volume(300); round++) {
    const lattice = lattices[round % 3]!;
    const zone = polygon('ring', snappedRing(random, lattice));
    try {
      plainZone(zone);
    } catch {
      continue;
    }
    borders += expectTrue(zone, columnsOf([zone]), 0, lattice);
  }
  expect(borders).toBeGreaterThan(1000);
});

test('a square is said to hold a border only where an edge comes into it', () => {
  const random = seeded(222);
  for (let round = 0; round < volume(60); round++) {
    const lattice = lattices[round % 2]!;
    const { west, south, perLon, perLat, side } = lattice;
    const ring = snappedRing(random, lattice);
    const zone = polygon('ring', ring);
    try {
      plainZone(zone);
    } catch {
      continue;
    }
    const words = new Uint32Array((side * side) / 16);
    expect(drawPiece(columnsOf([zone]), 0, lattice, words, 0)).toBe(true);
    const flat = ring.map(([x, y]): Pair => [(x - west) * perLon, (y - south) * perLat]);
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        if (valueAt(words, side, x, y) < BORDER) continue;
        const [w, e, s, n] = [x - 1e-3, x + 1.001, y - 1e-3, y + 1.001];
        const isMet = flat.some(([ax, ay], i) => {
          const [bx, by] = flat[(i + 1) % flat.length]!;
          if (ax >= w && ax <= e && ay >= s && ay <= n) return true;
          return (
            segmentsCross(ax, ay, bx, by, w, s, e, n) !== 'none' ||
            segmentsCross(ax, ay, bx, by, w, n, e, s) !== 'none'
          );
        });
        if (!isMet) expect({ ring, x, y }).toBeNull();
      }
    }
  }
});

test('discs and runs of lines say true too, at every size and latitude', () => {
  const random = seeded(223);
  let [said, all] = [0, 0];
  for (let round = 0; round < volume(200); round++) {
    const lat = (random() - 0.5) * 160;
    const size = [0.002, 0.05, 1][round % 3]!;
    const lattice: Lattice = {
      west: 20,
      south: lat,
      perLon: 16 / size,
      perLat: 16 / size,
      side: 16,
    };
    const at = (): Pair => [20 + (1.4 * random() - 0.2) * size, lat + (1.4 * random() - 0.2) * size];
    const meters = size * 50_000 * random();
    const zone =
      round % 2 === 0
        ? circle('disc', ...at(), meters)
        : line('line', Array.from({ length: 1 + Math.floor(random() * 6) }, at), meters);
    try {
      plainZone(zone);
    } catch {
      continue;
    }
    said += 256 - expectTrue(zone, columnsOf([zone]), 0, lattice);
    all += 256;
  }
  expect(said).toBeGreaterThan(all / 2);
});

describe('the raster of a polygon', () => {
  const zones = [
    ...mixed(7.1, 7.3, 1.7).filter(({ type }) => type.key === 'polygon'),
    polygon('long', star(16.35, 8.3, 0.25, 1750, 0.1)),
  ];
  const columns = columnsOf(zones);
  const rasters = new Rasters(columns, new Room(2 ** 20));
  rasters.drawAll();

  test('covers its box; what is beside that is outside', () => {
    expect(rasters.count).toBe(columns.pieceCount);
    const random = seeded(224);
    for (let piece = 0; piece < columns.pieceCount; piece++) {
      const [west, south, east, north] = columns.pieceBoxes.subarray(4 * piece, 4 * piece + 4) as unknown as [
        number,
        number,
        number,
        number,
      ];
      for (const [lon, lat] of [
        [west, south],
        [east, north],
        [west, north],
        [east, south],
      ] as const)
        expect(rasters.look(piece, lon, lat)).toBeLessThanOrEqual(3);
      expect(rasters.look(piece, west - 1e-9, south)).toBe(0);
      expect(rasters.look(piece, east + 1e-6, north)).toBe(0);
      expect(rasters.lookAround(piece, east + 1e-6, south, east + 1, north)).toBe(0);
      // What is said of a box is true of all its places.
      for (let i = 0; i < 300; i++) {
        const [x, y] = [
          west + (east - west) * (1.2 * random() - 0.1),
          south + (north - south) * (1.2 * random() - 0.1),
        ];
        const [w, h] = [random() * 0.1 * (east - west), random() * 0.1 * (north - south)];
        const side = rasters.lookAround(piece, x, y, x + w, y + h);
        if (side >= BORDER) continue;
        for (const u of [0, 0.3, 1])
          for (const v of [0, 0.6, 1]) expect(rasters.look(piece, x + u * w, y + v * h)).toBe(side);
      }
    }
  });

  test('is drawn after six exact tests, and not beyond the memory for it', () => {
    const few = new Rasters(columns, new Room(4 * 40));
    for (let i = 0; i < 5; i++) few.asked(0);
    expect([few.count, few.look(0, 7.5, 7.5)]).toEqual([0, BORDER]);
    for (let piece = 0; piece < 3; piece++) for (let i = 0; i < 9; i++) few.asked(piece);
    expect([few.count, few.bytes]).toEqual([1, 4 * 21]);
  });
});

describe('zones over one another', () => {
  const random = seeded(225);
  const zones = Array.from({ length: 240 }, (_, i): Geozone => {
    const [x, y] = [37.6 + 0.05 * random(), 55.7 + 0.03 * random()];
    if (i % 3 === 0) return circle(`c${i}`, x, y, 1000 + 2000 * random());
    if (i % 3 === 1) return polygon(`p${i}`, star(x, y, 0.03, 5 + Math.floor(40 * random())));
    return line(`l${i}`, [[x - 0.02, y], [x, y + 0.01], [x + 0.02, y]], 2000); // biome-ignore format: a line
  });
  const places = Array.from({ length: 300 }, (): Pair => [37.58 + 0.09 * random(), 55.68 + 0.07 * random()]);
  const scan = scanner(zones);
  const expected = places.map(scan);

  test.each([undefined, 0, 2_000, 60_000])(
    'are found alike, learnt or not, with %s bytes',
    (maxMemoryBytes) => {
      const index = new ZoneIndex(zones, maxMemoryBytes === undefined ? {} : { maxMemoryBytes });
      expect(places.map((place) => index.at(place))).toEqual(expected);
      index.learnAll();
      const { cellBytes } = index.stats();
      if (maxMemoryBytes !== undefined) expect(cellBytes).toBeLessThanOrEqual(maxMemoryBytes);
      expect(places.map((place) => index.at(place))).toEqual(expected);
      expect(places.map((place) => index.at(place))).toEqual(expected);
      const opened = ZoneIndex.fromBuffer<Geozone>(index.toBuffer({ cells: true }));
      expect(places.map((place) => opened.at(place))).toEqual(expected);
    },
  );

  test('and so while some go and others come', () => {
    const index = new ZoneIndex(zones);
    index.learnAll();
    for (const zone of zones.filter((_, i) => i % 4 === 0)) index.remove(zone.id);
    const left = zones.filter((_, i) => i % 4 !== 0);
    const later = left.map((zone, i) => (i % 5 === 0 ? { ...zones[i]!, id: zone.id } : zone));
    for (const [i, zone] of later.entries()) if (i % 5 === 0) index.update(zone);
    const again = scanner(later);
    for (const place of places) expect(index.at(place)).toEqual(again(place));
  });

  test('1,000 circles take a bounded number of names, in lists and in squares', () => {
    const stack = Array.from({ length: 1000 }, (_, i) =>
      circle(`s${i}`, 37.6 + 0.1 * random(), 55.7 + 0.06 * random(), 2000 + 4000 * random()),
    );
    const index = new ZoneIndex(stack);
    const lists = index.stats().bytes;
    index.learnAll();
    const { cells, cellBytes } = index.stats();
    expect(lists).toBeLessThan(1000 * 1000);
    expect(cells).toBeLessThan(1000);
    expect(cellBytes).toBeLessThan(20e6);
    const all = scanner(stack);
    for (const place of places.slice(0, 40)) expect(index.at(place)).toEqual(all(place));
  });
});

test('where memory is too little for all rasters, answers are the same', () => {
  const zones = [...corners(0, 0, 64), ...mixed(16.4, 8.3, 2)];
  const scan = scanner(zones);
  for (const maxMemoryBytes of [0, 100, 300, 1_000]) {
    const index = new ZoneIndex(zones, { maxMemoryBytes });
    index.learnAll();
    expect(index.stats().cellBytes).toBeLessThanOrEqual(maxMemoryBytes);
    for (let i = 0; i < 200; i++) {
      const place: Pair = [16.4 + (i % 20) / 10, 8.3 + Math.floor(i / 20) / 5];
      expect(index.at(place)).toEqual(scan(place));
    }
  }
});
